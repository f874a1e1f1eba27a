import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BannedIp, ManagerSettings, ProxyPort, type ProxyPortArgs, Zone, ZoneAccess, ZonePassword } from "../../src";
import { digest } from "../../src/base/location";
import * as native from "../../src/native";
import { picked, unsaid } from "../../src/program/announce";
import { Provider } from "../../src/program/provider";
import { placeOfUrn } from "../../src/pulumi/place";
import type { Announcement } from "../../src/run/announcements";
import { scopeName } from "../../src/settings/connections";

const MANAGER = "http://192.0.2.1:22999";

/** An output whose value a preview does not have. */
const unknownOutput = (): pulumi.Output<string> =>
  new (pulumi.Output as unknown as new (...args: unknown[]) => pulumi.Output<string>)(
    [],
    Promise.resolve(pulumi.runtime.unknownValue),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve([]),
  );

const PATHS = [["port"], ["ports", "*", "port"], ["ports", "*", "multiply"], ["adopt"], ["manager"]];
const NAMES = ["port", "ports", "adopt", "manager"];
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hush" };
const { unknownValue } = pulumi.runtime;

test.each([
  { values: { port: 24_000, zone: "web", password: "hush" }, said: { port: 24_000 }, unknown: [] },
  {
    values: { port: 24_000, adopt: true, manager: "m" },
    said: { port: 24_000, adopt: true, manager: "m" },
    unknown: [],
  },
  { values: { port: unknownValue, adopt: true }, said: { adopt: true }, unknown: ["port"] },
  { values: { port: SECRET, adopt: undefined }, said: {}, unknown: ["port"] },
  { values: { port: 24_000, manager: unknownValue }, said: { port: 24_000 }, unknown: ["manager"] },
  { values: { port: [24_000, unknownValue] }, said: {}, unknown: ["port"] },
  {
    values: { ports: { a: { port: 24_001, password: "hush" }, b: { port: unknownValue, multiply: 2 } } },
    said: { ports: { a: { port: 24_001 }, b: { multiply: 2 } } },
    unknown: [],
  },
])("of $values, a program announces $said, and $unknown as not known", ({ values, said, unknown }) => {
  expect(picked(values, PATHS)).toEqual(said);
  expect(unsaid(values, NAMES)).toEqual(unknown);
});

type Make = (options: pulumi.CustomResourceOptions) => pulumi.CustomResource;

const portOf =
  (args: ProxyPortArgs = { zone: "web" }): Make =>
  (options) =>
    new ProxyPort("new", args, options);

const zoneOf: Make = (options) => new Zone("new", { plan: { type: "static" } }, options);

