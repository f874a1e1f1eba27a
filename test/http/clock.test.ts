import { beforeEach, expect, test, vi } from "vitest";
import { ServiceClock } from "../../src/http/clock";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-01T00:00:00.500Z") });
  return () => vi.useRealTimers();
});

test("the clock of a service goes on from what its latest answer has said", () => {
  const clock = new ServiceClock();
  expect(clock.now).toBeUndefined();
  clock.learn("Thu, 01 Jan 2026 01:00:00 GMT");
  vi.setSystemTime(Date.now() + 5000);
  expect(clock.now).toBe(Date.parse("2026-01-01T01:00:05.000Z"));
  clock.learn("Thu, 01 Jan 2026 00:00:00 GMT");
  expect(clock.now).toBe(Date.parse("2026-01-01T00:00:00.000Z"));
});

test.each([undefined, "", "soon", ["Thu, 01 Jan 2026 01:00:00 GMT"]])(
  "the clock of a service learns nothing from an answer without a date: %j",
  (date) => {
    const clock = new ServiceClock();
    clock.learn(date);
    expect(clock.now).toBeUndefined();
  },
);
