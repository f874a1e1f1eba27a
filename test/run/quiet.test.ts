import { beforeEach, expect, test, vi } from "vitest";
import type * as quiet from "../../src/run/quiet";

let heard: () => void;
let untilQuiet: (signal: AbortSignal) => Promise<void>;

beforeEach(async () => {
  vi.resetModules();
  ({ heard, untilQuiet } = await vi.importActual<typeof quiet>("../../src/run/quiet"));
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
  };
});

/** How many milliseconds a wait for quiet takes while the engine tells of something at these times after it has begun. */
async function waited(...times: number[]): Promise<number> {
  const began = Date.now();
  let ended: number | undefined;
  const waiting = untilQuiet(new AbortController().signal).then(() => {
    ended = Date.now() - began;
  });
  for (const time of times) setTimeout(heard, time);
  while (ended === undefined) await vi.advanceTimersByTimeAsync(10);
  await waiting;
  return ended;
}

test("where the engine has told of nothing yet, or not for long, there is nothing to wait for", async () => {
  expect(await waited()).toBe(0);
  heard();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waited()).toBe(0);
});

test("the engine is quiet once it has told of nothing for a while", async () => {
  heard();
  expect(await waited()).toBe(200);
  heard();
  expect(await waited(100, 250, 420)).toBe(650);
});

test("an engine that tells of ever more is not waited for without end", async () => {
  heard();
  expect(await waited(...Array.from({ length: 100 }, (_, index) => index * 100))).toBe(5000);
});

test("the end of an operation's time ends the wait", async () => {
  heard();
  const controller = new AbortController();
  const waiting = untilQuiet(controller.signal);
  controller.abort(new Error("It is over."));
  await expect(waiting).rejects.toThrow("It is over.");
});
