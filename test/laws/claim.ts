import { isDeepStrictEqual } from "node:util";

/** Fails in one line that says what was found: a matrix of thousands of cases is read by its lines. */
export function claim<T>(what: string, found: T, expected: T): void {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Error(`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

export function claimMatch(what: string, found: string, expected: RegExp): void {
  if (!expected.test(found)) throw new Error(`${what}: found ${JSON.stringify(found)}, expected ${String(expected)}`);
}
