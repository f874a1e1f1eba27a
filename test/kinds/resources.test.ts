import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { describe, expect, test, vi } from "vitest";
import {
  ArgumentError,
  BannedIp,
  DatasetCollection,
  ManagerApiKey,
  ManagerRestart,
  ManagerSettings,
  ManagerUpgrade,
  ManagerUser,
  PortIpRefresh,
  PortIpUnban,
  PortSessionRefresh,
  PortSslEnable,
  ProxyPort,
  ProxyPorts,
  SnapshotDelivery,
  WhitelistIp,
  Zone,
  ZoneAccess,
  ZoneIpRefresh,
  ZoneIps,
  ZonePassword,
} from "../../src";
import type { Kind } from "../../src/declaration/kind";
import { placeIn, spotIn } from "../../src/run/placeText";
import { inputsSent, registration, registrations, runs, settled } from "./classes";

const KINDS = [
  {
    kind: "Zone",
    type: Zone,
    make: () => new Zone("it", { plan: { type: "static" } }),
    get: () => Zone.get("it", "web"),
  },
  {
    kind: "ProxyPort",
    type: ProxyPort,
    make: () => new ProxyPort("it", { zone: "web" }),
    get: () => ProxyPort.get("it", "24000"),
  },
  {
    kind: "ProxyPorts",
    type: ProxyPorts,
    make: () => new ProxyPorts("it", { defaults: { zone: "web" }, ports: { us: {} } }),
    get: () => ProxyPorts.get("it", "24000"),
  },
  {
    kind: "WhitelistIp",
    type: WhitelistIp,
    make: () => new WhitelistIp("it", { ip: "203.0.113.7" }),
    get: () => WhitelistIp.get("it", "ui/203.0.113.7"),
  },
  {
    kind: "ZoneAccess",
    type: ZoneAccess,
    make: () => new ZoneAccess("it", { zone: "web", allowedIps: ["any"] }),
    get: () => ZoneAccess.get("it", "web"),
  },
  {
    kind: "ZoneIps",
    type: ZoneIps,
    make: () => new ZoneIps("it", { zone: "web", count: 1 }),
    get: () => ZoneIps.get("it", "web/ips"),
  },
  {
    kind: "BannedIp",
    type: BannedIp,
    make: () => new BannedIp("it", { ip: "203.0.113.7" }),
    get: () => BannedIp.get("it", "203.0.113.7"),
  },
  {
    kind: "ManagerApiKey",
    type: ManagerApiKey,
    make: () => new ManagerApiKey("it"),
    get: () => ManagerApiKey.get("it", "apiKey"),
  },
  {
    kind: "ManagerSettings",
    type: ManagerSettings,
    make: () => new ManagerSettings("it", { logs: 5 }),
    get: () => ManagerSettings.get("it", "settings"),
  },
  {
    kind: "ManagerUser",
    type: ManagerUser,
    make: () => new ManagerUser("it", { email: "ops@example.com" }),
    get: () => ManagerUser.get("it", "ops@example.com"),
  },
] as const;

