import { expect, onTestFinished, test } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { hasTurn, inTurn } from "../turn";
import { type Declaration, edit, type Scene, scene, secretsOf } from "./harness";

const it = inTurn(2);

/** Another account and another manager beside those of a scene. */
async function another(token?: string): Promise<Simulator> {
  const simulator = await startSimulator({ manager: { dropin: false }, ...(token === undefined ? {} : { token }) });
  onTestFinished(() => simulator.close());
  return simulator;
}

const providerOf = ({ token, remote, manager }: Simulator, name: string): Declaration => ({
  kind: "Provider",
  name,
  args: { apiToken: { $secret: token }, baseUrl: remote.url, proxyManagerUrl: manager.url },
});

const plan = { type: "static" };
const zone = (name: string, options: object = {}, more: object = {}): Declaration => ({
  kind: "Zone",
  name,
  args: { name, plan, ...more },
  options,
});

/** The name of the connection that something is declared with, as its argument. */
const nameFor = (declaration: Declaration): object =>
  "kind" in declaration && declaration.kind.startsWith("Zone") ? { account: "shop" } : { manager: "fra" };

const zonesOf = ({ account }: Simulator): string[] => account.liveZones().map(({ name }) => name);
const portsOf = ({ manager }: Simulator): unknown[] => manager.state.records.map(({ port }) => port);

/** What has been changed with both services so far; the list starts anew. */
const changes = ({ remote, manager }: Simulator): string[] =>
  [remote, manager].flatMap(({ service }) =>
    service.requests
      .splice(0)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((request) => !request.startsWith("GET ")),
  );

