import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_WAIT_SECONDS, retryAfterSeconds, retryDelaySeconds } from "../../src/http/retry";

const NOW = new Date("2026-03-01T12:00:00Z");

describe("Retry-After", () => {
  test.each([
    ["0", 0],
    ["10", 10],
    [" 59 ", 59],
    ["1.5", 1.5],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30],
    ["Sun, 01 Mar 2026 12:00:00 GMT", 0],
    ["Sun, 01 Mar 2026 11:59:00 GMT", 0],
  ])("%j is %d s", (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });

  test.each([
    undefined,
    "",
    "soon",
    "-5",
    "10s",
    "1e3",
    "0x10",
    "Infinity",
    "2026-03-01T12:00:30Z",
    "Foo, 5",
    "Sun, 99 Foo 2026 99:99:99 GMT",
  ])("%j says nothing", (header) => {
    expect(retryAfterSeconds(header, NOW)).toBeUndefined();
  });

  test("any date of HTTP's form is read, and is never a negative wait", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2099-12-31T23:59:59Z"), noInvalidDate: true }), (date) => {
        const whole = Math.floor(date.getTime() / 1000);
        const expected = Math.max(0, whole - NOW.getTime() / 1000);
        expect(retryAfterSeconds(date.toUTCString(), NOW)).toBe(expected);
      }),
    );
  });

  test("any other text is no number or a wait from zero up", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = retryAfterSeconds(text, NOW);
        expect(seconds === undefined || seconds >= 0).toBe(true);
      }),
    );
  });
});

describe("the wait before the next try", () => {
  test.each([
    [1, 0.5],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 8],
    [6, 8],
    [10, 8],
  ])("after failure %d is %d s without jitter", (attempt, seconds) => {
    expect(retryDelaySeconds(attempt, undefined, 0)).toBe(seconds);
  });

  test("jitter takes up to a quarter off", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const most = retryDelaySeconds(attempt, undefined, 0) ?? Number.NaN;
        const delay = retryDelaySeconds(attempt, undefined, random) ?? Number.NaN;
        expect(delay).toBeLessThanOrEqual(most);
        expect(delay).toBeGreaterThanOrEqual(most * 0.75);
      }),
    );
  });

  test("what the service asks for is waited for to the letter, or not at all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, asked, random) => {
          const expected = asked <= LONGEST_WAIT_SECONDS ? asked : undefined;
          expect(retryDelaySeconds(attempt, asked, random)).toBe(expected);
        },
      ),
    );
  });
});
