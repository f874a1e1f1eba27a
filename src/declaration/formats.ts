import { validateHeaderName, validateHeaderValue } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { Script } from "node:vm";
import { succeeds } from "../base/cause";
import { canonicalAddress } from "./address";
import { clientRange, hasEverybody } from "./clientRange";
import type { Format } from "./property";
import { updated } from "./values";

/** An IP as bans have it: an IPv4 address, or the 33 characters by which the vendor hides one. `undefined` for anything else. */
export function bannableIp(text: string): string | undefined {
  if (/^\w[0-9a-f]{32}$/i.test(text)) return text;
  const address = canonicalAddress(text);
  return address?.includes("/") ? undefined : address;
}

const isSingle = (address: string | undefined): boolean => address !== undefined && !address.includes("/");

/** Whether the manager can compile it: it puts the text into a program, between backticks. */
const isExpression = (text: string): boolean => !/`|\$\{/.test(text) && succeeds(() => new RegExp(text));

const STATUSES = Array.from({ length: 500 }, (_, index) => String(100 + index));

const isStatusExpression = (text: string): boolean => {
  if (!isExpression(text)) return false;
  const expression = new RegExp(text);
  return STATUSES.some((status) => expression.test(status));
};

/** Whether the text compiles, says what `trigger` is, and stays as it is. Nothing of it is run. */
const isTrigger = (text: string): boolean =>
  /\btrigger\b/.test(text) &&
  updated(text) === text &&
  succeeds(() => new Script(`(function () {${text}\nreturn trigger;\n})`));

const HOST = "(?:[\\w-]+(?:\\.[\\w-]+)*\\.?)";
const HOST_AND_PORT = new RegExp(`^${HOST}(?::(\\d{1,5}))?$`);
const EXTERNAL_PROXY = new RegExp(
  `^(?:(?:https?|socks5?)://)?(?:[^\\s:/?#]*(?::[^\\s:/?#]*)?@)?(${HOST}(?::\\d{1,5})?)/?$`,
);

const isHostAndPort = (text: string): boolean => {
  const [match, port = "1"] = HOST_AND_PORT.exec(text) ?? [];
  return match !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
};

/**
 * Whether a text could be the name of an interface, which has blanks and letters of any alphabet on some systems: the manager
 * listens on all of them where it knows none of that name.
 */
const isInterface = (text: string): boolean =>
  isIPv4(text) ||
  (!isIPv6(text) && /^(?!(?:localhost|any|all)$)\p{L}(?:[^\p{C}"/<>?\\|]*[^\p{C}\s"/<>?\\|])?$/iu.test(text));

/** Whether a text has a form. */
export const FORMATS: Readonly<Record<Format, (text: string) => boolean>> = {
  address: (text) => canonicalAddress(text) !== undefined,
  addressOfOne: (text) => isSingle(canonicalAddress(text)),
  bannable: (text) => bannableIp(text) !== undefined,
  clientRange: (text) => !/\s/.test(text) && clientRange(text) !== undefined,
  everybody: hasEverybody,
  loopback: (text) => canonicalAddress(text) === "127.0.0.1",
  url: (text) => /^https?:\/\/\S+$/.test(text),
  date: (text) => !Number.isNaN(Date.parse(text)),
  expression: isExpression,
  statusExpression: isStatusExpression,
  trigger: isTrigger,
  headerName: (text) => succeeds(() => validateHeaderName(text)),
  headerValue: (text) => succeeds(() => validateHeaderValue("x", text)),
  interface: isInterface,
  externalProxy: (text) => isHostAndPort(EXTERNAL_PROXY.exec(text)?.[1] ?? ""),
  host: (text) => new RegExp(`^${HOST}$`).test(text),
  mailServer: isHostAndPort,
};