const urnOf = async ({ stack }: Scene, name: string): Promise<string> =>
  (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.urn as string;

it("explicit providers lead one program to several accounts and managers, whatever the environment says", async () => {
  const made = await scene({ manager: { dropin: false } });
  const { simulator: first, stack, declare } = made;
  // Tokens that are good with both accounts, and act on the wrong one at the wrong address.
  const second = await another(first.token);
  for (const { account } of [first, second]) account.addZone("shared", plan);
  declare(
    providerOf(second, "second"),
    { component: "outer", options: { providers: ["second"] } },
    { component: "inner", options: { parent: "outer" } },
    zone("in_the_first"),
    zone("in_the_second", { provider: "second" }),
    zone("inherited", { parent: "inner" }),
    { kind: "ProxyPort", name: "port", args: { port: 24_000, zone: "shared" } },
    { kind: "ProxyPort", name: "second_port", args: { port: 24_001, zone: "shared" }, options: { parent: "inner" } },
    { call: "getZonesOutput", name: "zones" },
    { call: "getZonesOutput", name: "second_zones", options: { provider: "second" } },
    { call: "getZoneOutput", name: "child", args: { name: "shared" }, options: { parent: "inner" } },
  );
  const printed = await stack.expect("up");
  expect(zonesOf(first)).toEqual(["shared", "in_the_first"]);
  expect(zonesOf(second).sort()).toEqual(["in_the_second", "inherited", "shared"]);
  expect([portsOf(first), portsOf(second)]).toEqual([[24_000], [24_001]]);
  const { child } = await stack.outputs();
  expect(child).toMatchObject({ created: second.account.zone("shared")?.created });
  for (const secret of [...secretsOf(first), ...secretsOf(second)]) {
    expect(printed).not.toContain(secret);
    expect(await stack.stateText()).not.toContain(secret);
  }
  expect(await stack.expect("refresh")).toMatch(/Resources:\n\s+\d+ unchanged/);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("destroy");
  expect([zonesOf(first), zonesOf(second)]).toEqual([["shared"], ["shared"]]);
  expect([portsOf(first), portsOf(second)]).toEqual([[], []]);
});

it("explicit providers may have settings that only the update knows", async () => {
  const { simulator: first, stack, declare } = await scene();
  const token = first.account.addZone("keeper", plan).password[0] as string;
  const second = await another(token);
  const provider = providerOf(second, "second");
  declare(
    zone("keeper", {}, { adopt: true }),
    {
      ...provider,
      args: { ...("args" in provider && provider.args), apiToken: { $output: ["keeper", "password"] } },
    } as Declaration,
    zone("web", { provider: "second" }),
    {
      call: "getZoneOutput",
      name: "found",
      args: { name: { $output: ["web", "name"] } },
      options: { provider: "second" },
    },
  );
  await stack.expect("preview");
  expect(second.remote.service.requests).toEqual([]);
  await stack.expect("up");
  expect(zonesOf(second)).toEqual(["web"]);
  expect((await stack.outputs()).found).toMatchObject({ name: "web" });
  expect(await stack.stateText()).not.toContain(token);
  await stack.expect("preview", "--expect-no-changes");
});

it("explicit providers take over what another provider had, and nothing is made, changed or deleted", async () => {
  const made = await scene({ manager: { dropin: false } });
  const { simulator, stack, declare } = made;
  simulator.account.addZone("shared", plan);
  simulator.account.addZone("ips", { type: "static", ips: 2 });
  await edit(simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 24_100, zone: "shared" } });
  const things = (options: object = {}): Declaration[] => [
    zone("named", options),
    { kind: "Zone", name: "automatic", args: { plan }, options },
    {
      kind: "ProxyPorts",
      name: "set",
      args: { ports: { one: { port: 24_600 }, two: {} }, defaults: { zone: "shared" } },
      options,
    },
    { kind: "ZoneAccess", name: "access", args: { zone: "shared", allowedIps: ["203.0.113.7"] }, options },
    { kind: "ZoneIps", name: "ips", args: { zone: "ips", count: 2 }, options },
    { kind: "ZonePassword", name: "password", args: { zone: "shared" }, options },
    { kind: "ProxyPort", name: "numbered", args: { port: 24_500, zone: "shared" }, options },
    { kind: "ProxyPort", name: "counted", args: { zone: "shared", country: "us" }, options },
    { kind: "WhitelistIp", name: "allowed", args: { ip: "203.0.113.7" }, options },
    { kind: "BannedIp", name: "banned", args: { ip: "203.0.113.9", port: 24_100 }, options },
    { kind: "ManagerSettings", name: "settings", args: { logs: 500 }, options },
    { kind: "ManagerUser", name: "user", args: { email: "ops@example.com" }, options },
    { kind: "PortSessionRefresh", name: "action", args: { port: 24_100 }, options },
  ];
  // The same services under names.
  stack.setEnvironment({
    BRIGHTDATA_MANAGERS: JSON.stringify({ fra: { url: simulator.manager.url } }),
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: simulator.token } }),
  });
  const connected = (options: object = {}): Declaration[] =>
    things(options).map(
      (thing) => ({ ...thing, args: { ...("args" in thing && thing.args), ...nameFor(thing) } }) as Declaration,
    );
  const [a, b] = [providerOf(simulator, "a"), providerOf(simulator, "b")];
  declare(...things());
  await stack.expect("up");
  changes(simulator);
  const steps: Declaration[][] = [
    [a, ...things({ provider: "a" })],
    // The provider that had them before may go in the same update.
    [b, ...things({ provider: "b" })],
    things(),
    [a, ...connected({ provider: "a" })],
    connected(),
    things(),
  ];
  for (const step of steps) {
    declare(...step);
    expect(await stack.expect("up")).toContain("~ 13 updated");
    expect(changes(simulator)).toEqual([]);
  }
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("destroy");
  expect(zonesOf(simulator)).toEqual(["shared", "ips"]);
});

it("explicit providers refuse what is with another service, and `up --replace` moves it there", async () => {
  const made = await scene();
  const { simulator: first, stack, declare } = made;
  const second = await another();
  declare(zone("web"));
  await stack.expect("up");
  const moved = [providerOf(second, "second"), zone("web", { provider: "second" })];
  declare(...moved);
  const gone = await stack.command("up");
  expect(gone.status).not.toBe(0);
  expect(gone.stdout).toContain(
    'Zone web has moved from the default provider to the provider "second", where there is no such thing.',
  );
  // One of that name, and a plan like it, is not the same zone.
  second.account.addZone("web", plan);
  // A zone that was made more than a second later is another one by that alone.
  expect((await stack.command("up")).stdout).toMatch(/where there is (another one, or it has changed|no such thing)\./);
  second.account.removeZone("web");
  expect([zonesOf(first), zonesOf(second)]).toEqual([["web"], []]);
  await stack.expect("up", "--replace", await urnOf(made, "web"));
  expect([zonesOf(first), zonesOf(second)]).toEqual([[], ["web"]]);
  await stack.expect("preview", "--expect-no-changes");
});

