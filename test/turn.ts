import { test } from "vitest";
import { TURN } from "../scripts/turn.mts";

/** Of what has many cases that take long, each commit tries some; with `EVERY_CASE`, all are tried. */
const isWhole = process.env.EVERY_CASE !== undefined;

/** A developer is to find what the last run has found. */
const turn = process.env.CI === undefined ? 0 : TURN;

/** Whether it is the turn of a case, which comes in one of so many commits. */
export const hasTurn = (index: number, turns: number): boolean => isWhole || (index + turn) % turns === 0;

/** `it` of a file with many tests that take long: the turn of each comes in one of so many commits. */
export function inTurn(turns: number): (title: string, body: () => unknown, timeoutMs?: number) => void {
  let index = 0;
  return (title, body, timeoutMs) => {
    if (hasTurn(index++, turns)) test(title, body, timeoutMs);
  };
}
