import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ManagerOptions } from "../../../simulator/manager";
import { errors, type Harness, listeningPort, startManager, TEST_PAGE, through } from "./harness";
import { askPort } from "./portClient";

const start = (options: Partial<ManagerOptions> = {}): Promise<Harness> =>
  startManager({ listen: true, dropin: false, ...options });

const newPort = ({ manager }: Harness, fields: object = {}): Promise<number> => listeningPort(manager.url, fields);

/** A number on which another program listens. */
async function foreignPort(): Promise<{ port: number; free: () => Promise<unknown> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const free = (): Promise<unknown> => new Promise((resolve) => server.close(resolve));
  onTestFinished(async () => void (await free()));
  return { port: (server.address() as AddressInfo).port, free };
}

const isRefused = (port: number): Promise<unknown> => through(port).catch(({ code }: { code: string }) => code);

test("the test page, asked for as curl does with --proxy, tells the country of the port or of its zone", async () => {
  const harness = await start();
  const zone = harness.account.zone("res");
  if (zone !== undefined) zone.plan = { ...zone.plan, country: "de" };
  const [plain, french, german] = [
    await newPort(harness),
    await newPort(harness, { country: "fr", city: "paris" }),
    await newPort(harness, { zone: "res" }),
  ];
  const { status, headers, text } = await through(plain);
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(JSON.parse(text)).toMatchObject({ country: "US", asn: { org_name: "Simulated" } });
  expect(JSON.parse((await through(french)).text)).toMatchObject({ country: "FR", geo: { city: "paris" } });
  expect(JSON.parse((await through(german)).text)).toMatchObject({ country: "DE" });
});

test("a request through a port is in the manager's logs", async () => {
  const harness = await start();
  const port = await newPort(harness);
  await through(port, { method: "HEAD" });
  const { body } = await harness.call("GET /api/logs");
  expect(body).toMatchObject({ total: 1, log: { entries: [{ request: { method: "HEAD", url: TEST_PAGE } }] } });
});

// Only 127.0.0.1 is an address of every machine.
test.skipIf(process.platform === "darwin")(
  "a request through a port is refused to an address that is not listed, without a token",
  async () => {
    const harness = await start();
    const port = await newPort(harness);
    const from = "127.0.0.2";
    const refused = await through(port, { from });
    expect([refused.status, refused.headers["proxy-authenticate"]]).toEqual([407, 'Basic realm="Proxy Manager"']);
    expect((await harness.call("GET /api/settings")).body).toMatchObject({ pending_ips: [from] });
    const token = ((await harness.call("GET /api/gen_token")).body as { token: string }).token;
    const as = (user: string, password: string) => ({
      "proxy-authorization": `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
    });
    const lpmToken = harness.manager.state.settings.lpm_token?.split("|")[0] ?? "";
    expect((await through(port, { from, headers: as("token", token) })).status).toBe(200);
    expect((await through(port, { from, headers: as("lpm", lpmToken) })).status).toBe(200);
    expect((await through(port, { from, headers: as("token", "wrong") })).status).toBe(407);
    await harness.call(`PUT /api/proxies/${port}`, { proxy: { whitelist_ips: ["127.0.0.0/29"] } });
    expect((await through(port, { from })).status).toBe(200);
  },
);

test("a request through a port fails where the port is not well, or its zone disabled", async () => {
  const harness = await start();
  const failure = async (number: number, how = {}): Promise<unknown> => {
    const { status, headers } = await through(number, how);
    return [status, headers["x-lpm-error"] ?? headers["x-brd-err-msg"]];
  };
  const port = await newPort(harness);
  expect(await failure(await newPort(harness, { zone: "off" }))).toEqual([407, "Zone not found, or not active"]);
  const running = harness.manager.state.running.get(String(port));
  if (running !== undefined) running.health = "no peers";
  expect(await failure(port)).toEqual([502, "no peers"]);
});

// What else a port carries is compared with the real manager's answers, in test/real-manager.
test.each(["tunnel", "socks"] as const)(
  "an https request through a %s gets a certificate that can be verified",
  async (via) => {
    const harness = await start();
    const { body, headers } = await harness.call("GET /ssl");
    expect(headers["content-type"]).toBe("application/x-x509-ca-cert");
    const line = "POST https://www.example.com/a?b=c";
    for (const [ssl, name] of [
      [true, "example.com"],
      [false, "www.example.com"],
    ]) {
      const port = await newPort(harness, { ssl, country: "fr", session: "mine" });
      const answer = await askPort(port, { line, via, body: "sent", ca: String(body) });
      expect(answer.certificate?.subject.CN).toBe(name);
      expect(JSON.parse(answer.body)).toMatchObject({
        country: "FR",
        upstream: {
          username: "brd-customer-hl_test1-zone-static-country-fr-session-mine-debug-none",
          zone: "static",
        },
        request: { method: "POST", url: "https://www.example.com/a?b=c", body: "sent" },
      });
    }
  },
);

test("a client that sends more than it is read for leaves no connection behind", async () => {
  const served: Socket[] = [];
  const serve = (message: unknown): void => void served.push((message as { socket: Socket }).socket);
  subscribe("net.server.socket", serve);
  onTestFinished(() => void unsubscribe("net.server.socket", serve));
  const harness = await start();
  const port = await newPort(harness);
  const rule = { action: { null_response: true }, action_type: "null_response", trigger_type: "url", url: "" };
  const refusing = await newPort(harness, { rules: [rule] });
  const isServed = served.length;
  const tunnel = "CONNECT x.example:443 HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const [number, sent] of [
    [port, "\0nonsense"],
    [port, "\x04\x01\0\x50"],
    [port, `${tunnel}\0nonsense`],
    [refusing, `${tunnel}\x16more`],
    [port, "\x05\x01\x02more"],
    [port, "\x05\x01\0\x05\x02\0\x01\x01\x02\x03\x04\0\x50more"],
  ] as const) {
    const client = connect({ port: number, host: "127.0.0.1" });
    client.end(Buffer.from(sent, "latin1")).resume();
    await once(client, "close");
  }
  await vi.waitFor(() => expect(served.slice(isServed).map(({ destroyed }) => destroyed)).toEqual(Array(6).fill(true)));
});

test("a tunnel to a host of any length ends a connection at most, not the process", async () => {
  const harness = await start();
  const port = await newPort(harness);
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  client.write(`CONNECT ${"x".repeat(70_000)}:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(client, "data");
  const secure = connectTls({ socket: client, rejectUnauthorized: false });
  await expect(once(secure, "secureConnect")).rejects.toThrow("excessive message size");
  expect((await through(port)).status).toBe(200);
});

test("nonsense ends a connection, not the process", async () => {
  const harness = await start();
  const rules = [{ status: "200", action: { retries: "x" } }, "rule"];
  const port = await newPort(harness, { rules, max_ban_retries: "x", ip: "1.2.3.4" });
  for (const sent of [
    "\x01",
    "CONNECT nonsense HTTP/1.1\r\nHost: x\r\n\r\n\x16",
    "\x05\x01",
    "GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n",
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).end(sent);
    socket.resume();
    await once(socket, "close");
  }
  await harness.call(`POST /api/proxies/${port}/banip`, { ip: "1.2.3.4" });
  const { status, headers } = await through(port);
  expect([status, headers["x-lpm-error"]]).toEqual([502, "Too many banned IPs"]);
});

test("a certificate of another manager is not trusted", async () => {
  const [one, other] = [await start(), await start()];
  const ca = String((await other.call("GET /ssl")).body);
  const asked = askPort(await newPort(one, { ssl: true }), { line: "GET https://example.com/", via: "tunnel", ca });
  await expect(asked).rejects.toThrow("self-signed certificate");
});

test("a number that another program holds is refused to a new and to a changed port, until it is free", async () => {
  const harness = await start();
  const foreign = await foreignPort();
  const port = await newPort(harness);
  const refusal = errors(`port ${foreign.port} in use by another app`, "port");
  const create = { proxy: { port: foreign.port, zone: "static" } };
  await harness.replay([
    ["POST /api/proxies", create, 400, refusal],
    [`PUT /api/proxies/${port}`, { proxy: { zone: "static", port: foreign.port } }, 400, refusal],
  ]);
  expect((await through(port)).status).toBe(200);
  const several = { proxy: { port: foreign.port - 1, zone: "static", multiply: 2 } };
  const refused = await harness.call("POST /api/proxies", several);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("EADDRINUSE")]);
  expect(harness.manager.state.records.map((record) => record.port)).toEqual([port]);
  await foreign.free();
  await expect.poll(async () => (await harness.call("POST /api/proxies", create)).status).toBe(200);
});

