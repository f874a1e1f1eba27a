import { BrightDataError } from "../../base/errors";
import { keysIn, ownIn } from "../../base/json";
import { clientRange } from "../../declaration/clientRange";
import type { Step } from "../../lifecycle/lifecycle";
import { entryThing, listThing } from "../shared/things";

export const ANY = "any";

/** Whether a list of allowed addresses keeps anybody out. */
export const isLimited = (ips: unknown): boolean => Array.isArray(ips) && ips.some((ip) => ip !== ANY);

export interface List {
  words: string;
  /** An entry in the one form in which entries compare. */
  key(entry: string): string;
  /**
   * Absent where the service has no call that tells.
   *
   * @param as "shared": as many ask at the same time, and were told a moment ago
   */
  read?(zone: string, step: Step, as?: "shared"): Promise<string[]>;
  add(zone: string, entries: readonly string[], step: Step): Promise<unknown>;
  remove(zone: string, entries: readonly string[], step: Step): Promise<unknown>;
}

export type ReadableList = List & Required<Pick<List, "read">>;

export const isReadable = (list: List): list is ReadableList => list.read !== undefined;

const access = ({ context }: Step) => context.remote.access;
const changed = (step: Step, change: Promise<void>) => change.finally(() => step.context.account.forgetAccess());
const addressKey = (entry: string): string => clientRange(entry) ?? entry;
const domainKey = (entry: string): string => entry.toLowerCase();

/** A zone is left out where its list is empty; an answer without it is believed only of a zone that can be read. */
const confirmed = (zone: string, step: Step) => step.context.remote.zones.get(zone, step.deadline);

function refuseRemaining(zone: string, removed: readonly string[], remaining: readonly string[]): void {
  const kept = new Set(remaining.map(domainKey));
  const left = removed.filter((domain) => kept.has(domainKey(domain)));
  if (left.length === 0) return;
  throw new BrightDataError(
    `The service accepted that domains are removed from a list of zone ${JSON.stringify(zone)}, but says that they are still on it: ${left.join(", ")}. Run again later.`,
  );
}

export type ListName = "allowedIps" | "deniedIps" | "allowedDomains" | "deniedDomains";

export const LISTS: Readonly<Record<ListName, List>> = {
  allowedIps: {
    words: "allowed client addresses",
    key: addressKey,
    read: async (zone, step, as) => {
      const { allowedIps } = step.context.account;
      const all = as ? allowedIps.get(step.deadline.signal) : access(step).listAllowedIps([zone], step.deadline);
      return ownIn(await all, zone) ?? (await confirmed(zone, step)).ips;
    },
    add: (zone, ips, step) => changed(step, access(step).allowIps(zone, ips, step.deadline)),
    remove: (zone, ips, step) =>
      oneByOne(ips, step, (ip) => changed(step, access(step).removeAllowedIp(zone, ip, step.deadline))),
  },
  deniedIps: {
    words: "denied client addresses",
    key: addressKey,
    read: async (zone, step, as) => {
      const { deniedIps } = step.context.account;
      const all = as ? deniedIps.get(step.deadline.signal) : access(step).listDeniedIps([zone], step.deadline);
      const listed = ownIn(await all, zone);
      if (listed === undefined) await confirmed(zone, step);
      return listed ?? [];
    },
    add: (zone, ips, step) => changed(step, access(step).denyIps(zone, ips, step.deadline)),
    remove: (zone, ips, step) =>
      oneByOne(ips, step, (ip) => changed(step, access(step).removeDeniedIp(zone, ip, step.deadline))),
  },
  allowedDomains: {
    words: "allowed domains",
    key: domainKey,
    add: (zone, domains, step) => access(step).allowDomains(zone, domains, step.deadline),
    remove: async (zone, domains, step) =>
      refuseRemaining(zone, domains, await access(step).removeAllowedDomains(zone, domains, step.deadline)),
  },
  deniedDomains: {
    words: "denied domains",
    key: domainKey,
    add: (zone, domains, step) => access(step).denyDomains(zone, domains, step.deadline),
    remove: async (zone, domains, step) =>
      refuseRemaining(zone, domains, await access(step).removeDeniedDomains(zone, domains, step.deadline)),
  },
};

export const NAMES = keysIn(LISTS);
/** The order in which entries are added: whoever is to be kept out is so before others are let in. */
export const ADDED_IN_ORDER: readonly ListName[] = ["deniedIps", "deniedDomains", "allowedIps", "allowedDomains"];

/** Takes entries off a list, each by a request of its own. */
export async function oneByOne(
  entries: readonly string[],
  { deadline }: Step,
  remove: (entry: string) => Promise<void>,
): Promise<void> {
  for (const entry of entries) {
    deadline.requireGoing(`before ${entry} was removed`);
    await remove(entry);
  }
}

/** Entries of one list that do not stand on another, each once. */
export function without({ key }: Pick<List, "key">, entries: readonly string[], others: readonly string[]): string[] {
  const seen = new Set(others.map(key));
  return entries.filter((entry) => {
    const isNew = !seen.has(key(entry));
    seen.add(key(entry));
    return isNew;
  });
}

/** What stands on a list; where that lacks something known, with what another answer lists besides: one alone may be short. */
export async function listed(
  list: ReadableList,
  zone: string,
  known: readonly string[],
  step: Step,
  as?: "shared",
): Promise<string[]> {
  const entries = await list.read(zone, step, as);
  if (without(list, known, entries).length === 0) return entries;
  return without(list, [...entries, ...(await list.read(zone, step))], []);
}

/** What an entry of a list is called among the things that resources have. */
export const holding = (zone: string, name: ListName, entry: string): string =>
  entryThing(zone, name, LISTS[name].key(entry));

/**
 * What a list is called among the things that resources have: one that can be read is one resource's as a whole, and what stands
 * on it a part of that; of another, each resource has what it has put there.
 */
export function holdingsOf(zone: string, name: ListName, entries: unknown, isToCome: boolean): string[] {
  const isWhole = isReadable(LISTS[name]);
  const known = Array.isArray(entries) && !(isWhole && isToCome) ? entries : [];
  const parts = known.filter((entry) => typeof entry === "string").map((entry) => holding(zone, name, entry));
  return isWhole ? [listThing(zone, name), ...parts] : parts;
}

/** Whether a zone is open to all without these, while another resource has the list, which may be about to change it. */
export async function isOpened(list: List, zone: string, entries: readonly string[], step: Step): Promise<boolean> {
  const { context, me } = step;
  const isShared = context.claims.whoHas(listThing(zone, "allowedIps"), me) !== undefined;
  if (!isReadable(list) || list.words !== LISTS.allowedIps.words || !isShared) return false;
  const left = without(list, await list.read(zone, step), entries);
  if (isLimited(left)) return false;
  step.say?.(
    `${entries.join(", ")} ${entries.length === 1 ? "is" : "are"} kept among the ${list.words} of zone ${JSON.stringify(zone)}: nothing else limits who may use it.`,
  );
  return true;
}
