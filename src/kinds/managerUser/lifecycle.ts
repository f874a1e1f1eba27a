import { ArgumentError, BrightDataError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { present } from "../../http/optional";
import { createOnce, isBegun, leftBehind } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { keeping, PartialFailure, type Step } from "../../lifecycle/lifecycle";
import type { User } from "../../model/managerUser";
import { userThing } from "../shared/things";
import { managerUser } from "./declaration";

type Inputs = InputsOf<typeof managerUser>;
type State = StateOf<typeof managerUser>;

export const managerUserLifecycle = lifecycle(managerUser, {
  holdings: (id, { email }) => ({ has: typeof (id ?? email) === "string" ? [userThing(String(id ?? email))] : [] }),

  // Nobody knows what has become of the creation, or the password is not listed yet.
  open: ({ password }) => (password === undefined ? ["password"] : []),

  async create(inputs, step) {
    const { email } = inputs;
    const user = await step.context.alone(`user ${email.toLowerCase()}`, async () => {
      const there = await observe(email, step);
      if (there === undefined) return ensure(email, inputs, step);
      // Created by an update that was cut short, or left by a replacement.
      const isTakenUp = isBegun({ isSame: (facts) => isSame(facts.email, email) }, there, step) === true;
      const isReleased = step.context.claims.released.has(userThing(email));
      if (isTakenUp || isReleased || inputs.adopt === true) return there;
      throw existsAlready(`The account has a user ${email} already`, ["set `adopt: true` to take that one over"]);
    });
    return { id: email, state: stateOf(inputs, user) };
  },

  async read(id, inputs, step, state) {
    const users = await step.context.managerUsers.get(step.deadline.signal);
    const user = users.find(({ email }) => isSame(email, id));
    if (user !== undefined) return { email: id, ...inputs, ...present({ password: user.password ?? state.password }) };
    // The manager has an empty list also when it is logged out or cannot reach its vendor: that proves nothing.
    return inputs !== undefined && users.length === 0 ? state : undefined;
  },

  async update(id, state, _declared, inputs, step) {
    if (state.password !== undefined) return { ...inputs, password: state.password };
    return stateOf(inputs, (await observe(id, step)) ?? (await ensure(id, inputs, step)));
  },

  async delete(id, _state, step) {
    step.context.claims.note("released", [userThing(id)]);
    step.say?.(`user ${id} stays: the Proxy Manager cannot remove one. Remove the user in the control panel.`);
  },

  async list(step) {
    const users = await step.context.managerUsers.get(step.deadline.signal);
    return users.map(({ email }) => email);
  },
});

const isSame = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase();

/** @throws {PartialFailure} when the user has no password yet */
function stateOf(inputs: Inputs, { password }: User): State {
  if (password !== undefined) return { ...inputs, password };
  const { email } = inputs;
  const words = `The Proxy Manager lists user ${email} without a password. Run \`pulumi up\` again to read it.`;
  throw new PartialFailure(email, inputs, new BrightDataError(words));
}

async function observe(email: string, step: Step, signal = step.deadline.signal): Promise<User | undefined> {
  const users = await step.context.manager.users.list({ signal });
  return users.find((user) => isSame(user.email, email));
}

/** Adds a user, once, and waits until the list has it: the password is not known before. */
async function ensure(email: string, inputs: Inputs, step: Step): Promise<User> {
  const { context, deadline } = step;
  if (!(await context.loggedIn.get(deadline.signal))) {
    throw new ArgumentError(
      `The Proxy Manager at ${context.manager.url} is not logged in to an account that a user could be added to. Log in there and run again.`,
    );
  }
  const creation = {
    title: `user ${email}`,
    facts: { email },
    thing: userThing(email),
    kept: { id: email, state: inputs },
    isSame: (facts: JsonObject) => isSame(facts.email, email),
    async look(_facts: JsonObject, signal: AbortSignal) {
      const user = await observe(email, step, signal);
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
  const [made] = await createOnce(creation, step).finally(() => context.managerUsers.forget());
  const waiting = `waiting for user ${email} to be listed`;
  return made ?? deadline.poll(waiting, () => observe(email, step)).catch(keeping(email, inputs));
}
