import { isIPv4, isIPv6 } from "node:net";

/** How many client addresses an entry of an allowlist stands for, as the length of the prefix that covers as many. */
export interface Breadth {
  readonly version: 4 | 6;
  readonly prefix: number;
}

/**
 * @param entry an address, a range `a-b`, a network with a prefix or a netmask, or `any`
 * @returns `undefined` for anything else, which the provider refuses
 */
export function breadthOf(entry: string): Breadth | undefined {
  const text = entry.trim();
  if (text.toLowerCase() === "any") return { version: 4, prefix: 0 };
  const [first = "", last] = text.split("-").map((part) => part.trim());
  if (last !== undefined) return ofRange(first, last);
  const [address = "", mask] = text.split("/");
  const bits = bitsOf(address);
  if (bits === undefined) return undefined;
  if (mask === undefined) return breadth(address, bits);
  if (/^\d{1,3}$/.test(mask)) return Number(mask) <= bits ? breadth(address, Number(mask)) : undefined;
  return isIPv4(mask) && bits === 32 ? breadth(address, ones(numberOf(mask))) : undefined;
}

/** IPv6 has the addresses of IPv4, too, behind `::ffff:`. */
function breadth(first: string, prefix: number): Breadth {
  if (isIPv4(first)) return { version: 4, prefix };
  const isMapped = prefix >= 96 && numberOf(first) >> 32n === 0xffffn;
  return isMapped ? { version: 4, prefix: prefix - 96 } : { version: 6, prefix };
}

function ofRange(first: string, last: string): Breadth | undefined {
  const bits = bitsOf(first);
  if (bits === undefined || bits !== bitsOf(last)) return undefined;
  const many = numberOf(last) - numberOf(first) + 1n;
  if (many < 1n) return undefined;
  return breadth(first, bits - (many - 1n).toString(2).replace(/^0$/, "").length);
}

const bitsOf = (address: string): number | undefined => (isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined);

const ones = (mask: bigint): number => mask.toString(2).replaceAll("0", "").length;

/** An address as a number. */
function numberOf(address: string): bigint {
  if (isIPv4(address)) return join(address.split("."), 10, 8n);
  const ipv4 = /[^:]*\.[^:]*$/.exec(address)?.[0];
  const groups = ipv4 === undefined ? address : `${address.slice(0, -ipv4.length)}${asGroups(numberOf(ipv4))}`;
  const [head = "", tail] = groups.split("::").map((part) => part.split(":").filter(Boolean).join(":"));
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return join([...left, ...zeros, ...right], 16, 16n);
}

const asGroups = (ipv4: bigint): string => `${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`;

const join = (parts: readonly string[], radix: number, bits: bigint): bigint =>
  parts.reduce((number, part) => (number << bits) | BigInt(Number.parseInt(part, radix)), 0n);
