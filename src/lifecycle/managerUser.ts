import { z } from "zod";
import { ArgumentError, BrightDataError } from "../errors";
import type { JsonObject } from "../http/case";
import type { User } from "../manager/users";
import { booleanSchema, type Checks, failuresOf, inputNames, timeoutsSchema } from "./check";
import { difference, sameJson } from "./diff";
import { type Lifecycle, PartialFailure, type Run } from "./lifecycle";
import { isUnsettled, turnsUp } from "./settle";

const checks: Checks = {
  schema: z.strictObject({
    email: z
      .string("expected an email address.")
      .regex(/^[^\s,@]+@[^\s,@]+$/, 'expected one email address, such as "ops@example.com".'),
    adopt: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: { "": ["email", "adopt", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
};

/** A user of the account who may use the manager's ports. */
export const managerUser = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets: ["password"],

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  diff(state, declared, inputs) {
    const comparison = {
      same: (path: string, left: unknown, right: unknown) =>
        path === "email" ? isSame(left, right) : sameJson(left, right),
      replaces: (path: string) => path === "email",
    };
    return { ...difference(state, declared, inputs, comparison), deleteBeforeReplace: false };
  },

  async create(inputs, run) {
    const email = inputs.email as string;
    const user = await run.context.alone(`user ${email.toLowerCase()}`, async () => {
      const there = await find(email, run, run.deadline.signal);
      if (there === undefined) return add(email, inputs, run);
      if (inputs.adopt === true) return there;
      throw new ArgumentError(
        `The account has a user ${email} already, who was not made here. Set \`adopt: true\` to take that one over.`,
      );
    });
    return { id: email, state: stateOf(inputs, user) };
  },

  async read(id, inputs, run, state) {
    const users = await run.context.managerUsers.get(run.deadline.signal);
    const user = users.find(({ email }) => isSame(email, id));
    if (user !== undefined) return stateOf({ email: id, ...inputs }, user);
    // The manager has an empty list also when it is logged out or cannot reach its vendor: that proves nothing.
    return inputs !== undefined && users.length === 0 ? state : undefined;
  },

  async update(id, state, _declared, inputs, run) {
    // After a creation that was cut short it is not known yet.
    if (state.password === undefined) return stateOf(inputs, await listed(id, run));
    return { ...inputs, password: state.password };
  },

  async delete(id, _state, run) {
    run.say?.(`user ${id} stays: the Proxy Manager cannot remove one. Remove the user in the control panel.`);
  },
} satisfies Lifecycle;

const isSame = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase();

const stateOf = (inputs: JsonObject, { password }: User): JsonObject => ({
  ...inputs,
  ...(password === undefined ? {} : { password }),
});

async function find(email: string, run: Run, signal: AbortSignal): Promise<User | undefined> {
  const users = await run.context.manager.users.list({ signal });
  return users.find((user) => isSame(user.email, email));
}

/** Adds a user, and waits until the list has it: the password is not known before. */
async function add(email: string, inputs: JsonObject, run: Run): Promise<User> {
  const { context, deadline } = run;
  try {
    await context.manager.users.add(email, { signal: deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    const isThere = await turnsUp(async (signal) => (await find(email, run, signal)) !== undefined).catch(() => {
      throw new BrightDataError(
        `${(error as Error).message} Whether the user was added could not be found out either. Look in the control panel: if ${email} is there, set \`adopt: true\` and run again.`,
        { cause: error },
      );
    });
    if (!isThere) throw error;
  } finally {
    context.managerUsers.forget();
  }
  try {
    return await listed(email, run);
  } catch (error) {
    throw new PartialFailure(email, inputs, error);
  }
}

const listed = (email: string, run: Run): Promise<User> =>
  run.deadline.poll(`waiting for user ${email} to be listed`, () => find(email, run, run.deadline.signal));
