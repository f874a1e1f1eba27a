import { createHash, randomBytes, randomInt, scryptSync } from "node:crypto";
import { unless } from "../../base/cause";
import { ArgumentError, BrightDataError, PermissionError } from "../../base/errors";
import { digestWith, ownKey } from "../../base/ownKey";
import { DELETED_WITH, type InputsOf, type StateOf } from "../../declaration/kind";
import { begin, begunBefore, type Creation, takeUp } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { keeping, type Step } from "../../lifecycle/lifecycle";
import { removeOnce } from "../../lifecycle/settle";
import { sightingOf } from "../../lifecycle/witnesses";
import { passwordThing, zoneThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { zonePassword } from "./declaration";

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
  letsIn: true,

  async create(inputs: Inputs, step) {
    const { zone, password: given } = inputs;
    // Nothing about the password can be told from it, not even by guessing: ids are not secret.
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    return alone(zone, step, async () => {
      const creation = creationOf(id, given ?? generated(), inputs, step);
      const [taken] = (await takeUp(creation, begunBefore(step, creation.isSame), step)) ?? [];
      if (taken !== undefined) return { id, state: { ...inputs, password: taken } };
      // It says too whether there is such a zone.
      const isNew = given === undefined ? (await observe(zone, step)).length > 0 : await isGone(zone, given, step);
      if (given === undefined || isNew) return { id, state: await ensure(creation, step) };
      if (inputs.adopt === true || (await isLeft(given, inputs, step)))
        return { id, state: { ...inputs, password: given } };
      throw existsAlready(`Zone ${JSON.stringify(zone)} has that password already`, [
        "set `adopt: true` to take it over (`pulumi destroy` will remove it then)",
        "give another",
      ]);
    });
  },

  async read(id, inputs, step, { password }) {
    if (inputs === undefined) {
      throw new ArgumentError(
        "A zone's password cannot be looked up by an id. Use `getZonePasswords`, or the `passwords` of `Zone.get`.",
      );
    }
    const zone = zoneOf(id, inputs.zone);
    const isThere = await unlessGone(zone, step, async () =>
      password === undefined ? (await observe(zone, step)).length > 0 : !(await isGone(zone, password, step)),
    );
    if (isThere !== true) return undefined;
    // An import file may leave the password out: then the next update adds one.
    return password === undefined ? inputs : { ...inputs, password };
  },

  async update(id, state: Partial<State>, _declared, inputs, step) {
    const zone = zoneOf(id, inputs.zone);
    const password = state.password ?? generated();
    return alone(zone, step, async () => {
      const isMissing = await isGone(zone, password, step);
      return isMissing ? ensure(creationOf(id, password, inputs, step), step) : { ...inputs, password };
    });
  },

  async delete(id, { zone: declared, password, [DELETED_WITH]: goesWithZone }: Partial<State>, step) {
    const zone = zoneOf(id, declared);
    const title = JSON.stringify(zone);
    await alone(zone, step, async () => {
      const present = await unlessGone(zone, step, () => observe(zone, step));
      if (password === undefined || present === undefined) return;
      if (!(await isOnly(zone, password, present, step))) return remove(zone, password, step);
      if (goesWithZone !== true && !step.context.claims.isRenewed(zoneThing(zone), true)) {
        throw new ArgumentError(
          `This is the only password of zone ${title}, which has to keep one. Add another first, or delete the zone; with the resource option \`retainOnDelete\` it stays on the zone.`,
        );
      }
      step.say?.(`The only password of zone ${title} stays until the zone is deleted, which has to keep one.`);
    });
  },
});

/** The zone that an id begins with. Where that of an import file is none, it may be the name of an account. */
function zoneOf(id: string, declared?: string): string {
  const [zone = ""] = id.split("/");
  if (declared === undefined || declared === zone) return zone;
  throw new ArgumentError(
    `${JSON.stringify(id)} is not the id of a password of zone ${JSON.stringify(declared)}: expected the zone and eight hexadecimal digits, such as ${JSON.stringify(`${declared}/1a2b3c4d`)}. Nothing was done. Run \`pulumi state delete <its URN>\`, and import it with such an id.`,
  );
}

