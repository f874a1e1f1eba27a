import { expect, it, onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { type Declaration, edit, scene, secretsOf } from "./harness";
import { changesOf, nativeScene } from "./nativeScene";

const plan = { type: "static", ipsType: "shared", country: "us" };

it("resources of the plugin are made, refreshed, changed and destroyed; what is known, previews say", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const program = (disabled: boolean) =>
    declare(
      { kind: "Zone", name: "web", args: { name: "web", plan, disabled } },
      { kind: "ProxyPort", name: "port", args: { zone: { $output: ["web", "name"] }, port: 24_000 } },
      { kind: "ManagerUser", name: "user", args: { email: "ops@example.com" } },
    );
  program(false);
  // What an installed plugin is asked for, the engine warns of nothing.
  expect(await stack.expect("preview")).not.toMatch(/warning/i);
  expect(changesOf(simulator)).toEqual([]);
  const made = await stack.expect("up");
  expect(made).toMatch(/\+ 4 created/);
  expect(made).not.toMatch(/warning/i);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh", "--expect-no-changes");
  const state = await stack.stateText();
  expect(secretsOf(simulator).filter((secret) => state.includes(secret))).toEqual([]);

  program(true);
  const preview = JSON.parse(await stack.expect("preview", "--json", "--diff")) as Preview;
  const [step] = preview.steps.filter(({ op }) => op === "update");
  expect(step?.detailedDiff).toEqual({ disabled: { kind: "update", inputDiff: false } });
  // What the update leaves alone is known: nothing that rests on it is open.
  const shown = await stack.expect("preview", "--diff");
  expect(shown).not.toMatch(/(created|perm|plan) *: .*unknown/);
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

interface Preview {
  steps: { op: string; detailedDiff?: object; newState?: { outputs: object } }[];
}

it("what changes deep within a property is named by its path, and what replaces is said", async () => {
  const { stack, declare } = await nativeScene();
  declare({ kind: "Zone", name: "web", args: { name: "web", plan } });
  await stack.expect("up");
  declare({ kind: "Zone", name: "web", args: { name: "web", plan: { ...plan, country: "de" } } });
  const { steps } = JSON.parse(await stack.expect("preview", "--json", "--diff")) as Preview;
  expect(steps.find(({ op }) => op === "replace")?.detailedDiff).toEqual({
    "plan.country": { kind: "update-replace", inputDiff: false },
  });
});

it("what exists is imported by the command and by the option, and nothing is sent that changes anything", async () => {
  const { stack, simulator, declare } = await nativeScene();
  simulator.account.addZone("web_scraping", plan);
  await edit(simulator.manager.url, "POST", "/api/proxies", {
    proxy: { port: 24_000, zone: "web_scraping", rotate_session: true },
  });
  const before = changesOf(simulator);
  declare();
  const { status, stdout, stderr } = await stack.import("brightdata:index:Zone", "web", "web_scraping");
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/web.*imported/)]);
  declare(
    { kind: "Zone", name: "web", args: { name: "web_scraping", plan } },
    {
      kind: "ProxyPort",
      name: "port",
      args: { zone: "web_scraping", port: 24_000, rotateSession: true },
      options: { import: "24000" },
    },
  );
  expect(await stack.expect("preview", "--diff")).toMatch(/= 1 to import\n/);
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  expect(changesOf(simulator)).toEqual(before);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("IPs and a key that were imported by the command are kept where the program says more of them", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const web = simulator.account.addZone("web", { type: "static", ips: 2 });
  declare();
  const { status, stdout, stderr } = await stack.import("brightdata:index:ZoneIps", "ips", "web/ips");
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/ips.*imported/)]);
  const had = web.allocatedIps.map(({ ip }) => ip);
  simulator.manager.state.settings.token_auth = "key";
  await edit(simulator.manager.url, "PUT", "/api/settings", { logs: 1 });
  await stack.import("brightdata:index:ManagerApiKey", "key", "apiKey");
  const before = changesOf(simulator);
  declare(
    { kind: "ZoneIps", name: "ips", args: { zone: "web", count: 2, country: "us" } },
    { kind: "ManagerApiKey", name: "key", args: { triggers: ["2026-01"] } },
  );
  expect(await stack.expect("preview")).not.toMatch(/replace/);
  await stack.expect("up");
  expect(changesOf(simulator)).toEqual(before);
  await stack.expect("preview", "--refresh", "--expect-no-changes");
  expect(simulator.manager.state.settings.token_auth).toBe("key");
  expect(web.allocatedIps.map(({ ip }) => ip)).toEqual(had);
});

