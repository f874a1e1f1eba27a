import { DAY_MS, dayIn, isDay } from "../base/day";
import { ArgumentError } from "../base/errors";
import type { Period } from "../model/usage";

// JavaScript takes 24:00 for the end of a day: what is counted in days would be one short.
const DATE = /^\d{4}-\d{2}-\d{2}(T(?!24)\d{2}:\d{2}:\d{2}(\.\d+)?Z?)?$/;

type Query = { from: string | undefined; to: string | undefined };

/**
 * The period as query parameters.
 *
 * @throws {ArgumentError} for a date that is none, or a period that ends before it begins
 */
export function periodQuery({ from, to }: Period): Query {
  for (const [name, value] of Object.entries({ from, to })) {
    if (value === undefined) continue;
    if (!DATE.test(value) || !isDay(value.slice(0, 10)) || Number.isNaN(timeOf(value))) {
      throw new ArgumentError(
        `\`${name}\` is ${JSON.stringify(value)}: expected a date such as "2026-05-01" or "2026-05-01T00:00:00" (UTC).`,
      );
    }
  }
  if (from !== undefined && to !== undefined && timeOf(from) >= timeOf(to)) {
    throw new ArgumentError(
      `\`from\` is ${JSON.stringify(from)} and \`to\` is ${JSON.stringify(to)}: \`to\` is exclusive and must be later than \`from\`.`,
    );
  }
  return { from, to };
}

/**
 * The same in days, which costs are counted by: of a day that the period has a part of, the whole.
 *
 * @throws {ArgumentError} as {@link periodQuery}
 */
export function daysQuery(period: Period): Query {
  const { from, to } = periodQuery(period);
  return { from: dayIn(from), to: to && new Date(timeOf(to) + DAY_MS - 1).toISOString().slice(0, 10) };
}

// A day alone is read as UTC, a time without `Z` as the machine's.
const timeOf = (text: string): number => Date.parse(text.includes("T") && !text.endsWith("Z") ? `${text}Z` : text);
