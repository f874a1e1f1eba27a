import { ArgumentError } from "../../base/errors";
import { HIGHEST_PORT } from "../../model/portRange";

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