/** Kinds that do something rather than be something: there is nothing to look up. */
const ACTIONS = [
  {
    kind: "DatasetCollection",
    type: DatasetCollection,
    make: (options?: pulumi.CustomResourceOptions) =>
      new DatasetCollection("it", { datasetId: "gd_1", inputs: [{ url: "https://example.com" }] }, options),
    secrets: ["authHeader"],
  },
  {
    kind: "SnapshotDelivery",
    type: SnapshotDelivery,
    make: (options?: pulumi.CustomResourceOptions) =>
      new SnapshotDelivery(
        "it",
        {
          snapshotId: "s_1",
          target: { type: "email", address: "x@example.com" },
          filename: { template: "x", extension: "csv" },
        },
        options,
      ),
    secrets: ["target"],
  },
  {
    kind: "ZoneIpRefresh",
    type: ZoneIpRefresh,
    make: (options?: pulumi.CustomResourceOptions) => new ZoneIpRefresh("it", { zone: "web", all: true }, options),
    secrets: [],
  },
  {
    kind: "ZonePassword",
    type: ZonePassword,
    make: (options?: pulumi.CustomResourceOptions) => new ZonePassword("it", { zone: "web" }, options),
    secrets: ["password"],
  },
  {
    kind: "ManagerRestart",
    type: ManagerRestart,
    make: (options?: pulumi.CustomResourceOptions) => new ManagerRestart("it", {}, options),
    secrets: [],
  },
  {
    kind: "ManagerUpgrade",
    type: ManagerUpgrade,
    make: (options?: pulumi.CustomResourceOptions) => new ManagerUpgrade("it", {}, options),
    secrets: [],
  },
  {
    kind: "PortIpRefresh",
    type: PortIpRefresh,
    make: (options?: pulumi.CustomResourceOptions) =>
      new PortIpRefresh("it", { port: 24_000, ip: "203.0.113.7" }, options),
    secrets: [],
  },
  {
    kind: "PortIpUnban",
    type: PortIpUnban,
    make: (options?: pulumi.CustomResourceOptions) => new PortIpUnban("it", { port: 24_000 }, options),
    secrets: [],
  },
  {
    kind: "PortSessionRefresh",
    type: PortSessionRefresh,
    make: (options?: pulumi.CustomResourceOptions) => new PortSessionRefresh("it", { port: 24_000 }, options),
    secrets: [],
  },
  {
    kind: "PortSslEnable",
    type: PortSslEnable,
    make: (options?: pulumi.CustomResourceOptions) => new PortSslEnable("it", {}, options),
    secrets: [],
  },
] as const;

describe.each(ACTIONS)("$kind", ({ kind, type, make, secrets }) => {
  test("is a dynamic resource whose provider's text is short, and the same for ever", async () => {
    const { type: sent, inputs, id } = await registration(make());
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toBeUndefined();
    expect(inputs.__provider).toBe(`this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`);
    expect(inputs.__key).toMatch(/^[\w-]{8}\.[\w-]{8}$/);
  });

  test("is told from other kinds, and has no look-up", async () => {
    const resource = make();
    await registration(resource);
    expect(type.isInstance(resource)).toBe(true);
    expect(type.isInstance({ __pulumiType: `pulumi-nodejs:dynamic/brightdata:${kind}` })).toBe(true);
    for (const { type: other } of [...KINDS, ...ACTIONS.filter((action) => action.kind !== kind)]) {
      expect(other.isInstance(resource)).toBe(false);
    }
    expect(type).not.toHaveProperty("get");
  });

  test("keeps its own secret outputs secret beside those that the program names", async () => {
    const resource = make({ additionalSecretOutputs: ["mine"] });
    expect(new Set((await registration(resource)).secretOutputs)).toEqual(new Set(["mine", ...secrets]));
  });
});

describe.each([...KINDS, ...ACTIONS])("$kind", ({ type, make }) => {
  test("is registered for the line of the program that makes it", async () => {
    const register = vi.spyOn(MockMonitor.prototype, "registerResource");
    await registration(make());
    const [request] = register.mock.calls.map(([sent]) => sent);
    expect(request.getSourceposition()?.getUri()).toContain("resources.test.ts");
  });

  test("hands on what is no argument of it, and outputs that are given as arguments, for the check to refuse", async () => {
    const Untyped: new (name: string, args: object) => pulumi.CustomResource = type as never;
    const made = new Untyped("it", { internal_name: "x", until: "now" });
    expect(inputsSent(await registration(made))).toMatchObject({ internal_name: "x", until: "now" });
  });
});

