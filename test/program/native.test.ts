import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as providers from "@pulumi/pulumi/proto/provider_pb";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as dynamic from "../../src";
import { ArgumentError, BrightDataError, ConfigurationError, NotFoundError } from "../../src/base/errors";
import { VERSION } from "../../src/base/version";
import { getZonePasswords } from "../../src/functions/getZonePasswords";
import { KINDS } from "../../src/generated/kinds";
import * as native from "../../src/native";
import { requirePlugin } from "../../src/program/nativeForm";
import { ValidationError } from "../../src/remote/collectionErrors";
import { DeliveryNotFoundError } from "../../src/remote/deliveryErrors";
import { SnapshotNotFoundError, SnapshotNotReadyError } from "../../src/remote/snapshotErrors";
import { plugin } from "../plugin/providerSetup";

interface AliasMessage {
  hasUrn(): boolean;
  getUrn(): string;
  getSpec(): { getName(): string; getType(): string };
}

interface Registration {
  type: string;
  name: string;
  version: string;
  provider: string;
  /** URNs, or what they name, each with its type. */
  aliases: (string | { name: string; type: string })[];
}

const registered: Registration[] = [];
const answers: Record<string, object> = {};
const asked: { token: string; inputs: object; provider: string | undefined }[] = [];

const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
  call: ({ token, inputs, provider }) => {
    asked.push({ token, inputs, provider });
    return answers[token] ?? {};
  },
};

beforeEach(async () => {
  registered.length = 0;
  asked.length = 0;
  const { registerResource } = MockMonitor.prototype;
  vi.spyOn(MockMonitor.prototype, "registerResource").mockImplementation(function (this: MockMonitor, request, done) {
    registered.push({
      type: request.getType(),
      name: request.getName(),
      version: request.getVersion(),
      provider: request.getProvider(),
      aliases: request.getAliasesList().map((alias: AliasMessage) => {
        if (alias.hasUrn()) return alias.getUrn();
        const spec = alias.getSpec();
        return { name: spec.getName(), type: spec.getType() };
      }),
    });
    return registerResource.call(this, request, done);
  });
  await pulumi.runtime.setMocks(mocks);
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  };
});

const known = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void pulumi.unsecret(output).apply((value) => resolve(value as T)));

const ZONE_ARGS = { plan: { type: "static" } } as const;

async function registrationOf(resource: pulumi.Resource): Promise<Registration | undefined> {
  await known(resource.urn);
  return registered.at(-1);
}

describe("a class", () => {
  test("registers the type of the plugin, of this version, and finds what a dynamic resource has left", async () => {
    expect(await registrationOf(new native.Zone("web", ZONE_ARGS))).toEqual({
      type: "brightdata:index:Zone",
      name: "web",
      version: VERSION,
      provider: "",
      aliases: ["urn:pulumi:stack::project::pulumi-nodejs:dynamic/brightdata:Zone::web"],
    });
  });

  test("of the other form finds what one of the plugin has left", async () => {
    expect(await registrationOf(new dynamic.Zone("web", ZONE_ARGS))).toMatchObject({
      type: "pulumi-nodejs:dynamic/brightdata:Zone",
      aliases: ["urn:pulumi:stack::project::brightdata:index:Zone::web"],
    });
  });

  test("finds it in its component, whatever that was called before", async () => {
    const parent = new pulumi.ComponentResource("my:index:Proxies", "proxies");
    expect((await registrationOf(new native.Zone("web", ZONE_ARGS, { parent })))?.aliases).toEqual([
      { name: "", type: "pulumi-nodejs:dynamic/brightdata:Zone" },
    ]);
  });

  test("finds it under its former name, too", async () => {
    const zone = new native.Zone("web", ZONE_ARGS, { aliases: [{ name: "shop" }] });
    expect((await registrationOf(zone))?.aliases).toEqual([
      { name: "shop", type: "" },
      "urn:pulumi:stack::project::pulumi-nodejs:dynamic/brightdata:Zone::web",
      { name: "shop", type: "pulumi-nodejs:dynamic/brightdata:Zone" },
    ]);
  });

  test("tells the plugin what it knows in one input, and nothing of what is looked up", async () => {
    const forced = { replaceOnChanges: ["plan"] };
    const made = [
      new native.Zone("web", ZONE_ARGS),
      new native.Zone("api", ZONE_ARGS, forced),
      native.Zone.get("it", "web"),
    ];
    const hidden = made.map(async (zone) => {
      await known(zone.urn);
      const names = Object.keys(zone).filter(
        (key) => key.startsWith("__") && pulumi.Output.isInstance(Reflect.get(zone, key)),
      );
      return Promise.all(names.map(async (key) => [key, await known(Reflect.get(zone, key))]));
    });
    const place = expect.stringMatching(/^[\w-]{8}\.[\w-]{8}$/);
    expect(await Promise.all(hidden)).toEqual([[["__program", { place }]], [["__program", { place, ...forced }]], []]);
  });

  test("is there for each kind, and knows its own resources", async () => {
    for (const kind of KINDS) expect(native).toHaveProperty(kind, expect.any(Function));
    const zone = new native.Zone("web", ZONE_ARGS);
    await known(zone.urn);
    expect(native.Zone.isInstance(zone)).toBe(true);
    expect(native.ProxyPort.isInstance(zone)).toBe(false);
    expect(native.Zone.isInstance(undefined)).toBe(false);
  });
});

