import { expect } from "vitest";
import { inTurn } from "../turn";
import { type Declaration, edit, type Scene, scene } from "./harness";

const it = inTurn(2);

const IP = "203.0.113.7";

async function withPort(): Promise<Scene> {
  const made = await scene({ manager: { dropin: false, latestVersion: "1.600.0" } });
  const zone = made.simulator.account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
  zone.allocatedIps = made.simulator.account.allocateIps(2, "us");
  await edit(made.simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "web" } });
  made.simulator.manager.service.requests.length = 0;
  return made;
}

/** What has been changed in the manager so far; the list starts anew. */
function changes({ simulator }: Scene): string[] {
  const requests = simulator.manager.service.requests.splice(0);
  return requests
    .map(({ method, path }) => `${method} ${path}`)
    .filter((request) => !request.startsWith("GET ") || request.endsWith("/gen_token"));
}

async function expectCalm(made: Scene): Promise<void> {
  changes(made);
  expect(await made.stack.expect("refresh")).toMatch(/Resources:\n\s+\d+ unchanged/);
  await made.stack.expect("preview", "--expect-no-changes");
  expect(changes(made)).toEqual([]);
}

it("the manager's settings, bans and users live through create, edits by hand, update and destroy", async () => {
  const made = await withPort();
  const { stack, simulator, declare } = made;
  const { settings, running } = simulator.manager.state;
  const banned = () => running.get("24000")?.bans.keys().sort();
  const declared = (logs: number, more: object = {}): Declaration[] => [
    { kind: "ManagerSettings", name: "settings", args: { logs, whitelistIps: ["10.20.30.40/16"], ...more } },
    { kind: "BannedIp", name: "forever", args: { ip: IP } },
    { kind: "BannedIp", name: "hour", args: { ip: "203.0.113.8", port: 24_000, durationMs: 3_600_000 } },
    { kind: "ManagerUser", name: "ops", args: { email: "ops@example.com" } },
  ];
  declare(...declared(500));
  await stack.expect("up");
  expect(settings).toMatchObject({ logs: 500, whitelist_ips: ["10.20.0.0/16"] });
  expect(banned()).toEqual([IP, "203.0.113.8"]);
  const [user] = simulator.manager.state.users;
  expect(await stack.stateText()).not.toContain(user?.password);
  await expectCalm(made);

  await edit(simulator.manager.url, "PUT", "/api/settings", { logs: 7, log: "debug" });
  await edit(simulator.manager.url, "POST", "/api/proxies/24000/unbanip", { ip: IP });
  await stack.expect("refresh");
  const preview = await stack.expect("preview", "--diff");
  expect(preview).toMatch(/~ logs\s*: 7 => 500/);
  expect(preview).not.toMatch(/~ log\s*:/);
  expect(preview).toMatch(/\+ 1 to create\n\s+~ 1 to update/);
  await stack.expect("up");
  expect(settings).toMatchObject({ logs: 500, log: "debug" });
  expect(banned()).toEqual([IP, "203.0.113.8"]);

  declare(...declared(600, { harLimit: 5 }));
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  expect(settings).toMatchObject({ logs: 600, har_limit: 5 });
  await expectCalm(made);
  expect(await stack.expect("destroy")).toContain("brightdata: user ops@example.com stays");
  expect(settings).toMatchObject({ logs: 1000, har_limit: 1024, log: "debug" });
  expect((await (await fetch(`${simulator.manager.url}/api/settings`)).json()) as object).toMatchObject({
    whitelist_ips: [],
  });
  expect(banned()).toEqual([]);
  expect(simulator.manager.state.users).toHaveLength(1);
});

it("the manager's settings, bans and users say what is wrong with them in the preview, all at once and without a request", async () => {
  const made = await withPort();
  const args = { log: "loud", wwwWhitelistIps: ["0.0.0.0/0"] };
  made.declare({ kind: "ManagerSettings", name: "settings", args });
  const { status, stdout } = await made.stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout).toContain('`log` is "loud": expected one of "error", "warn", "notice", "info", "debug".');
  expect(stdout).toContain('`wwwWhitelistIps` has "0.0.0.0/0", the whole internet');
  expect(made.simulator.manager.service.requests).toEqual([]);
});

