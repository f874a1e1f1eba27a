import { request as httpRequest } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { Fault } from "../../simulator/fault";
import { json, NEVER, type SimulatedRequest, SimulatedService, text } from "../../simulator/service";

/** A service that counts what it was asked to do. */
async function startService(): Promise<{ service: SimulatedService; done: string[] }> {
  const done: string[] = [];
  const service = new SimulatedService(
    ({ path }) => text(`nothing at ${path}`, 404),
    ({ headers }) => (headers["x-blocked"] === undefined ? undefined : text("blocked", 403)),
  );
  service
    .route("GET", "/things/first", () => json({ id: "the first" }))
    .route("GET", "/things/:id", ({ params }) => json({ id: params.id }))
    .route("POST", "/things", ({ text: body }) => {
      done.push(body);
      return text("done", 201);
    })
    .route("GET", "/stream", () => ({ status: 200, headers: { "content-type": "text/plain" }, body: chunks(3) }))
    .route("GET", "/broken-stream", () => ({ status: 200, body: brokenChunks() }))
    .route("GET", "/nothing", () => ({ status: 204 }))
    .route("GET", "/never", () => NEVER)
    .route("GET", "/throws", () => {
      throw new Error("a mistake");
    });
  await service.listen();
  onTestFinished(() => service.close());
  return { service, done };
}

async function* chunks(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield `chunk ${index}\n`;
}

async function* brokenChunks(): AsyncGenerator<string> {
  yield "a beginning";
  throw new Error("no end");
}

/** What `fetch` says went wrong, by code. */
async function failureOf(response: Promise<unknown>): Promise<unknown> {
  const error = await response.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error && error.cause instanceof Error && "code" in error.cause ? error.cause.code : error;
}

/** Sends a path as it is, without what `fetch` does to it. */
const rawGet = (url: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    httpRequest({ hostname, port, path }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => resolve(`${response.statusCode} ${body}`));
    })
      .on("error", reject)
      .end();
  });

test("the first route that matches answers, with its parameters decoded", async () => {
  const { service } = await startService();
  const get = async (path: string) => (await fetch(service.url + path)).json();
  expect(await get("/things/first")).toEqual({ id: "the first" });
  expect(await get("/things/a%2Fb%20c")).toEqual({ id: "a/b c" });
});

test("HEAD is answered as GET is, without the body", async () => {
  const { service } = await startService();
  const response = await fetch(`${service.url}/things/first`, { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect(response.headers.get("content-length")).toBe("18");
  expect((await fetch(`${service.url}/things`, { method: "HEAD" })).status).toBe(404);
});

test("the fallback answers what no route matches", async () => {
  const { service } = await startService();
  const response = await fetch(`${service.url}/things`, { method: "PUT" });
  expect([response.status, await response.text()]).toEqual([404, "nothing at /things"]);
  expect(await rawGet(service.url, "//elsewhere/things/first")).toBe("404 nothing at //elsewhere/things/first");
});

test("the gate answers what it stops", async () => {
  const { service } = await startService();
  expect((await fetch(`${service.url}/nothing`, { headers: { "x-blocked": "yes" } })).status).toBe(403);
  expect((await fetch(`${service.url}/nothing`)).status).toBe(204);
});

test("a stream is sent in chunks", async () => {
  const { service } = await startService();
  const response = await fetch(`${service.url}/stream`);
  expect(response.headers.get("content-length")).toBeNull();
  expect(await response.text()).toBe("chunk 0\nchunk 1\nchunk 2\n");
});

test("the connection is cut where a stream breaks", async () => {
  const { service } = await startService();
  await expect(fetch(`${service.url}/broken-stream`).then((response) => response.text())).rejects.toThrow();
  expect(service.requests).toMatchObject([{ path: "/broken-stream", status: 200 }]);
});

test("a mistake of a handler is answered with 500, and a malformed path with 400", async () => {
  const { service } = await startService();
  const response = await fetch(`${service.url}/throws`);
  expect([response.status, await response.text()]).toEqual([500, "Simulator error: Error: a mistake"]);
  expect(await rawGet(service.url, "/things/%zz")).toBe("400 Failed to decode param '%zz'");
});

test("a request that the real service never answers stays without an answer", async () => {
  const { service } = await startService();
  const controller = new AbortController();
  const asked = fetch(`${service.url}/never`, { signal: controller.signal });
  const refused = expect(asked).rejects.toThrow(/aborted/);
  await expect.poll(() => service.requests).toMatchObject([{ path: "/never", status: 0 }]);
  controller.abort();
  await refused;
});

test("a service has no address before it listens and after it is closed", async () => {
  const service = new SimulatedService(() => text(""));
  expect(() => service.url).toThrow("The simulated service is not listening.");
  await service.close();
  await service.listen();
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await service.close();
  expect(() => service.url).toThrow("not listening");
});

test("a service can come back on its port", async () => {
  const { service } = await startService();
  const { url } = service;
  await service.close();
  expect(await failureOf(fetch(`${url}/nothing`))).toBe("ECONNREFUSED");
  await service.listen(Number(new URL(url).port));
  expect((await fetch(`${url}/nothing`)).status).toBe(204);
});

test("two services cannot share a port", async () => {
  const { service } = await startService();
  const other = new SimulatedService(() => text(""));
  await expect(other.listen(Number(new URL(service.url).port))).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("closing a service cuts what hangs", async () => {
  const { service } = await startService();
  const hanging = failureOf(fetch(`${service.url}/never`));
  await expect.poll(() => service.requests.length).toBe(1);
  await service.close();
  expect(await hanging).toBe("UND_ERR_SOCKET");
});

test("the log holds the whole request and the status of its answer", async () => {
  const { service } = await startService();
  await fetch(`${service.url}/things?a=1&b=x%20y`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-some": "thing" },
    body: '{"name":"z"}',
  });
  await fetch(`${service.url}/things`, { method: "POST", body: "plain" });
  expect(service.requests).toEqual([
    {
      method: "POST",
      path: "/things",
      query: { a: "1", b: "x y" },
      headers: expect.objectContaining({ "content-type": "application/json", "x-some": "thing" }),
      body: { name: "z" },
      status: 201,
    },
    expect.objectContaining({ query: {}, body: "plain" }),
  ]);
});

const post = (service: SimulatedService, body = "work") => fetch(`${service.url}/things`, { method: "POST", body });

test("the fault respond answers something else and does nothing", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "respond", status: 429, headers: { "retry-after": "2" }, body: "slow down" });
  const response = await post(service);
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
    429,
    "2",
    "slow down",
  ]);
  expect(done).toEqual([]);
  expect((await post(service)).status).toBe(201);
  service.faults.add({ kind: "respond" });
  expect((await post(service)).status).toBe(500);
});

