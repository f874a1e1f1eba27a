import { expect, it } from "vitest";
import { type Declaration, type Scene, scene } from "./harness";
import { FORMS, putIn } from "./nativeScene";

const zone = (name: string, args: object = {}): Exclude<Declaration, { stack: string }> => ({
  kind: "Zone",
  name,
  args: { name: "web", plan: { type: "static", ips: 2 }, ...args },
});

const access = (name: string, of: string): Declaration => ({
  kind: "ZoneAccess",
  name,
  args: { zone: { $output: [of, "name"] }, allowedIps: ["203.0.113.7"] },
});

const deletions = ({ simulator }: Scene) =>
  simulator.remote.service.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);

it.each(FORMS)(
  "a zone that is renamed without `aliases` is kept, with what stands on it, by `--continue-on-error` (%s)",
  async (form) => {
    const made = await scene();
    const { stack, declare } = made;
    await putIn(form, stack);
    declare(zone("web"), access("access", "web"));
    await stack.expect("up");
    declare(zone("site"), access("door", "site"));
    const { status, stdout } = await stack.command("up", "--continue-on-error");
    expect(status).toBe(1);
    expect(stdout).toMatch(/Nothing was done to ZoneAccess web: this program declares .*zone web by another name/);
    expect(deletions(made)).toEqual([]);
    declare(
      { ...zone("site"), options: { aliases: [{ name: "web" }] } },
      { ...access("door", "site"), options: { aliases: [{ name: "access" }] } },
    );
    await stack.expect("up");
    await stack.expect("preview", "--expect-no-changes");
    // The state says yet that it stands where it is declared anew.
    declare(zone("web"), access("access", "web"));
    expect((await stack.command("up", "--continue-on-error")).status).toBe(1);
    expect(deletions(made)).toEqual([]);
  },
);

const port = (name: string, number: number): Declaration => ({
  kind: "ProxyPort",
  name,
  args: { port: number, zone: { $output: ["web", "name"] } },
});

it("what is renamed without `aliases` is kept where its new resource is skipped, by `--continue-on-error`", async () => {
  const made = await scene();
  const { stack, declare, simulator } = made;
  stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  const dropped = [zone("api", { name: "api" }), access("clients", "api")];
  declare(zone("web"), access("access", "web"), port("search", 24_001), port("shop", 24_002), ...dropped);
  await stack.expect("up");
  simulator.remote.service.faults.add({ method: "POST", path: "/zone/change_disable", kind: "respond", status: 400 });
  const ports: Declaration = {
    kind: "ProxyPorts",
    name: "all",
    args: { defaults: { zone: { $output: ["web", "name"] } }, ports: { a: { port: 24_002 } } },
  };
  declare(zone("web", { disabled: true }), access("door", "web"), port("finder", 24_001), ports);
  const { status, stdout } = await stack.command("up", "--continue-on-error");
  expect(status).toBe(1);
  for (const kept of ["ZoneAccess web", "ProxyPort 24001", "ProxyPort 24002"])
    expect(stdout).toContain(`Nothing was done to ${kept}: this program declares`);
  const records = simulator.manager.state.records.map((record) => record.port);
  expect(records).toEqual(expect.arrayContaining([24_001, 24_002]));
  // What the program has dropped has nothing to do with that.
  expect(deletions(made)).toEqual(["/zone/whitelist", "/zone"]);
});

it.each([...FORMS, "foreign"] as const)(
  "a zone that is renamed is kept where what has failed is of another package (%s)",
  async (form) => {
    const made = await scene();
    const { stack, declare } = made;
    await putIn(form, stack);
    declare(zone("web"), zone("api", { name: "api" }), port("search", 24_001));
    await stack.expect("up");
    const skipped: Declaration = { ...zone("site"), as: "web", options: { dependsOn: ["other"] } };
    declare({ stack: "organization/none/none", name: "other" }, skipped, port("search", 24_001));
    const { status, stdout } = await stack.command("up", "--continue-on-error");
    expect([status, stdout]).toEqual([1, expect.stringContaining("Nothing was done to Zone web")]);
    // What the program has dropped is deleted, and nothing else.
    expect(deletions(made)).toEqual(["/zone"]);
    await stack.expect("destroy");
    expect(deletions(made)).toEqual(["/zone", "/zone"]);
  },
);

it("a zone that is renamed and moved to a provider is kept where that provider's token is refused", async () => {
  const made = await scene();
  const { stack, declare } = made;
  declare(zone("web"), zone("api", { name: "api" }));
  await stack.expect("up");
  const second: Declaration = { kind: "Provider", name: "second", args: { apiToken: "refused" } };
  declare(second, { ...zone("site"), options: { provider: "second" } });
  const { status, stdout } = await stack.command("up", "--continue-on-error");
  expect([status, stdout]).toEqual([1, expect.stringContaining("Nothing was done to Zone web")]);
  // What the program has dropped is deleted, and nothing else.
  expect(deletions(made)).toEqual(["/zone"]);
});

it.each(FORMS)(
  "what a new resource would take over is in the state until the stack is destroyed (%s)",
  async (form) => {
    const made = await scene();
    const { simulator, stack, declare } = made;
    await putIn(form, stack);
    declare(zone("web"), port("search", 24_001));
    await stack.expect("up");
    declare({ ...zone("site", { adopt: true }), as: "web" }, port("search", 24_001));
    const { status, stdout } = await stack.command("destroy", "--run-program");
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/Nothing was done to Zone web: .* leave out `--run-program`\./),
    ]);
    expect([deletions(made), (await stack.resources()).map(({ id }) => id)]).toEqual([[], ["web"]]);
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  },
);
