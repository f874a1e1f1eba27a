import { expect, test } from "vitest";
import { endsIn, isCalledOff, secondsLeft, waitEnd, waitLeft } from "../../src/http/end";

test("a signal of which nothing is known ends nothing", () => {
  const { signal } = new AbortController();
  expect([secondsLeft(signal), waitLeft(signal), isCalledOff(signal)]).toEqual([Infinity, Infinity, false]);
  expect([secondsLeft(undefined), isCalledOff(undefined), waitEnd(undefined)]).toEqual([Infinity, false, undefined]);
  expect(waitEnd(signal)).toBe(signal);
});

test("what ends the wait is known to end when its request does, and to be called off with what is not sent", () => {
  const [request, unsent] = [new AbortController(), new AbortController()];
  endsIn(60, request.signal, unsent.signal);
  const wait = waitEnd(request.signal);
  expect(wait).not.toBe(request.signal);
  expect(secondsLeft(wait)).toBeGreaterThan(50);
  expect(secondsLeft(wait)).toBeLessThanOrEqual(60);
  expect(isCalledOff(wait)).toBe(false);
  unsent.abort();
  expect([wait?.aborted, isCalledOff(wait), waitLeft(wait), request.signal.aborted]).toEqual([true, true, 0, false]);
});