test("the fault respond-after does what was asked and answers something else", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "respond-after", status: 504, headers: { "x-cache": "miss" }, body: "too late" });
  const response = await post(service);
  expect([response.status, response.headers.get("x-cache"), await response.text()]).toEqual([504, "miss", "too late"]);
  expect(done).toEqual(["work"]);
  expect(service.requests).toMatchObject([{ status: 504 }]);
  service.faults.add({ kind: "respond-after" });
  expect((await fetch(`${service.url}/never`)).status).toBe(500);
});

test.each([
  ["hang", []],
  ["hang-after", ["work"]],
] as const)("the fault %s never answers, with %j done", async (kind, expected) => {
  const { service, done } = await startService();
  service.faults.add({ kind });
  const controller = new AbortController();
  const asked = fetch(`${service.url}/things`, { method: "POST", body: "work", signal: controller.signal });
  const refused = expect(asked).rejects.toThrow(/aborted/);
  await expect.poll(() => service.requests).toMatchObject([{ path: "/things", status: 0 }]);
  controller.abort();
  await refused;
  expect(done).toEqual(expected);
});

test("the fault reset cuts the connection and does nothing", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "reset" });
  expect(await failureOf(post(service))).toBe("ECONNRESET");
  expect(done).toEqual([]);
  expect(service.requests).toMatchObject([{ status: 0 }]);
});

test("the fault reset-after cuts the connection when what was asked is done", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "reset-after" });
  expect(await failureOf(post(service))).toBe("ECONNRESET");
  expect(done).toEqual(["work"]);
  expect(service.requests).toMatchObject([{ status: 0 }]);
});

test.each(["/things/first", "/stream"])("the fault truncate sends half of %s", async (path) => {
  const { service } = await startService();
  service.faults.add({ kind: "truncate" });
  const response = await fetch(service.url + path);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect((await fetch(service.url + path)).ok).toBe(true);
});

test("the fault truncate does what was asked", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "truncate" });
  const response = await post(service);
  await expect(response.text()).rejects.toThrow();
  expect(done).toEqual(["work"]);
});

test.each([
  ["/things/first", '{"id":"the first"}'],
  ["/stream", "chunk 0\nchunk 1\nchunk 2\n"],
])("the fault drip sends all of %s, a byte at a time", async (path, body) => {
  const { service } = await startService();
  service.faults.add({ kind: "drip", dripMs: 0 });
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of (await fetch(service.url + path)).body ?? []) chunks.push(decoder.decode(chunk));
  expect(chunks.join("")).toBe(body);
  expect(chunks.length).toBeGreaterThan(1);
});

test("the fault drip does what was asked, and the service can close meanwhile", async () => {
  const { service, done } = await startService();
  service.faults.add({ kind: "drip", dripMs: 60_000 });
  const response = await post(service);
  expect(response.status).toBe(201);
  expect(done).toEqual(["work"]);
  const refused = expect(response.text()).rejects.toThrow();
  await service.close();
  await refused;
});

