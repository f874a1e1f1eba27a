import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { json, NEVER, SimulatedService } from "../../simulator/service";
import { ConnectionError, NotFoundError, RateLimitError, ServerError, TimeoutError } from "../../src/base/errors";
import type { Call } from "../../src/http/call";
import { endsIn } from "../../src/http/end";
import { Log } from "../../src/http/log";
import { ANYTHING } from "../../src/http/success";
import { failure, GET, POST, serve, timeLimit, transportTo } from "./loopback";

// Time passes at once wherever it is waited for between tries.
const clock = vi.hoisted(() => ({ skew: 0, pauses: [] as number[], during: () => {} }));
vi.mock("../../src/http/pause", () => ({
  pause: async (ms: number, signal?: AbortSignal) => {
    clock.pauses.push(ms / 1000);
    clock.skew += ms;
    await clock.during();
    signal?.throwIfAborted();
  },
}));

const now = performance.now.bind(performance);

beforeEach(() => {
  Object.assign(clock, { skew: 0, pauses: [], during: () => {} });
  vi.spyOn(performance, "now").mockImplementation(() => now() + clock.skew);
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const HOUR_AGO = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000).toUTCString();
const later = (date: string, seconds: number) => new Date(Date.parse(date) + seconds * 1000).toUTCString();

const PUT: Call = { ...POST, request: "PUT /thing" };
const DELETE: Call = { ...POST, request: "DELETE /thing" };
const ONCE: Call = { ...GET, repeatable: false };
const TWICE: Call = { ...POST, repeatable: true };

const REPEATABLE = [
  ["GET", GET],
  ["PUT", PUT],
  ["DELETE", DELETE],
  ["a POST that may be repeated", TWICE],
] as const;

describe.each(REPEATABLE)("%s", (_, call) => {
  test.each(["reset", "reset-after", "truncate"] as const)(
    "is sent again when the connection broke (%s)",
    async (kind) => {
      const service = await serve();
      service.faults.add({ kind, times: 2 });
      await transportTo(service.url).send(call, ANYTHING);
      expect(service.requests).toHaveLength(3);
      expect(clock.pauses).toEqual([0.5, 1]);
    },
  );

  test.each([500, 502, 503, 504])("is sent again after %d", async (status) => {
    const service = await serve();
    service.faults.add({ kind: "respond", status });
    await transportTo(service.url).send(call, ANYTHING);
    expect(service.requests.map(({ status }) => status)).toEqual([status, 200]);
  });

  test("is sent again when time ran out", async () => {
    const limit = timeLimit();
    const service = await serve(() => {
      if (service.requests.length > 1) return json({});
      limit.expire();
      return NEVER;
    });
    await transportTo(service.url, { requestTimeout: limit.seconds }).send(call, ANYTHING);
    expect(service.requests).toHaveLength(2);
  });
});

describe.each([
  ["POST", POST],
  ["a GET that may not be repeated", ONCE],
] as const)("%s", (_, call) => {
  test.each(["reset", "reset-after", "truncate"] as const)(
    "is not sent again when it may have arrived (%s)",
    async (kind) => {
      const service = await serve();
      service.faults.add({ kind });
      expect(await failure(transportTo(service.url).send(call, ANYTHING))).toBeInstanceOf(ConnectionError);
      expect(service.requests).toHaveLength(1);
      expect(clock.pauses).toEqual([]);
    },
  );

  test("is not sent again after 5xx", async () => {
    const service = await serve();
    service.faults.add({ kind: "respond", status: 503 });
    expect(await failure(transportTo(service.url).send(call, ANYTHING))).toBeInstanceOf(ServerError);
    expect(service.requests).toHaveLength(1);
  });

  test("is not sent again when time ran out", async () => {
    const limit = timeLimit();
    const service = await serve(() => {
      limit.expire();
      return NEVER;
    });
    const transport = transportTo(service.url, { requestTimeout: limit.seconds });
    expect(await failure(transport.send(call, ANYTHING))).toBeInstanceOf(TimeoutError);
    expect(service.requests).toHaveLength(1);
  });

  test("is sent again when it never left", async () => {
    const service = new SimulatedService(() => json({ ok: true }));
    await service.listen();
    const { url } = service;
    await service.close();
    clock.during = async () => {
      if (clock.pauses.length === 2) await service.listen(Number(new URL(url).port));
    };
    try {
      await transportTo(url).send(call, ANYTHING);
      expect(clock.pauses).toEqual([0.5, 1]);
      expect(service.requests).toHaveLength(1);
    } finally {
      await service.close();
    }
  });

  test("is sent again after 429", async () => {
    const service = await serve();
    service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "0.01" } });
    await transportTo(service.url).send(call, ANYTHING);
    expect(service.requests.map(({ status }) => status)).toEqual([429, 200]);
  });
});