describe.each(KINDS)("$kind", ({ kind, type, make, get }) => {
  test("is a dynamic resource whose provider's text is short, and the same for ever", async () => {
    const { type: sent, inputs, id } = await registration(make());
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toBeUndefined();
    // It stands in people's state files: another text is an update of everything they have.
    expect(inputs.__provider).toBe(`this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`);
    expect(inputs.__key).toMatch(/^[\w-]{8}\.[\w-]{8}$/);
    expect(String(inputs.__provider).length).toBeLessThanOrEqual(100);
  });

  test("is looked up by an id, with nothing declared", async () => {
    const resource = get();
    const { id, inputs, type: sent } = await registration(resource);
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toMatch(/^(web|24000|ui\/203\.0\.113\.7|web\/ips|203\.0\.113\.7|apiKey|settings|ops@example\.com)$/);
    expect(Object.keys(inputs)).toEqual(["__provider"]);
    expect((await settled(resource.id)).value).toBe(id);
  });

  test("is told from other things, and from other kinds", async () => {
    const resource = make();
    await registration(resource);
    expect(type.isInstance(resource)).toBe(true);
    for (const { kind: other, type: another } of KINDS) expect(another.isInstance(resource)).toBe(other === kind);
    // Another copy of this package has other classes.
    expect(type.isInstance({ __pulumiType: `pulumi-nodejs:dynamic/brightdata:${kind}` })).toBe(true);
    for (const thing of [undefined, null, {}, "x", type]) expect(type.isInstance(thing)).toBe(false);
    expect(pulumi.CustomResource.isInstance(resource)).toBe(true);
  });

  test("keeps its own secret outputs secret beside those that the program names", async () => {
    const own = {
      Zone: ["password", "passwords"],
      ProxyPort: ["password"],
      // Those of its ports stand apart from the outputs.
      ProxyPorts: ["secrets"],
      WhitelistIp: ["apiKey"],
      ZoneAccess: [],
      ZoneIps: [],
      BannedIp: [],
      ManagerApiKey: ["apiKey"],
      ManagerSettings: ["logsSettings", "bwLimitWebhookUrl", "bwThWebhookUrl", "previous"],
      ManagerUser: ["password"],
    };
    const options = { additionalSecretOutputs: ["mine"] };
    const resource = {
      Zone: () => new Zone("it", { plan: { type: "static" } }, options),
      ProxyPort: () => new ProxyPort("it", { zone: "web", password: "hush" }, options),
      ProxyPorts: () => new ProxyPorts("it", { ports: {} }, options),
      WhitelistIp: () => new WhitelistIp("it", { ip: "203.0.113.7" }, options),
      ZoneAccess: () => new ZoneAccess("it", { zone: "web", allowedIps: ["any"] }, options),
      ZoneIps: () => new ZoneIps("it", { zone: "web", count: 1 }, options),
      BannedIp: () => new BannedIp("it", { ip: "203.0.113.7" }, options),
      ManagerApiKey: () => new ManagerApiKey("it", {}, options),
      ManagerSettings: () => new ManagerSettings("it", {}, options),
      ManagerUser: () => new ManagerUser("it", { email: "ops@example.com" }, options),
    }[kind]();
    expect(new Set((await registration(resource)).secretOutputs)).toEqual(new Set(["mine", ...own[kind]]));
    // The program's own object is left as it was.
    expect(options).toEqual({ additionalSecretOutputs: ["mine"] });
  });
});

test.each([...KINDS, ...ACTIONS])(
  "$kind without arguments, as JavaScript lets it be made, says which ones are missing",
  async ({ kind, type }) => {
    const folder = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
    const declaration: Record<string, Kind> = await import(`../../src/kinds/${folder}/declaration.ts`);
    const required = Object.entries((declaration[folder] as Kind).inputs).filter(([, input]) => input.required);
    const Type = type as unknown as new (name: string, args?: unknown) => unknown;
    if (required.length > 0) {
      const named = required.map(([name]) => `\`${name}\``).join(" and ");
      expect(() => new Type("it")).toThrow(
        `The arguments of ${kind} "it" are missing: expected an object with ${named}. Nothing was sent.`,
      );
    }
    expect(() => new Type("it", null)).toThrow(`The arguments of ${kind} "it" are not an object: expected an object`);
    expect(() => new Type("it", "web")).toThrow(ArgumentError);
  },
);

