/** A block of IPv4 addresses. */
export interface Block {
  /** Its first address. */
  base: string;
  bits: number;
}

/** Where the missing octets of an address such as `5.6.7` are thought to be: `0.5.6.7` or `5.6.0.7`. */
export type ShortForm = "front" | "middle";

/** Reads an IPv4 address or CIDR block as the manager does, octal and hexadecimal octets included. */
export function parseBlock(text: unknown, shortForm: ShortForm = "front"): Block | undefined {
  if (typeof text !== "string") return undefined;
  const [address = "", mask = ""] = text.split("/", 2);
  const number = parseAddress(address, shortForm);
  const bits = parseMask(mask, shortForm);
  return number === undefined || bits === undefined ? undefined : { base: dotted(number & maskOf(bits)), bits };
}

/** The block as the manager's lists write it: a single address without a mask. */
export const blockText = ({ base, bits }: Block): string => (bits === 32 ? base : `${base}/${bits}`);

/** Whether the address is one of the block's. */
export function covers(block: Block, address: string): boolean {
  const number = parseAddress(address, "front");
  return number !== undefined && dotted(number & maskOf(block.bits)) === block.base;
}

function parseAddress(text: string, shortForm: ShortForm): number | undefined {
  const parts = text.split(".");
  const octets = parts.flatMap((part) => parseOctet(part) ?? []);
  if (octets.length > 4 || octets.length < parts.length) return undefined;
  const missing: number[] = Array(4 - octets.length).fill(0);
  const before = shortForm === "front" ? 0 : octets.length - 1;
  const four = [...octets.slice(0, before), ...missing, ...octets.slice(before)];
  return four.reduce((number, octet) => number * 256 + octet, 0);
}

function parseOctet(text: string): number | undefined {
  const isOctal = /^0[0-7]+$/.test(text);
  if (!isOctal && !/^(0x[0-9a-f]+|(?!0[0-7])\d+)$/i.test(text)) return undefined;
  const octet = isOctal ? Number.parseInt(text, 8) : Number(text);
  return octet <= 255 ? octet : undefined;
}

function parseMask(text: string, shortForm: ShortForm): number | undefined {
  if (text === "") return 32;
  if (text.includes(".")) {
    const number = parseAddress(text, shortForm);
    return Array.from({ length: 33 }, (_, bits) => bits).find((bits) => maskOf(bits) >>> 0 === number);
  }
  const bits = Number.parseInt(text, 10);
  return bits <= 32 ? bits : undefined;
}

// A shift by 32 is a shift by 0 in JavaScript.
const maskOf = (bits: number): number => (bits > 0 ? -1 << (32 - bits) : 0);

const dotted = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
