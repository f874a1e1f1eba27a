import { beforeEach, expect, test, vi } from "vitest";
import { RateLimitError, type RequestContext, ServerError, ServiceError } from "../../src/base/errors";
import { RateBudget } from "../../src/http/budget";
import { endsIn } from "../../src/http/end";
import { Throttle } from "../../src/http/throttle";
import { failure } from "./loopback";

const NOW = Date.parse("2026-03-15T10:30:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  return () => vi.useRealTimers();
});

const context: RequestContext = {
  service: "remote",
  operation: "read the thing",
  method: "GET",
  url: "https://api.example.com/prefix/thing",
};

const throttleOf = (most?: number): Throttle => new Throttle({ atOnce: 8, perMinute: 0, budget: new RateBudget(most) });

/** A service that answers each request, after 100 ms, with what `retryAfter` says: `null` for a success. */
function serviceOf(retryAfter: (request: number) => number | undefined | null) {
  const sent: number[] = [];
  let open = 0;
  let most = 0;
  const task = async () => {
    sent.push((Date.now() - NOW) / 1000);
    most = Math.max(most, ++open);
    const seconds = retryAfter(sent.length);
    await new Promise((resolve) => setTimeout(resolve, 100));
    open--;
    if (seconds === null) return "done";
    throw new RateLimitError(context, {
      status: 429,
      message: "",
      ...(seconds === undefined ? {} : { retryAfter: seconds }),
    });
  };
  return { task, sent, most: () => most };
}

test("a 429 holds the whole service, also when its own request gives up", async () => {
  const throttle = throttleOf(10);
  const { task, sent } = serviceOf((request) => (request === 1 ? 30 : null));
  await Promise.all([failure(throttle.run({ context }, task)), vi.advanceTimersByTimeAsync(100)]);
  const next = throttle.run({ context }, task);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(next).resolves.toBe("done");
  expect(sent).toEqual([0, 30.1]);
});

test("a 429 lets one request at a time through until a success", async () => {
  const throttle = throttleOf();
  const { task, sent } = serviceOf((request) => (request <= 3 ? undefined : null));
  const [first] = await Promise.all([failure(throttle.run({ context }, task)), vi.advanceTimersByTimeAsync(100)]);
  expect(first).toBeInstanceOf(RateLimitError);
  const others = Promise.allSettled(Array.from({ length: 10 }, () => throttle.run({ context }, task)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await others).map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 8 }, () => "fulfilled"),
    ...Array.from({ length: 2 }, () => "rejected"),
  ]);
  // 2, 4 and 8 s after the answer before; then one, and the others side by side.
  expect(sent.map((second) => Math.round(second * 10) / 10)).toEqual([
    0, 2.1, 6.2, 14.3, 14.4, 14.4, 14.4, 14.4, 14.4, 14.4, 14.4,
  ]);
});

test("a 429 of another class counts as well, and other failures do not", async () => {
  const throttle = throttleOf(1);
  const fails = (error: Error) => failure(throttle.run({ context }, () => Promise.reject(error)));
  await fails(new ServerError(context, { status: 503, message: "" }));
  expect(throttle.heldSeconds).toBe(0);
  await fails(new ServiceError(context, { status: 429, message: "too many running jobs" }));
  expect(throttle.heldSeconds).toBeUndefined();
});

test.each([undefined, 0, 1, 30])(
  "a service that goes on answering 429 gets ten requests in five minutes, and the rest fail here (Retry-After %j)",
  async (retryAfter) => {
    const throttle = throttleOf(10);
    const { task, sent, most } = serviceOf(() => retryAfter);
    const calls = Array.from({ length: 30 }, async () => {
      for (let tries = 1; ; tries++) {
        const error = await failure(throttle.run({ context }, task));
        if (tries === 4 || throttle.heldSeconds === undefined) return error;
      }
    });
    const errors = Promise.all(calls);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    for (const error of await errors) expect(error).toBeInstanceOf(RateLimitError);
    expect(sent).toHaveLength(10);
    expect(most()).toBe(8);
  },
);

test("a service that goes on answering 429 is told in one sentence, with the end of it", async () => {
  const throttle = throttleOf(1);
  const { task } = serviceOf(() => undefined);
  await Promise.all([failure(throttle.run({ context }, task)), vi.advanceTimersByTimeAsync(100)]);
  const error = await failure(throttle.run({ context }, task));
  expect(error.message).toBe(
    "Could not read the thing: nothing was sent, because https://api.example.com has answered 429 (too many requests) 1 times within five minutes, and bars the address of whoever goes on. Try again in 300 s, at 2026-03-15T10:35:00Z; then send fewer requests (brightdata:requestsPerMinute / BRIGHTDATA_REQUESTS_PER_MINUTE).",
  );
  expect(error).toMatchObject({
    name: "RateLimitError",
    status: 429,
    retryAfter: 300,
    settled: true,
    outage: "remote https://api.example.com 429",
  });
});

