import { counted } from "../../base/counted";
import { isObject, type JsonObject } from "../../base/json";
import { pieceOf } from "../../model/products";
import type { Prices } from "../../settings/values";

export const planOf = (zone: JsonObject | undefined): JsonObject | undefined =>
  isObject(zone?.plan) ? zone.plan : undefined;

/** How many IPs or gIPs a zone of a plan is created with; no number where that is not known yet, and nothing for none. */
export function piecesIn({ ips, vips }: JsonObject): { count: number | undefined; words: string } | undefined {
  const [given, what] = isNone(ips) ? [vips, "gIP"] : [ips, "IP"];
  if (isNone(given)) return undefined;
  const count = typeof given === "symbol" ? undefined : Number(given);
  return { count, words: count === undefined ? `some ${what}s` : counted(count, what) };
}

const isNone = (count: unknown): boolean => typeof count !== "symbol" && Number(count ?? 0) === 0;

/** What pieces of a plan cost in a month at the user's prices; nothing where that is not known for certain. */
export function monthly(plan: JsonObject | undefined, count: number | undefined, prices: Prices = {}): string {
  const piece = plan === undefined ? undefined : pieceOf(plan);
  const price = piece === undefined ? undefined : prices[piece];
  if (count === undefined || price === undefined) return "";
  const dollars = (count * price).toFixed(2);
  return ` At your price for ${piece}, that is about $${dollars} a month.`;
}
