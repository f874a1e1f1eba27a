import { describe, expect } from "vitest";
import { inTurn } from "../turn";
import { edit, type Scene, scene } from "./harness";

const it = inTurn(2);

interface PortRecord {
  port: number;
  [field: string]: unknown;
}

const read = async (url: string, path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();

async function ports({ simulator }: Scene): Promise<PortRecord[]> {
  const records = (await read(simulator.manager.url, "/api/proxies")) as PortRecord[];
  return records.filter(({ proxy_type }) => proxy_type === "persist");
}

async function withZone(): Promise<Scene> {
  const made = await scene();
  made.simulator.account.addZone("web", { type: "static", ips_type: "shared" });
  return made;
}

const changing = ({ simulator }: Scene) =>
  simulator.manager.service.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);

describe("a proxy port", () => {
  it("lives through create, update in place, replacement and delete, one request each", async () => {
    const made = await withZone();
    const { stack, simulator, declare } = made;
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_100, country: "us" } });
    await stack.expect("up");
    await stack.expect("preview", "--expect-no-changes");
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_100, country: "de", ssl: true } });
    expect(await stack.expect("up")).toMatch(/~ 1 updated/);
    const put = simulator.manager.service.requests.filter(({ method }) => method === "PUT");
    expect(put.map(({ body }) => body)).toEqual([{ proxy: { zone: "web", country: "de", ssl: true } }]);
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_101, country: "de", ssl: true } });
    expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
    expect((await ports(made)).map(({ port }) => port)).toEqual([24_101]);
    await stack.expect("destroy");
    expect(await ports(made)).toEqual([]);
    expect(changing(made)).toEqual([
      "POST /api/proxies",
      "PUT /api/proxies/24100",
      // A port with a number goes before its successor comes.
      "POST /api/proxies/delete",
      "POST /api/proxies",
      "POST /api/proxies/delete",
    ]);
  });

  it("is found changed by a refresh, property by property, and is put right", async () => {
    const made = await withZone();
    const { stack, simulator, declare } = made;
    const args = {
      zone: "web",
      port: 24_100,
      country: "us",
      whitelistIps: ["10.1.2.3/24"],
      throttle: 5,
      password: { $secret: "given" },
    };
    declare({ kind: "ProxyPort", name: "us", args });
    await stack.expect("up");
    expect(await stack.expect("refresh")).toMatch(/2 unchanged/);
    await edit(simulator.manager.url, "PUT", "/api/proxies/24100", {
      proxy: { zone: "web", country: "fr", whitelist_ips: ["9.9.9.9"], dns: "remote" },
    });
    await stack.expect("refresh");
    const preview = await stack.expect("preview", "--diff");
    expect(preview).toMatch(/~ country\s*: "fr" => "us"/);
    expect(preview).toMatch(/"9\.9\.9\.9" => "10\.1\.2\.3\/24"/);
    expect(preview).not.toMatch(/dns|throttle\s*: .*=>/);
    await stack.expect("up");
    await stack.expect("refresh");
    await stack.expect("preview", "--expect-no-changes");
    const [port] = await ports(made);
    expect(port).toMatchObject({ country: "us", whitelist_ips: ["10.1.2.0/24"], dns: "remote" });
  });

  it("keeps its number known in the preview of an update, so that what is bound to it stays", async () => {
    const { stack, declare } = await withZone();
    const args = { port: { $output: ["us", "listenPort"] }, ip: "203.0.113.7" };
    const ban = { kind: "BannedIp", name: "ban", args } as const;
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", country: "us" } }, ban);
    await stack.expect("up");
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", country: "de" } }, ban);
    const preview = await stack.expect("preview");
    expect(preview).toMatch(/~ 1 to update/);
    expect(preview).not.toMatch(/replace/);
  });

  it("loses a field that the program takes away", async () => {
    const made = await withZone();
    const { stack, declare } = made;
    declare({
      kind: "ProxyPort",
      name: "us",
      args: { zone: "web", country: "us", rotateSession: true, headers: [{ name: "a", value: "b" }] },
    });
    await stack.expect("up");
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web" } });
    expect(await stack.expect("up")).toMatch(/~ 1 updated/);
    expect((await ports(made))[0]).toMatchObject({ country: "", rotate_session: false, headers: [] });
    await stack.expect("refresh");
    await stack.expect("preview", "--expect-no-changes");
  });

  it("takes few bytes of the state, and has the program's line there", async () => {
    const { stack, declare } = await withZone();
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_500, country: "us" } });
    await stack.expect("up");
    const [port] = await stack.resources();
    const { inputs, outputs, propertyDependencies, additionalSecretOutputs } = port ?? {};
    const own = JSON.stringify({ inputs, outputs, propertyDependencies, additionalSecretOutputs });
    expect(Buffer.byteLength(own)).toBeLessThanOrEqual(550);
    expect(port?.sourcePosition).toMatch(/^project:\/\/\/index\.js#/);
  });

  it("keeps what the program does not declare out of the state, and its secrets encrypted", async () => {
    const { stack, declare } = await withZone();
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", password: { $secret: "hidden-password" } } });
    await stack.expect("up");
    const [port] = await stack.resources();
    expect(Object.keys(port?.outputs ?? {}).sort()).toEqual([
      "__declared",
      "__key",
      "__mark",
      "__provider",
      "listenPort",
      "marked",
      "password",
      "port",
      "zone",
    ]);
    expect(port?.outputs?.__provider).toBe(
      "this.handler=()=>require('pulumi-brightdata/provider').resource('ProxyPort')",
    );
    expect(port).toMatchObject({ additionalSecretOutputs: ["password"] });
    const state = await stack.stateText();
    expect(state).not.toContain("hidden-password");
    expect(state).not.toContain("lpm_token");
    await stack.expect("refresh");
    expect(await stack.stateText()).not.toContain("hidden-password");
  });

  it("names the owner of a number that is in use", async () => {
    const { stack, simulator, declare } = await withZone();
    await edit(simulator.manager.url, "POST", "/api/proxies", {
      proxy: { port: 24_100, zone: "web", internal_name: "by hand" },
    });
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_100, country: "us" } });
    const { status, stdout, stderr } = await stack.command("up");
    expect(status).not.toBe(0);
    expect(stdout).toContain(
      'Port 24100 is in use by a proxy port of zone "web", named "by hand". If this program created it',
    );
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web", port: 24_100, country: "us", adopt: true } });
    await stack.expect("up");
    await stack.expect("refresh");
    await stack.expect("preview", "--expect-no-changes");
  });

  it("waits for a zone that was made a moment ago", async () => {
    const made = await scene({ manager: { zonesVisibleAfterReads: 3 } });
    made.declare(
      { kind: "Zone", name: "web", args: { plan: { type: "static" } } },
      { kind: "ProxyPort", name: "us", args: { zone: { $output: ["web", "name"] } } },
    );
    await made.stack.expect("up");
    expect((await ports(made))[0]?.zone).toBe(made.simulator.account.liveZones()[0]?.name);
    await made.stack.expect("destroy");
  });

  it("can be looked up without being owned", async () => {
    const made = await withZone();
    const { stack, simulator, declare } = made;
    await edit(simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 24_100, zone: "web", country: "us" } });
    declare({ kind: "ProxyPort", name: "us", get: "24100" });
    await stack.expect("up");
    expect((await stack.outputs()).us).toMatchObject({ port: 24_100, listenPort: 24_100, zone: "web", country: "us" });
    const [zone] = simulator.account.liveZones();
    expect(await stack.stateText()).not.toContain(zone?.password[0]);
    await stack.expect("destroy");
    expect(await ports(made)).toHaveLength(1);
  });

  it("says what is missing when the manager cannot be reached", async () => {
    const { stack, declare } = await withZone();
    stack.setEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:9", BRIGHTDATA_RETRIES: "0" });
    declare({ kind: "ProxyPort", name: "us", args: { zone: "web" } });
    const { status, stdout } = await stack.command("up");
    expect(status).not.toBe(0);
    expect(stdout).toContain("http://127.0.0.1:9/api/mode cannot be reached");
    expect(stdout).toContain("brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL");
  });
});

