import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Windows } from "../../src/http/windows";

const ROUTE = "POST http://127.0.0.1/api/proxies";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that takes so many requests a minute and tells of it, and how many it has refused. */
function service(limit: number, told = (left: number, reset: number) => `limit=2, remaining=${left}, reset=${reset}`) {
  const counts = { used: 0, taken: 0, refused: 0, windows: 0 };
  let endsAt = 0;
  const answer = (): string => {
    if (Date.now() >= endsAt) {
      endsAt = Date.now() + 60_000;
      counts.used = 0;
      counts.windows++;
    }
    if (counts.used++ < limit) counts.taken++;
    else counts.refused++;
    return told(Math.max(0, limit - counts.used), Math.ceil((endsAt - Date.now()) / 1000));
  };
  return { counts, answer };
}

async function ask(windows: Windows, answer: () => string, times: number, route = ROUTE): Promise<void> {
  const one = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    windows.learn(route, answer());
  };
  const all = Promise.all(Array.from({ length: times }, () => windows.run(route, undefined, one)));
  await vi.runAllTimersAsync();
  await all;
}

test.each([
  ["its own words", undefined],
  ["those of newer versions", (left: number, reset: number) => `"40-in-1min"; r=${left}; t=${reset}`],
])("never asks for more than a window takes, told in %s", async (_, told) => {
  const { counts, answer } = service(40, told);
  await ask(new Windows(40), answer, 150);
  expect(counts).toMatchObject({ taken: 150, refused: 0, windows: 4 });
});

test("tells of each wait once, and of how long it is", async () => {
  const { answer } = service(40);
  const told: number[] = [];
  await ask(new Windows(40, (seconds) => told.push(seconds)), answer, 150);
  expect(told).toEqual([60, 60, 60]);
});

test("lets a burst through that fits in the window", async () => {
  const { counts, answer } = service(100);
  const before = Date.now();
  await ask(new Windows(100), answer, 100);
  expect(counts).toMatchObject({ taken: 100, windows: 1 });
  expect(Date.now() - before).toBeLessThan(1000);
});

test("counts each route by itself", async () => {
  const windows = new Windows(40);
  const before = Date.now();
  for (const port of [24_000, 24_001, 24_002]) await ask(windows, service(40).answer, 39, `PUT /api/proxies/${port}`);
  expect(Date.now() - before).toBeLessThan(1000);
});

test("leaves it to the service to refuse what a wait of a minute does not help", async () => {
  const windows = new Windows(10);
  const before = Date.now();
  await ask(windows, () => "limit=5, remaining=0, reset=3000", 3);
  expect(Date.now() - before).toBeLessThan(1000);
});

test("ends the wait with the operation that waits", async () => {
  const windows = new Windows(10);
  const controller = new AbortController();
  await ask(windows, () => "limit=10, remaining=0, reset=60", 1);
  const waiting = windows.run(ROUTE, controller.signal, async () => "sent");
  const outcome = expect(waiting).rejects.toThrow("over");
  controller.abort(new Error("over"));
  await outcome;
});