test.each([400, 401, 403, 404, 409, 422, 302])("nothing is sent again after %d", async (status) => {
  const service = await serve();
  service.faults.add({ kind: "respond", status });
  await failure(transportTo(service.url).send(GET, ANYTHING));
  expect(service.requests).toHaveLength(1);
});

test("a stream is asked for again like everything else", async () => {
  const service = await serve();
  service.faults.add({ kind: "reset" });
  service.faults.add({ kind: "respond", status: 500 });
  const { body } = await transportTo(service.url).stream(GET);
  expect(JSON.parse(await text(body))).toEqual({ ok: true });
  expect(service.requests).toHaveLength(3);
});

test("a refusal that the operation knows is its answer, even with 5xx", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 500, body: "Server error: this proxy does not exist" });
  const error = await failure(
    transportTo(service.url).send(
      {
        ...DELETE,
        onRefusal: (refusal, context) => new NotFoundError(context, refusal),
      },
      ANYTHING,
    ),
  );
  expect(error).toBeInstanceOf(NotFoundError);
  expect(service.requests).toHaveLength(1);
});

test("the number of tries is bounded, and the last error is reported", async () => {
  const service = await serve();
  for (const status of [500, 501, 502, 503]) service.faults.add({ kind: "respond", status });
  const error = await failure(transportTo(service.url, { retries: 3 }).send(GET, ANYTHING));
  expect(error).toMatchObject({ name: "ServerError", status: 503 });
  expect(service.requests).toHaveLength(4);
  expect(clock.pauses).toEqual([0.5, 1, 2]);
});

test("the number of tries is one without retries", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "0.01" } });
  expect(await failure(transportTo(service.url, { retries: 0 }).send(GET, ANYTHING))).toBeInstanceOf(RateLimitError);
  expect(service.requests).toHaveLength(1);
});

test("Retry-After is honoured with 503", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 503, headers: { "retry-after": "59" } });
  await transportTo(service.url).send(GET, ANYTHING);
  expect(clock.pauses).toEqual([59]);
});

test.each<[string, Record<string, string>, number]>([
  ["a date, by the service's clock", { date: HOUR_AGO, "retry-after": later(HOUR_AGO, 30) }, 30],
  ["seconds until a window ends", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, 30],
  [
    "the moment when it ends, by the service's clock",
    { date: HOUR_AGO, "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Date.parse(HOUR_AGO) / 1000 + 30) },
    30,
  ],
  [
    "the moment, in whole seconds",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) - 5) },
    0,
  ],
])("Retry-After may be %s", async (_, headers, seconds) => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 429, headers });
  const error = await failure(transportTo(service.url, { retries: 0 }).send(GET, ANYTHING));
  expect(Math.round((error as RateLimitError).retryAfter ?? Number.NaN)).toBe(seconds);
  if (seconds === 0) expect(error.message).toContain("Wait a while and try again");
});

test("Retry-After beyond what is reasonable is an error at once, and closes the service", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "3600" }, body: "Slow down" });
  const transport = transportTo(service.url);
  const error = await failure(transport.send(GET, ANYTHING));
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ retryAfter: 3600 });
  expect(error.message).toMatch(
    /answered 429: Slow down\. Wait 3600 s and try again, or send fewer requests \(brightdata:requestsPerMinute \/ BRIGHTDATA_REQUESTS_PER_MINUTE\)\.$/,
  );
  const next = await failure(transport.send(POST, ANYTHING));
  expect(next).toMatchObject({ name: "RateLimitError", status: 429, settled: true });
  expect(next.message).toContain("Could not make the thing: nothing was sent, because");
  expect(service.requests).toHaveLength(1);
});

test("Retry-After of requests that the service counts apart holds nothing else back", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "3600" } });
  const transport = transportTo(service.url);
  expect(await failure(transport.send({ ...GET, countedApart: true }, ANYTHING))).toBeInstanceOf(RateLimitError);
  await transport.send(GET, ANYTHING);
  expect(service.requests.map(({ status }) => status)).toEqual([429, 200]);
});

test("Retry-After that outlasts the operation ends in an error about the 429", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "50" } });
  const controller = new AbortController();
  const reason = new Error("Gave up after 1 s, before everything was done.");
  const log = new Log("info", () => controller.abort(reason));
  const error = await failure(transportTo(service.url, { log }).send({ ...POST, signal: controller.signal }, ANYTHING));
  expect(error).toMatchObject({ name: "RateLimitError", settled: true, cause: reason });
  expect(error.message).toMatch(
    /answered 429 \(too many requests\) and asked for a pause that outlasts the time left\. Try again in 50 s, at /,
  );
  expect(error.message).not.toContain("before everything");
});

