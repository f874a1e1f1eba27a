import { ArgumentError } from "../../base/errors";
import { canonicalAddress } from "../../declaration/address";
import { addressSet } from "../../declaration/values";
import type { AllowlistEntry, AllowlistName } from "../../manager/allowlists";
import type { GeneralSettings } from "../../model/generalSettings";

export const LISTS = ["ui", "ports"] as const;

export const isList = (list: unknown): list is AllowlistName => list === "ui" || list === "ports";

export const idOf = ({ list, ip }: AllowlistEntry): string => `${list}/${ip}`;

export function entryOfId(id: string): AllowlistEntry {
  const [, list, rest = ""] = /^([a-z]+)\/(.+)$/.exec(id) ?? [];
  const ip = canonicalAddress(rest);
  if (ip !== undefined && isList(list)) return { list, ip };
  throw new ArgumentError(
    `${JSON.stringify(id)} is not the id of an allowed address: expected the list and the address, such as "ui/203.0.113.7".`,
  );
}

/** The entries of a list. After a start, the `ports` list has what every port has anyway, too, until the list is changed. */
export function listOf({ wwwWhitelistIps, whitelistIps, fixedWhitelistIps }: GeneralSettings, list: AllowlistName) {
  if (list === "ui") return wwwWhitelistIps;
  const fixed = addressSet(fixedWhitelistIps);
  return whitelistIps.filter((ip) => !fixed.has(canonicalAddress(ip) ?? ip));
}

export const isListed = (settings: GeneralSettings, { list, ip }: AllowlistEntry): boolean =>
  addressSet(listOf(settings, list)).has(ip);

export const isUiBlock = ({ list, ip }: AllowlistEntry): boolean => list === "ui" && ip.includes("/");

/** What a manager before 1.643 lists in place of a block, `undefined` where that was there before. */
export function firstAddressOf(entry: AllowlistEntry, before: GeneralSettings): string | undefined {
  if (!isUiBlock(entry)) return undefined;
  const [first = ""] = entry.ip.split("/");
  return isListed(before, { ...entry, ip: first }) ? undefined : first;
}

/** The entry that an older manager has made of a block, where it stands on the list. */
export function listedStray(firstAddress: unknown, settings: GeneralSettings): AllowlistEntry | undefined {
  if (typeof firstAddress !== "string") return undefined;
  const stray: AllowlistEntry = { list: "ui", ip: firstAddress };
  return isListed(settings, stray) ? stray : undefined;
}