test("a service that goes on answering 429 is asked again afterwards", async () => {
  const throttle = throttleOf(1);
  const { task, sent } = serviceOf((request) => (request === 1 ? undefined : null));
  await Promise.all([failure(throttle.run({ context }, task)), vi.advanceTimersByTimeAsync(100)]);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await Promise.all([throttle.run({ context }, task), vi.advanceTimersByTimeAsync(100)]);
  expect(sent).toHaveLength(2);
});

test("a long Retry-After lets those fail that were not under way", async () => {
  const throttle = throttleOf(10);
  const { task, sent } = serviceOf(() => 120);
  const errors = Promise.all(Array.from({ length: 100 }, () => failure(throttle.run({ context }, task))));
  await vi.advanceTimersByTimeAsync(100);
  expect((await errors).filter(({ message }) => message.includes("asked for a long pause"))).toHaveLength(92);
  expect(sent).toHaveLength(8);
});

test("a signal that ends the wait for a 429 leaves an error about the 429", async () => {
  const throttle = throttleOf(10);
  const { task, sent } = serviceOf(() => 50);
  await Promise.all([failure(throttle.run({ context }, task)), vi.advanceTimersByTimeAsync(100)]);
  const controller = new AbortController();
  const waiting = failure(throttle.run({ context, signal: controller.signal }, task));
  await vi.advanceTimersByTimeAsync(20_000);
  const reason = new Error("Gave up after 20 s, before everything was done.");
  controller.abort(reason);
  const error = await waiting;
  expect(error).toMatchObject({ name: "RateLimitError", retryAfter: 30, settled: true, cause: reason });
  expect(error.message).toMatch(
    /^Could not read the thing: https:\/\/api\.example\.com answered 429 \(too many requests\) and asked for a pause that outlasts the time left\. Try again in 30 s, at 2026-03-15T10:30:50Z;/,
  );
  expect(sent).toHaveLength(1);
});

test("a signal whose end is known to come before that of the pause is not waited for", async () => {
  const throttle = throttleOf(10);
  const { task, sent } = serviceOf(() => 50);
  const ending = (seconds: number) => {
    const { signal } = new AbortController();
    endsIn(seconds, signal);
    return signal;
  };
  const first = failure(throttle.run({ context }, task));
  // More than may run at once: these wait already.
  const others = Array.from({ length: 8 }, () => failure(throttle.run({ context, signal: ending(49) }, task)));
  const enough = throttle.run({ context, signal: ending(51) }, async () => "in time");
  await vi.advanceTimersByTimeAsync(100);
  await first;
  const error = await failure(throttle.run({ context, signal: ending(49) }, task));
  expect([error.message, (await others.at(-1))?.message]).toEqual(
    Array(2).fill(expect.stringMatching(/asked for a pause that outlasts the time left\. Try again in 50 s, at /)),
  );
  expect(sent).toEqual(Array(8).fill(0));
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await enough).toBe("in time");
});

test("a signal that was aborted before, whose time is over, or that ends another wait, speaks for itself", async () => {
  const throttle = throttleOf(10);
  const reason = new Error("enough");
  await expect(throttle.run({ context, signal: AbortSignal.abort(reason) }, async () => {})).rejects.toBe(reason);
  const over = AbortSignal.abort(reason);
  endsIn(-1, over);
  await expect(throttle.run({ context, signal: over }, async () => {})).rejects.toBe(reason);
  const { task } = serviceOf(() => null);
  const running = Array.from({ length: 8 }, () => throttle.run({ context }, task));
  const controller = new AbortController();
  const waiting = throttle.run({ context, signal: controller.signal }, task);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(running);
});

test("a cancellation ends the wait for the pause that a 429 asks for, also of what only reads", async () => {
  const throttle = throttleOf(10);
  const { task } = serviceOf((request) => (request === 1 ? 50 : null));
  const cancelled = new AbortController();
  const { signal } = new AbortController();
  endsIn(60, signal, cancelled.signal);
  const reads = Array.from({ length: 10 }, () => throttle.run({ context, signal }, task));
  const ends = Promise.allSettled(reads);
  await vi.advanceTimersByTimeAsync(1000);
  cancelled.abort();
  expect((await ends).map(({ status }) => status)).toEqual([
    "rejected",
    ...Array.from({ length: 7 }, () => "fulfilled"),
    ...Array.from({ length: 2 }, () => "rejected"),
  ]);
});

test("a machine that has slept longer than a request may take sends it all the same: nobody has answered 429", async () => {
  const { signal } = new AbortController();
  endsIn(60, signal);
  vi.setSystemTime(NOW + 3_600_000);
  const { task } = serviceOf(() => null);
  const sent = throttleOf().run({ context, signal }, task);
  const settled = Promise.allSettled([sent]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await settled).toEqual([{ status: "fulfilled", value: "done" }]);
});