/** @param password what stands for it does, too: that is all that a program announces */
const thingOf = (zone: string, password: string): string => passwordThing(zone, digestWith(ownKey(), password));

const digest = (password: string): string => createHash("sha256").update(password).digest("hex");

/** Begins with the salt. */
const hardDigest = (password: string, salt = randomBytes(16).toString("hex")): string =>
  `${salt}:${scryptSync(password, salt, 32).toString("hex")}`;

// The last password of a zone is told from the list: changes of one zone's must not overlap.
const alone = <T>(zone: string, { context, deadline }: Step, task: () => Promise<T>): Promise<T> =>
  context.alone(`passwords of zone ${zone}`, task, deadline);

async function observe(zone: string, { context, deadline }: Step, signal = deadline.signal): Promise<string[]> {
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
async function isGone(zone: string, password: string, step: Step, signal = step.deadline.signal): Promise<boolean> {
  const agrees = async () => !(await ofZone(zone, step, signal)).includes(password);
  const { gone } = await sightingOf([password], { list: () => observe(zone, step, signal), agrees });
  return gone.length > 0;
}

/** The passwords that the service names with the zone itself; none where the token may not ask for that. */
async function ofZone(zone: string, { context }: Step, signal: AbortSignal): Promise<readonly string[]> {
  const live = await context.remote.zones.get(zone, { signal }).catch(unless(PermissionError));
  return live?.passwords ?? [];
}

/** Whether two lists say that a zone has no other password. */
async function isOnly(zone: string, password: string, present: readonly string[], step: Step): Promise<boolean> {
  const isAlone = (listed: readonly string[]) => listed.every((one) => one === password);
  return isAlone(present) && isAlone(await observe(zone, step));
}

/**
 * Whether a password is there yet because its zone has stayed: as the zone's only one it could not be removed, and since then the
 * program alone has added others.
 */
async function isLeft(password: string, { zone, [DELETED_WITH]: goesWithZone }: Inputs, step: Step): Promise<boolean> {
  if (goesWithZone !== true) return false;
  const { claims } = step.context;
  const isOurs = (one: string) => one === password || claims.whoHas(thingOf(zone, one), step.me) !== undefined;
  return (await observe(zone, step)).every(isOurs) && (await observe(zone, step)).every(isOurs);
}

/** What no list has is removed all the same: one that is there is never left because a list was short. */
async function remove(zone: string, password: string, step: Step): Promise<void> {
  let isAnswered = false;
  const send = async () => {
    await step.context.remote.passwords.remove(zone, [password], step.deadline);
    isAnswered = true;
  };
  const isUnlisted = async (signal: AbortSignal) => !(await observe(zone, step, signal)).includes(password);
  const isRemoved = async (signal: AbortSignal) => {
    const look = () => (isAnswered ? isUnlisted(signal) : isGone(zone, password, step, signal));
    // The zone may be deleted meanwhile.
    return (await unlessGone(zone, step, look)) ?? true;
  };
  await removeOnce(`waiting for a password to leave zone ${JSON.stringify(zone)}`, send, isRemoved, step);
}

const generated = (): string => Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");

/** The addition of a password to a zone, and the resource that it makes. */
interface PasswordCreation extends Creation<string> {
  kept: { id: string; state: State };
}

function creationOf(id: string, password: string, inputs: Inputs, step: Step): PasswordCreation {
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
      const isIts = (one: string) => (given === undefined ? digest(one) === facts.digest : one === given);
      const listed = (await observe(zone, step, signal)).filter(isIts);
      // The list may be short.
      return listed.length > 0 ? listed : (await ofZone(zone, step, signal)).filter(isIts);
    },
    async send(signal) {
      await step.context.remote.passwords.add(zone, [password], { signal });
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

async function ensure(creation: PasswordCreation, step: Step): Promise<State> {
  const { id, state } = creation.kept;
  const zone = zoneOf(id);
  await begin(creation, step);
  const isThere = async () => (await observe(zone, step)).includes(state.password) || undefined;
  await step.deadline
    .poll(`waiting for zone ${JSON.stringify(zone)} to have its new password`, isThere)
    .catch(keeping(id, state));
  return state;
}