describe("a provider", () => {
  test("is one of the plugin, of this version, with its settings under their own names", async () => {
    const provider = new native.Provider("shop", { apiToken: "the-token", retries: 2 });
    expect(await registrationOf(provider)).toMatchObject({ type: "pulumi:providers:brightdata", version: VERSION });
    expect(await known(pulumi.output(Reflect.get(provider, "retries")))).toBe("2");
    expect(await registrationOf(new native.Zone("web", ZONE_ARGS, { provider }))).toMatchObject({
      name: "web",
      provider: expect.stringMatching(/::pulumi:providers:brightdata::shop::shop-id$/),
    });
  });

  test("tells its name where the engine's default one could have it", async () => {
    const nameOf = (provider: object) => known(pulumi.output(Reflect.get(provider, "provider")));
    expect(await nameOf(new native.Provider("default"))).toBe("default");
    expect(await nameOf(new native.Provider("shop"))).toBeUndefined();
  });

  test("of the other form is refused, either way", () => {
    const shop = new dynamic.Provider("shop");
    const fra = new native.Provider("fra");
    expect(() => new native.Zone("web", ZONE_ARGS, { provider: shop })).toThrow(
      new ArgumentError(
        'The option `provider` is a `Provider` of "pulumi-brightdata": expected one of "pulumi-brightdata/native".',
      ),
    );
    expect(() => new dynamic.Zone("web", ZONE_ARGS, { provider: fra })).toThrow(
      new ArgumentError(
        'The option `provider` is a `Provider` of "pulumi-brightdata/native": expected one of "pulumi-brightdata".',
      ),
    );
  });

  test("of the other form on a component is that of the other form's children", async () => {
    const providers = [new dynamic.Provider("shop"), new native.Provider("fra")];
    for (const [provider, Zone, has] of [
      [providers[0], native.Zone, ""],
      [providers[1], native.Zone, expect.stringContaining("::fra::")],
      [providers[0], dynamic.Zone, expect.stringContaining("::shop::")],
    ] as const) {
      const parent = new pulumi.ComponentResource(
        "test:C",
        `c${registered.length}`,
        {},
        { providers: [provider as never] },
      );
      const zone = new Zone(`z${registered.length}`, ZONE_ARGS, { parent });
      await known(zone.urn);
      expect(registered.at(-1)?.provider).toEqual(has);
    }
  });
});

interface Refusal {
  property: string;
  reason: string;
}

/** Makes the plugin refuse what functions ask for. */
function refusing({ property, reason }: Refusal): void {
  vi.spyOn(MockMonitor.prototype, "invoke").mockImplementation(async (_request, done) => {
    const failure = new providers.CheckFailure();
    failure.setProperty(property);
    failure.setReason(reason);
    const response = new providers.InvokeResponse();
    response.setFailuresList([failure]);
    done(null, response);
  });
}