test.each<[number, Partial<Call>, string, RegExp]>([
  [429, {}, "62", /asked for a pause that outlasts the time left\. Try again in 6[12] s, at /],
  [429, { countedApart: true }, "62", /answered 429\. Wait 62 s and try again/],
  [503, {}, "62", /answered 503/],
])(
  "a service that answers %i and asks for a pause beyond the operation's end is not asked again: %j",
  async (status, more, pause, words) => {
    const service = await serve();
    service.faults.add({ kind: "respond", status, headers: { "retry-after": pause }, times: 9 });
    const { signal } = new AbortController();
    endsIn(60, signal);
    const error = await failure(transportTo(service.url).send({ ...GET, ...more, signal }, ANYTHING));
    expect(error.message).toMatch(words);
    expect(service.requests).toHaveLength(1);
    expect(clock.pauses).toEqual([]);
  },
);

test("what became of a try whose answer was lost is not known, whatever the next is answered", async () => {
  const service = await serve();
  service.faults.add({ kind: "reset-after" });
  service.faults.add({ kind: "respond", status: 400 });
  const error = await failure(transportTo(service.url).send(PUT, ANYTHING));
  expect(error).toMatchObject({ name: "InvalidRequestError", settled: false });
});

test("the caller's signal ends the waiting between tries", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 500, times: 9 });
  const controller = new AbortController();
  const reason = new Error("enough");
  clock.during = () => controller.abort(reason);
  await expect(transportTo(service.url).send({ ...GET, signal: controller.signal }, ANYTHING)).rejects.toBe(reason);
  expect(service.requests).toHaveLength(1);
});

test.each([500, 429])("before each repetition after %i, its caller is asked whether it may be", async (status) => {
  const service = await serve();
  const headers = { "retry-after": "0.01" };
  service.faults.add({ kind: "respond", status, headers, times: 2 });
  const mayRepeat = vi.fn(async () => service.requests.length < 2);
  const error = await failure(transportTo(service.url).send({ ...PUT, mayRepeat }, ANYTHING));
  expect(error).toMatchObject({ status, settled: status === 429 });
  expect(mayRepeat).toHaveBeenCalledTimes(2);
  expect(service.requests).toHaveLength(2);
});

test("a caller that cannot tell whether a call may be repeated ends it as its last try did", async () => {
  const service = await serve();
  service.faults.add({ kind: "reset-after" });
  const mayRepeat = () => Promise.reject(new Error("nobody knows"));
  const error = await failure(transportTo(service.url).send({ ...PUT, mayRepeat }, ANYTHING));
  expect(error).toMatchObject({ name: "ConnectionError", settled: false });
  expect(service.requests).toHaveLength(1);
});

test("a cancellation while the caller is asked ends a call as its last try did", async () => {
  const service = await serve();
  service.faults.add({ kind: "reset-after" });
  const { signal } = new AbortController();
  const cancelled = new AbortController();
  endsIn(60, signal, cancelled.signal);
  const mayRepeat = async () => {
    cancelled.abort();
    return true;
  };
  const error = await failure(transportTo(service.url).send({ ...PUT, signal, mayRepeat }, ANYTHING));
  expect(error).toMatchObject({ name: "ConnectionError", settled: false });
  expect(service.requests).toHaveLength(1);
});

test("the log tells of every try, and of every wait", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 500 });
  const lines: string[] = [];
  const log = new Log("debug", (line) => lines.push(line));
  await transportTo(service.url, { log }).send({ ...GET, query: { key: "value" } }, ANYTHING);
  expect(lines.map((line) => line.replace(/\d+ ms$/, "N ms"))).toEqual([
    `brightdata debug: GET ${service.url}/thing failed (ServerError) N ms`,
    "brightdata info: read the thing: try 1 failed, again in 0.5 s",
    `brightdata debug: GET ${service.url}/thing ok N ms`,
  ]);
});

test("a service that was never there is tried once for each later request, until it answers", async () => {
  const service = new SimulatedService(() => json({ ok: true }));
  await service.listen();
  const { url } = service;
  const port = Number(new URL(url).port);
  await service.close();
  const transport = transportTo(url);
  expect(await failure(transport.send(GET, ANYTHING))).toBeInstanceOf(ConnectionError);
  expect(clock.pauses).toEqual([0.5, 1, 2]);
  expect(await failure(transport.send(POST, ANYTHING))).toBeInstanceOf(ConnectionError);
  expect(clock.pauses).toHaveLength(3);
  await service.listen(port);
  await transport.send(GET, ANYTHING);
  await service.close();
  expect(await failure(transport.send(GET, ANYTHING))).toBeInstanceOf(ConnectionError);
  expect(clock.pauses).toHaveLength(6);
});

test("a cancellation ends the waiting between tries, and what is told is how the last one failed", async () => {
  const service = await serve();
  service.faults.add({ kind: "respond", status: 500, times: 9 });
  const { signal } = new AbortController();
  const cancelled = new AbortController();
  endsIn(60, signal, cancelled.signal);
  clock.during = () => cancelled.abort();
  const error = await failure(transportTo(service.url).send({ ...PUT, signal }, ANYTHING));
  expect(error).toMatchObject({ name: "ServerError", settled: false });
  expect(service.requests).toHaveLength(1);
});
