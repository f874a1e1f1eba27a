import type { Settings } from "../settings/settings";
import type { Held } from "./held";
import { type Inventory, listed, type Thing } from "./inventory";
import { importedKind, LISTED_KINDS } from "./kinds";
import { sources } from "./source";

/** Of the kinds that are there without anybody having made them, nothing is unmanaged. */
const NEVER = ["ManagerSettings", "ManagerApiKey"];

/** The kinds of which something may be in no stack without anybody having meant it. */
export const UNMANAGED_KINDS: readonly string[] = LISTED_KINDS.filter(
  (kind) => !NEVER.includes(kind) && importedKind(kind).leftOut === undefined,
);

/** What accounts and Proxy Managers have and no stack holds. */
export async function unmanaged(settings: Settings, held: Held): Promise<Inventory<Thing>> {
  const all = sources(settings, { accounts: undefined, managers: undefined });
  const { found, leftOut } = await listed(all, { kinds: UNMANAGED_KINDS, isMeant: () => true });
  const locations = new Map(await Promise.all(all.map(async (source) => [source, await source.location()] as const)));
  return { found: found.filter((thing) => !held.has(thing, locations.get(thing.source))), leftOut };
}
