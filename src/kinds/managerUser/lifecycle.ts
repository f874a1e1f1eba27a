import { ArgumentError, BrightDataError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { begunBefore, createOnce, leftBehind, UnknownOutcomeError } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import type { User } from "../../model/managerUser";
import { userThing } from "../shared/things";
import { managerUser } from "./declaration";

type Inputs = InputsOf<typeof managerUser>;
type State = StateOf<typeof managerUser>;

export const managerUserLifecycle = lifecycle(managerUser, {
  holds: (id, { email }) => (typeof (id ?? email) === "string" ? [userThing(String(id ?? email))] : []),

  async create(inputs, run) {
    const { email } = inputs;
    const user = await run.context.alone(`user ${email.toLowerCase()}`, async () => {
      const there = await find(email, run, run.deadline.signal);
      if (there === undefined) return add(email, inputs, run);
      if (isOurs(email, run) || inputs.adopt === true) return there;
      throw existsAlready(`The account has a user ${email} already, who was not created here`, [
        "set `adopt: true` to take that one over",
      ]);
    });
    return { id: email, state: stateOf(inputs, user) };
  },

  async read(id, inputs, run, state) {
    const users = await run.context.managerUsers.get(run.deadline.signal);
    const user = users.find(({ email }) => isSame(email, id));
    if (user !== undefined) return { email: id, ...inputs, ...secretOf(user) };
    // The manager has an empty list also when it is logged out or cannot reach its vendor: that proves nothing.
    return inputs !== undefined && users.length === 0 ? state : undefined;
  },

  async update(id, state, _declared, inputs, run) {
    if (state.password !== undefined) return { ...inputs, password: state.password };
    // Nobody knew what had become of the creation.
    return stateOf(inputs, (await find(id, run, run.deadline.signal)) ?? (await add(id, inputs, run)));
  },

  async delete(id, _state, run) {
    run.context.claims.release(userThing(id));
    run.say?.(`user ${id} stays: the Proxy Manager cannot remove one. Remove the user in the control panel.`);
  },

  async list(run) {
    const users = await run.context.managerUsers.get(run.deadline.signal);
    return users.map(({ email }) => email);
  },
});

const isSame = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase();

const secretOf = ({ password }: User): Partial<Pick<User, "password">> => (password === undefined ? {} : { password });

/** @throws {PartialFailure} when the user has no password yet */
function stateOf(inputs: Inputs, { password }: User): State {
  if (password !== undefined) return { ...inputs, password };
  const { email } = inputs;
  const missing = new BrightDataError(
    `The Proxy Manager lists user ${email} without a password. Run \`pulumi up\` again to read it.`,
  );
  throw new PartialFailure(email, inputs, missing);
}

async function find(email: string, run: Run, signal: AbortSignal): Promise<User | undefined> {
  const users = await run.context.manager.users.list({ signal });
  return users.find((user) => isSame(user.email, email));
}

/** Whether a user who is there is the resource's own: made by an update that was cut short, or left by a replacement. */
const isOurs = (email: string, run: Run): boolean =>
  begunBefore(run, isOf(email)) !== undefined || run.context.claims.isReleased(userThing(email));

/** Tells whether the facts of a creation are of the user of an address. */
const isOf =
  (email: string) =>
  (facts: JsonObject): boolean =>
    isSame(facts.email, email);

/**
 * Adds a user, once, and waits until the list has it: the password is not known before.
 *
 * @throws {PartialFailure} when the user may have been added
 */
async function add(email: string, inputs: Inputs, run: Run): Promise<User> {
  const { context, deadline } = run;
  if (!(await context.loggedIn.get(deadline.signal))) {
    throw new ArgumentError(
      `The Proxy Manager at ${context.manager.url} is not logged in to an account that a user could be added to. Log in there and run again.`,
    );
  }
  const creation = {
    title: `user ${email}`,
    facts: { email },
    thing: userThing(email),
    isSame: isOf(email),
    async look(_facts: JsonObject, signal: AbortSignal) {
      const user = await find(email, run, signal);
      return user === undefined ? [] : [user];
    },
    async send(signal: AbortSignal) {
      await context.manager.users.add(email, { signal });
      return [];
    },
    remedy: "The next `pulumi up` looks for the user again, and adds them if they are not there.",
    advice: leftBehind(
      `user ${email}`,
      "If the account has the user, declare a ManagerUser with `adopt: true`, or remove the user in the control panel.",
    ),
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