test.each([
  [{}, '{"ips":[],"count":3}'],
  [{ items: 2 }, '{"ips":["a","b"],"count":3}'],
  [{ items: 9 }, '{"ips":["a","b","c"],"count":3}'],
])("the fault shorten with %j leaves %s of a list", async (given, expected) => {
  const { service, done } = await startService();
  service.route("GET", "/list", () => {
    done.push("listed");
    return json({ ips: ["a", "b", "c"], count: 3 });
  });
  service.route("GET", "/plain", () => json(["a", "b"]));
  service.faults.add({ kind: "shorten", path: "/list", ...given });
  service.faults.add({ kind: "shorten", path: "/plain", items: 1 });
  service.faults.add({ kind: "shorten", path: "/things/first" });
  const text = async (path: string) => (await fetch(service.url + path)).text();
  expect([await text("/list"), done]).toEqual([expected, ["listed"]]);
  expect([await text("/plain"), await text("/things/first")]).toEqual(['["a"]', '{"id":"the first"}']);
});

test("a fault of headers alone adds them to the answer", async () => {
  const { service, done } = await startService();
  service.faults.add({ headers: { "x-brd-error": "odd", "content-type": "image/png" } });
  const response = await post(service);
  expect([response.status, await response.text()]).toEqual([201, "done"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({ "x-brd-error": "odd", "content-type": "image/png" });
  expect(done).toEqual(["work"]);
});

test("a fault of a delay alone changes nothing else", async () => {
  const { service, done } = await startService();
  service.faults.add({ delayMs: 30 });
  const start = performance.now();
  expect((await post(service)).status).toBe(201);
  // A timer may fire a little before its time.
  expect(performance.now() - start).toBeGreaterThanOrEqual(28);
  expect(done).toEqual(["work"]);
});

test("a fault strikes so many times, after so many requests", async () => {
  const { service } = await startService();
  service.faults.add({ kind: "respond", status: 503, after: 1, times: 2 });
  const statuses = [];
  for (let count = 0; count < 5; count++) statuses.push((await post(service)).status);
  expect(statuses).toEqual([201, 503, 503, 201, 201]);
});

test("a fault without end strikes until it is cleared", async () => {
  const { service } = await startService();
  service.faults.add({ kind: "respond", status: 503, times: Number.POSITIVE_INFINITY });
  for (let count = 0; count < 5; count++) expect((await post(service)).status).toBe(503);
  service.faults.clear();
  expect((await post(service)).status).toBe(201);
});

test("several faults strike in the order in which they were added", async () => {
  const { service } = await startService();
  for (const status of [500, 502]) service.faults.add({ kind: "respond", status });
  expect([(await post(service)).status, (await post(service)).status, (await post(service)).status]).toEqual([
    500, 502, 201,
  ]);
});

const request = (method: string, address: string, body = ""): SimulatedRequest => {
  const { pathname, searchParams } = new URL(address, "http://127.0.0.1");
  const bytes = Buffer.from(body);
  const sent = { path: pathname, query: searchParams, bytes, text: body };
  return { method, ...sent, params: {}, headers: {}, remoteAddress: "" };
};

const strikes = async (fault: Fault, ...asked: Parameters<typeof request>): Promise<boolean> => {
  const { service } = await startService();
  service.faults.add(fault);
  return service.faults.take(request(...asked)) !== undefined;
};

test.each<[Fault, method: string, address: string, body?: string]>([
  [{ method: "POST" }, "POST", "/a"],
  [{ path: "/a" }, "GET", "/a"],
  [{ path: /^\/a\// }, "GET", "/a/b"],
  [{ containing: "zone=my zone" }, "GET", "/a?zone=my%20zone"],
  [{ containing: '"my_zone"' }, "POST", "/a", '{"zone":"my_zone"}'],
  [{ method: "GET", path: "/a", containing: "b" }, "GET", "/a?b=1"],
])("a fault for %o strikes %s %s", async (...row) => {
  expect(await strikes(...row)).toBe(true);
});

test.each<[Fault, method: string, address: string, body?: string]>([
  [{ method: "POST" }, "GET", "/a"],
  [{ path: "/a" }, "GET", "/a/b"],
  [{ path: /b/g }, "GET", "/a/c"],
  [{ containing: "my_zone" }, "POST", "/a", '{"zone":"other"}'],
])("a fault for %o spares %s %s", async (...row) => {
  expect(await strikes(...row)).toBe(false);
});

test("a fault for a global expression strikes as often as another", async () => {
  const { service } = await startService();
  service.faults.add({ path: /things/g, kind: "respond", status: 503, times: 3 });
  for (let count = 0; count < 3; count++) expect((await post(service)).status).toBe(503);
});
