import { unless } from "../../base/cause";
import { AlreadyExistsError, ArgumentError, PermissionError } from "../../base/errors";
import { isObject, type JsonObject } from "../../base/json";
import { LOGICAL_NAME, RETAINED } from "../../declaration/kind";
import { present } from "../../http/optional";
import { begunBefore, createOnce, isBegun, leftBehind, tookUp } from "../../lifecycle/creation";
import { type Known, lifecycle } from "../../lifecycle/define";
import { containsUnknown } from "../../lifecycle/diff";
import { existsAlready } from "../../lifecycle/existing";
import { keeping, type Step, UNKNOWN } from "../../lifecycle/lifecycle";
import { isUnsettled } from "../../lifecycle/settle";
import type { ZoneSummary } from "../../model/zone";
import { mayMeanNoZone } from "../../remote/absence";
import { lineOf } from "../../remote/zoneList";
import type { ZoneDetails } from "../../remote/zones";
import { zoneThing } from "../shared/things";
import { isAnother, keptAsAnothers, refusal } from "./another";
import { automaticName, NEW_ZONE_NAME, nearestName, nextName } from "./automaticName";
import { NEW_NAME, zone } from "./declaration";
import { isGone, unlessGone } from "./gone";
import { monthly, piecesIn, planOf } from "./pieces";
import { isExtraThere, isSamePreset, planIn, same, smallest } from "./plan";
import { replacementOf, withRetention } from "./replacement";
import { believed, differences, type Inputs, isAutomatic, isUnseen, type State, stateOf, unseen } from "./state";
import { sync, visible } from "./sync";
import { zoneNames } from "./zoneNames";

/** How many automatic names are tried where the service does not give those of deleted zones out again. */
const MOST_NAMES = 10;

