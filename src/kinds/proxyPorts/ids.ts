import { ArgumentError } from "../../errors";
import { HIGHEST_PORT } from "../proxyPort/range";

/**
 * The numbers that an id names, such as `24000-24049,24100`.
 *
 * @throws {ArgumentError} for any other text
 */
export function numbersIn(id: string): Set<number> {
  const numbers = new Set<number>();
  for (const part of id.split(",")) {
    const [, from, to = from] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= HIGHEST_PORT)) {
      throw new ArgumentError(
        `${JSON.stringify(id)} is not the id of a set of proxy ports: expected their numbers, such as "24000-24049,24100".`,
      );
    }
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return numbers;
}
