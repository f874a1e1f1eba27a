import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { send } from "../../scripts/send.mts";
import { Stack } from "../../scripts/stack.mts";
import { portRange } from "../../src";
import type { Declaration } from "../engine/harness";
import { FORMS, putIn } from "../engine/nativeScene";
import { inTurn } from "../turn";

const program = join(__dirname, "../engine/program");

interface PortRecord {
  port: number;
  proxy_type?: string;
  [field: string]: unknown;
}

describe.each(FORMS)("%s ports and addresses on the vendor's own Proxy Manager", (form) => {
  const it = form === "native" ? inTurn(3) : test;
  let manager: RealManager;
  beforeAll(async () => {
    manager = await startRealManager({ restartDelayMs: 0 });
  });
  afterAll(() => manager?.stop());

  const read = async (path: string): Promise<unknown> => (await fetch(`${manager.url}${path}`)).json();
  const ports = async () =>
    ((await read("/api/proxies")) as PortRecord[]).filter((port) => port.proxy_type === "persist");
  const lists = async () => {
    const settings = (await read("/api/settings")) as Record<string, string[]>;
    return { ui: settings.www_whitelist_ips, ports: settings.whitelist_ips };
  };
  const edit = (method: string, path: string, body?: object) => send(manager.url, method, path, body);
  const restart = async () => {
    const back = manager.nextStart();
    await edit("POST", "/api/restart");
    await back;
  };

  async function stackOf(
    ...declarations: Declaration[]
  ): Promise<{ stack: Stack; declare(...next: Declaration[]): void }> {
    const { provider: secretsProvider, environment } = inject("keys");
    const variables = { BRIGHTDATA_PROXY_MANAGER_URL: manager.url, ...environment };
    const stack = await Stack.create(inject("pulumi"), program, variables, { secretsProvider });
    onTestFinished(() => stack.remove());
    await putIn(form, stack);
    const declare = (...next: Declaration[]) => stack.setEnvironment({ PROGRAM: JSON.stringify(next) });
    declare(...declarations);
    return { stack, declare };
  }

  async function expectCalm(stack: Stack, resources: number): Promise<void> {
    expect(await stack.expect("refresh", "--diff")).toMatch(new RegExp(` ${resources + 1} unchanged`));
    await stack.expect("preview", "--expect-no-changes");
    expect(await stack.expect("up")).toMatch(new RegExp(` ${resources + 1} unchanged`));
  }

  it("live as a set through create, one change, a restart, a move of numbers and delete", async () => {
    const set = (own: object): Declaration => ({
      kind: "ProxyPorts",
      name: "set",
      args: {
        defaults: { zone: "static", country: "us" },
        ports: {
          ...portRange({ from: 24_100, count: 30, prefix: "us-" }),
          own: { port: 24_200, userPassword: { $secret: "hush-hush" }, whitelistIps: ["10.1.2.3/24"], ...own },
          any: {},
        },
      },
    });
    const { stack, declare } = await stackOf(set({}));
    await stack.expect("up");
    expect((await ports()).length).toBe(32);
    await expectCalm(stack, 1);
    const before = (await manager.requests()).length;
    declare(set({ country: "de" }));
    await stack.expect("up");
    const sent = (await manager.requests()).slice(before).filter((request) => !request.startsWith("GET "));
    expect(sent).toEqual(["PUT /api/proxies/24200"]);
    await restart();
    await expectCalm(stack, 1);
    await edit("PUT", "/api/proxies/24105", { proxy: { zone: "static", country: "fr" } });
    await edit("DELETE", "/api/proxies/24106");
    await stack.expect("refresh");
    declare(set({ country: "de", port: 24_201 }));
    await stack.expect("up");
    await expectCalm(stack, 1);
    expect((await ports()).map(({ port, country }) => `${port} ${country}`)).toEqual(
      expect.arrayContaining(["24105 us", "24106 us", "24201 de"]),
    );
    await stack.expect("destroy");
    expect(await ports()).toEqual([]);
  });

  it("live through create, restart, edits by hand, update, replacement and delete", async () => {
    const addresses: Declaration[] = [
      { kind: "WhitelistIp", name: "admin", args: { ip: "198.51.100.0/28" } },
      { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.7", list: "ports" } },
    ];
    const port = (name: string, args: object): Declaration => ({
      kind: "ProxyPort",
      name,
      args: { zone: "static", ...args },
    });
    const { stack, declare } = await stackOf(
      ...addresses,
      port("own", { port: 24_500, country: "us", whitelistIps: ["10.1.2.3/24", "203.0.113.7"], customer: "hl_mine" }),
      port("secret", { port: 24_501, password: { $secret: "not-the-accounts" }, ssl: false, dns: "local" }),
      port("plain", {}),
    );
    await stack.expect("up");
    expect(await lists()).toEqual({ ui: ["198.51.100.0/28"], ports: ["203.0.113.7"] });
    expect((await ports()).length).toBe(3);
    await expectCalm(stack, 5);

    await restart();
    await expectCalm(stack, 5);

    await edit("PUT", "/api/proxies/24500", { proxy: { zone: "static", country: "de", whitelist_ips: [] } });
    await edit("DELETE", "/api/whitelist_ip", { ip: "198.51.100.0" }).catch(() => undefined);
    await edit("PUT", "/api/settings", { www_whitelist_ips: [] });
    await stack.expect("refresh");
    const preview = await stack.expect("preview", "--diff");
    expect(preview).toMatch(/~ country\s*: "de" => "us"/);
    expect(preview).toMatch(/\+ 1 to create\n\s+~ 1 to update/);
    await stack.expect("up");
    expect((await lists()).ui).toEqual(["198.51.100.0/28"]);
    expect((await ports()).find((record) => record.port === 24_500)).toMatchObject({ country: "us" });
    await expectCalm(stack, 5);

    declare(
      ...addresses,
      port("plain", { rotateSession: true }),
      port("own", { port: 24_700, country: "us" }),
      port("secret", { port: 24_501 }),
    );
    const printed = await stack.expect("up");
    expect(printed).toMatch(/~ 2 updated/);
    expect(printed).toMatch(/\+-1 replaced/);
    expect((await ports()).map((record) => record.port)).not.toContain(24_500);
    await expectCalm(stack, 5);

    await stack.expect("destroy");
    expect(await ports()).toEqual([]);
    expect(await lists()).toEqual({ ui: [], ports: [] });
  });

  it("read back as declared, whatever is declared, before and after a restart", async () => {
    const { stack } = await stackOf({
      kind: "ProxyPort",
      name: "everything",
      args: {
        zone: "res",
        port: 24_600,
        internalName: "everything",
        ssl: true,
        tlsLib: "flex_tls",
        insecure: true,
        proxyConnectionType: "https",
        proxyRetry: 3,
        country: "us",
        state: "ny",
        city: "newyork",
        asn: "7922",
        dns: "remote",
        session: "abc",
        stickyIp: true,
        poolSize: 3,
        maxBanRetries: 5,
        throttle: 7,
        rules: [{ actionType: "ban_ip", action: { banIp: "600000" }, status: "200" }],
        routeErr: "block",
        headers: [{ name: "accept-language", value: "de" }],
        overrideHeaders: true,
        os: "linux",
        debug: "full",
        preset: "rotating",
        testUrl: "http://127.0.0.1/",
        followRedirect: true,
        proxyCountry: "de",
        whitelistIps: ["10.0.0.0/8"],
        harLimit: 2048,
        socketInactivityTimeout: 60_000,
        logs: 10,
        rotateSession: false,
        multiply: 2,
      },
    });
    await stack.expect("up");
    await expectCalm(stack, 1);
    await restart();
    await expectCalm(stack, 1);
    await stack.expect("destroy");
    expect(await ports()).toEqual([]);
  });

  test("reach for no other machine", async () => {
    expect(await manager.refused()).toEqual([]);
  });
});
