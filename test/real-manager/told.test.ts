import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/freePort.mts";
import { portSessionRefreshLifecycle as portSessionRefresh } from "../../src/kinds/portSessionRefresh/lifecycle";
import { Context } from "../../src/lifecycle/context";
import { Deadline } from "../../src/lifecycle/deadline";
import type { ManagerClient } from "../../src/manager/client";
import type { PortFields } from "../../src/manager/portFields";
import type { SettingsChange } from "../../src/manager/settings";
import type { LogEntry } from "../../src/model/requestLog";
import { readSettings } from "../../src/settings/settings";
import { askPort, basic } from "../simulator/manager/portClient";
import { type Both, startBoth } from "./both";

// What the documents say of requests: what is kept of them, how they are told, and what a port does with a session.

let both: Both;

beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both?.stop());

function context(name: "real" | "simulator"): Context {
  const url = name === "real" ? both.real.url : both.simulator.manager.url;
  return new Context(readSettings(() => undefined, { BRIGHTDATA_PROXY_MANAGER_URL: url, BRIGHTDATA_LOG: "off" }));
}

describe.each(["real", "simulator"] as const)("the %s manager", (name) => {
  let client: ManagerClient;

  beforeAll(() => {
    client = context(name).manager;
  });

  async function newPort(fields: PortFields = {}): Promise<number> {
    const port = await client.ports.create({ zone: "static", ...fields, port: await freePort() });
    onTestFinished(() => client.ports.remove(port));
    return port;
  }

  async function set(change: SettingsChange): Promise<void> {
    const { logs, harLimit } = await client.settings.get();
    await client.settings.update(change);
    onTestFinished(async () => void (await client.settings.update({ logs, harLimit })));
  }

  const kept = async (port: number): Promise<LogEntry[]> =>
    (await client.logs.list({ port, sort: "timestamp" })).entries;

  /** Sends a request through a port. */
  const send = (port: number, url: string, body = "") =>
    new Promise<string>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: url, method: "POST", headers: { host: new URL(url).host } };
      const sent = request(options, async (response) => {
        let page = "";
        for await (const chunk of response) page += chunk;
        resolve(JSON.parse(page).upstream.session);
      });
      sent.on("error", reject).end(body);
    });

  test.each([
    [-1, () => 0],
    [7, () => 7],
    [0, (size: number) => size],
  ])("keeps of a response what `harLimit` (%i) says, and requests as a whole", async (harLimit, expected) => {
    const port = await newPort();
    await set({ harLimit });
    await send(port, "http://example.com/page.html", "x".repeat(3000));
    await expect.poll(() => kept(port)).toHaveLength(1);
    const [{ request: asked, response } = {} as LogEntry] = await kept(port);
    expect(asked.body).toHaveLength(3000);
    expect(response.body).toHaveLength(expected(Number(response.size)));
  });

  test("keeps nothing of a stylesheet's body", async () => {
    const port = await newPort();
    await send(port, "http://example.com/page.css");
    await expect.poll(() => kept(port)).toHaveLength(1);
    expect((await kept(port))[0]?.response.body).toBe("");
  });

  test("keeps the requests that it has where `logs` is 0", async () => {
    const port = await newPort();
    await send(port, "http://example.com/before.html");
    await expect.poll(() => kept(port)).toHaveLength(1);
    await set({ logs: 0 });
    await send(port, "http://example.com/after.html");
    const later = await newPort();
    await client.settings.update({ logs: 1000 });
    await send(port, "http://example.com/again.html");
    await send(later, "http://example.com/later.html");
    await expect.poll(() => kept(port)).toHaveLength(2);
    expect((await kept(port)).map(({ request: { url } }) => url)).toEqual([
      "http://example.com/before.html",
      "http://example.com/again.html",
    ]);
    expect(await kept(later)).toEqual([]);
  });

  test("keeps as many requests of a port as the manager's `logs` says, whatever the port's", async () => {
    const port = await newPort({ logs: 1 });
    for (const page of ["a", "b", "c"]) await send(port, `http://example.com/${page}.html`);
    await expect.poll(() => kept(port)).toHaveLength(3);
  });

  test("tells hosts by their registered domain", async () => {
    const port = await newPort();
    await send(port, "http://shop.example.co.uk:8080/page.html");
    await expect.poll(() => kept(port)).toHaveLength(1);
    expect((await kept(port))[0]?.request.host).toBe("example.co.uk");
    const { hostnames } = await client.logs.stats();
    expect(hostnames.map(({ key }) => key)).toContain("example.co.uk");
  });

  test("sends no request for a status that is known, also of a port that has been changed", async () => {
    const port = await newPort();
    await send(port, "http://example.com/page.html");
    await expect.poll(() => kept(port)).toHaveLength(1);
    expect(await client.sessions.status(port)).toMatchObject({ ok: true });
    await client.ports.update(port, { zone: "dc", country: "gb" });
    expect(await client.sessions.status(port)).toMatchObject({ ok: true });
    expect(await kept(port)).toHaveLength(1);
    await client.sessions.status(port, { force: true });
    await expect.poll(() => kept(port)).toHaveLength(2);
  });

  test("lets users in by their names in lower case, whether they came with the port or later", async () => {
    const port = await newPort({ users: ["Ann"], multiplyUsers: true, userPassword: "hush" });
    const status = async (user: string) => {
      const ask = { line: "GET http://example.com/", from: "127.0.0.2", headers: basic(user, "hush") };
      return (await askPort(port, ask, 20_000)).status;
    };
    expect([await status("ann"), await status("Ann")]).toEqual([200, 407]);
    await client.ports.update(port, { zone: "static", users: ["Ann", "Bob"] });
    expect([await status("ann"), await status("Ann")]).toEqual([200, 407]);
  });

  test("keeps the session that a port was given", async () => {
    const step = () => ({ context: context(name), deadline: new Deadline(60, "timeouts.test") });
    const own = await newPort({ session: "mine" });
    await portSessionRefresh.create({ port: own }, step());
    expect(await send(own, "http://example.com/page.html")).toBe("mine");
    const port = await newPort();
    const { sessionId } = (await portSessionRefresh.create({ port }, step())).state;
    expect(await send(port, "http://example.com/page.html")).toBe(sessionId);
  });
});
