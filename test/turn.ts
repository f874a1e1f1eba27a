import { test } from "vitest";
import { DAY } from "../scripts/day.mts";

/** Of what has many cases that take long, each day tries some; with `EVERY_CASE`, all are tried. */
const isWhole = process.env.EVERY_CASE !== undefined;

/** A developer is to find what the last run has found. */
export const turn = process.env.CI === undefined ? 0 : DAY;

/** Whether it is the turn of a case: it is again after so many days. */
export const isToday = (index: number, days: number): boolean => isWhole || (index + turn) % days === 0;

/** `it` of a file with many tests that take long: the turn of each comes again after so many days. */
export function inTurn(days: number): (title: string, body: () => unknown, timeoutMs?: number) => void {
  let index = 0;
  return (title, body, timeoutMs) => {
    if (isToday(index++, days)) test(title, body, timeoutMs);
  };
}
