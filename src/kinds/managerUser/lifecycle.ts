import { z } from "zod";
import { sameJson } from "../../declaration/values";
import { ArgumentError } from "../../errors";
import type { JsonObject } from "../../json";
import { createOnce, UnknownOutcomeError } from "../../lifecycle/creation";
import { existsAlready } from "../../lifecycle/existing";
import { type Lifecycle, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { booleanSchema, type Checks, failuresOf, inputNames, timeoutsSchema } from "../../lifecycle/oldCheck";
import { difference } from "../../lifecycle/oldDiff";
import type { User } from "../../manager/users";

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

  holds: (id, { email }) => (typeof (id ?? email) === "string" ? [String(id ?? email).toLowerCase()] : []),

  async create(inputs, run) {
    const email = inputs.email as string;
    const user = await run.context.alone(`user ${email.toLowerCase()}`, async () => {
      const there = await find(email, run, run.deadline.signal);
      if (there === undefined) return add(email, inputs, run);
      if (inputs.adopt === true || isOurs(email, run)) return there;
      throw existsAlready(`The account has a user ${email} already, who was not made here`, [
        "set `adopt: true` to take that one over",
      ]);
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
    if (state.password !== undefined) return { ...inputs, password: state.password };
    // Nobody knew what had become of the creation.
    return stateOf(inputs, (await find(id, run, run.deadline.signal)) ?? (await add(id, inputs, run)));
  },

  async delete(id, _state, run) {
    run.context.ownership.leave(thingOf(id));
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

/** Whether a user who is there is the resource's own: made by an update that was cut short, or left by a replacement. */
const isOurs = (email: string, { context, journal }: Run): boolean =>
  isSame(journal?.unfinished?.facts.email, email) || context.ownership.isLeft(thingOf(email));

const thingOf = (email: string): string => `ManagerUser ${email.toLowerCase()}`;

/**
 * Adds a user, once, and waits until the list has it: the password is not known before.
 *
 * @throws {PartialFailure} when the user may have been added
 */
async function add(email: string, inputs: JsonObject, run: Run): Promise<User> {
  const { context, deadline } = run;
  if (!(await context.loggedIn.get(deadline.signal))) {
    throw new ArgumentError(
      `The Proxy Manager at ${context.manager.url} is not logged in to an account that a user could be added to. Log in there and run again.`,
    );
  }
  const creation = {
    title: `user ${email}`,
    facts: { email },
    async look(facts: JsonObject, signal: AbortSignal) {
      const user = isSame(facts.email, email) ? await find(email, run, signal) : undefined;
      return user === undefined ? [] : [user];
    },
    async send(signal: AbortSignal) {
      await context.manager.users.add(email, { signal });
      return [];
    },
    remedy: "The next `pulumi up` looks for the user again, and adds them if they are not there.",
  };
  try {
    const [made] = await createOnce(creation, run);
    if (made !== undefined) return made;
  } catch (error) {
    throw error instanceof UnknownOutcomeError ? new PartialFailure(email, inputs, error) : error;
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
