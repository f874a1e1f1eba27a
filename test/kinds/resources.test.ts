import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { beforeEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  ArgumentError,
  BannedIp,
  DatasetCollection,
  type DeliveryTargetArgs,
  ManagerApiKey,
  ManagerRestart,
  ManagerSettings,
  type ManagerSettingsArgs,
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
import type { JsonObject } from "../../src/base/json";
import type { Kind } from "../../src/declaration/kind";
import { secretsAmong } from "../../src/declaration/paths";
import { proxyPort } from "../../src/kinds/proxyPort/declaration";
import { PORT_FIELDS } from "../../src/manager/portFields";
import type { Storage } from "../../src/remote/storage";

/** What a program asked the engine for. */
interface Registration {
  type: string;
  name: string;
  id: string | undefined;
  /** As they are sent, secrets in their envelopes. */
  inputs: JsonObject;
  secretOutputs: string[];
  /** Absent for a look-up, which replaces nothing. */
  deleteBeforeReplace: boolean | undefined;
}

let registrations: Registration[];
/** What the provider answers beside the inputs. */
let outputs: JsonObject;
let mocks: pulumi.runtime.Mocks;

beforeEach(async () => {
  registrations = [];
  outputs = {};
  const options: Pick<Registration, "secretOutputs" | "deleteBeforeReplace">[] = [];
  for (const method of ["registerResource", "readResource"] as const) {
    const original = MockMonitor.prototype[method];
    vi.spyOn(MockMonitor.prototype, method).mockImplementation(function (this: MockMonitor, request, callback) {
      if (request.getType().startsWith("pulumi-nodejs:dynamic/")) {
        options.push({
          secretOutputs: request.getAdditionalsecretoutputsList(),
          deleteBeforeReplace: request.getDeletebeforereplace?.(),
        });
      }
      return original.call(this, request, callback);
    });
  }
  mocks = {
    call: () => ({}),
    newResource: ({ type, name, id, inputs }) => {
      const sent = options.shift() ?? { secretOutputs: [], deleteBeforeReplace: undefined };
      registrations.push({ type, name, id: id || undefined, inputs, ...sent });
      return { id: id || `${name}-id`, state: { ...inputs, ...outputs } };
    },
  };
  await runs();
  return () => vi.restoreAllMocks();
});

/** Where the program runs; a test of a program that says nothing of it runs in no organization. */
async function runs({ project = "shop", stack = "dev", organization = "acme" } = {}): Promise<void> {
  await pulumi.runtime.setMocks(mocks, project, stack, false, organization);
}

/** The value of an output once it is known, and whether it is a secret. */
async function settled<T>(output: pulumi.Output<T>): Promise<{ value: T; secret: boolean }> {
  const secret = await pulumi.isSecret(output);
  return new Promise((resolve) => {
    pulumi.unsecret(output).apply((value) => resolve({ value: value as T, secret }));
  });
}

/** The one registration there was, once it is there. */
async function registration(resource: pulumi.CustomResource): Promise<Registration> {
  await settled(resource.id);
  expect(registrations).toHaveLength(1);
  return registrations[0] as Registration;
}

const inputsSent = ({ inputs }: Registration): JsonObject => {
  const { __provider, __key, __called, ...rest } = inputs;
  return rest;
};

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
    expect(inputs.__key).toMatch(/^[\w-]{8}$/);
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

describe("a DatasetCollection", () => {
  test("registers what was declared, its Authorization as a secret, and has the service's outputs", async () => {
    outputs = { snapshotId: "s_1", status: "ready", records: 3 };
    const args = {
      datasetId: "gd_1",
      inputs: [{ keyword: "shoes" }],
      inputForm: "object",
      discoverBy: "keyword",
      includeErrors: true,
      customOutputFields: ["url"],
      limitPerInput: 1,
      limitMultipleResults: 2,
      notify: true,
      endpoint: "https://example.com/hook",
      format: "csv",
      uncompressedWebhook: true,
      wait: false,
      pollInterval: 5,
      triggers: ["x"],
      timeouts: { create: 5 },
    } as const;
    const collection = new DatasetCollection("it", {
      ...args,
      inputs: [...args.inputs],
      customOutputFields: [...args.customOutputFields],
      triggers: [...args.triggers],
      authHeader: "hush",
    });
    const { authHeader, ...sent } = inputsSent(await registration(collection));
    expect(sent).toEqual(args);
    expect(isRpcSecret(authHeader)).toBe(true);
    expect(unwrapRpcSecret(authHeader)).toBe("hush");
    expect((await settled(collection.snapshotId)).value).toBe("s_1");
    expect((await settled(collection.status)).value).toBe("ready");
    expect((await settled(collection.records)).value).toBe(3);
    expect((await settled(collection.errorMessage)).value).toBeUndefined();
  });
});

describe("a SnapshotDelivery", () => {
  test("registers what was declared, all of its target as a secret, and has the service's outputs", async () => {
    outputs = { deliveryId: "dl_1", status: "done", files: [{ filename: "pages.csv" }] };
    const target = {
      type: "s3",
      bucket: "b",
      credentials: { awsAccessKey: "hush", awsSecretKey: pulumi.secret("hush") },
    } as const;
    const filename = { template: "pages", extension: "csv" } as const;
    const rest = { compress: true, batchSize: 1000, notify: "https://example.com", wait: true, pollInterval: 2 };
    const args = { snapshotId: "s_1", filename, ...rest, timeouts: { create: 5 } };
    const delivery = new SnapshotDelivery("it", { ...args, target, triggers: [1] });
    const { target: sealed, ...sent } = inputsSent(await registration(delivery));
    expect(sent).toEqual({ ...args, triggers: [1] });
    expect(isRpcSecret(sealed)).toBe(true);
    expect(unwrapRpcSecret(sealed)).toMatchObject({ type: "s3", bucket: "b", credentials: { awsAccessKey: "hush" } });
    expect((await settled(delivery.target)).secret).toBe(true);
    expect((await settled(delivery.deliveryId)).value).toBe("dl_1");
    expect((await settled(delivery.status)).value).toBe("done");
    expect((await settled(delivery.files)).value).toEqual([{ filename: "pages.csv" }]);
  });

  test("has a target of every kind that the client can deliver to, and of no other", () => {
    type Target = pulumi.Unwrap<DeliveryTargetArgs>;
    expectTypeOf<Target["type"]>().toEqualTypeOf<Storage["type"]>();
    expectTypeOf<Target>().toExtend<Storage>();
  });
});

describe.each(KINDS)("$kind", ({ kind, type, make, get }) => {
  test("is a dynamic resource whose provider's text is short, and the same for ever", async () => {
    const { type: sent, inputs, id } = await registration(make());
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toBeUndefined();
    // It stands in people's state files: another text is an update of everything they have.
    expect(inputs.__provider).toBe(`this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`);
    expect(inputs.__key).toMatch(/^[\w-]{8}$/);
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
      ManagerSettings: ["logsSettings"],
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

describe("a Zone", () => {
  test("registers what was declared and the name that one can be made of", async () => {
    const plan = { type: "static", ips: 2, extra: { x_y: 1 } } as const;
    const zone = new Zone("My Zone", {
      name: "web",
      type: "dc",
      plan,
      disabled: true,
      adopt: true,
      timeouts: { create: 5 },
    });
    expect(inputsSent(await registration(zone))).toEqual({
      name: "web",
      type: "dc",
      plan,
      disabled: true,
      adopt: true,
      timeouts: { create: 5 },
      __autoname: "My Zone",
    });
  });

  test("has every output of the service's, though the program declares none of them", async () => {
    outputs = {
      name: "web",
      created: "then",
      passwords: ["hush"],
      password: "hush",
      ips: ["any"],
      perm: "country",
      status: "active",
      description: "d",
    };
    const zone = new Zone("it", { plan: { type: "static" } });
    const values = await Promise.all(
      [zone.name, zone.created, zone.passwords, zone.password, zone.ips, zone.perm, zone.status, zone.description].map(
        async (output) => (await settled(output as pulumi.Output<unknown>)).value,
      ),
    );
    expect(values).toEqual(["web", "then", ["hush"], "hush", ["any"], "country", "active", "d"]);
  });
});

describe("ProxyPorts", () => {
  test("registers what was declared, the secrets in it as secrets", async () => {
    const fleet = new ProxyPorts("it", {
      defaults: { zone: "web", userPassword: "hush" },
      ports: { us: { port: 24_000, password: "hush-too" }, de: pulumi.output({ port: 24_001 }) },
      adopt: true,
    });
    // The mock takes a secret in a value for one that is the whole of it.
    const { defaults, ports, ...rest } = inputsSent(await registration(fleet));
    expect(rest).toEqual({ adopt: true, __autoname: "it" });
    expect(isRpcSecret(defaults)).toBe(true);
    expect(unwrapRpcSecret(defaults)).toEqual({ zone: "web", userPassword: "hush" });
    expect(isRpcSecret(ports)).toBe(true);
    expect(unwrapRpcSecret(ports)).toEqual({ us: { port: 24_000, password: "hush-too" }, de: { port: 24_001 } });
  });

  test("have the ports that the manager has, which are no secret though they have some", async () => {
    outputs = { ports: { us: { listenPort: 24_000, port: 24_000, zone: "web" } } };
    const fleet = new ProxyPorts("it", { ports: { us: { port: 24_000, zone: "web", password: "hush" } } });
    await registration(fleet);
    expect(await settled(fleet.ports)).toEqual({ value: outputs.ports, secret: false });
    expect((await settled(pulumi.output(fleet.ports.us).apply((port) => port?.listenPort))).value).toBe(24_000);
  });

  test("know the numbers of a preview that the program gives, whatever else is not known yet", async () => {
    mocks.newResource = ({ inputs }) => ({ id: "", state: inputs });
    await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
    const unknown = pulumi.output(pulumi.unknown as unknown as string);
    const fleet = new ProxyPorts("it", {
      defaults: { zone: unknown },
      ports: { us: { port: 24_000, country: unknown }, de: { port: 24_001 }, any: {} },
    });
    const known = (key: string) => pulumi.output((fleet.ports as never)[key]) as pulumi.Output<{ listenPort: number }>;
    expect((await settled(known("us").listenPort)).value).toBe(24_000);
    expect((await settled(known("de").listenPort)).value).toBe(24_001);
    expect(await (known("any").listenPort as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
  });
});

describe("a ProxyPort", () => {
  const EVERY = Object.fromEntries(PORT_FIELDS.map((field) => [field, `value of ${field}`])) as JsonObject;

  test("registers every field that was declared, secrets as secrets, and no other", async () => {
    const port = new ProxyPort("it", { ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
    const sent = inputsSent(await registration(port));
    const secrets = Object.keys(sent).filter((key) => isRpcSecret(sent[key]));
    expect(secrets).toEqual(expect.arrayContaining(["extProxies", "extProxyPassword", "password", "userPassword"]));
    expect(secrets.sort()).toEqual(secretsAmong(proxyPort.inputs).sort());
    const plain = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, unwrapRpcSecret(value)]));
    expect(plain).toEqual({ ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
  });

  test("answers `undefined` for what was not declared, though nothing is registered for it", async () => {
    outputs = { port: 24_000, listenPort: 24_000 };
    const port = new ProxyPort("it", { zone: "web", country: "us", password: undefined as unknown as string });
    expect(inputsSent(await registration(port))).toEqual({ zone: "web", country: "us" });
    expect((await settled(port.country)).value).toBe("us");
    expect((await settled(port.port)).value).toBe(24_000);
    expect((await settled(port.listenPort)).value).toBe(24_000);
    for (const field of PORT_FIELDS) {
      if (["zone", "country", "port"].includes(field)) continue;
      const output = port[field as keyof ProxyPort] as pulumi.Output<unknown>;
      expect(pulumi.Output.isInstance(output), field).toBe(true);
      expect((await settled(output)).value, field).toBeUndefined();
    }
  });

  test.each([
    ["an update, by its id", "24000", {}],
    ["a creation, by the number that is declared", "", { port: 24_000 }],
  ])("knows its number in the preview of %s", async (_, id, declared) => {
    // The engine answers a preview with the inputs and, for an update, the id.
    mocks.newResource = ({ inputs }) => ({ id, state: inputs });
    await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
    const port = new ProxyPort("it", { zone: "web", ...declared });
    expect((await settled(port.listenPort)).value).toBe(24_000);
    expect((await settled(port.port)).value).toBe(24_000);
  });

  test("has the number that a mock gives it, whatever its id, also in a preview", async () => {
    mocks.newResource = ({ inputs }) => ({ id: "port-id", state: { ...inputs, port: 24_001, listenPort: 24_001 } });
    await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
    const port = new ProxyPort("it", { zone: "web" });
    expect((await settled(port.listenPort)).value).toBe(24_001);
    expect((await settled(port.port)).value).toBe(24_001);
  });

  test("that is looked up has whatever there is", async () => {
    outputs = { zone: "web", country: "us", port: 24_000, rules: [{ status: 200 }] };
    const port = ProxyPort.get("it", "24000");
    expect((await settled(port.country)).value).toBe("us");
    expect((await settled(port.rules)).value).toEqual([{ status: 200 }]);
    expect((await settled(port.ssl)).value).toBeUndefined();
  });

  test("does not share what is declared with other ports", async () => {
    const one = new ProxyPort("one", { zone: "web", country: "us" });
    const other = new ProxyPort("other", { zone: "web", city: "berlin" });
    expect((await settled(one.country)).value).toBe("us");
    expect((await settled(other.country)).value).toBeUndefined();
    expect((await settled(one.city)).value).toBeUndefined();
    expect((await settled(other.city)).value).toBe("berlin");
  });

  test("takes outputs of other resources, secret ones included", async () => {
    outputs = { name: "web", password: "hush" };
    const zone = new Zone("zone", { plan: { type: "static" } });
    const port = new ProxyPort("port", { zone: zone.name, userPassword: pulumi.secret("hush") });
    await settled(port.id);
    const sent = registrations.find(({ name }) => name === "port")?.inputs ?? {};
    expect(sent.zone).toBe("web");
    expect(isRpcSecret(sent.userPassword)).toBe(true);
    expect((await settled(port.userPassword)).secret).toBe(true);
  });
});

describe("a WhitelistIp", () => {
  test("registers what was declared, its key as a secret", async () => {
    const args = { ip: "203.0.113.7", list: "ports", allowAny: false, adopt: true, timeouts: { delete: 3 } } as const;
    const sent = inputsSent(await registration(new WhitelistIp("it", { ...args, apiKey: "hush" })));
    expect(isRpcSecret(sent.apiKey)).toBe(true);
    expect({ ...sent, apiKey: unwrapRpcSecret(sent.apiKey) }).toEqual({ ...args, apiKey: "hush" });
  });

  test("without a key registers none", async () => {
    expect(inputsSent(await registration(new WhitelistIp("it", { ip: "203.0.113.7" })))).toEqual({ ip: "203.0.113.7" });
  });
});

describe("what belongs to a zone", () => {
  test("a ZoneAccess registers what was declared", async () => {
    const args = {
      zone: "web",
      allowedIps: ["203.0.113.7"],
      deniedIps: [],
      allowedDomains: ["example.com"],
      deniedDomains: ["example.net"],
      adopt: true,
      timeouts: { create: 5 },
    };
    expect(inputsSent(await registration(new ZoneAccess("it", args)))).toEqual(args);
  });

  test("a ZoneIps registers what was declared, and has the IPs that the service gave", async () => {
    outputs = { ips: ["198.18.0.1"] };
    const args = {
      zone: "web",
      count: 1,
      kind: "ips",
      country: "us",
      countryCity: "us-chicago",
      adopt: false,
    } as const;
    const resource = new ZoneIps("it", args);
    expect(inputsSent(await registration(resource))).toEqual(args);
    expect((await settled(resource.ips)).value).toEqual(["198.18.0.1"]);
  });

  test("a ZonePassword is a secret, given or generated", async () => {
    const given = new ZonePassword("it", { zone: "web", password: "hush" });
    const { password, ...rest } = inputsSent(await registration(given));
    expect(isRpcSecret(password) && unwrapRpcSecret(password)).toBe("hush");
    expect(rest).toEqual({ zone: "web" });
    expect(await settled(given.password)).toEqual({ value: "hush", secret: true });
  });

  test("a ZoneIpRefresh registers what was declared, and has the service's outputs", async () => {
    outputs = { kind: "ips", previousIps: ["198.18.0.1"], currentIps: ["198.18.0.2"], newIps: ["198.18.0.2"] };
    const args = { zone: "web", ips: ["198.18.0.1"], country: "us", countryCity: "us-chicago", triggers: [1] };
    const resource = new ZoneIpRefresh("it", args);
    expect(inputsSent(await registration(resource))).toEqual(args);
    expect((await settled(resource.newIps)).value).toEqual(["198.18.0.2"]);
    expect((await settled(resource.ips)).value).toEqual(["198.18.0.1"]);
  });
});

describe("the manager's resources", () => {
  test("register what was declared, and have the outputs that the provider answers", async () => {
    outputs = { ports: [24_000], until: "2030-01-01T00:00:00.000Z", expired: true, missingOn: [24_001] };
    const args = { ip: "203.0.113.7", domain: "example.com", port: 24_000, durationMs: 5, renew: true };
    const ban = new BannedIp("ban", { ...args, timeouts: { read: 1 } });
    expect(inputsSent(await registration(ban))).toEqual({ ...args, timeouts: { read: 1 } });
    for (const name of ["ports", "until", "expired", "missingOn"] as const) {
      expect((await settled(ban[name] as pulumi.Output<unknown>)).value).toEqual(outputs[name]);
    }
  });

  test("register every setting, the delivery of logs as a secret", async () => {
    outputs = { previous: { logs: 1000 } };
    const args = {
      zone: "web",
      wwwWhitelistIps: ["198.51.100.7"],
      whitelistIps: ["10.0.0.0/8"],
      logs: 5,
      log: "info",
      harLimit: -1,
      debug: "full",
      lpmAuth: "none",
      requestStats: false,
      syncConfig: false,
      socketInactivityTimeout: 60_000,
      bwLimitWebhookUrl: "https://example.com/full",
      bwThWebhookUrl: "https://example.com/part",
      allowAny: false,
      timeouts: { update: 5 },
    } satisfies ManagerSettingsArgs;
    const settings = new ManagerSettings("it", { ...args, logsSettings: { secret_key: "hush" } });
    const { logsSettings, ...sent } = inputsSent(await registration(settings));
    expect(sent).toEqual(args);
    expect(isRpcSecret(logsSettings)).toBe(true);
    expect((await settled(settings.previous)).value).toEqual({ logs: 1000 });
  });

  test("have what their actions came to", async () => {
    outputs = {
      newIp: "203.0.113.8",
      zone: "web",
      lifted: [],
      sessionId: "24000_1",
      upgraded: true,
      version: "1.600.0",
    };
    const refresh = new PortIpRefresh("ip", { port: 24_000, ip: "203.0.113.7", triggers: [1] });
    expect((await settled(refresh.newIp)).value).toBe("203.0.113.8");
    expect((await settled(refresh.zone)).value).toBe("web");
    expect((await settled(new PortIpUnban("unban", { port: 24_000 }).lifted)).value).toEqual([]);
    expect((await settled(new PortSessionRefresh("session", { port: 24_000 }).sessionId)).value).toBe("24000_1");
    const upgrade = new ManagerUpgrade("upgrade");
    expect((await settled(upgrade.upgraded)).value).toBe(true);
    expect((await settled(new ManagerRestart("restart", { triggers: [upgrade.version] }).version)).value).toBe(
      "1.600.0",
    );
    expect(registrations.find(({ name }) => name === "restart")?.inputs.triggers).toEqual(["1.600.0"]);
    expect(registrations.find(({ name }) => name === "ip")?.inputs).toMatchObject({ port: 24_000, triggers: [1] });
  });
});

describe("a resource's place in its program", () => {
  const zone = { plan: { type: "static" } } as const;
  const group = () => new pulumi.ComponentResource("test:Group", "group");

  async function keyOf(make: () => pulumi.CustomResource): Promise<unknown> {
    registrations = [];
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
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("is there in a program's tests, which say nothing of an organization", async () => {
    await runs({ organization: "" });
    expect(await keyOf(() => new Zone("web", zone))).toMatch(/^[\w-]{8}$/);
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
    registrations = [];
    expect((await registration(make({ protect: true }))).deleteBeforeReplace).toBe(true);
    registrations = [];
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
    registrations = [];
    expect((await registration(make({ deleteBeforeReplace: true }))).deleteBeforeReplace).toBe(true);
  });

  test("is told which changes the program wants one for", async () => {
    const options = { replaceOnChanges: ["plan.country", "*"] };
    expect(inputsSent(await registration(new Zone("it", { name: "web", plan }, options)))).toEqual({
      name: "web",
      plan,
      __autoname: "it",
      __replaceOnChanges: ["plan.country", "*"],
    });
    registrations = [];
    expect(
      inputsSent(await registration(new Zone("it", { name: "web", plan }, { replaceOnChanges: [] }))),
    ).not.toHaveProperty("__replaceOnChanges");
  });
});