describe("of a resource that had another name", () => {
  /** What is announced of it, and then once the engine has answered. */
  async function announcedOf(
    options: () => pulumi.CustomResourceOptions,
    make: Make = portOf(),
    stack: "one" | "none" = "one",
    id: string | undefined = "24000",
    recorded: Record<string, unknown> = {},
  ): Promise<[before: string, after: string]> {
    const home = mkdtempSync(join(tmpdir(), "announced-"));
    vi.stubEnv("PULUMI_HOME", home);
    vi.stubEnv("PULUMI_NODEJS_DRY_RUN", "false");
    vi.stubEnv("PULUMI_DEBUG_PROVIDERS", "brightdata:45679");
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: async ({ inputs }) => {
        await asked;
        return { id, state: { ...inputs, ...recorded, __mark: "m.it.change" } };
      },
    });
    vi.spyOn(pulumi.runtime, "getStackResource").mockReturnValue(stack === "one" ? ({} as never) : undefined);
    const engine = { getChannel: () => ({ getTarget: () => "127.0.0.1:45678" }) };
    vi.spyOn(pulumi.runtime, "getEngine").mockReturnValue(engine as never);
    const made = make(options());
    const said = (): string =>
      globSync("brightdata/**/*", { cwd: home, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
        .join("");
    await new Promise((resolve) => setImmediate(resolve));
    const before = said();
    answer();
    await new Promise<void>((resolve) => {
      made.urn.apply((urn) => {
        expect(urn).toMatch(/::new$/);
        resolve();
      });
    });
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    const after = said().slice(before.length);
    rmSync(home, { recursive: true });
    return [before, after];
  }

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test("a program announces when the engine has answered its registration, with its place, and the mark of its state", async () => {
    const [before, after] = await announcedOf(() => ({ aliases: [{ name: "old" }] }));
    const { place } = JSON.parse(before.split("\n").find((line) => line.includes('"former"')) ?? "") as Announcement;
    expect(before).not.toContain("isAnswered");
    expect(JSON.parse(after)).toMatchObject({ kind: "ProxyPort", place, isAnswered: true, mark: "m.it.change" });
  });

  const passwordOf =
    (password?: string): Make =>
    (options) =>
      new ZonePassword("new", { zone: "web", ...(password !== undefined && { password }) }, options);
  const settingsOf: Make = (options) =>
    new ManagerSettings("new", { logs: 5, logsSettings: { to: "Declared" } }, options);
  const aDigest = expect.stringMatching(/^•[\da-f]{8}\.[\da-f]{16}$/);
  const recordedPassword = { password: "Recorded-Password" };

  test.each<[string, Make, Record<string, unknown>, object, string[]]>([
    [
      "of what is announced",
      portOf({ zone: "web", port: 24_000 }),
      { port: 24_001, zone: "api" },
      { port: 24_001 },
      [],
    ],
    ["as declared", portOf({ zone: "web", port: 24_000 }), {}, { port: 24_000 }, []],
    ["of what is not declared, too", portOf(), { port: 24_001 }, { port: 24_001 }, []],
    ["that something is secret by the program", portOf({ zone: "web", port: pulumi.secret(24_000) }), {}, {}, ["port"]],
    ["a digest of a secret", passwordOf("Declared-Password"), recordedPassword, { zone: "web", password: aDigest }, []],
    ["a digest of one that is not declared", passwordOf(), recordedPassword, { zone: "web", password: aDigest }, []],
    ["that there is a secret that is no text", settingsOf, {}, { logs: 5 }, ["logsSettings"]],
  ])("a program announces with what the engine has answered: %s", async (_, make, recorded, inputs, unknown) => {
    const [before, after] = await announcedOf(() => ({}), make, "one", "24000", recorded);
    const answered = JSON.parse(after) as Announcement;
    expect([answered.inputs, answered.unknown ?? []]).toEqual([inputs, unknown]);
    expect(before + after).not.toMatch(/Declared|Recorded/);
    if ("password" in recorded) expect(before).not.toContain(String(answered.inputs.password));
  });

  test("a program announces that there is a secret that is no text, and not which", async () => {
    const [before] = await announcedOf(() => ({}), settingsOf);
    const said = before.split("\n").filter(Boolean);
    const [last] = said.map((line) => JSON.parse(line) as Announcement).slice(-1);
    expect(last).toMatchObject({ kind: "ManagerSettings", inputs: { logs: 5 }, unknown: ["logsSettings"] });
    expect(before).not.toContain("Declared");
  });

  test.each<[string, true | undefined, () => Make]>([
    ["nothing", true, () => portOf()],
    ["the configuration", true, () => portOf({ zone: pulumi.secret("web") })],
    ["an argument", undefined, () => portOf({ zone: new pulumi.ComponentResource("test:index:Group", "group").urn })],
    [
      "an option",
      undefined,
      () => (options) => portOf()({ ...options, dependsOn: new pulumi.ComponentResource("test:index:Group", "group") }),
    ],
    ["a transformation", undefined, () => (options) => portOf()({ ...options, transformations: [() => undefined] })],
    ["a transform", undefined, () => (options) => portOf()({ ...options, transforms: [() => undefined] })],
  ])(
    "a program announces whether what the engine has not come to depends on anything: %s",
    async (_, isAlone, make) => {
      const [, after] = await announcedOf(
        () => ({}),
        (options) => make()(options),
        "one",
        "",
      );
      expect(JSON.parse(after)).toEqual(expect.objectContaining({ isAnswered: true, isSkipped: true }));
      expect((JSON.parse(after) as Announcement).isAlone).toBe(isAlone);
    },
  );

  test("the process of a package of components, which has no stack, announces nothing", async () => {
    expect(await announcedOf(() => ({ aliases: [{ name: "old" }] }), portOf(), "none")).toEqual(["", ""]);
  });

  test("the copies of this package that a program has announce in one file: the process that hears it reads no other", async () => {
    vi.resetModules();
    const copy = await import("../../src/index.js");
    let files: string[] = [];
    await announcedOf(
      () => ({}),
      (options) => {
        new copy.ProxyPort("other", { zone: "web" });
        setImmediate(() => {
          files = globSync("brightdata/runs/*", { cwd: process.env.PULUMI_HOME as string });
        });
        return new ProxyPort("new", { zone: "web" }, options);
      },
    );
    expect(copy.ProxyPort).not.toBe(ProxyPort);
    expect(files).toHaveLength(1);
  });

  const native24000: Make = (options) => new native.ProxyPort("new", { zone: "web" }, options);

  test.each([portOf(), native24000])(
    "a program announces when the engine has answered for what may have been of the other form",
    async (make) => {
      const [before, after] = await announcedOf(() => ({}), make);
      const { place } = JSON.parse(
        before.split("\n").find((line) => line.includes('"ProxyPort"')) ?? "",
      ) as Announcement;
      expect(JSON.parse(after)).toMatchObject({ kind: "ProxyPort", place, isAnswered: true });
    },
  );

  test.each<[string, (parent: pulumi.Resource) => pulumi.CustomResourceOptions]>([
    ["stood in no component", (parent) => ({ parent, aliases: [{ parent: pulumi.rootStackResource }] })],
    ["had another name in its component", (parent) => ({ parent, aliases: [{ name: "old" }] })],
    ["stood in a component", (parent) => ({ aliases: [{ parent }] })],
  ])("a program announces where a resource stood that %s, and when the engine has answered", async (_, options) => {
    const [before, after] = await announcedOf(() => options(new pulumi.ComponentResource("test:index:Group", "group")));
    const all = `${before}${after}`.split("\n").filter(Boolean);
    const said = all.map((line) => JSON.parse(line) as Announcement);
    const { place, former } = said.findLast((each) => each.former !== undefined) as Announcement;
    expect(former).toEqual([expect.stringMatching(/^[\w-]{8}\.[\w-]{8}$/)]);
    expect(former).not.toContain(place);
    expect(said).toContainEqual(expect.objectContaining({ kind: "ProxyPort", place, isAnswered: true }));
  });

  test.each([portOf(), native24000])(
    "a program announces where a resource stood whose former URN is its alias",
    async (make) => {
      const announcements = async (aliases: pulumi.Input<pulumi.URN | pulumi.Alias>[]) =>
        (await announcedOf(() => ({ aliases }), make)).map((lines) =>
          lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Announcement])),
        );
      const named = await announcements([{ name: "old" }]);
      expect(named.flat().find(({ name }) => name === "new")?.former).toHaveLength(1);
      for (const type of ["pulumi-nodejs:dynamic/brightdata:ProxyPort", NATIVE])
        expect(await announcements([`urn:pulumi:stack::project::${type}::old`])).toEqual(named);
      const nothing = await announcements([]);
      for (const urn of [
        "stack::project::brightdata:index:Zone::old",
        "stack::project::brightdata:index:ProxyPort::new",
      ])
        expect((await announcements([`urn:pulumi:${urn}`]))[0]).toEqual(nothing[0]);
    },
  );

  test.each<[string, string | undefined, () => pulumi.CustomResourceOptions]>([
    ["the stack's configuration", "http://127.0.0.1:22999", () => ({})],
    ["a provider", MANAGER, () => ({ provider: new Provider("own", { proxyManagerUrl: MANAGER }) })],
    [
      "a provider whose arguments are known late",
      MANAGER,
      () => ({ provider: new Provider("own", { proxyManagerUrl: pulumi.output(Promise.resolve(MANAGER)) }) }),
    ],
    [
      "a provider whose arguments only the update knows",
      undefined,
      () => ({ provider: new Provider("own", { proxyManagerUrl: unknownOutput() }) }),
    ],
  ])("a program announces of which service it is that %s leads to, if that is known", async (who, url, options) => {
    // What a provider is given comes before it.
    if (who.includes("provider")) vi.stubEnv("BRIGHTDATA_PROXY_MANAGER_URL", "http://192.0.2.2:22999");
    const [before] = await announcedOf(options);
    const said = before.split("\n").filter(Boolean);
    const known = said.map((line) => (JSON.parse(line) as Announcement).of).filter((each) => each !== undefined);
    expect(new Set(known)).toEqual(new Set(url === undefined ? [] : [scopeName(url)]));
  });

  test.each<[string, () => pulumi.CustomResourceOptions]>([
    ["the stack's configuration", () => ({})],
    ["a provider", () => ({ provider: new Provider("own", { proxyManagerUrl: MANAGER }) })],
  ])("a program announces no service where %s has no manager of the name: its check says so", async (_, options) => {
    const [before] = await announcedOf(options, portOf({ zone: "web", manager: "nosuch" }));
    expect(before).toContain('"manager":"nosuch"');
    expect(before).not.toContain('"of":');
  });

  test("a program announces of which account it is that a provider's token leads to", async () => {
    const provider = () => new Provider("own", { apiToken: pulumi.secret("a-token"), baseUrl: MANAGER });
    const [before] = await announcedOf(() => ({ provider: provider() }), zoneOf);
    expect(before).toContain(`"of":${JSON.stringify(scopeName(MANAGER, digest("a-token")))}`);
    expect(before).not.toContain("a-token");
  });

  const NATIVE = "brightdata:index:ProxyPort";
  const inGroup = () => ({ parent: new pulumi.ComponentResource("test:index:Group", "group") });

  test.each<[string, Make, () => pulumi.CustomResourceOptions, string[]]>([
    ["a dynamic resource", portOf(), () => ({}), [`${NATIVE}::new`]],
    ["one in a component", portOf(), inGroup, [`test:index:Group$${NATIVE}::new`]],
    [
      "one on a dynamic resource",
      portOf(),
      () => ({ parent: new ProxyPort("on", { zone: "web" }) }),
      [`${NATIVE}$${NATIVE}::new`],
    ],
    ["one with a former name", portOf(), () => ({ aliases: [{ name: "old" }] }), [`${NATIVE}::new`, `${NATIVE}::old`]],
    ["a native resource with a former name", native24000, () => ({ aliases: [{ name: "old" }] }), [`${NATIVE}::old`]],
    [
      "a native resource that stood in no component",
      native24000,
      () => ({ ...inGroup(), aliases: [{ parent: pulumi.rootStackResource }] }),
      [`${NATIVE}::new`],
    ],
    ["a native resource", native24000, () => ({}), []],
  ])("a program announces of %s by what the plugin knows it, where the engine only has it deleted", async (...of) => {
    const [, make, options, urns] = of;
    const [before, after] = await announcedOf(options, make);
    const said = `${before}${after}`.split("\n").filter(Boolean);
    const own = said.map((line) => JSON.parse(line) as Announcement).filter(({ name }) => name === "new");
    expect(own.at(-1)?.urnPlaces ?? []).toEqual(urns.map((urn) => placeOfUrn(`urn:pulumi:stack::project::${urn}`)));
    const isOfPlugin = make === native24000;
    expect(own.every(({ isNative = false }) => isNative === isOfPlugin)).toBe(true);
    const group = "parent" in options() ? "test:index:Group$" : "";
    const urn = `urn:pulumi:stack::project::${group}${NATIVE}::new`;
    expect(own.at(-1)?.urnPlace).toBe(isOfPlugin ? placeOfUrn(urn) : undefined);
  });

  test.each<[string, Make, object]>([
    [
      "ZoneAccess",
      (options) => {
        const { name } = new Zone("zone", { name: "web", plan: { type: "static" } });
        return new ZoneAccess("new", { zone: name, allowedIps: ["203.0.113.7"] }, options);
      },
      { zone: "web", allowedIps: ["203.0.113.7"] },
    ],
    [
      "BannedIp",
      (options) => {
        const ports = [1, 2].map((last) => new ProxyPort(`port-${last}`, { zone: "web", port: 24_000 + last }));
        return new BannedIp("new", { ip: "203.0.113.7", ports: ports.map(({ port }) => port) }, options);
      },
      { ip: "203.0.113.7", ports: [24_001, 24_002] },
    ],
  ])(
    "a program announces of a %s on what it names itself which that is, before the engine has answered",
    async (...of) => {
      const [kind, make, inputs] = of;
      const [before] = await announcedOf(() => ({}), make);
      const said = before.split("\n").filter(Boolean);
      const own = said.map((line) => JSON.parse(line) as Announcement).find((each) => each.kind === kind);
      expect(own).toMatchObject({ inputs, unknown: [] });
    },
  );

  test("a program announces what it says itself of a resource before it knows the rest", async () => {
    const [before, after] = await announcedOf(
      () => ({}),
      (options) => {
        const zone = new ZonePassword("password", { zone: "web" }).zone;
        return new ZoneAccess("new", { zone, allowedIps: ["203.0.113.7"] }, options);
      },
    );
    const said = `${before}${after}`.match(/.*"kind":"ZoneAccess".*/g)?.map((line) => JSON.parse(line) as Announcement);
    expect(said?.map(({ inputs, unknown }) => [inputs, unknown]).slice(0, 2)).toEqual([
      [{ allowedIps: ["203.0.113.7"] }, ["zone"]],
      [{ zone: "web", allowedIps: ["203.0.113.7"] }, []],
    ]);
  });

  test("a program announces what names nothing, too: it may have stood in the other form", async () => {
    const [before] = await announcedOf(
      () => ({}),
      (options) => new ZonePassword("new", { zone: "web" }, options),
    );
    expect(before.match(/.*"kind":"ZonePassword".*/g)?.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ inputs: { zone: "web" }, unknown: [] }),
    ]);
  });

  test.each([
    ["plain", "hush"],
    ["marked as one", pulumi.secret("hush")],
  ])("a program announces what stands for a secret that is %s, and no secret", async (_, password) => {
    const [before, after] = await announcedOf(
      () => ({}),
      (options) => new ZonePassword("new", { zone: "web", password }, options),
    );
    const said = before.match(/\{.*"ZonePassword".*\}/g) ?? [];
    const inputs = { zone: "web", password: expect.stringMatching(/^•[\da-f]{8}\.[\da-f]{16}$/) as string };
    expect(JSON.parse(said.at(-1) ?? "")).toMatchObject({ inputs, unknown: [] });
    expect(`${before}${after}`).not.toContain("hush");
  });
});
