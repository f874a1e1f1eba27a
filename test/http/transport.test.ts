import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { json, NEVER, text as page, SimulatedService } from "../../simulator/service";
import {
  ArgumentError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RequestError,
  ResponseFormatError,
  ServiceError,
  TimeoutError,
} from "../../src/base/errors";
import { VERSION } from "../../src/base/version";
import type { Call } from "../../src/http/call";
import { endsIn } from "../../src/http/end";
import { Log } from "../../src/http/log";
import { ANYTHING } from "../../src/http/success";
import * as undici from "../../src/http/undici";
import { failure, GET, POST, serve, timeLimit, transportTo } from "./loopback";

vi.mock("../../src/http/undici", async (original) => {
  const actual = await original<typeof undici>();
  return { ...actual, request: vi.fn(actual.request) };
});

const SHAPE = z.object({ ok: z.boolean() });

/** Where a service was, and is no more. */
async function closedUrl(): Promise<string> {
  const gone = new SimulatedService(() => json({}));
  await gone.listen();
  const { url } = gone;
  await gone.close();
  return url;
}

describe("a request", () => {
  test("with a body, as it goes over the wire", async () => {
    const service = await serve();
    const transport = transportTo(service.url, { token: "the-token" });
    await transport.send(
      { ...POST, query: { a: "x y&z", b: 5, c: false, d: undefined }, headers: { "x-own": "1" } },
      ANYTHING,
    );
    expect(service.requests).toEqual([
      {
        method: "POST",
        path: "/thing",
        query: { a: "x y&z", b: "5", c: "false" },
        headers: {
          accept: "application/json, text/plain;q=0.9, */*;q=0.5",
          authorization: "Bearer the-token",
          connection: "keep-alive",
          "content-length": "14",
          "content-type": "application/json",
          host: new URL(service.url).host,
          "user-agent": `pulumi-brightdata/${VERSION} (node ${process.versions.node})`,
          "x-own": "1",
        },
        body: { name: "web" },
        status: 200,
      },
    ]);
  });

  test("without a body has no content type, and without a token no authorization", async () => {
    const service = await serve();
    await transportTo(service.url).send(GET, ANYTHING);
    expect(Object.keys(service.requests[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(service.requests[0]).toMatchObject({ method: "GET", path: "/thing", query: {}, body: "" });
  });

  test.each(["GET", "POST", "PUT", "DELETE"] as const)("%s is sent as such, body included", async (method) => {
    const service = await serve();
    await transportTo(service.url).send({ ...POST, request: `${method} /thing` }, ANYTHING);
    expect(service.requests).toMatchObject([{ method, path: "/thing", body: { name: "web" } }]);
  });

  test("keeps the path of the base URL, with or without a slash at its end", async () => {
    const service = await serve();
    await transportTo(`${service.url}/prefix`).send(GET, ANYTHING);
    await transportTo(`${service.url}/prefix//`).send({ ...GET, request: "GET /a%2Fb" }, ANYTHING);
    expect(service.requests.map(({ path }) => path)).toEqual(["/prefix/thing", "/prefix/a%2Fb"]);
  });

  test("own headers come before the common ones", async () => {
    const service = await serve();
    await transportTo(service.url, { token: "the-token" }).send(
      { ...GET, headers: { authorization: "bare key" } },
      ANYTHING,
    );
    expect(service.requests[0]?.headers.authorization).toBe("bare key");
  });

  test("is looked at as it is about to leave, and can be kept from leaving", async () => {
    const service = await serve();
    const inspect = vi.fn((_call: Call, body: string | undefined) => {
      if (body === '{"name":"web"}') throw new ArgumentError("Not that one.");
    });
    const transport = transportTo(service.url, { inspect });
    await expect(transport.send(POST, ANYTHING)).rejects.toThrow(new ArgumentError("Not that one."));
    await transport.send(GET, ANYTHING);
    expect(inspect.mock.calls).toEqual([
      [POST, '{"name":"web"}'],
      [GET, undefined],
    ]);
    expect(service.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("a hundred at once all arrive, no more than 32 at a time", async () => {
    let open = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const service = await serve(async ({ query }) => {
      most = Math.max(most, ++open);
      // The first 32 wait for each other, which proves that so many run at once.
      if (held.length < 31) await new Promise<void>((resolve) => held.push(resolve));
      else for (const release of held) release();
      open--;
      return json({ ok: true, number: query.get("number") });
    });
    const transport = transportTo(service.url);
    const shape = z.object({ number: z.string() });
    const numbers = Array.from({ length: 100 }, (_, number) => String(number));
    const answers = await Promise.all(numbers.map((number) => transport.json({ ...GET, query: { number } }, shape)));
    expect(answers.map(({ number }) => number)).toEqual(numbers);
    expect(most).toBe(32);
    expect(service.requests).toHaveLength(100);
  });

  test("goes through the proxy that the environment names", async () => {
    const service = await serve();
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer().on("connect", ({ url }, client: Socket) => {
      tunnels.push(url);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      const onward = connect(Number(new URL(service.url).port), "127.0.0.1");
      client.pipe(onward).pipe(client);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    vi.stubEnv("http_proxy", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv("no_proxy", "");
    try {
      await transportTo("http://service.invalid").send(GET, ANYTHING);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(tunnels).toEqual(["service.invalid:80"]);
    expect(service.requests).toMatchObject([{ headers: { host: "service.invalid" } }]);
  });

  test("is one that has not been sent where the proxy refuses the tunnel", async () => {
    const proxy = createServer().on("connect", (_, client: Socket) => {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("http_proxy", `http://ann:p-1@127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv("no_proxy", "");
    const error = await failure(transportTo("http://service.invalid", { retries: 0 }).send(POST, ANYTHING));
    expect(error).toMatchObject({ name: "ConnectionError", settled: true });
    expect(error.message).toBe(
      "Could not make the thing: http://service.invalid/thing cannot be reached (the proxy answered 407 to CONNECT). Check the proxy that HTTPS_PROXY or HTTP_PROXY names, and its credentials.",
    );
  });

  test("is one that has not been sent where the proxy refuses connections", async () => {
    const proxy = await closedUrl();
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("http_proxy", proxy);
    vi.stubEnv("no_proxy", "");
    const error = await failure(transportTo("http://service.invalid", { retries: 0 }).send(POST, ANYTHING));
    expect(error).toMatchObject({ name: "ConnectionError", settled: true });
    expect(error.message).toBe(
      `Could not make the thing: http://service.invalid/thing cannot be reached (the proxy cannot be reached: connect ECONNREFUSED ${new URL(proxy).host}). Check the proxy that HTTPS_PROXY or HTTP_PROXY names, and its credentials.`,
    );
  });

  test.each([
    "proxy.example.com:3128",
    "http://ann:p-1@proxy example:80",
    "http://ann:p-1%@proxy.example.com",
    "ftp://proxy",
  ])("is not sent where a variable names no proxy: %s", async (url) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("https_proxy", url);
    const error = await failure(transportTo("http://service.invalid").send(GET, ANYTHING));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      'The value of the environment variable https_proxy cannot be used: expected the URL of a proxy, such as "http://proxy.example.com:3128". Correct it, or unset it to use none.',
    );
    expect(error).not.toHaveProperty("cause");
  });

  test("to this machine goes straight there", async () => {
    const service = await serve();
    const proxy = await serve();
    vi.stubEnv("http_proxy", proxy.url);
    vi.stubEnv("no_proxy", "");
    try {
      await transportTo(service.url).send(GET, ANYTHING);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(proxy.requests).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });
});

test("an answer comes with its status, its headers and its text", async () => {
  const service = await serve(() => ({ status: 201, headers: { "x-own": "1" }, body: "Grüße" }));
  const reply = await transportTo(service.url).send(GET, ANYTHING);
  expect(reply).toMatchObject({ status: 201, headers: { "x-own": "1" }, text: "Grüße" });
});

test("an answer without a body is an empty text", async () => {
  const service = await serve(() => ({ status: 204 }));
  expect(await transportTo(service.url).send(GET, ANYTHING)).toMatchObject({ status: 204, text: "" });
});

test("an answer in JSON has its shape, and nothing else", async () => {
  const service = await serve(() => json({ ok: true, secret: "x" }));
  expect(await transportTo(service.url).json(GET, SHAPE)).toEqual({ ok: true });
});

test.each([
  ["HTML", page("<!DOCTYPE html><html>a page</html>"), "an HTML page instead of JSON"],
  ["HTML after a blank", page("\n <html></html>"), "an HTML page instead of JSON"],
  ["text", page("OK"), "text that is not JSON, or JSON cut short (2 characters)"],
  ["nothing", page(""), "text that is not JSON, or JSON cut short (0 characters)"],
  ["JSON cut short", page('{"ok":tr'), "text that is not JSON, or JSON cut short (8 characters)"],
  ["another shape", json({ ok: "yes" }), "JSON of another shape (`ok`: expected a boolean, but it is a text)"],
  ["no object", json(null), "JSON of another shape (the answer: expected an object, but it is null)"],
])("an answer that is %s is reported, once", async (_, answer, problem) => {
  const service = await serve(() => answer);
  const error = await failure(transportTo(service.url).json(GET, SHAPE));
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error.message).toBe(
    `Could not read the thing: GET ${service.url}/thing answered something that cannot be used: ${problem}. Check that brightdata:baseUrl / BRIGHTDATA_BASE_URL names the right service.`,
  );
  expect(service.requests).toHaveLength(1);
});

test("an answer that is not UTF-8 is reported, whatever is read of it: a name in it would be another name", async () => {
  const bytes = Buffer.from('{"ok":true,"we\xff":[]}', "latin1");
  const service = await serve(() => ({ ...json({}), body: bytes }));
  const transport = transportTo(service.url);
  for (const call of [transport.json(GET, SHAPE), transport.send(GET, ANYTHING)]) {
    const error = await failure(call);
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(error.message).toContain("answered something that cannot be used: text that is not UTF-8.");
  }
  expect(service.requests).toHaveLength(2);
});

test("an answer of many wrong parts names three of them", async () => {
  const shape = z.object({ list: z.array(z.number()) });
  const service = await serve(() => json({ list: ["a", "b", "c", "d"] }));
  const { message } = await failure(transportTo(service.url).json(GET, shape));
  expect(message.match(/list\.\d/g)).toEqual(["list.0", "list.1", "list.2"]);
});

test("a refusal is one by its status, also where its words are not UTF-8", async () => {
  const service = await serve(() => ({ status: 404, body: Buffer.from("no caf\xe9", "latin1") }));
  const error = await failure(transportTo(service.url).send(GET, ANYTHING));
  expect(error).toMatchObject({ name: "NotFoundError", serviceMessage: "no caf\ufffd" });
});

test("a refusal says what was wanted, what was asked, what the service said and what can be done", async () => {
  const service = await serve(() => json({ error: "no such plan" }, 400));
  const transport = transportTo(service.url, {
    remedy: ({ status, message }) => `Remedy for ${status} ${message}.`,
  });
  const error = await failure(transport.send({ ...POST, query: { a: "1" } }, ANYTHING));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toBe(
    `Could not make the thing: POST ${service.url}/thing answered 400: no such plan. Remedy for 400 no such plan.`,
  );
  expect(error).toMatchObject({
    name: "InvalidRequestError",
    service: "remote",
    operation: "make the thing",
    method: "POST",
    url: `${service.url}/thing`,
    status: 400,
    serviceMessage: "no such plan",
    code: undefined,
    settled: true,
  });
  expect(service.requests).toHaveLength(1);
});

test("a refusal that the operation knows becomes its own error", async () => {
  const service = await serve(() => page("it exists not", 400));
  const error = await failure(
    transportTo(service.url, { remedy: () => "Not this." }).send(
      {
        ...GET,
        onRefusal: (refusal, context) => new NotFoundError(context, { ...refusal, remedy: "Look elsewhere." }),
      },
      ANYTHING,
    ),
  );
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toMatch(/answered 400: it exists not\. Look elsewhere\.$/);
});

test("a refusal that the operation does not know stays as it is", async () => {
  const service = await serve(() => page("no", 400));
  const error = await failure(transportTo(service.url).send({ ...GET, onRefusal: () => undefined }, ANYTHING));
  expect(error).toBeInstanceOf(InvalidRequestError);
});

test.each(["x-brd-error", "x-luminati-error"])("a refusal is one beside a 2xx when %s says so", async (name) => {
  const answer = { status: 200, headers: { [name]: "zone is suspended" }, body: "OK" };
  const service = await serve(() => answer);
  const transport = transportTo(service.url);
  for (const call of [transport.send(GET, ANYTHING), transport.stream(GET)]) {
    const error = await failure(call);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 200, serviceMessage: "zone is suspended" });
  }
  expect(service.requests).toHaveLength(2);
});

test("a refusal without a body says what the header says", async () => {
  const service = await serve(() => ({ status: 400, headers: { "x-brd-error": "bad zone" } }));
  expect(await failure(transportTo(service.url).send(GET, ANYTHING))).toMatchObject({ serviceMessage: "bad zone" });
});

test("a refusal is what a redirect is: it is not followed", async () => {
  const target = await serve();
  for (const status of [301, 302, 303, 307, 308]) {
    const service = await serve(() => ({ status, headers: { location: `${target.url}/thing` } }));
    const transport = transportTo(service.url, { token: "the-token" });
    for (const call of [
      transport.send({ ...POST, request: "DELETE /thing" }, ANYTHING),
      transport.send(GET, ANYTHING),
      transport.stream(GET),
    ]) {
      const error = await failure(call);
      expect(error).toMatchObject({ name: "ServiceError", status });
      expect(error.message).toContain("Check that brightdata:baseUrl / BRIGHTDATA_BASE_URL names the right service.");
    }
  }
  expect(target.requests).toEqual([]);
});

test("a stream comes with its body unread", async () => {
  const service = await serve(() => ({
    status: 200,
    headers: { "content-type": "application/x-ndjson" },
    body: (async function* () {
      yield '{"a":1}\n';
      yield '{"a":2}\n';
    })(),
  }));
  const { status, headers, body } = await transportTo(service.url).stream(GET);
  expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/x-ndjson" });
  expect(await text(body)).toBe('{"a":1}\n{"a":2}\n');
});

test("a stream that is not ready is a refusal, which the operation may know", async () => {
  const service = await serve(() => json({ status: "building", message: "retry in 10s" }, 202));
  const transport = transportTo(service.url);
  const error = await failure(transport.stream(GET));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 202, serviceMessage: "retry in 10s" });
  const own = await failure(
    transport.stream({ ...GET, onRefusal: (refusal, context) => new NotFoundError(context, refusal) }),
  );
  expect(own).toBeInstanceOf(NotFoundError);
  expect(service.requests).toHaveLength(2);
});

test("a stream may take longer than the time allowed, which covers its head alone", async () => {
  const limit = timeLimit();
  let finish = () => {};
  const rest = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const service = await serve(() => ({
    status: 200,
    body: (async function* () {
      yield "begun";
      await rest;
      yield " and done";
    })(),
  }));
  const { body } = await transportTo(service.url, { requestTimeout: limit.seconds }).stream(GET);
  expect(limit.pending()).toBe(0);
  finish();
  expect(await text(body)).toBe("begun and done");
});

test("a stream leaves room for other requests, and for other streams, however many are being read", async () => {
  let finish = () => {};
  const rest = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const service = await serve(({ path }) =>
    path.startsWith("/streamed")
      ? {
          status: 200,
          body: (async function* () {
            yield "begun";
            await rest;
            yield " and done";
          })(),
        }
      : json({ ok: true }),
  );
  const transport = transportTo(service.url, { atOnce: 2 });
  const streams = [];
  for (let turn = 0; turn < 5; turn++)
    streams.push(await transport.stream({ ...GET, request: `GET /streamed/${turn}` }));
  await expect(transport.send(GET, ANYTHING)).resolves.toMatchObject({ status: 200 });
  finish();
  for (const { body } of streams) expect(await text(body)).toBe("begun and done");
});

test("a stream ends when the caller's signal is aborted", async () => {
  const service = await serve(() => ({
    status: 200,
    body: (async function* () {
      yield "begun";
      await new Promise(() => {});
    })(),
  }));
  const controller = new AbortController();
  const { body } = await transportTo(service.url).stream({ ...GET, signal: controller.signal });
  const reading = failure(text(body));
  controller.abort(new Error("enough"));
  expect((await reading).message).toBe("enough");
});

test("time that runs out is reported with what was allowed", async () => {
  const limit = timeLimit();
  const service = await serve(() => {
    limit.expire();
    return NEVER;
  });
  const error = await failure(transportTo(service.url, { requestTimeout: limit.seconds }).send(POST, ANYTHING));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ seconds: limit.seconds, settled: false });
  expect(error.message).toBe(
    `Could not make the thing: gave up waiting for an answer from ${service.url}/thing after ${limit.seconds} s. Try again, or allow more time (the resource's \`timeouts\`, or brightdata:requestTimeout / BRIGHTDATA_REQUEST_TIMEOUT, in seconds).`,
  );
});

test("time covers the body of a whole answer too", async () => {
  const limit = timeLimit();
  const service = await serve(() => ({
    status: 200,
    body: (async function* () {
      yield "begun";
      limit.expire();
      await new Promise(() => {});
    })(),
  }));
  const error = await failure(transportTo(service.url, { requestTimeout: limit.seconds }).send(POST, ANYTHING));
  expect(error).toBeInstanceOf(TimeoutError);
});

test("time is the operation's own where it has one", async () => {
  const limit = timeLimit();
  const service = await serve(() => {
    limit.expire();
    return NEVER;
  });
  const error = await failure(transportTo(service.url).send({ ...POST, timeout: limit.seconds }, ANYTHING));
  expect(error).toMatchObject({ name: "TimeoutError", seconds: limit.seconds });
});

test.each(["requestTimeout", "leastTimeout"])("time is never less than %s", async (longer) => {
  const limit = timeLimit();
  const service = await serve(() => {
    limit.expire();
    return NEVER;
  });
  const times = { requestTimeout: 0.1, leastTimeout: 0.1, [longer]: limit.seconds };
  const { requestTimeout, leastTimeout } = times;
  const error = await failure(transportTo(service.url, { requestTimeout }).send({ ...POST, leastTimeout }, ANYTHING));
  expect(error).toMatchObject({ name: "TimeoutError", seconds: limit.seconds });
});

test("time leaves no timer behind, however a call ends", async () => {
  const limit = timeLimit();
  const service = await serve(({ query }) => (query.has("fail") ? page("no", 400) : json({})));
  const transport = transportTo(service.url, { requestTimeout: limit.seconds });
  await transport.send(GET, ANYTHING);
  await failure(transport.send({ ...GET, query: { fail: true } }, ANYTHING));
  await failure(transport.stream({ ...GET, query: { fail: true } }));
  expect(limit.pending()).toBe(0);
});

test("time has no shorter limit in the library below", async () => {
  const service = await serve();
  const limits = vi.mocked(undici.request).mockClear().mock.calls;
  await transportTo(service.url, { requestTimeout: 3600 }).send(GET, ANYTHING);
  expect([limits[0]?.[1]?.headersTimeout, limits[0]?.[1]?.bodyTimeout]).toEqual([0, 0]);
  (await transportTo(service.url, { requestTimeout: 3600 }).stream(GET)).body.resume();
  // Nothing else would end a stream that has fallen silent. One of which something comes may take longer.
  expect([limits[1]?.[1]?.headersTimeout, limits[1]?.[1]?.bodyTimeout]).toEqual([0, 3_600_000]);
});

describe("the caller's signal", () => {
  test("ends a request with its own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const service = await serve(() => {
      controller.abort(reason);
      return NEVER;
    });
    await expect(transportTo(service.url).send({ ...GET, signal: controller.signal }, ANYTHING)).rejects.toBe(reason);
    expect(service.requests).toHaveLength(1);
  });

  test("aborted before the call lets nothing leave", async () => {
    const service = await serve();
    const reason = new Error("enough");
    const call = transportTo(service.url).send({ ...GET, signal: AbortSignal.abort(reason) }, ANYTHING);
    await expect(call).rejects.toBe(reason);
    expect(service.requests).toEqual([]);
  });

  test("may call off what changes something and waits for its turn, and nothing else", async () => {
    const cancelled = new AbortController();
    const { signal } = new AbortController();
    endsIn(60, signal, cancelled.signal);
    const service = await serve(({ method }) => {
      if (service.requests.length === 1) cancelled.abort();
      return json({ method });
    });
    const transport = transportTo(service.url, { atOnce: 1 });
    const calls: Call[] = [POST, POST, { ...POST, repeatable: true }, { ...POST, request: "DELETE /thing" }, GET];
    const ends = await Promise.allSettled(calls.map((call) => transport.send({ ...call, signal }, ANYTHING)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
    const error = (ends[1] as PromiseRejectedResult).reason;
    expect(error.settled).toBe(true);
    expect(error.message).toContain("nothing was sent, because the update was cancelled. Run it again.");
    expect(service.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    expect(await failure(transport.send({ ...POST, signal }, ANYTHING))).toBeInstanceOf(RequestError);
    expect(service.requests).toHaveLength(2);
  });

  test("calls off the pause that a 429 asks for, also of what only reads", async () => {
    const cancelled = new AbortController();
    const { signal } = new AbortController();
    endsIn(60, signal, cancelled.signal);
    const service = await serve();
    service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "50" } });
    const log = new Log("debug", (line) => line.includes("again in ") && cancelled.abort());
    const transport = transportTo(service.url, { log });
    const first = await failure(transport.send({ ...GET, signal }, ANYTHING));
    const next = await failure(transport.send({ ...GET, signal }, ANYTHING));
    for (const error of [first, next]) expect(error.message).toContain("because the update was cancelled");
    expect(service.requests).toHaveLength(1);
  });

  test("calls off the wait for the next window of a rate", async () => {
    const cancelled = new AbortController();
    const { signal } = new AbortController();
    endsIn(60, signal, cancelled.signal);
    const service = await serve(() => {
      cancelled.abort();
      return json({ ok: true });
    });
    const transport = transportTo(service.url, { perWindow: 1 });
    const ends = await Promise.allSettled([GET, GET].map((call) => transport.send({ ...call, signal }, ANYTHING)));
    expect(ends).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { message: expect.stringContaining("because the update was cancelled") } },
    ]);
  });

  test("is left without listeners", async () => {
    const service = await serve();
    const { signal } = new AbortController();
    const listeners = { added: 0, removed: 0 };
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners.added++;
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners.removed++;
      removeEventListener.apply(signal, given);
    };
    await transportTo(service.url).send({ ...GET, signal }, ANYTHING);
    expect(listeners.removed).toBe(listeners.added);
  });
});