describe("a resource's place in its program", () => {
  const zone = { plan: { type: "static" } } as const;
  const group = () => new pulumi.ComponentResource("test:Group", "group");

  async function keyOf(make: () => pulumi.CustomResource): Promise<unknown> {
    registrations.length = 0;
    await settled(make().id);
    return registrations.find(({ type }) => type !== "test:Group")?.inputs.__key;
  }

  test("is the same in every run, and another for every name, kind, parent, stack, project and organization", async () => {
    const web = () => new Zone("web", zone);
    const first = await keyOf(web);
    expect(await keyOf(web)).toBe(first);
    expect(await keyOf(() => new Zone("web", { name: "other", plan: { type: "resident" } }, { protect: true }))).toBe(
      first,
    );
    const inGroup = () => new Zone("web", zone, { parent: group() });
    const keys = [
      first,
      await keyOf(() => new Zone("api", zone)),
      await keyOf(() => new ProxyPort("web", { zone: "web" })),
      await keyOf(inGroup),
    ];
    expect(await keyOf(inGroup)).toBe(keys[3]);
    for (const elsewhere of [{ project: "other" }, { stack: "prod" }, { organization: "other" }]) {
      await runs(elsewhere);
      keys.push(await keyOf(web));
    }
    expect(new Set(keys.map((key) => placeIn(String(key)))).size).toBe(keys.length);
  });

  test("tells what stands for it in a stack of any name, project and organization", async () => {
    const inGroup = () => new Zone("web", zone, { parent: group() });
    const spotsOf = async () => [
      spotIn(String(await keyOf(() => new Zone("web", zone)))),
      spotIn(String(await keyOf(inGroup))),
    ];
    const first = await spotsOf();
    for (const elsewhere of [{ project: "other" }, { stack: "prod" }, { organization: "other" }]) {
      await runs(elsewhere);
      expect(await spotsOf()).toEqual(first);
    }
    expect(first[0]).not.toBe(first[1]);
  });

  test("is there in a program's tests, which say nothing of an organization", async () => {
    await runs({ organization: "" });
    expect(await keyOf(() => new Zone("web", zone))).toMatch(/^[\w-]{8}\.[\w-]{8}$/);
  });

  test("makes no dependency on the parent", async () => {
    const register = vi.spyOn(MockMonitor.prototype, "registerResource");
    await settled(new Zone("child", zone, { parent: new Zone("parent", zone) }).id);
    const request = register.mock.calls.map(([sent]) => sent).find((sent) => sent.getName() === "child");
    expect(request.getParent()).toMatch(/::parent$/);
    expect(request.getDependenciesList()).toEqual([]);
    expect(request.getPropertydependenciesMap().get("__key")?.getUrnsList() ?? []).toEqual([]);
  });
});

describe("how the engine replaces a resource", () => {
  const plan = { type: "static" } as const;
  type Make = (options?: pulumi.CustomResourceOptions) => pulumi.CustomResource;

  test.each<[string, Make]>([
    ["a Zone with a name", (options) => new Zone("it", { name: "web", plan }, options)],
    ["a ProxyPort with a number", (options) => new ProxyPort("it", { zone: "web", port: 24_000 }, options)],
    ["a WhitelistIp", (options) => new WhitelistIp("it", { ip: "203.0.113.7" }, options)],
    ["a BannedIp", (options) => new BannedIp("it", { ip: "203.0.113.7" }, options)],
    ["ManagerSettings", (options) => new ManagerSettings("it", {}, options)],
  ])("the old one goes first, unless the program says otherwise: %s", async (_, make) => {
    expect((await registration(make())).deleteBeforeReplace).toBe(true);
    registrations.length = 0;
    expect((await registration(make({ protect: true }))).deleteBeforeReplace).toBe(true);
    registrations.length = 0;
    expect((await registration(make({ deleteBeforeReplace: undefined } as object))).deleteBeforeReplace).toBe(true);
    registrations.length = 0;
    expect((await registration(make({ deleteBeforeReplace: false }))).deleteBeforeReplace).toBe(false);
  });

  test.each<[string, Make]>([
    ["a Zone with an automatic name", (options) => new Zone("it", { plan }, options)],
    [
      "a ProxyPort with an automatic number",
      (options) => new ProxyPort("it", { zone: "web", password: "hush" }, options),
    ],
    // There has to be one that everybody knows.
    ["a ZonePassword that is given", (options) => new ZonePassword("it", { zone: "web", password: "hush" }, options)],
    // In between, the zone would be open to everybody.
    ["a ZoneAccess", (options) => new ZoneAccess("it", { zone: "web", allowedIps: ["any"] }, options)],
  ])("the new one comes first, unless the program says otherwise: %s", async (_, make) => {
    expect((await registration(make())).deleteBeforeReplace).toBe(false);
    registrations.length = 0;
    expect((await registration(make({ deleteBeforeReplace: true }))).deleteBeforeReplace).toBe(true);
  });

  test("is told which changes the program wants one for", async () => {
    const options = { replaceOnChanges: ["plan.country", "*"] };
    expect(inputsSent(await registration(new Zone("it", { name: "web", plan }, options)))).toEqual({
      name: "web",
      plan,
      __replaceOnChanges: ["plan.country", "*"],
    });
    registrations.length = 0;
    expect(
      inputsSent(await registration(new Zone("it", { name: "web", plan }, { replaceOnChanges: [] }))),
    ).not.toHaveProperty("__replaceOnChanges");
  });
});