export const zoneLifecycle = lifecycle(zone, {
  complete(inputs, previous, about) {
    const { [LOGICAL_NAME]: logicalName, ...given } = withRetention(inputs, previous);
    if (given.name !== undefined || typeof logicalName !== "string") return given;
    // Without the plan the name is not known either.
    const automatic = () => (containsUnknown(given.plan) ? UNKNOWN : automaticName(logicalName, given.plan, about));
    return { ...given, name: previous?.name ?? automatic(), [LOGICAL_NAME]: logicalName };
  },

  nearestName,

  refuses: ({ name, adopt }) =>
    typeof name !== "string" || NEW_ZONE_NAME.test(name) || (adopt ?? false) !== false
      ? undefined
      : { name: "name", expected: `${NEW_NAME} To take over a zone that exists, set \`adopt: true\`.` },

  same,

  judge({ changed, replaces }, state, _declared, inputs) {
    const kept: string[] = [LOGICAL_NAME, RETAINED, ...(isAutomatic(inputs) ? ["name"] : [])];
    const [found, wanted] = [planOf(state), planOf(inputs)];
    const isSameAllocation = isSamePreset(found ?? {}, wanted ?? {});
    const inPlace = isSameAllocation ? [...kept, "plan.ipAllocPreset"] : kept;
    const remaining = replaces.filter((path) => !inPlace.includes(path) && !isExtraThere(path, found, wanted));
    return {
      changed: changed.filter((path) => !kept.includes(path)),
      replaces: remaining,
      deleteBeforeReplace: remaining.length > 0 && inputs.name === state.name && !isAutomatic(inputs),
    };
  },

  announce({ name, plan, adopt }, previous, prices) {
    if (previous !== undefined) return undefined;
    const zone = typeof name === "string" ? `Zone ${name}` : "Zone";
    const unless = adopt === true ? ", unless it is there already" : "";
    if (!isObject(plan))
      return `${zone} is created with a plan that is not known yet${unless}. Each IP that it has costs money.`;
    const bought = piecesIn(plan);
    if (bought === undefined) return undefined;
    return `${zone} is created with ${bought.words}${unless}. Each one costs money.${monthly(plan, bought.count, prices)}`;
  },

  open: (state) => (isUnseen(state) ? ["status"] : []),

  announceReplacement: replacementOf,

  holdings(id, state) {
    const name = id ?? (isAutomatic(state) ? undefined : state.name);
    return { has: typeof name === "string" ? [zoneThing(name)] : [] };
  },

  async create(inputs: Inputs, step) {
    const isGiven = !isAutomatic(inputs);
    for (const name of namesFor(inputs)) {
      const isThere = await isListed(name, step);
      if (isThere && (isGiven || !(await isForeign(name, inputs, step)))) return takeOver(name, inputs, step);
      if (isThere) {
        // It is the one that is being replaced, another program's, or one that nobody knows of any more: what stands on it goes
        // with it. Its access lists are not removed before it is.
        if (!isClaimed(name, step)) step.context.claims.note("renewed", [zoneThing(name)]);
        step.say?.(`zone ${JSON.stringify(name)} is there already, so the new one gets another name.`);
        continue;
      }
      if (await isEnsured(name, inputs, step)) {
        const state = await sync(name, inputs, inputs.disabled === true, step).catch(
          keeping(name, unseen(name, inputs)),
        );
        return { id: name, state };
      }
      if (isGiven && (await observe(name, step))?.status !== "deleted") return takeOver(name, inputs, step);
    }
    throw new ArgumentError(
      `${JSON.stringify(inputs.name)} was the name of a zone that is deleted, and the service does not give it out again: choose another name.`,
    );
  },

  async read(id, inputs, step, state) {
    const { context, deadline } = step;
    const look = () => unlessGone(id, step, () => context.remote.zones.get(id, deadline));
    const live = await believed(inputs ?? {}, look);
    // What nobody has seen yet may come under its name.
    if (live === undefined) return inputs !== undefined && isUnseen(state) ? state : undefined;
    if (inputs !== undefined && isAnother(live, state) && (await anothersByNow(id, state, step)) !== undefined) {
      step.say?.(keptAsAnothers(id, live));
      return undefined;
    }
    const listed = await observe(id, step);
    const isSaidGone = listed?.status === "deleted";
    if (isSaidGone && (await isGone(id, step))) return undefined;
    return stateOf(inputs ?? {}, live, isSaidGone ? await observe(id, step) : listed);
  },

  async update(id, state: Known<State>, declared, inputs: Inputs, step) {
    const live = await visible(id, step);
    // Nobody has asked to take it over.
    if (live !== undefined && isAnother(live, state)) {
      if (inputs.adopt !== true) throw refusal(id, live);
      requireAlike(id, inputs, live);
    }
    if (live === undefined && (await isGone(id, step))) {
      if (state.created !== undefined) {
        throw new ArgumentError(
          `Zone ${JSON.stringify(id)} is gone from the account. Run \`pulumi refresh\`, and the next \`pulumi up\` creates it again.`,
        );
      }
      // Nobody knew what had become of its creation.
      await ensure(id, inputs, step, true);
    }
    const switched = inputs.disabled !== undefined || declared.has("disabled");
    const kept = { ...state, ...inputs, plan: planIn(inputs.plan, state.plan ?? inputs.plan) };
    return sync(id, inputs, switched, step, keeping(id, kept));
  },

  async delete(id, state, step) {
    const { context, deadline } = step;
    let another = await anothersByNow(id, state, step);
    const mayRepeat = async () => {
      another = await anothersByNow(id, state, step);
      return another === undefined;
    };
    try {
      if (another === undefined) await context.remote.zones.remove(id, { signal: deadline.signal, mayRepeat });
    } catch (error) {
      const mayBeGone = mayMeanNoZone(error) || isUnsettled(error, step);
      if (mayBeGone && another === undefined && (await isGone(id, step).catch(() => false))) return;
      if (another === undefined) throw error;
    } finally {
      context.account.forget();
    }
    if (another !== undefined) {
      context.claims.note("standing", [zoneThing(id)]);
      step.say?.(keptAsAnothers(id, another));
      return;
    }
    // A name is free again only when the list says so; a replacement with the same name would meet its own shadow.
    await deadline.poll(`waiting for zone ${JSON.stringify(id)} to leave the list of zones`, async () => {
      context.zones.forget();
      return !(await isListed(id, step)) || undefined;
    });
  },

  list: zoneNames,
  suggestions: zoneNames,

  inputsOf: ({ name, type, plan, disabled }) => ({ name, type, plan: smallest(plan), disabled }),
});

/** The zone as the list of zones has it, also where it is deleted. */
const observe = (name: string, { context, deadline }: Step): Promise<ZoneSummary | undefined> =>
  lineOf(name, context.zones.get(deadline.signal));

async function isListed(name: string, step: Step): Promise<boolean> {
  const listed = await observe(name, step);
  return listed !== undefined && listed.status !== "deleted";
}

/** The zone of a name that is another than the state's, as two answers say; a token that may not read it finds none. */
async function anothersByNow(name: string, state: Known<State>, step: Step): Promise<ZoneDetails | undefined> {
  if (state.created === undefined) return undefined;
  const look = async () => {
    const live = await visible(name, step).catch(unless(PermissionError));
    return live !== undefined && isAnother(live, state) ? live : undefined;
  };
  return (await look()) && look();
}

/** Whether a zone that is there is neither to be taken over nor what a killed process created for this resource, or may have. */
async function isForeign(name: string, inputs: Inputs, step: Step): Promise<boolean> {
  if (isClaimed(name, step)) return true;
  const isNoted = step.journal?.unfinished?.facts.name === name;
  if (isNoted && (await isBegunAs(name, step)) !== false) return false;
  return inputs.adopt !== true;
}