test("a connection that cannot be made is reported as such", async () => {
  const url = await closedUrl();
  const remote = await failure(transportTo(url, { retries: 0 }).send(POST, ANYTHING));
  expect(remote).toBeInstanceOf(ConnectionError);
  expect(remote).toMatchObject({ code: "ECONNREFUSED", settled: true });
  expect(remote.message).toBe(
    `Could not make the thing: ${url}/thing cannot be reached (connect ECONNREFUSED ${new URL(url).host}). Check the network and brightdata:baseUrl / BRIGHTDATA_BASE_URL.`,
  );
  const manager = await failure(transportTo(url, { retries: 0, service: "manager" }).send(POST, ANYTHING));
  expect(manager.message).toContain(
    "Check that the Proxy Manager is running and that brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL names it.",
  );
});

test.each(["reset", "reset-after", "truncate"] as const)(
  "a connection that breaks (%s) is reported as unsettled",
  async (kind) => {
    const service = await serve();
    service.faults.add({ kind });
    const error = await failure(transportTo(service.url).send(POST, ANYTHING));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ settled: false });
    expect(error.message).toMatch(
      /^Could not make the thing: the connection to http:\/\/127\.0\.0\.1:\d+\/thing broke before an answer came \(.+\)\./,
    );
    expect(service.requests).toHaveLength(1);
  },
);

