import { createHash, createHmac, randomBytes, randomInt, scryptSync } from "node:crypto";
import { ArgumentError, BrightDataError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { begin, begunBefore, type Creation, takeUp, UnknownOutcomeError } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { isUnsettled, settleSignal, turnsUp } from "../../lifecycle/settle";
import { passwordThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { zonePassword } from "./declaration";

type Inputs = InputsOf<typeof zonePassword>;
type State = StateOf<typeof zonePassword>;

const LENGTH = 16;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export const zonePasswordLifecycle = lifecycle(zonePassword, {
  holds(id, { zone: declared, password }) {
    const zone = id === undefined ? declared : zoneOf(id);
    return typeof zone === "string" && typeof password === "string" ? [holding(zone, password)] : [];
  },

  // A given one may be another's: its name says nothing, and there is nothing else to name it by.
  isShared: true,

  async create(inputs, run) {
    const { zone, password: given } = inputs;
    // Nothing about the password can be told from it, not even by guessing: ids are not secret.
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    return alone(zone, run, async () => {
      const creation = creationOf(id, given ?? generatedPassword(), inputs, run);
      const [taken] = (await takeUp(creation, begunBefore(run, creation.isSame), run)) ?? [];
      if (taken !== undefined) return { id, state: { ...inputs, password: taken } };
      // It says too whether there is such a zone.
      const present = await passwordsOf(zone, run);
      if (given === undefined || !present.includes(given)) return { id, state: await add(creation, run) };
      if (inputs.adopt !== true) throw takenAlready(zone);
      return { id, state: { ...inputs, password: given } };
    });
  },

  async read(id, inputs, run, { password }) {
    if (inputs === undefined) {
      throw new ArgumentError(
        "A zone's password cannot be looked up by an id. Use getZonePasswords, or the `passwords` of Zone.get.",
      );
    }
    const zone = zoneOf(id);
    const present = await unlessGone(zone, run, () => passwordsOf(zone, run));
    if (present === undefined) return undefined;
    // An import file may leave the password out: then the next update adds one.
    if (password === undefined) return inputs;
    return present.includes(password) ? { ...inputs, password } : undefined;
  },

  async update(id, state: Partial<State>, _declared, inputs, run) {
    const zone = zoneOf(id);
    const password = state.password ?? generatedPassword();
    return alone(zone, run, async () => {
      if ((await passwordsOf(zone, run)).includes(password)) return { ...inputs, password };
      return add(creationOf(id, password, inputs, run), run);
    });
  },

  async delete(id, { password }: Partial<State>, run) {
    const zone = zoneOf(id);
    await alone(zone, run, async () => {
      const present = await unlessGone(zone, run, () => passwordsOf(zone, run));
      if (password === undefined || !present?.includes(password)) return;
      if (present.length === 1) throw lastOne(zone);
      await remove(zone, password, run);
    });
  },
});

function zoneOf(id: string): string {
  const [zone = ""] = id.split("/");
  return zone;
}

/** Makes what stands for a password in one run tell nothing about it, not even by guessing. */
const RUN_KEY = randomBytes(32);

/** What a password is called among the things that resources have. */
const holding = (zone: string, password: string): string =>
  passwordThing(zone, createHmac("sha256", RUN_KEY).update(password).digest("hex").slice(0, 16));

const digest = (password: string): string => createHash("sha256").update(password).digest("hex");

/** Begins with the salt. */
const hardDigest = (password: string, salt = randomBytes(16).toString("hex")): string =>
  `${salt}:${scryptSync(password, salt, 32).toString("hex")}`;

/** Whether the facts are of the same password: another one may be somebody else's. */
function isOf({ zone, password }: Inputs, facts: JsonObject): boolean {
  const { zone: former = zone, digest: generated, given } = facts;
  if (former !== zone) return false;
  if (password === undefined) return generated !== undefined;
  return typeof given === "string" && hardDigest(password, given.split(":")[0]) === given;
}

// The last password of a zone is told from the list: changes of one zone's must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`passwords of zone ${zone}`, task);

async function passwordsOf(zone: string, { context, deadline }: Run, signal = deadline.signal): Promise<string[]> {
  const passwords = await context.remote.passwords.list(zone, { signal });
  if (passwords.length > 0) return passwords;
  throw new BrightDataError(
    `The service lists no passwords for zone ${JSON.stringify(zone)}, which always has one. Run again later.`,
  );
}

const generatedPassword = (): string =>
  Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");

const takenAlready = (zone: string): Error =>
  existsAlready(`Zone ${JSON.stringify(zone)} has that password already`, [
    "set `adopt: true` to take it over (`pulumi destroy` will remove it then)",
    "give another",
  ]);

const lastOne = (zone: string): Error =>
  new ArgumentError(
    `This is the only password of zone ${JSON.stringify(zone)}, which has to keep one. Add another first, or delete the zone; with the resource option \`retainOnDelete\` it stays on the zone.`,
  );

/** The addition of a password to a zone, and the resource that it makes. */
interface PasswordCreation extends Creation<string> {
  id: string;
  state: State;
  /** Whether the zone has the password. */
  isThere(signal: AbortSignal): Promise<boolean>;
}

function creationOf(id: string, password: string, inputs: Inputs, run: Run): PasswordCreation {
  const zone = zoneOf(id);
  return {
    id,
    state: { ...inputs, password },
    title: `a password of zone ${JSON.stringify(zone)}`,
    // A generated password cannot be guessed from its digest; of a given one that is made hard.
    facts: {
      zone,
      ...(inputs.password === undefined ? { digest: digest(password) } : { given: hardDigest(password) }),
    },
    isSame: (facts) => isOf(inputs, facts),
    async look(facts, signal) {
      const present = await passwordsOf(zone, run, signal);
      return present.filter((one) =>
        inputs.password === undefined ? digest(one) === facts.digest : one === inputs.password,
      );
    },
    async send(signal) {
      await run.context.remote.passwords.add(zone, [password], { signal });
      return [password];
    },
    // A zone has a password once.
    isRepeatable: () => true,
    isThere: async (signal) => (await passwordsOf(zone, run, signal)).includes(password),
    remedy: "The next `pulumi up` looks for it again, and adds it if it is not there.",
    advice: `An update that was cut short may have added a password to zone ${zone}, which was in no state when this update began. Look at its passwords in the control panel, and remove what you do not need.`,
  };
}

/**
 * Adds a password, and waits until the zone has it.
 *
 * @throws {PartialFailure} when it may have it
 */
async function add(creation: PasswordCreation, run: Run): Promise<State> {
  const { id, state, isThere } = creation;
  try {
    await begin(creation, run);
  } catch (error) {
    throw error instanceof UnknownOutcomeError ? new PartialFailure(id, state, error) : error;
  }
  try {
    await run.deadline.poll(
      `waiting for zone ${JSON.stringify(zoneOf(id))} to have its new password`,
      async () => (await isThere(run.deadline.signal)) || undefined,
    );
  } catch (error) {
    throw new PartialFailure(id, state, error);
  }
  return state;
}

/** Removes a password, and waits until the zone has it no more. */
async function remove(zone: string, password: string, run: Run): Promise<void> {
  const { context, deadline } = run;
  const isGone = async (signal: AbortSignal) => !(await passwordsOf(zone, run, signal)).includes(password);
  try {
    await context.remote.passwords.remove(zone, [password], { signal: deadline.signal });
  } catch (error) {
    const isDone = isUnsettled(error, run) ? turnsUp(isGone) : isGone(settleSignal());
    if (await isDone.catch(() => false)) return;
    throw error;
  }
  await deadline.poll(
    `waiting for a password to leave zone ${JSON.stringify(zone)}`,
    async () => (await isGone(deadline.signal)) || undefined,
  );
}
