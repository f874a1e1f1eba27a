import { IPv4 } from "ipaddr.js";

/**
 * An IPv4 address or CIDR block in its one form: the network's first address, and no `/32`. The manager takes IPv4 only, and
 * makes up the octets that are missing.
 *
 * @returns `undefined` for anything else
 */
export function canonicalAddress(text: string): string | undefined {
  const [address, bits, ...rest] = text.trim().split("/");
  if (address === undefined || rest.length > 0 || !IPv4.isValidFourPartDecimal(address)) return undefined;
  if (bits === undefined) return IPv4.parse(address).toString();
  if (!/^(\d|[12]\d|3[0-2])$/.test(bits)) return undefined;
  const network = IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString();
  return bits === "32" ? network : `${network}/${bits}`;
}

/** Whether an address is that of an entry in its one form, or in its block. */
export function isWithin(address: string, entry: string): boolean {
  const [, bits = "32"] = entry.split("/");
  return canonicalAddress(`${address}/${bits}`) === entry;
}