test("a connection that cannot speak TLS is one over which nothing was sent", async () => {
  const service = await serve();
  const transport = transportTo(service.url.replace("http:", "https:"), { retries: 0 });
  const error = await failure(transport.send(POST, ANYTHING));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ settled: true });
  expect(service.requests).toEqual([]);
});

test("a connection is not even tried for a header that cannot be sent", async () => {
  const service = await serve();
  const error = await failure(
    transportTo(service.url, { retries: 0 }).send({ ...POST, headers: { authorization: "two\nlines" } }, ANYTHING),
  );
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ settled: true });
  expect(error.message).not.toContain("lines");
  expect(service.requests).toEqual([]);
});

test("a service without TLS is told of in plain words", async () => {
  const { url } = await serve();
  const error = await failure(transportTo(url.replace("http:", "https:"), { retries: 0 }).send(GET, ANYTHING));
  expect(error.message).toContain(
    "/thing cannot be reached (wrong version number). What answers there does not use TLS",
  );
});

describe("a transport that asks once", () => {
  test("keeps the answer to each question, whoever stops waiting for it", async () => {
    const service = await serve();
    const transport = transportTo(service.url, { asksOnce: true });
    const stopped = new AbortController();
    const ask = (call: Partial<Call> = {}) => transport.json({ ...GET, ...call }, SHAPE);
    const first = ask({ signal: stopped.signal });
    stopped.abort();
    expect(await Promise.all([first, ask(), ask({ query: { of: "web" } })])).toEqual(Array(3).fill({ ok: true }));
    expect(await ask()).toEqual({ ok: true });
    expect(service.requests.map(({ query }) => query)).toEqual([{}, { of: "web" }]);
  });

  test("sends each time what may change something", async () => {
    const service = await serve();
    const transport = transportTo(service.url, { asksOnce: true });
    for (const call of [POST, POST, { ...GET, repeatable: false }, { ...GET, repeatable: false }])
      await transport.send(call, ANYTHING);
    expect(service.requests).toHaveLength(4);
  });
});
