import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConnectionError, ResponseFormatError, TimeoutError } from "../../src/base/errors";
import { refusalError } from "../../src/http/refusal";
import {
  backoffSeconds,
  type FailedTry,
  LONGEST_WAIT_SECONDS,
  type NextTry,
  nextTry,
  retryAfterSeconds,
} from "../../src/http/retry";

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

describe("the wait after a failure", () => {
  test.each([
    [1, 0.5],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 8],
    [6, 8],
    [10, 8],
  ])("number %d is %d s without jitter", (number, seconds) => {
    expect(backoffSeconds(number, 0)).toBe(seconds);
  });

  test("is up to a quarter shorter with jitter", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (number, random) => {
        const most = backoffSeconds(number, 0);
        const delay = backoffSeconds(number, random);
        expect(delay).toBeLessThanOrEqual(most);
        expect(delay).toBeGreaterThanOrEqual(most * 0.75);
      }),
    );
  });
});

describe("the next try", () => {
  const context = {
    service: "remote",
    operation: "read the thing",
    method: "GET",
    url: "https://api.example.com/a",
  } as const;
  const failed = (status: number, retryAfter?: number): Error =>
    refusalError(context, { status, message: "", ...(retryAfter === undefined ? {} : { retryAfter }) });
  const refused = new ConnectionError(context, "ECONNREFUSED", "");
  const reset = new ConnectionError(context, "ECONNRESET", "");
  const BASE: FailedTry = {
    error: refused,
    number: 1,
    retries: 3,
    repeatable: true,
    isSent: true,
    isAborted: false,
    secondsLeft: Number.POSITIVE_INFINITY,
    heldSeconds: 2,
    countedApart: false,
  };
  const waits = (seconds: number) => ({ seconds, isHeld: false });
  const held = (seconds: number) => ({ seconds, isHeld: true });
  const once = { repeatable: false };

  test.each<[string, Partial<FailedTry>, NextTry]>([
    ["after a request that never left", {}, waits(0.5)],
    ["after a request that never left, even of one that must be sent once", once, waits(0.5)],
    ["after the second failure", { number: 2 }, waits(1)],
    ["after the last try", { number: 4 }, "spent"],
    ["without retries", { retries: 0 }, "spent"],
    ["after the operation has ended", { isAborted: true }, "spent"],
    ["after a reset", { error: reset }, waits(0.5)],
    ["after a reset of a request that must be sent once", { error: reset, ...once }, "final"],
    ["after too long a time", { error: new TimeoutError(context, 30) }, waits(0.5)],
    [
      "after too long a time of a request that must be sent once",
      { error: new TimeoutError(context, 30), ...once },
      "final",
    ],
    ["after 503", { error: failed(503) }, waits(0.5)],
    ["after 503 to a request that must be sent once", { error: failed(503), ...once }, "final"],
    ["after 503 with Retry-After", { error: failed(503, 7) }, waits(7)],
    ["after 503 with a Retry-After of nothing", { error: failed(503, 0) }, waits(0.5)],
    [
      "after 503 with the longest Retry-After",
      { error: failed(503, LONGEST_WAIT_SECONDS) },
      waits(LONGEST_WAIT_SECONDS),
    ],
    ["after 503 with a longer one", { error: failed(503, LONGEST_WAIT_SECONDS + 0.1) }, "final"],
    ["after 404", { error: failed(404) }, "final"],
    ["after an answer that cannot be used", { error: new ResponseFormatError(context, "a page") }, "final"],
    ["after a defect", { error: new TypeError() }, "final"],
    ["where the wait fits in", { secondsLeft: 0.5 }, waits(0.5)],
    ["where the wait outlasts the operation", { secondsLeft: 0.4 }, "final"],
    ["after 429", { error: failed(429) }, held(2)],
    ["after 429 to a request that must be sent once", { error: failed(429), ...once }, held(2)],
    ["after 429, whatever time is left: the throttle knows", { error: failed(429), secondsLeft: 1 }, held(2)],
    ["after the 429 that closes the service", { error: failed(429), heldSeconds: undefined }, "final"],
    ["after a 429 for which nothing was sent", { error: failed(429), isSent: false }, "final"],
    ["after a 429 about such requests only", { error: failed(429, 3), countedApart: true }, waits(3)],
    ["after such a 429 for which nothing was sent", { error: failed(429), countedApart: true, isSent: false }, "final"],
  ])("%s", (_, facts, expected) => {
    expect(nextTry({ ...BASE, ...facts }, 0)).toEqual(expected);
  });

  test("waits to the letter for what the service asks, without jitter", () => {
    expect(nextTry({ ...BASE, error: failed(503, 10) }, 1)).toEqual(waits(10));
    expect(nextTry(BASE, 1)).toEqual(waits(0.375));
  });
});