it("the engine's timeouts end waits, and functions are asked of the plugin", async () => {
  const { stack, simulator, declare } = await nativeScene();
  simulator.remote.service.faults.add({
    method: "GET",
    path: "/zone",
    kind: "respond",
    status: 404,
    body: "not yet",
    times: 1e9,
  });
  const options = { customTimeouts: { create: "3s", update: "2s", delete: "1s" } };
  const web = (args = {}): Declaration => ({
    kind: "Zone",
    name: "web",
    args: { name: "web", plan, ...args },
    options,
  });
  const givesUp = async (command: "up" | "destroy", seconds: number) => {
    const { status, stdout } = await stack.command(command);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`Gave up after ${seconds} s`)]);
    simulator.remote.service.faults.clear();
  };
  declare(web());
  await givesUp("up", 3);
  declare(
    web(),
    { call: "getZoneOutput", name: "found", args: { name: { $output: ["web", "name"] } } },
    { call: "getZonePasswordsOutput", name: "passwords", args: { zone: { $output: ["web", "name"] } } },
  );
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({ found: { status: "active" } });
  const state = await stack.stateText();
  expect(secretsOf(simulator).filter((secret) => state.includes(secret))).toEqual([]);
  declare({ call: "getZone", name: "missing", args: { name: "nosuch" } });
  const refused = await stack.command("up");
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringMatching(/no zone "nosuch"|nosuch/)]);
  const silent = { method: "GET", path: "/zone", kind: "hang", times: 1e9 } as const;
  simulator.remote.service.faults.add(silent);
  declare(web({ disabled: true }));
  await givesUp("up", 2);
  simulator.remote.service.faults.add(silent);
  await givesUp("destroy", 1);
});

it("an explicit provider is a process of its own, and goes over where it leads to the same service", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const other = await startSimulator({ seed: "other" });
  onTestFinished(() => other.close());
  const program = ({ token, remote, manager }: Simulator) =>
    declare(
      {
        kind: "Provider" as never,
        name: "shop",
        args: { apiToken: token, baseUrl: remote.url, proxyManagerUrl: manager.url },
      },
      { kind: "Zone", name: "web", args: { name: "web", plan }, options: { provider: "shop" } },
      {
        kind: "ProxyPort",
        name: "port",
        args: { zone: { $output: ["web", "name"] }, port: 24_000 },
        options: { provider: "shop" },
      },
      { kind: "Zone", name: "own", args: { name: "own", plan } },
    );
  stack.setEnvironment({ FORM: undefined });
  program(other);
  await stack.expect("up");
  const made = [other, simulator].map(changesOf);

  stack.setEnvironment({ FORM: "native" });
  program(simulator);
  const { status, stdout } = await stack.command("up");
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('ProxyPort 24000 has moved from the provider "shop" to another provider "shop"'),
  ]);
  expect([other, simulator].map(changesOf)).toEqual(made);

  program(other);
  await stack.expect("up");
  expect([other, simulator].map(changesOf)).toEqual(made);
  const { token } = other;
  expect(other.account.liveZones().map(({ name }) => name)).toEqual(["web"]);
  expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["own"]);
  expect(await stack.stateText()).not.toContain(token);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh", "--expect-no-changes");
  await stack.expect("destroy");
  expect([other, simulator].flatMap(({ account }) => account.liveZones())).toEqual([]);
});

it("without the plugin, a program is told so in one sentence, and nothing is registered", async () => {
  const { stack, simulator, declare } = await scene();
  stack.setEnvironment({ FORM: "native" });
  declare({ kind: "Zone", name: "web", args: { name: "web", plan } });
  const { status, stdout } = await stack.command("up");
  expect([status, stdout]).toEqual([1, expect.stringMatching(/Run `npx pulumi-brightdata plugin install`\./)]);
  expect(stdout).not.toMatch(/brightdata:index:Zone/);
  expect(changesOf(simulator)).toEqual([]);
});

it("what a program in another language moves to another provider by force, the provider that had it leaves alone", async () => {
  const { stack, simulator, declare } = await nativeScene();
  stack.setEnvironment({ FORM: "foreign" });
  const settings = { kind: "ManagerSettings", name: "settings", args: { logs: 600 } } as const;
  declare(settings);
  await stack.expect("up");
  const [{ urn = "" } = {}] = await stack.resources();
  declare(
    { kind: "Provider", name: "one", args: { proxyManagerUrl: simulator.manager.url } },
    { ...settings, options: { provider: "one" } },
  );
  expect(await stack.expect("up", "--replace", urn)).toContain("belongs to another resource of this program now");
  expect(simulator.manager.state.settings.logs).toBe(600);
});
