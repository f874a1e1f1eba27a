import { InvalidRequestError } from "../../base/errors";
import { type JsonObject, objectOf } from "../../base/json";
import type { StateOf } from "../../declaration/kind";
import { begunBefore, isBegun, leftBehind } from "../../lifecycle/creation";
import type { Step } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { isGone } from "../zone/gone";
import type { zoneAccess } from "./declaration";
import { ANY, holding, isReadable, LISTS, type List, type ListName, NAMES, oneByOne, without } from "./lists";

type State = StateOf<typeof zoneAccess>;
export type Entries = { [Name in ListName]?: string[] | undefined };

/** @param known what is on the lists, also if an update that was cut short has put it there */
export async function note(zone: string, known: Entries, wanted: Entries, { journal }: Step): Promise<void> {
  await journal?.begin(
    { zone, entries: merged(known, wanted) },
    leftBehind(
      `entries on the lists of who may use zone ${JSON.stringify(zone)}`,
      "Look at its access settings in the control panel, and remove what should not be there.",
    ),
  );
}

/**
 * What an update that was cut short may have put on the lists of a zone, or taken off them, and is no other resource's by now.
 *
 * @param isNew whether no state has the resource: too late, what can be read on a list may be anybody's
 */
export function begunOn(zone: string, step: Step, isNew = false): Entries {
  const noted = notedOn(zone, step);
  const { allowedIps: _allowed, deniedIps: _denied, ...unread } = noted;
  return isNew && isTooLate(zone, step) ? unread : noted;
}

/** Tells a person of what {@link begunOn} leaves to nobody, on lists that a new resource does not declare. */
export async function sayLeft(zone: string, declared: Entries, step: Step): Promise<void> {
  if (!isTooLate(zone, step)) return;
  const left: Entries = {};
  const noted = notedOn(zone, step);
  for (const name of NAMES) {
    const { [name]: entries = [] } = noted;
    const list = LISTS[name];
    if (!isReadable(list) || declared[name] !== undefined || entries.length === 0) continue;
    const present = await list.read(zone, step);
    const strange = without(list, entries, [ANY, ...without(list, entries, present)]);
    if (strange.length > 0) left[name] = strange;
  }
  const entries = Object.values(left).flat();
  if (entries.length === 0) return;
  const names = Object.keys(left).map((name) => `\`${name}\``);
  step.say?.(
    `What an update that was cut short may have put on the lists of who may use zone ${JSON.stringify(zone)} is still there: ${entries.join(", ")}. It may be somebody else's, so it is left alone. Declare it with \`adopt: true\` (${names.join(", ")}) to manage it, or remove it in the control panel.`,
  );
}

/** What is to become of lists that the resource has had which is replaced: what nobody can read, that one takes off by itself. */
export function replacedLists(zone: string, wanted: Entries, { replaced }: Step): Entries {
  const names = NAMES.filter((name) => isReadable(LISTS[name]) && wanted[name] !== undefined);
  return replaced?.zone === zone ? pick(replaced, names) : {};
}

const sameZone = (zone: string) => (facts: JsonObject) => facts.zone === zone;

const isTooLate = (zone: string, step: Step): boolean => isBegun({ isSame: sameZone(zone) }, zone, step) !== true;

function notedOn(zone: string, step: Step): Entries {
  const { entries } = begunBefore(step, sameZone(zone))?.facts ?? {};
  const noted = objectOf(entries);
  const isOwn = (name: ListName, entry: string) => !step.context.claims.isAnothers(holding(zone, name, entry), step.me);
  const found = NAMES.flatMap((name) => {
    const { [name]: all } = noted;
    return Array.isArray(all) ? [[name, all.map(String).filter((entry) => isOwn(name, entry))] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * The state with what an update that was cut short may have put on the lists. What cannot be read has to be sent again; of a list that
 * the state does not have, no comparison tells.
 */
export function withBegun(state: Partial<State>, begun: Entries): Partial<State> {
  const isOpen = (name: ListName) => state[name] === undefined || !isReadable(LISTS[name]);
  const open = NAMES.filter((name) => begun[name] !== undefined && isOpen(name));
  return { ...state, ...merged(state, begun), unsettled: [...new Set([...(state.unsettled ?? []), ...open])] };
}

function merged(some: Entries, others: Entries): Entries {
  const all = NAMES.flatMap((name) => {
    const [one = [], other = []] = [some[name], others[name]];
    const isNone = some[name] === undefined && others[name] === undefined;
    return isNone ? [] : [[name, [...one, ...without(LISTS[name], other, one)]] as const];
  });
  return Object.fromEntries(all);
}

/** Takes off a list what may never have come there. That the service refuses to is no reason to try it for ever. */
export const withdrawUnsure = (list: List, zone: string, entries: readonly string[], step: Step): Promise<void> =>
  oneByOne(entries, step, async (entry) => {
    try {
      await list.remove(zone, [entry], step);
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || (await isGone(zone, step))) throw error;
      step.say?.(
        `The service refuses to remove ${entry} from the ${list.words} of zone ${JSON.stringify(zone)}. Whether an earlier update has put it there is not known: look at the zone's access settings in the control panel.`,
      );
    }
  });
