import { Crash } from "./crash";
import { blockText, covers, parseBlock } from "./netmask";
import type { ManagerState } from "./state";

/** The addresses that every port admits whatever its own list says: those of the command line and of the API's list. */
export const fixedList = (state: ManagerState): string[] => [
  ...(state.options.whitelistIps ?? []),
  ...(state.settings.www_whitelist_ips ?? []),
];

/** {@link fixedList} and the default list of the ports. */
export const defaultList = (state: ManagerState): string[] => [
  ...fixedList(state),
  ...(state.settings.whitelist_ips ?? []),
];

/** Replaces the list of addresses that may call the API. Its entries leave the default list of the ports for good. */
export function setApiList(state: ManagerState, ips: unknown): void {
  const previous = defaultList(state);
  const unique = uniqueOf(ips);
  for (const ip of unique) state.pendingWwwIps.delete(ip);
  if (unique.length === 0) delete state.settings.www_whitelist_ips;
  else state.settings.www_whitelist_ips = unique;
  setPortsList(state, state.settings.whitelist_ips ?? [], previous);
}

/** Replaces the default list of the ports: blocks are brought to their base, and what is no address is left out. */
export function setPortsList(state: ManagerState, ips: unknown, previous = defaultList(state)): void {
  const unique = uniqueOf(ips);
  for (const ip of unique) state.pendingIps.delete(ip);
  const fixed = fixedList(state);
  const added = unique.filter((ip) => !fixed.includes(ip));
  if (added.length === 0) delete state.settings.whitelist_ips;
  else {
    state.settings.whitelist_ips = added.flatMap((ip) => {
      const block = parseBlock(ip, state.shortForm);
      return block === undefined || blockText(block) === "127.0.0.1" ? [] : [blockText(block)];
    });
  }
  replaceDefaults(state, previous);
}

/** What a port had of the old defaults goes, even where the port had the address of its own. */
function replaceDefaults(state: ManagerState, previous: readonly unknown[]): void {
  const current = defaultList(state);
  for (const port of state.running.values()) {
    const own = listOf(port.config.whitelist_ips).filter((ip) => !previous.includes(ip));
    const merged = [...new Set([...current, ...own])];
    state.update(port, { whitelist_ips: merged });
    const record = state.record(port.config.port);
    if (record !== undefined) record.whitelist_ips = merged;
  }
}

/** A port's list as it is kept: the defaults in front, each address once, nothing checked. */
export const mergedList = (state: ManagerState, own: unknown): unknown[] => [
  ...new Set([...defaultList(state), ...listOf(own)]),
];

/** Whether the address is on the list, as this machine's own always is. */
export const isListed = (state: ManagerState, list: readonly unknown[], address: string): boolean =>
  ["127.0.0.1", ...list].some((entry) => {
    const block = parseBlock(entry, state.shortForm);
    return block !== undefined && covers(block, address);
  });

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value ? [value] : []);

function uniqueOf(ips: unknown): string[] {
  if (ips === null || ips === undefined) return [];
  if (typeof ips === "string" || Array.isArray(ips)) return [...new Set<string>(ips)];
  const what = typeof ips === "object" ? "object" : `${typeof ips} ${String(ips)}`;
  throw new Crash(`${what} is not iterable (cannot read property Symbol(Symbol.iterator))`);
}