/** Whether a zone is what an update that was cut short has created for this resource; `undefined` where nobody can tell by now. */
async function isBegunAs(name: string, step: Step): Promise<boolean | undefined> {
  const entry = entryOf(name, step);
  if (begunBefore(step, entry.isSame) === undefined) return false;
  const live = await visible(name, step);
  return live === undefined || isBegun(entry, live, step);
}

/** There is one zone of a name, and the service dates it. */
const entryOf = (name: string, { context }: Step) => ({
  title: `zone ${JSON.stringify(name)}`,
  isSame: (facts: JsonObject) => facts.name === name,
  dated: { of: ({ created }: ZoneDetails) => created, now: () => context.remote.clock.now },
});

/** Whether another resource has a zone, or is to take it over. */
const isClaimed = (name: string, { context, me }: Step): boolean => context.claims.isAnothers(zoneThing(name), me);

/** The given name, or automatic ones to try: the service may not give the names of deleted zones out again. */
function namesFor(inputs: Inputs): string[] {
  const names = [inputs.name];
  for (let name = inputs.name; isAutomatic(inputs) && names.length < MOST_NAMES; names.push(name))
    name = nextName(name);
  return names;
}

/** @param isHad whether the state has the name */
async function ensure(name: string, inputs: Inputs, step: Step, isHad = false): Promise<void> {
  const { context } = step;
  const entry = entryOf(name, step);
  const { title } = entry;
  if (!NEW_ZONE_NAME.test(name)) {
    throw new ArgumentError(`There is no ${title}, and none can be created with that name: ${NEW_NAME}`);
  }
  const { type, plan } = inputs;
  const creation = {
    ...entry,
    facts: { name },
    thing: zoneThing(name),
    kept: { id: name, state: unseen(name, inputs) },
    async look(_facts: JsonObject, signal: AbortSignal) {
      const live = await visible(name, step, signal);
      return live === undefined || differences(inputs, live).length > 0 ? [] : [live];
    },
    async send(signal: AbortSignal) {
      await context.remote.zones.create({ name, ...present({ type }), plan }, { signal });
      return [];
    },
    isRepeatable: () => true,
    isSeenLate: true,
    isHad,
    remedy: "The next `pulumi up` looks for it again, and creates it if it is not there.",
    advice: leftBehind(
      title,
      `If it is there, declare a Zone with \`name: ${JSON.stringify(name)}\` and \`adopt: true\` to manage it, or delete it in the control panel.`,
    ),
  };
  await createOnce(creation, step).finally(() => context.zones.forget());
}

const isEnsured = (name: string, inputs: Inputs, step: Step): Promise<true | undefined> =>
  ensure(name, inputs, step).then(() => true, unless(AlreadyExistsError));

function refuseAnothers(name: string, { context, me }: Step): void {
  if (context.claims.whoHas(zoneThing(name), me) !== "has") return;
  throw new ArgumentError(
    `Zone ${JSON.stringify(name)} is another resource's of this program. Declare each zone once; use that one's outputs, or \`Zone.get\`.`,
  );
}

/** Fails where a zone that is to be taken over differs in what cannot be changed: the next update would replace it. */
function requireAlike(name: string, inputs: Inputs, live: ZoneDetails, isTakenUp = false): void {
  const differing = differences({ ...inputs, name }, live);
  if (differing.length === 0) return;
  const title = `Zone ${JSON.stringify(name)}`;
  const how = `differs in what cannot be changed in place: ${differing.join(", ")}. Declare what it is`;
  throw new ArgumentError(
    isTakenUp
      ? `${title} exists already: an update that was cut short has created it, and it is in no state. It ${how} for one update, and change it in the next, which replaces the zone; or delete it in the control panel.`
      : `${title} exists already, but ${how}, or choose another name.`,
  );
}

/** Takes over the zone of a name, where that is wanted and possible, or where a process that was killed has created it for this. */
async function takeOver(name: string, inputs: Inputs, step: Step): Promise<{ id: string; state: State }> {
  const title = `Zone ${JSON.stringify(name)}`;
  const isTakenUp = (await isBegunAs(name, step)) === true;
  refuseAnothers(name, step);
  if (!isTakenUp && inputs.adopt !== true) {
    throw existsAlready(`${title} exists already and was not created here`, [
      "set `adopt: true` to take it over (`pulumi destroy` will delete it then)",
      "look it up with `Zone.get` to use it without owning it",
      "choose another name",
    ]);
  }
  const live = await step.context.remote.zones.get(name, step.deadline);
  requireAlike(name, inputs, live, isTakenUp);
  refuseAnothers(name, step);
  // One that the engine tells of from now on, and that has it, is refused. What a killed update has made anew is new still.
  if (step.me !== undefined) step.context.claims[isTakenUp ? "made" : "tookOver"](step.me, [zoneThing(name)]);
  if (isTakenUp) tookUp(entryOf(name, step).title, step);
  return { id: name, state: await sync(name, inputs, inputs.disabled !== undefined, step) };
}
