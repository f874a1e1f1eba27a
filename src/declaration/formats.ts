import { canonicalAddress } from "./address";
import { clientRange } from "./clientRange";
import type { Format } from "./property";

const EVERYBODY = new Set(["0.0.0.0/0", "::/0"].map(clientRange));

/** An IP as bans have it: an IPv4 address, or the 33 characters by which the vendor hides one. `undefined` for anything else. */
export function bannableIp(text: string): string | undefined {
  if (/^\w[0-9a-f]{32}$/i.test(text)) return text;
  const address = canonicalAddress(text);
  return address?.includes("/") ? undefined : address;
}

const isSingle = (address: string | undefined): boolean => address !== undefined && !address.includes("/");

/** Whether a text has a form. */
export const FORMATS: Readonly<Record<Format, (text: string) => boolean>> = {
  address: (text) => canonicalAddress(text) !== undefined,
  addressOfOne: (text) => isSingle(canonicalAddress(text)),
  bannable: (text) => bannableIp(text) !== undefined,
  clientRange: (text) => clientRange(text) !== undefined,
  everybody: (text) => EVERYBODY.has(clientRange(text) ?? ""),
  loopback: (text) => canonicalAddress(text) === "127.0.0.1",
  url: (text) => /^https?:\/\/\S+$/.test(text),
};
