import { IPv4, IPv6 } from "ipaddr.js";

interface Address {
  bits: number;
  value: bigint;
}

/** The IPv4 addresses as IPv6 has them, `::ffff:0:0/96`. */
const MAPPED = 0xffff_0000_0000n;
const IPV4 = 0xffff_ffffn;

/**
 * The client addresses that an entry stands for, in one form however it is written: an address, a range `a-b`, or a network
 * with the length of its prefix or with its netmask.
 *
 * @returns `203.0.113.7`, `203.0.113.0/24` or `203.0.113.5-203.0.113.9`; `undefined` for anything else
 */
export function clientRange(entry: string): string | undefined {
  const range = rangeIn(entry);
  if (range === undefined) return undefined;
  const [bits, first, last] = range;
  const start = written(bits, first);
  const hosts = last - first;
  if (hosts === 0n) return start;
  const isNetwork = (hosts & (hosts + 1n)) === 0n && (first & hosts) === 0n;
  return isNetwork ? `${start}/${bits - hosts.toString(2).length}` : `${start}-${written(bits, last)}`;
}

/** Whether all IPv4 addresses are in it. */
export function hasEverybody(entry: string): boolean {
  const [bits, first, last] = rangeIn(entry) ?? [];
  if (bits === undefined || first === undefined || last === undefined) return false;
  const lowest = bits === 32 ? 0n : MAPPED;
  return first <= lowest && last >= lowest + IPV4;
}

function rangeIn(entry: string): [bits: number, first: bigint, last: bigint] | undefined {
  const [first, last, ...more] = ends(entry.trim()) ?? [];
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  if (first.bits !== last.bits || first.value > last.value) return undefined;
  const isMapped = first.bits === 128 && first.value >= MAPPED && last.value <= MAPPED + IPV4;
  return isMapped ? [32, first.value - MAPPED, last.value - MAPPED] : [first.bits, first.value, last.value];
}

function ends(entry: string): (Address | undefined)[] | undefined {
  if (entry.includes("-")) return entry.split("-").map((text) => addressOf(text.trim()));
  const [text = "", mask, ...more] = entry.split("/");
  const address = addressOf(text);
  if (address === undefined || more.length > 0) return undefined;
  const prefix = mask === undefined ? address.bits : prefixLength(mask, address.bits);
  if (prefix === undefined) return undefined;
  const hosts = (1n << BigInt(address.bits - prefix)) - 1n;
  return [
    { ...address, value: address.value & ~hosts },
    { ...address, value: address.value | hosts },
  ];
}

function addressOf(text: string): Address | undefined {
  if (IPv4.isValidFourPartDecimal(text)) return { bits: 32, value: numberOf(IPv4.parse(text).toByteArray()) };
  // The library takes this, `::1.2.3.4`, for `::ffff:1.2.3.4`.
  const low = text.startsWith("::") ? text.slice(2) : "";
  if (IPv4.isValidFourPartDecimal(low)) return { bits: 128, value: numberOf(IPv4.parse(low).toByteArray()) };
  // A zone index (`fe80::1%eth0`) has a meaning on one machine only.
  if (!text.includes("%") && IPv6.isValid(text)) return { bits: 128, value: numberOf(IPv6.parse(text).toByteArray()) };
  return undefined;
}

const numberOf = (bytes: number[]): bigint => bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

function written(bits: number, value: bigint): string {
  const bytes = Array.from({ length: bits / 8 }, (_, index) =>
    Number((value >> BigInt(bits - 8 * (index + 1))) & 0xffn),
  );
  return (bits === 32 ? new IPv4(bytes) : new IPv6(bytes)).toString();
}

function prefixLength(mask: string, bits: number): number | undefined {
  if (/^\d{1,3}$/.test(mask)) return Number(mask) <= bits ? Number(mask) : undefined;
  if (bits !== 32 || !IPv4.isValidFourPartDecimal(mask)) return undefined;
  return IPv4.parse(mask).prefixLengthFromSubnetMask() ?? undefined;
}
