import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";

/** The last number that a port can have. */
export const HIGHEST_PORT = 65_535;

/** A number, of which the manager may make a text; none (NaN) for what is not there or not known yet. */
const numeric = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

/** Last of the numbers that a port listens on. */
export const lastPort = ({ port, multiply }: JsonObject): number => numeric(port) + (numeric(multiply) || 1) - 1;

/** Whether two ports could not listen at the same time. One without a number gets one that is free. */
export const overlap = (left: JsonObject, right: JsonObject): boolean =>
  numeric(left.port) <= lastPort(right) && numeric(right.port) <= lastPort(left);

/** Numbers as {@link numbersIn} takes them, such as `24000-24049,24100`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && number <= range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/**
 * The numbers that a look-up names, such as `24000-24049,24100`.
 *
 * @throws {ArgumentError} for any other text
 */
export function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [, from, to = from] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= HIGHEST_PORT)) {
      throw new ArgumentError(
        `${JSON.stringify(text)} does not say which proxy ports to look up: expected their numbers, such as "24000-24049,24100".`,
      );
    }
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return numbers;
}
