import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VERSION } from "../../src/base/version";
import { type Declaration, edit } from "./harness";
import { changesOf, nativeScene } from "./nativeScene";

const plan = { type: "static", ipsType: "shared", country: "us" };
const FORMER = "0.0.9";

/** The plugin's registered copy, once more as that of another version. */
function registerAs(version: string, home: string): void {
  const copy = (each: string) => join(home, "plugins", `resource-brightdata-v${each}`);
  cpSync(copy(VERSION), copy(version), { recursive: true });
  const manifest = join(copy(version), "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(`"version": "${VERSION}"`, `"version": "${version}"`));
}

const port = (args: object, options: object = {}): Declaration => ({
  kind: "ProxyPort",
  name: "port",
  args: { zone: { $output: ["web", "name"] }, port: 24_000, ...args },
  options: { transforms: [{ throttle: 7 }], ...options },
});

it("the engine's options and those of its commands reach resources of the plugin", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const { manager } = simulator;
  registerAs(FORMER, join(stack.folder, "home"));
  const urnOf = (kind: string, name: string) => `urn:pulumi:demo::declared::brightdata:index:${kind}::${name}`;
  const recordOf = (number: number) => manager.state.records.find((record) => record.port === number);
  const zone = (args: object = {}): Declaration => ({
    kind: "Zone",
    name: "web",
    args: { name: "web", plan, ...args },
    options: { version: FORMER },
  });

  // `transforms`, and two versions of the plugin side by side.
  declare(zone(), port({}));
  await stack.expect("up");
  expect(recordOf(24_000)).toMatchObject({ throttle: 7 });
  const providers = new Map((await stack.resources()).map((each) => [each.type, Reflect.get(each, "provider")]));
  expect(providers.get("brightdata:index:Zone")).toContain("::default_0_0_9::");
  expect(providers.get("brightdata:index:ProxyPort")).toContain(`::default_${VERSION.replaceAll(".", "_")}::`);
  await stack.expect("preview", "--expect-no-changes");

  // What is looked up is there whole, also what a resource of the program manages.
  declare(zone(), port({}), { kind: "ProxyPort", name: "seen", get: "24000" });
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({ seen: { port: 24_000, zone: "web", throttle: 7 } });
  await stack.expect("refresh", "--expect-no-changes");
  await stack.expect("preview", "--expect-no-changes");
  declare(zone(), port({}));
  await stack.expect("up");

  // `refresh --preview-only` tells of what differs, and records nothing.
  await edit(manager.url, "PUT", "/api/proxies/24000", { proxy: { throttle: 9 } });
  const before = await stack.stateText();
  const told = await stack.expect("refresh", "--preview-only", "--diff");
  expect(told).toMatch(/throttle *: 7 => 9/);
  expect(await stack.stateText()).toBe(before);

  // `--target` leaves the others alone, and `--target-replace` makes one anew.
  await stack.expect("refresh");
  declare(zone({ disabled: true }), port({}));
  expect(await stack.expect("up", "--target", urnOf("ProxyPort", "port"))).toMatch(/~ 1 updated/);
  expect(recordOf(24_000)).toMatchObject({ throttle: 7 });
  expect(simulator.account.zone("web")?.status).toBe("active");
  const sent = changesOf(simulator).length;
  expect(await stack.expect("up", "--target-replace", urnOf("ProxyPort", "port"))).toMatch(/\+-1 replaced/);
  expect(changesOf(simulator).slice(sent)).toEqual(["POST /api/proxies/delete", "POST /api/proxies"]);
  expect(simulator.account.zone("web")?.status).toBe("active");
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("what is renamed and moved as its form changes is found again by every kind of alias", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const inside = (parent: string, options: object = {}): Declaration[] => [
    { kind: "Zone", name: "web", args: { plan }, options: { parent, ...options } },
    port({}, { parent, ...options }),
  ];
  const user: Declaration = { kind: "ManagerUser", name: "user", args: { email: "ops@example.com" } };
  stack.setEnvironment({ FORM: undefined });
  declare(
    { component: "team" },
    { kind: "Zone", name: "shop", args: { plan } },
    { ...user, options: { parent: "team" } },
    ...inside("team"),
  );
  await stack.expect("up");
  const made = changesOf(simulator);

  // Another name of a component with what is in it, another name, and another parent.
  stack.setEnvironment({ FORM: "native" });
  const team = "urn:pulumi:demo::declared::test:Component::team";
  declare(
    { component: "crew", options: { aliases: [{ name: "team" }] } },
    { kind: "Zone", name: "store", args: { plan }, options: { aliases: [{ name: "shop" }] } },
    { ...user, options: { aliases: [{ parent: team }] } },
    ...inside("crew"),
  );
  expect(await stack.expect("up")).toMatch(/Resources:\n +\d+ unchanged\n/);

  // Another project and another stack: of these, what is in a component inherits no alias.
  const file = join(stack.folder, "backend/.pulumi/stacks/declared/demo.json");
  const moved = readFileSync(file, "utf8")
    .replaceAll("urn:pulumi:demo::declared::", "urn:pulumi:old::former::")
    .replaceAll("Stack::declared-demo", "Stack::former-old");
  writeFileSync(file, moved);
  const options = { aliases: [{ project: "former", stack: "old" }] };
  declare(
    { component: "crew", options },
    { kind: "Zone", name: "store", args: { plan }, options },
    { ...user, options },
    ...inside("crew", options),
  );
  expect(await stack.expect("up")).toMatch(/\+ 1 created/);
  await stack.expect("preview", "--expect-no-changes");
  expect(changesOf(simulator)).toEqual(made);
});

it.each(["native", undefined])(
  "changes that `ignoreChanges` names are left alone in every update, all and one: %s",
  async (form) => {
    const { stack, simulator, declare } = await nativeScene();
    stack.setEnvironment({ FORM: form });
    const program = (country: string, throttle: number, ports = 1) =>
      declare(
        {
          kind: "Zone",
          name: "shop",
          args: { name: "shop", plan: { ...plan, country } },
          options: { ignoreChanges: ["*"] },
        },
        {
          kind: "Zone",
          name: "own",
          args: { plan: { ...plan, country } },
          options: { ignoreChanges: ["plan.country"] },
        },
        ...Array.from(
          { length: ports },
          (_, index): Declaration => ({
            ...{ kind: "ProxyPort", name: `port${index}` },
            args: { zone: { $output: ["shop", "name"] }, port: 24_000 + index, throttle },
            options: { ignoreChanges: ["*"] },
          }),
        ),
      );
    program("us", 7);
    await stack.expect("up");
    const made = changesOf(simulator);
    program("de", 9);
    expect(await stack.expect("up")).toMatch(/Resources:\n +\d+ unchanged\n/);
    await stack.expect("refresh", "--expect-no-changes");
    expect(changesOf(simulator)).toEqual(made);
    program("de", 9, 2);
    expect(await stack.expect("up")).toMatch(/\+ 1 created/);
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  },
);

it("new zones are called as `pulumi:autonaming` says, in the characters that the service takes, unless that is enforced", async () => {
  const { stack, simulator, declare } = await nativeScene();
  await stack.setConfig("pulumi:autonaming.pattern", `\${name}-\${hex(4)}`);
  declare({ kind: "Zone", name: "my-Shop", args: { plan } });
  await stack.expect("up");
  const [zone] = simulator.account.liveZones();
  expect(zone?.name).toMatch(/^my_shop_[0-9a-f]{4}$/);
  await stack.expect("preview", "--expect-no-changes");
  await stack.setConfig("pulumi:autonaming.enforce", "true");
  await stack.expect("preview", "--expect-no-changes");
  declare({ kind: "Zone", name: "my-Shop", args: { plan } }, { kind: "Zone", name: "other", args: { plan } });
  const { status, stdout } = await stack.command("preview");
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/`name` is "other-[0-9a-f]{4}", as the stack's configuration enforces it/),
  ]);
});

it("what the plugin has taken over is deleted by a `destroy` that runs the program, too", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const { account, manager } = simulator;
  account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  declare(
    { kind: "Zone", name: "web", args: { name: "web", plan, adopt: true } },
    { component: "team" },
    port({ adopt: true }, { parent: "team" }),
    { kind: "ZoneAccess", name: "office", args: { zone: "shop", allowedIps: ["203.0.113.7"], adopt: true } },
  );
  account.addZone("shop", { type: "static", ips_type: "shared", country: "us" });
  await stack.expect("up");
  expect(await stack.expect("destroy", "--run-program")).not.toContain("is kept");
  expect(account.liveZones().map(({ name, ips }) => [name, ips])).toEqual([["shop", ["any"]]]);
  expect(manager.state.records.some((record) => record.port === 24_000)).toBe(false);
});