test.each(["nothing", "another zone and a port like it"].filter((_, index) => hasTurn(index, 2)))(
  "explicit providers leave alone what another provider has, also with `--run-program`, where there is %s",
  async (what) => {
    const made = await scene({ manager: { dropin: false } });
    const { simulator: first, stack, declare } = made;
    const second = await another();
    for (const { account } of [first, second]) account.addZone("shared", plan);
    if (what !== "nothing") {
      second.account.addZone("web", plan);
      await edit(second.manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "shared" } });
    }
    const things = (options: object): Declaration[] => [
      providerOf(second, "second"),
      zone("web", options),
      { kind: "ProxyPort", name: "port", args: { port: 24_000, zone: "shared" }, options },
    ];
    declare(...things({}));
    await stack.expect("up");
    const all = () => [first, second].map((simulator) => [zonesOf(simulator), portsOf(simulator)]);
    const present = all();
    declare(...things({ provider: "second" }));
    for (const [command, ...options] of [["refresh", "--run-program"], ["up"], ["destroy", "--run-program"]] as const) {
      const { status, stdout } = await stack.command(command, ...options);
      expect(status).not.toBe(0);
      expect(stdout).toMatch(/(Zone web|ProxyPort 24000) has moved from the default provider/);
      expect(all()).toEqual(present);
    }
    // As the messages say: the engine has the new provider in the state by now.
    declare(...things({}));
    await stack.expect("refresh", "--run-program");
    await stack.expect("up");
    await stack.expect("destroy");
    expect(all()).toEqual([[["shared"], []], present[1]]);
  },
);

it("explicit providers go on with a new token: an update brings it into the state, `--run-program` does without", async () => {
  const made = await scene();
  const { stack, declare } = made;
  const second = await another();
  declare(providerOf(second, "second"), zone("web", { provider: "second" }));
  await stack.expect("up");
  second.account.token = "rotated";
  declare(providerOf(second, "second"), zone("web", { provider: "second" }));
  const { status, stdout } = await stack.command("refresh");
  expect(status).not.toBe(0);
  expect(stdout).toContain('The token came from the provider "second" (`apiToken`).');
  expect(await stack.expect("refresh", "--run-program")).toMatch(/unchanged/);
  expect(await stack.expect("up")).not.toContain("replaced");
  await stack.expect("refresh");
  second.account.token = "rotated-again";
  declare(providerOf(second, "second"), zone("web", { provider: "second" }));
  await stack.expect("destroy", "--run-program");
  expect(zonesOf(second)).toEqual([]);
});

it("what an explicit provider had is kept where the default one has it by another name, and that provider is in use no more", async () => {
  const { simulator, stack, declare } = await scene();
  const { account } = simulator;
  account.addZone("shared", plan);
  const things = (name: string, provider: object, adopt: object): Declaration[] => [
    zone(`${name}_web`, provider, { name: "web", ...adopt }),
    {
      kind: "ZoneAccess",
      name: `${name}_access`,
      args: { zone: "shared", allowedIps: ["203.0.113.7"] },
      options: provider,
    },
  ];
  declare(providerOf(simulator, "second"), ...things("former", { provider: "second" }, {}));
  await stack.expect("up");
  const made = account.zone("web");
  declare(...things("present", {}, { adopt: true }));
  const printed = await stack.expect("up");
  expect(printed).toMatch(/zone web belongs to another resource of this program now, and is kept/);
  expect(account.zone("web")).toBe(made);
  expect(account.zone("shared")?.ips).toEqual(["203.0.113.7"]);
  await stack.expect("preview", "--expect-no-changes");
});

it("what two providers of one account declare is declared twice, and fails the preview", async () => {
  const { simulator, stack, declare } = await scene();
  declare(providerOf(simulator, "second"), zone("web"), {
    ...zone("web", { provider: "second" }),
    as: "other",
    name: "other",
  });
  const { status, stdout } = await stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout).toMatch(/zone web is declared twice, by "(web" and by "other|other" and by "web)"/);
});