describe("a function", () => {
  const token = "brightdata:index:getZonePasswords";
  const passwords = { zone: "web", password: "p-1", passwords: ["p-1"] };

  beforeEach(() => {
    answers[token] = passwords;
    return () => delete answers[token];
  });

  test("is asked of the plugin", async () => {
    expect(await native.getZonePasswords({ zone: "web" })).toMatchObject({ zone: "web" });
    expect(asked).toEqual([{ token, inputs: { zone: "web" }, provider: "" }]);
  });

  test("needs the engine, and says so", async () => {
    vi.spyOn(pulumi.runtime, "getMonitor").mockReturnValue(undefined);
    const error = await native.getZonePasswords({ zone: "web" }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(/needs the engine: .* import from "pulumi-brightdata"/);
    expect(asked).toEqual([]);
  });

  test("is asked of the provider that it is given", async () => {
    await native.getZonePasswords({ zone: "web" }, { provider: new native.Provider("shop") });
    expect(asked).toMatchObject([{ provider: expect.stringMatching(/::shop::shop-id$/) }]);
    await expect(
      native.getZonePasswords({ zone: "web" }, { provider: new dynamic.Provider("other") }),
    ).rejects.toBeInstanceOf(ArgumentError);
  });

  test.each(["provider", "secrets"])("is not asked with the option %s among its arguments", async (option) => {
    const given = { zone: "web", [option]: ["p-1"] };
    await expect(native.getZonePasswords(given as never)).rejects.toThrow(
      new ArgumentError(
        `\`${option}\` is no argument of getZonePasswords, but an option: give options behind the arguments, as in \`getZonePasswords(args, { ${option} })\`. Nothing was sent.`,
      ),
    );
    expect(asked).toEqual([]);
  });

  test("is not asked, in its plain form, before the settings of its provider are known", async () => {
    await pulumi.runtime.setMocks(mocks, "project", "stack", true);
    const url = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const provider = new native.Provider("fleet", { proxyManagerUrl: url });
    const error = await native.getZonePasswords({ zone: "web" }, { provider }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(/^The settings of the function's provider are not known .* getZoneOutput/);
    expect(asked).toEqual([]);
  });

  test("is not asked after its signal was aborted, and not waited for when it is", async () => {
    const reason = new Error("enough");
    const aborted = native.getZonePasswords({ zone: "web" }, { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    expect(asked).toEqual([]);
    const controller = new AbortController();
    vi.spyOn(MockMonitor.prototype, "invoke").mockImplementation(async () => controller.abort(reason));
    await expect(native.getZonePasswords({ zone: "web" }, { signal: controller.signal })).rejects.toBe(reason);
    const options = { signal: controller.signal, onError: "undefined" } as const;
    expect(await native.getZonePasswords({ zone: "web" }, options)).toBeUndefined();
  });

  test("has secret results as secrets", async () => {
    const output = native.getZonePasswordsOutput({ zone: "web" });
    expect(await pulumi.isSecret(output)).toBe(true);
    expect(await known(output)).toMatchObject({ password: "p-1", passwords: ["p-1"] });
  });

  test("without what it needs is not asked", async () => {
    await expect(native.getZonePasswords({} as never)).rejects.toBeInstanceOf(ArgumentError);
    expect(asked).toEqual([]);
  });

  test.each([
    ["NotFoundError", "There is no zone (web).\nSee (there).", NotFoundError],
    ["ConfigurationError", "No token.", ConfigurationError],
    ["SomethingNew", "Whatever.", BrightDataError],
    ["toString", "Whatever.", BrightDataError],
    ["SnapshotNotFoundError", "There is no such snapshot.", SnapshotNotFoundError],
    ["ValidationError", "The service rejects it.", ValidationError],
    ["DeliveryNotFoundError", "There is no such delivery.", DeliveryNotFoundError],
  ])("that fails has an error of the class %s", async (property, reason, Class) => {
    refusing({ property, reason });
    const error: unknown = await native.getZonePasswords({ zone: "web" }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(Class);
    expect((error as Error).message).toBe(reason);
  });

  test("that fails has an error with what the plugin tells of it", async () => {
    const context = {
      service: "remote",
      operation: "read it (all)",
      method: "GET",
      url: "http://127.0.0.1:1/x",
    } as const;
    const refusal = { status: 409, message: 'building (part {"1"})', state: "building", retryAfter: 7 };
    const lookup = { ...getZonePasswords, ask: () => Promise.reject(new SnapshotNotReadyError(context, refusal)) };
    const { ask } = await plugin({
      lookups: { getZonePasswords: lookup },
      args: { apiToken: "the-token" },
      runtime: "nodejs",
    });
    const { failures } = await ask("invoke", { tok: token, args: { zone: "web" } });
    const [failure] = failures as unknown as [Refusal];
    refusing(failure);
    const error: unknown = await native.getZonePasswords({ zone: "web" }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(SnapshotNotReadyError);
    expect({ ...(error as object) }).toEqual({ ...new SnapshotNotReadyError(context, refusal) });
    expect(error).toMatchObject({
      message: new SnapshotNotReadyError(context, refusal).message,
      retryAfter: 7,
      status: 409,
    });
  });
});

describe("without the plugin", () => {
  const told = new ConfigurationError(
    `Pulumi does not have the plugin of pulumi-brightdata ${VERSION}, which resources of "pulumi-brightdata/native" need. Run \`npx pulumi-brightdata plugin install\`.`,
  );

  beforeEach(() => {
    vi.stubEnv("PATH", "");
    vi.stubEnv("PULUMI_NODEJS_ENGINE", "127.0.0.1:1");
  });

  /** What a program throws. */
  async function run(declare: () => unknown): Promise<unknown> {
    let found: unknown;
    await pulumi.runtime.runInPulumiStack(async () => {
      try {
        await declare();
      } catch (error) {
        found = error;
      }
    });
    return found;
  }

  test("a resource is refused in one sentence, and nothing is registered", async () => {
    expect(await run(() => new native.Zone("web", ZONE_ARGS))).toEqual(told);
    expect(registered.filter(({ type }) => type.startsWith("brightdata:"))).toEqual([]);
  });

  test("a function is refused, too", async () => {
    expect(await run(() => native.getZonePasswords({ zone: "web" }))).toEqual(told);
    expect(asked).toEqual([]);
  });

  test("one is found in the home that the system has for the user, as the CLI does, whatever HOME says", async () => {
    const homedir = process.env.PULUMI_HOME ?? "";
    vi.stubEnv("PULUMI_HOME", undefined);
    vi.stubEnv("HOME", join(homedir, "other"));
    const spy = vi.spyOn(os, "userInfo").mockReturnValue({ ...os.userInfo(), homedir });
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    await install(VERSION, join(homedir, ".pulumi"));
    expect(await run(requirePlugin)).toBeUndefined();
  });

  test("an inline program of the Automation API is not refused: its workspace may have another home", async () => {
    vi.stubEnv("PULUMI_NODEJS_ENGINE", undefined);
    expect(await run(requirePlugin)).toBeUndefined();
  });

  async function project(text: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "project-"));
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
    onTestFinished(() => {
      cwd.mockRestore();
      return rm(folder, { recursive: true });
    });
    await writeFile(join(folder, "Pulumi.yaml"), text);
  }

  test.each([
    ["installed", () => install(VERSION), undefined],
    ["of another version", () => install("0.0.1"), told],
    [
      "installed without its executable",
      async () => void (await mkdir(pluginFolder(VERSION), { recursive: true })),
      told,
    ],
    ["served by a debugger", async () => void vi.stubEnv("PULUMI_DEBUG_PROVIDERS", "aws:1,brightdata:2"), undefined],
    [
      "named by the project",
      () => project("plugins:\n  providers: [{ name: brightdata, path: ./plugin }]\n"),
      undefined,
    ],
    ["what the project itself is called", () => project("name: brightdata\nruntime: nodejs\n"), told],
    ["another one in a debugger", async () => void vi.stubEnv("PULUMI_DEBUG_PROVIDERS", "aws:1"), told],
  ])("one that is %s", async (_, prepare, expected) => {
    await prepare();
    expect(await run(requirePlugin)).toEqual(expected);
  });

  test.each([
    ["linux", "", undefined],
    ["linux", ".cmd", told],
    ["win32", ".cmd", undefined],
    ["win32", ".exe", undefined],
    ["win32", "", told],
  ] as const)(
    "on the PATH of %s, one ending in %j is what the engine starts, or not",
    async (platform, end, expected) => {
      const folder = await mkdtemp(join(tmpdir(), "path-"));
      const own = process.platform;
      onTestFinished(() => {
        Object.defineProperty(process, "platform", { value: own });
        return rm(folder, { recursive: true });
      });
      await writeFile(join(folder, `pulumi-resource-brightdata${end}`), "", { mode: 0o755 });
      vi.stubEnv("PATH", folder);
      Object.defineProperty(process, "platform", { value: platform });
      expect(await run(requirePlugin)).toEqual(expected);
    },
  );
});

async function install(version: string, home?: string): Promise<void> {
  await mkdir(pluginFolder(version, home), { recursive: true });
  await writeFile(join(pluginFolder(version, home), "pulumi-resource-brightdata"), "");
}

const pluginFolder = (version: string, home = process.env.PULUMI_HOME ?? ""): string =>
  join(home, "plugins", `resource-brightdata-v${version}`);