it("the manager's actions are announced, done by the update alone, and again when a trigger changes", async () => {
  const made = await withPort();
  const { stack, simulator, declare } = made;
  const [ip] = simulator.account.zone("web")?.allocatedIps ?? [];
  await edit(simulator.manager.url, "POST", "/api/proxies/24000/banip", { ip: IP });
  changes(made);
  const declared = (trigger: string): Declaration[] => [
    { kind: "PortIpUnban", name: "unban", args: { port: 24_000, triggers: [trigger] } },
    { kind: "PortSessionRefresh", name: "session", args: { port: 24_000, triggers: [trigger] } },
    { kind: "PortIpRefresh", name: "ip", args: { port: 24_000, ip: ip?.ip } },
    { kind: "ManagerApiKey", name: "key", args: { triggers: [trigger] } },
  ];
  declare(...declared("one"));
  const preview = await stack.expect("preview");
  expect(preview).toContain("brightdata: the update will lift all bans on port 24000.");
  expect(preview).toContain(`IP ${ip?.ip} of port 24000 replaced, which costs money`);
  expect(changes(made)).toEqual([]);

  await stack.expect("up");
  expect(changes(made).sort()).toEqual([
    "GET /api/gen_token",
    "POST /api/proxies/24000/unbanips",
    "POST /api/refresh_ip/24000",
    "POST /api/refresh_sessions/24000",
  ]);
  const outputs = (await stack.outputs()) as Record<string, Record<string, unknown>>;
  expect(outputs.unban).toMatchObject({ lifted: [{ ip: IP }] });
  expect(outputs.session?.sessionId).toMatch(/^24000_/);
  expect(outputs.ip?.newIp).toBe(simulator.account.zone("web")?.allocatedIps[0]?.ip);
  const key = String(simulator.manager.state.settings.token_auth);
  expect(await stack.stateText()).not.toContain(key);
  await expectCalm(made);

  declare(...declared("two"));
  expect(await stack.expect("preview")).toContain("the update will replace the Proxy Manager's API key");
  const again = await stack.expect("up");
  expect(again).toMatch(/~ 1 updated\n\s+\+-2 replaced/);
  // What is done once is not kept by anybody.
  expect(again).not.toMatch(/is kept/);
  expect(changes(made).sort()).toEqual([
    "GET /api/gen_token",
    "POST /api/proxies/24000/unbanips",
    "POST /api/refresh_sessions/24000",
  ]);
  const next = simulator.manager.state.settings.token_auth;
  expect(next).not.toBe(key);

  declare(...declared("three").map((each) => ({ ...each, options: { replaceOnChanges: ["triggers"] } })));
  expect(await stack.expect("preview")).toContain("the update will replace the Proxy Manager's API key");
  expect(await stack.expect("up")).toMatch(/\+-3 replaced/);
  expect(changes(made)).toContain("GET /api/gen_token");
  expect(simulator.manager.state.settings.token_auth).not.toBe(next);
  expect(await stack.outputs()).toMatchObject({ key: { apiKey: simulator.manager.state.settings.token_auth } });
  await stack.expect("destroy");
  expect(changes(made)).toEqual([]);
});

it("actions upgrade and restart the manager, one after the other", async () => {
  const made = await withPort();
  const { stack, simulator, declare } = made;
  declare(
    { kind: "ManagerUpgrade", name: "upgrade", args: {} },
    { kind: "ManagerRestart", name: "restart", args: { triggers: [{ $output: ["upgrade", "version"] }] } },
  );
  await stack.expect("up");
  expect(changes(made)).toEqual(["POST /api/upgrade", "POST /api/restart"]);
  expect(await stack.outputs()).toMatchObject({
    upgrade: { upgraded: true, version: "1.600.0" },
    restart: { version: "1.600.0" },
  });
  expect(simulator.manager.state.version).toBe("1.600.0");
  await expectCalm(made);
});