test("a number is given to one of several that ask for it at once", async () => {
  const harness = await start();
  const port = await newPort(harness);
  await harness.call(`DELETE /api/proxies/${port}`);
  const ask = () => harness.call("POST /api/proxies", { proxy: { port, zone: "static" } });
  const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400, 400]);
  expect((await through(port)).status).toBe(200);
});

test("a number listens as long as its port runs", async () => {
  const harness = await start();
  const port = await newPort(harness, { multiply: 3 });
  const each = (ask: (number: number) => Promise<unknown>) =>
    Promise.all([port, port + 1, port + 2].map((number) => ask(number)));
  const status = async (number: number): Promise<unknown> => (await through(number)).status;
  expect(await each(status)).toEqual([200, 200, 200]);
  await harness.call("POST /api/restart");
  await harness.manager.settled();
  expect(await each(status)).toEqual([200, 200, 200]);
  await harness.call(`DELETE /api/proxies/${port}`);
  expect(await each(isRefused)).toEqual(["ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]);
});

test("a number is free again once the manager is closed, whatever is still connected", async () => {
  const harness = await start();
  const port = await newPort(harness);
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const ended = once(socket, "close");
  socket.on("error", () => undefined).resume();
  await harness.manager.close();
  await ended;
  expect(await isRefused(port)).toBe("ECONNREFUSED");
});

test("a number that is taken when the manager starts loses its port, as in the real one", async () => {
  const harness = await start();
  const foreign = await foreignPort();
  const kept = await newPort(harness);
  const config = JSON.stringify({ proxies: [{ port: kept }, { port: foreign.port }] });
  await harness.call("POST /api/config", { config });
  expect(harness.manager.state.records.map(({ port }) => port)).toEqual([kept]);
  expect(harness.manager.state.logLines.at(-1)).toContain(`Failed initializing proxy port ${foreign.port}`);
});

test("unless it is told to, a manager takes no number of the machine", async () => {
  const harness = await startManager();
  const { port } = await foreignPort();
  expect((await harness.call("POST /api/proxies", { proxy: { port, zone: "static" } })).status).toBe(200);
});