const lists = async ({ simulator }: Scene) => {
  const settings = (await read(simulator.manager.url, "/api/settings")) as Record<string, string[]>;
  return { ui: settings.www_whitelist_ips, ports: settings.whitelist_ips };
};

it("an allowed address goes on its list and off it again, canonical, without rotating the manager's key", async () => {
  const made = await scene();
  const { stack, simulator, declare } = made;
  const { token } = (await read(simulator.manager.url, "/api/gen_token")) as { token: string };
  declare(
    { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.77/28", list: "ports" } },
    { kind: "WhitelistIp", name: "admin", args: { ip: "198.51.100.7" } },
  );
  await stack.expect("up");
  expect(await lists(made)).toEqual({ ui: ["198.51.100.7"], ports: ["203.0.113.64/28"] });
  await stack.expect("refresh");
  await stack.expect("preview", "--expect-no-changes");
  declare(
    { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.64/28", list: "ports" } },
    { kind: "WhitelistIp", name: "admin", args: { ip: "198.51.100.8" } },
  );
  expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
  expect(await lists(made)).toEqual({ ui: ["198.51.100.8"], ports: ["203.0.113.64/28"] });
  declare({ kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.64/28", list: "ui" } });
  await stack.expect("up");
  expect(await lists(made)).toEqual({ ui: ["203.0.113.64/28"], ports: [] });
  await stack.expect("destroy");
  expect(await lists(made)).toEqual({ ui: [], ports: [] });
  expect(simulator.manager.service.requests.filter(({ path }) => path === "/api/gen_token")).toHaveLength(1);
  expect(await stack.stateText()).not.toContain(token);
});

it("an allowed address is put back when somebody takes it off", async () => {
  const made = await scene();
  const { stack, simulator, declare } = made;
  declare({ kind: "WhitelistIp", name: "admin", args: { ip: "198.51.100.7" } });
  await stack.expect("up");
  await edit(simulator.manager.url, "DELETE", "/api/whitelist_ip", { ip: "198.51.100.7" });
  expect(await stack.expect("refresh")).toMatch(/- 1 deleted/);
  await stack.expect("up");
  expect(await lists(made)).toEqual({ ui: ["198.51.100.7"], ports: [] });
});
