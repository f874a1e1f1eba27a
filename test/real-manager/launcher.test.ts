import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/freePort.mts";
import { run } from "../../scripts/process.mts";
import { MANAGER_VERSION, type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { ROOT } from "../../scripts/root.mts";

async function call(manager: RealManager, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${manager.url}${path}`, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Does something that makes the manager restart itself, and waits for its return. */
async function through<T>(manager: RealManager, restarting: () => Promise<T>): Promise<T> {
  const back = manager.nextStart();
  const result = await restarting();
  await back;
  return result;
}

describe("a manager that is logged in", () => {
  let manager: RealManager;
  beforeAll(async () => {
    manager = await startRealManager();
  });
  afterAll(() => manager?.stop());

  test("is the vendor's program, logged in to an account with zones", async () => {
    expect(await call(manager, "GET", "/api/version")).toMatchObject({
      status: 200,
      body: { version: MANAGER_VERSION },
    });
    expect(await call(manager, "GET", "/api/mode")).toEqual({ status: 200, body: { logged_in: true } });
    const { body } = await call(manager, "GET", "/api/zones");
    expect(body).toMatchObject({ zones: expect.arrayContaining([expect.objectContaining({ name: "dc" })]) });
  });

  test("writes down the requests to its API", async () => {
    const before = (await manager.requests()).length;
    await call(manager, "GET", "/api/proxies");
    await call(manager, "POST", "/api/proxies/delete", { ports: [] });
    expect((await manager.requests()).slice(before)).toEqual(["GET /api/proxies", "POST /api/proxies/delete"]);
  });

  test("keeps a port through a restart", async () => {
    const port = await freePort();
    const created = await call(manager, "POST", "/api/proxies", { proxy: { port, zone: "dc", internal_name: "kept" } });
    expect(created.status).toBe(200);
    const answer = await through(manager, () => call(manager, "POST", "/api/restart"));
    expect(answer).toEqual({ status: 200, body: { result: "ok" } });
    expect(await call(manager, "GET", `/api/proxies/${port}`)).toMatchObject({
      status: 200,
      body: { port, zone: "dc", internal_name: "kept" },
    });
  });

  test("reaches for no other machine by itself", async () => {
    expect(await manager.refused()).toEqual([]);
  });
});

test("stop ends every process and frees the ports, so that the next one can have them", async () => {
  const dir = await mkdtemp(join(tmpdir(), "proxy-manager-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const first = await startRealManager({ dir });
  const port = await freePort();
  await call(first, "POST", "/api/proxies", { proxy: { port, zone: "res" } });
  await first.stop();
  await expect(fetch(`${first.url}/api/version`)).rejects.toThrow("fetch failed");

  const second = await startRealManager({ dir, port: first.port });
  onTestFinished(() => second.stop());
  expect(await call(second, "GET", `/api/proxies/${port}`)).toMatchObject({ status: 200, body: { zone: "res" } });
  expect(second.log()).not.toContain("EADDRINUSE");
});

test("stop is harmless after the manager has shut itself down, and while it restarts", async () => {
  const manager = await startRealManager({ restartDelayMs: 60_000 });
  const back = manager.nextStart();
  await call(manager, "POST", "/api/restart");
  await manager.stop();
  await manager.stop();
  await expect(back).rejects.toThrow("the manager was stopped");

  const other = await startRealManager();
  expect(await call(other, "POST", "/api/shutdown")).toEqual({ status: 200, body: { result: "ok" } });
  await other.stop();
});

test("the account's zones are those asked for", async () => {
  const zones = { only: { password: "pass_only", plan: { type: "static" } } };
  const manager = await startRealManager({ zones });
  onTestFinished(() => manager.stop());
  const { body } = await call(manager, "GET", "/api/zones");
  expect((body as { zones: { name: string }[] }).zones.map(({ name }) => name)).toEqual(["only"]);
});

test("a manager that is not logged in has no zones", async () => {
  const manager = await startRealManager({ loggedIn: false });
  onTestFinished(() => manager.stop());
  expect(await call(manager, "GET", "/api/mode")).toMatchObject({ body: { logged_in: false } });
  expect(await call(manager, "GET", "/api/zones")).toMatchObject({ body: { zones: [] } });
});

test.each([
  [null, { status: 200, body: { result: "ok" } }],
  ["no rights", { status: 403, body: "no rights" }],
])("an upgrade that ends with %s", async (upgrade, answer) => {
  const manager = await startRealManager({ upgrade });
  onTestFinished(() => manager.stop());
  expect(await call(manager, "POST", "/api/upgrade")).toEqual(answer);
});

test("a manager that is told to reach another machine is refused", async () => {
  // An address reserved for documentation, in the place of the super proxy.
  const manager = await startRealManager({ args: ["--proxy", "203.0.113.7"] });
  onTestFinished(() => manager.stop());
  const port = await freePort();
  await call(manager, "POST", "/api/proxies", { proxy: { port, zone: "dc" } });
  const { body } = await call(manager, "GET", `/api/proxy_status/${port}`);
  expect(body).toHaveProperty("status");
  expect(await manager.refused()).toContain("connect 203.0.113.7");
});

test("a manager that cannot start says why", async () => {
  await expect(startRealManager({ args: ["--no-such-argument"] })).rejects.toThrow("Unknown arguments: such-argument");
});

/** Runs a program that prints one line, under the guard. */
const guarded = async (program: string): Promise<string> => {
  const guard = pathToFileURL(join(ROOT, "scripts/real-manager/guard.mts")).href;
  const args = [`--import=${guard}`, "--input-type=module", "-e", program];
  const { stdout, stderr, status } = await run(process.execPath, args, { timeoutMs: 20_000 });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.trim();
};

// Reserved for documentation: if the guard failed, these would still reach nobody.
test.each([
  [
    "a socket",
    'import net from "node:net"; net.connect(80, "203.0.113.7").on("error", (e) => console.log(e.message));',
  ],
  [
    "a socket by options",
    'import net from "node:net"; net.connect({ port: 80, host: "2001:db8::1" }).on("error", (e) => console.log(e.message));',
  ],
  ["TLS", 'import tls from "node:tls"; tls.connect(443, "203.0.113.7").on("error", (e) => console.log(e.message));'],
  ["HTTP", 'import http from "node:http"; http.get("http://203.0.113.7/").on("error", (e) => console.log(e.message));'],
  ["fetch", 'await fetch("http://name.example/").catch((e) => console.log(e.cause.message));'],
  ["a name", 'import dns from "node:dns"; dns.lookup("name.example", (e) => console.log(e.message));'],
  [
    "a record",
    'import dns from "node:dns"; await dns.promises.resolveTxt("name.example").catch((e) => console.log(e.message));',
  ],
  [
    "a resolver",
    'import dns from "node:dns"; new dns.Resolver().resolve4("name.example", (e) => console.log(e.message));',
  ],
  [
    "a datagram",
    `import dgram from "node:dgram"; const socket = dgram.createSocket("udp4");
       socket.send("x", 53, "203.0.113.7", (e) => { console.log(e.message); socket.close(); });`,
  ],
])("the guard refuses %s", async (_, program) => {
  expect(await guarded(program)).toMatch(/: refused, the manager runs offline$/);
});

test.each(["server.listen(0)", 'server.listen(0, "0.0.0.0")', 'server.listen({ port: 0, host: "::" })'])(
  "%s is open to this machine only, which may still use it",
  async (listen) => {
    const program = `import http from "node:http"; import { once } from "node:events";
        const server = http.createServer((_, response) => response.end("ok"));
        ${listen};
        await once(server, "listening");
        const { address, port } = server.address();
        console.log(address, await (await fetch("http://localhost:" + port)).text());
        server.close();`;
    expect(await guarded(program)).toBe("127.0.0.1 ok");
  },
);