describe("the option `deletedWith`", () => {
  const plan = { type: "static" } as const;

  /** What the program asks the engine for beside a zone with which it is deleted. */
  async function asked(make: (options: pulumi.CustomResourceOptions) => pulumi.CustomResource) {
    const register = vi.spyOn(MockMonitor.prototype, "registerResource");
    const zone = new Zone("zone", { name: "web", plan });
    const more = new Zone("more", { name: "more", plan });
    await settled(make({ deletedWith: zone, dependsOn: more }).id);
    const request = register.mock.calls.map(([sent]) => sent).find((sent) => sent.getName() === "it");
    const urnOf = async (resource: pulumi.Resource) => (await settled(resource.urn)).value;
    const [inZone, inMore] = [await urnOf(zone), await urnOf(more)];
    const dependencies = request.getDependenciesList().map((urn: string) => (urn === inZone ? "zone" : urn));
    return {
      deletedWith: request.getDeletedwith() === inZone ? "zone" : request.getDeletedwith(),
      dependencies: dependencies.map((urn: string) => (urn === inMore ? "more" : urn)).sort(),
      inputs: registrations.find(({ name }) => name === "it")?.inputs ?? {},
    };
  }

  test("makes IPs depend on the zone, and be given back before it goes: no state has them then", async () => {
    const { inputs, ...options } = await asked((given) => new ZoneIps("it", { zone: "web", count: 1 }, given));
    expect(options).toEqual({ deletedWith: "", dependencies: ["more", "zone"] });
    expect(inputs).not.toHaveProperty("__deletedWith");
  });

  test("may name the component that the IPs are part of", async () => {
    const component = new pulumi.ComponentResource("test:Component", "component");
    const options = { parent: component, deletedWith: component };
    await settled(new ZoneIps("it", { zone: "web", count: 1 }, options).id);
    expect(registrations.map(({ name }) => name)).toContain("it");
  });

  test("makes the same of a password, which is told: it may be the only one of the zone", async () => {
    const { inputs, ...options } = await asked((given) => new ZonePassword("it", { zone: "web" }, given));
    expect(options).toEqual({ deletedWith: "", dependencies: ["more", "zone"] });
    expect(inputs).toMatchObject({ __deletedWith: true });
  });

  test("is the engine's affair for what costs nothing", async () => {
    const { inputs, ...options } = await asked((given) => new ZoneAccess("it", { zone: "web", allowedIps: [] }, given));
    expect(options).toEqual({ deletedWith: "zone", dependencies: ["more"] });
    expect(inputs).not.toHaveProperty("__deletedWith");
  });
});

test("a zone is told of the option `retainOnDelete`: its preview says what is kept", async () => {
  const make = (options: pulumi.CustomResourceOptions) => new Zone("it", { plan: { type: "static" } }, options);
  expect(inputsSent(await registration(make({ retainOnDelete: true })))).toMatchObject({ __retainOnDelete: true });
  registrations.length = 0;
  expect(inputsSent(await registration(make({ retainOnDelete: false })))).not.toHaveProperty("__retainOnDelete");
});
