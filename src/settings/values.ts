import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import { PIECES } from "../model/products";

/** Levels of the log, from quiet to talkative. */
export const LOG_LEVELS = ["off", "error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** US dollars a month by what is bought, a piece each. */
export type Prices = Readonly<Record<string, number>>;

export const url = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  const plain = username === "" && password === "" && search === "" && hash === "";
  return /^https?:$/.test(protocol) && plain ? `${origin}${pathname}`.replace(/\/+$/, "") : undefined;
};

// A URL with a user, a query or a fragment.
export const MAY_HOLD_CREDENTIALS = /[@?#]/;

export const number = (least: number, most: number, whole: boolean) => (text: string) => {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined;
};

// A control character or a blank in a token is a slip of copying; sent as a header it would fail in a less clear way.
export const credential = (text: string) => (/^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined);

const dollars = number(0, 1_000_000, false);

export function prices(text: string): Prices | undefined {
  const given = parsed(text);
  if (!isObject(given)) return undefined;
  // A price that is set by its path in the configuration is a text.
  const found = Object.entries(given).flatMap(([piece, price]) => {
    const amount = dollars(String(price));
    return PIECES.includes(piece) && amount !== undefined ? [[piece, amount] as const] : [];
  });
  return found.length === Object.keys(given).length ? Object.fromEntries(found) : undefined;
}

export const URL_EXPECTED = "an http or https URL without credentials or a query";

/** `undefined` for what is no JSON. */
export const parsed = (text: string): unknown => quietly(() => JSON.parse(text));
