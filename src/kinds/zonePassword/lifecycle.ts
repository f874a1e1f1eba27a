import { createHash, createHmac, randomBytes, randomInt, scryptSync } from "node:crypto";
import { ArgumentError, BrightDataError, PermissionError } from "../../base/errors";
import { DELETED_WITH, type InputsOf, type StateOf } from "../../declaration/kind";
import { begin, begunBefore, type Creation, takeUp } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { keeping, type Run } from "../../lifecycle/lifecycle";
import { removeOnce } from "../../lifecycle/settle";
import { sightingOf } from "../../lifecycle/witnesses";
import { passwordThing, zoneThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { zonePassword } from "./declaration";
import { sharedKey } from "./sharedKey";

/** With {@link DELETED_WITH}, the password goes with the zone at the latest. */
type Inputs = InputsOf<typeof zonePassword> & { [DELETED_WITH]?: true };
type State = StateOf<typeof zonePassword> & { [DELETED_WITH]?: true };

const LENGTH = 16;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export const zonePasswordLifecycle = lifecycle(zonePassword, {
  holdings(id, { zone: declared, password }) {
    const zone = id === undefined ? declared : zoneOf(id);
    if (typeof zone !== "string") return {};
    return {
      has: typeof password === "string" ? [thingOf(zone, password)] : [],
      standsOn: [zoneThing(zone)],
    };
  },

  // A given one may be another's: its name says nothing, and there is nothing else to name it by.
  isShared: true,

  async create(inputs: Inputs, run) {
    const { zone, password: given } = inputs;
    // Nothing about the password can be told from it, not even by guessing: ids are not secret.
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    return alone(zone, run, async () => {
      const creation = creationOf(id, given ?? generated(), inputs, run);
      const [taken] = (await takeUp(creation, begunBefore(run, creation.isSame), run)) ?? [];
      if (taken !== undefined) return { id, state: { ...inputs, password: taken } };
      // It says too whether there is such a zone.
      const isNew = given === undefined ? (await observe(zone, run)).length > 0 : await isGone(zone, given, run);
      if (given === undefined || isNew) return { id, state: await ensure(creation, run) };
      if (inputs.adopt === true || (await isLeft(given, inputs, run)))
        return { id, state: { ...inputs, password: given } };
      throw existsAlready(`Zone ${JSON.stringify(zone)} has that password already`, [
        "set `adopt: true` to take it over (`pulumi destroy` will remove it then)",
        "give another",
      ]);
    });
  },

  async read(id, inputs, run, { password }) {
    if (inputs === undefined) {
      throw new ArgumentError(
        "A zone's password cannot be looked up by an id. Use getZonePasswords, or the `passwords` of Zone.get.",
      );
    }
    const zone = zoneOf(id);
    const isThere = await unlessGone(zone, run, async () =>
      password === undefined ? (await observe(zone, run)).length > 0 : !(await isGone(zone, password, run)),
    );
    if (isThere !== true) return undefined;
    // An import file may leave the password out: then the next update adds one.
    return password === undefined ? inputs : { ...inputs, password };
  },

  async update(id, state: Partial<State>, _declared, inputs, run) {
    const zone = zoneOf(id);
    const password = state.password ?? generated();
    return alone(zone, run, async () => {
      const isMissing = await isGone(zone, password, run);
      return isMissing ? ensure(creationOf(id, password, inputs, run), run) : { ...inputs, password };
    });
  },

  async delete(id, { password, [DELETED_WITH]: goesWithZone }: Partial<State>, run) {
    const zone = zoneOf(id);
    const title = JSON.stringify(zone);
    await alone(zone, run, async () => {
      const present = await unlessGone(zone, run, () => observe(zone, run));
      if (password === undefined || present === undefined) return;
      if (!(await isOnly(zone, password, present, run))) return remove(zone, password, run);
      if (goesWithZone !== true) {
        throw new ArgumentError(
          `This is the only password of zone ${title}, which has to keep one. Add another first, or delete the zone; with the resource option \`retainOnDelete\` it stays on the zone.`,
        );
      }
      run.say?.(`The only password of zone ${title} stays until the zone is deleted, which has to keep one.`);
    });
  },
});

const zoneOf = (id: string): string => id.split("/")[0] ?? "";

/** Makes what stands for a password in one run tell nothing about it, not even by guessing. */
const KEY = sharedKey(randomBytes(32));

const thingOf = (zone: string, password: string): string =>
  passwordThing(zone, createHmac("sha256", KEY).update(password).digest("hex").slice(0, 16));

const digest = (password: string): string => createHash("sha256").update(password).digest("hex");

/** Begins with the salt. */
const hardDigest = (password: string, salt = randomBytes(16).toString("hex")): string =>
  `${salt}:${scryptSync(password, salt, 32).toString("hex")}`;

// The last password of a zone is told from the list: changes of one zone's must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`passwords of zone ${zone}`, task);

async function observe(zone: string, { context, deadline }: Run, signal = deadline.signal): Promise<string[]> {
  const passwords = await context.remote.passwords.list(zone, { signal });
  if (passwords.length > 0) return passwords;
  throw new BrightDataError(
    `The service lists no passwords for zone ${JSON.stringify(zone)}, which always has one. Run again later.`,
  );
}

/**
 * Whether a zone certainly does not have a password: two lists lack it, and so does what the service says of the zone itself,
 * where the token may ask for that.
 */
async function isGone(zone: string, password: string, run: Run, signal = run.deadline.signal): Promise<boolean> {
  const agrees = async () => {
    try {
      return !(await run.context.remote.zones.get(zone, { signal })).passwords.includes(password);
    } catch (error) {
      if (error instanceof PermissionError) return true;
      throw error;
    }
  };
  const { gone } = await sightingOf([password], { list: () => observe(zone, run, signal), agrees });
  return gone.length > 0;
}

/** Whether two lists say that a zone has no other password. */
async function isOnly(zone: string, password: string, present: readonly string[], run: Run): Promise<boolean> {
  const isAlone = (listed: readonly string[]) => listed.every((one) => one === password);
  return isAlone(present) && isAlone(await observe(zone, run));
}

/**
 * Whether a password is there yet because its zone has stayed: as the zone's only one it could not be removed, and since then the
 * program alone has added others.
 */
async function isLeft(password: string, { zone, [DELETED_WITH]: goesWithZone }: Inputs, run: Run): Promise<boolean> {
  if (goesWithZone !== true) return false;
  const { claims } = run.context;
  const isOurs = (one: string) => one === password || claims.whoHas(thingOf(zone, one), run.me) !== undefined;
  return (await observe(zone, run)).every(isOurs) && (await observe(zone, run)).every(isOurs);
}

/** What no list has is removed all the same: one that is there is never left because a list was short. */
async function remove(zone: string, password: string, run: Run): Promise<void> {
  let isAnswered = false;
  const send = async () => {
    await run.context.remote.passwords.remove(zone, [password], run.deadline);
    isAnswered = true;
  };
  const isUnlisted = async (signal: AbortSignal) => !(await observe(zone, run, signal)).includes(password);
  const isRemoved = async (signal: AbortSignal) => {
    const look = () => (isAnswered ? isUnlisted(signal) : isGone(zone, password, run, signal));
    // The zone may be deleted meanwhile.
    return (await unlessGone(zone, run, look)) ?? true;
  };
  await removeOnce(`waiting for a password to leave zone ${JSON.stringify(zone)}`, send, isRemoved, run);
}

const generated = (): string => Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");

/** The addition of a password to a zone, and the resource that it makes. */
interface PasswordCreation extends Creation<string> {
  kept: { id: string; state: State };
}

function creationOf(id: string, password: string, inputs: Inputs, run: Run): PasswordCreation {
  const zone = zoneOf(id);
  const { password: given } = inputs;
  return {
    kept: { id, state: { ...inputs, password } },
    title: `a password of zone ${JSON.stringify(zone)}`,
    // A generated password cannot be guessed from its digest; of a given one that is made hard.
    facts: { zone, ...(given === undefined ? { digest: digest(password) } : { given: hardDigest(password) }) },
    // Another password may be somebody else's.
    isSame({ zone: former = inputs.zone, digest: ofGenerated, given: ofGiven }) {
      if (former !== inputs.zone) return false;
      if (given === undefined) return ofGenerated !== undefined;
      return typeof ofGiven === "string" && hardDigest(given, ofGiven.split(":")[0]) === ofGiven;
    },
    async look(facts, signal) {
      const present = await observe(zone, run, signal);
      return present.filter((one) => (given === undefined ? digest(one) === facts.digest : one === given));
    },
    async send(signal) {
      await run.context.remote.passwords.add(zone, [password], { signal });
      return [password];
    },
    // One that was generated is nobody else's.
    isMarked: given === undefined,
    // A zone has a password once.
    isRepeatable: () => true,
    remedy: "The next `pulumi up` looks for it again, and adds it if it is not there.",
    advice: `An update that was cut short may have added a password to zone ${zone}, which may be in no state. Look at its passwords in the control panel, and remove what you do not need.`,
  };
}

async function ensure(creation: PasswordCreation, run: Run): Promise<State> {
  const { id, state } = creation.kept;
  const zone = zoneOf(id);
  await begin(creation, run);
  const isThere = async () => (await observe(zone, run)).includes(state.password) || undefined;
  await run.deadline
    .poll(`waiting for zone ${JSON.stringify(zone)} to have its new password`, isThere)
    .catch(keeping(id, state));
  return state;
}
