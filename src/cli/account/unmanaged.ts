import type { Settings } from "../../settings/settings";
import type { Held } from "./held";
import { type Inventory, listed, type Thing } from "./inventory";
import { MANAGED_KINDS } from "./kinds";
import { sources } from "./source";

/** What accounts and Proxy Managers have and no stack holds. */
export async function unmanaged(settings: Settings, held: Held): Promise<Inventory<Thing>> {
  const all = sources(settings, { accounts: undefined, managers: undefined });
  const { found, leftOut } = await listed(all, { kinds: MANAGED_KINDS, isMeant: () => true });
  return { found: await held.lacking(found), leftOut };
}
