import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { quietly } from "../../src/base/disk";
import { type Declaration, type Scene, scene } from "./harness";
import { nativeScene } from "./nativeScene";

const OFFICE = "203.0.113.7";

/** A zone with a given name and one with an automatic name, each with a list of clients and IPs on it. */
const NAMES = ["named", "automatic"];

const program: Declaration[] = NAMES.flatMap((name): Declaration[] => {
  const zone = { $output: [name, "name"] };
  const given = name === "named" ? { name: "by_name" } : {};
  return [
    { kind: "Zone", name, args: { ...given, plan: { type: "static", ips: 2 } } },
    { kind: "ZoneAccess", name: `${name}-access`, args: { zone, allowedIps: [OFFICE] } },
    { kind: "ZoneIps", name: `${name}-ips`, args: { zone, count: 3 } },
  ];
});

async function standing(): Promise<Scene & { forced: string[] }> {
  const made = await scene();
  made.stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  made.declare(...program);
  await made.stack.expect("up");
  const urns = (await made.stack.resources()).map(({ urn }) => urn);
  return { ...made, forced: urns.filter((urn) => NAMES.includes(urn.split("::").at(-1) ?? "")) };
}

const WAYS: Record<string, (made: Scene & { forced: string[] }) => Promise<string[]>> = {
  "up --replace": async ({ forced }) => forced.flatMap((urn) => ["--replace", urn]),
  "state taint": async ({ stack, forced }) => {
    await stack.taint(...forced);
    return [];
  },
};

it.each(Object.keys(WAYS))(
  "a zone that is replaced by force is never open to everybody with passwords that are valid: by `%s`",
  async (way) => {
    const made = await standing();
    const { simulator, stack } = made;
    const { account, remote } = simulator;
    const old = account.liveZones();
    remote.service.requests.length = 0;
    await stack.expect("up", ...((await WAYS[way]?.(made)) ?? []));
    const deletions = remote.service.requests.filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ path }) => path)).not.toContain("/zone/whitelist");
    expect(old).toMatchObject(old.map(() => ({ status: "deleted", ips: [OFFICE] })));
    const fresh = account.liveZones();
    expect(fresh).toMatchObject(NAMES.map(() => ({ ips: [OFFICE], plan: { ips: 5 } })));
    await stack.expect("preview", "--expect-no-changes");
  },
);

const PLAN = { type: "static", ipsType: "shared", country: "us" };

const web = (args: object = {}, options: object = {}): Declaration => ({
  kind: "Zone",
  name: "a",
  args: { name: "web", plan: PLAN, ...args },
  options,
});

const password: Declaration = { kind: "ZonePassword", name: "p", args: { zone: { $output: ["a", "name"] } } };

interface Kept {
  before?: object;
  drift?: "de";
  after: Declaration[];
  options?: string[];
  form?: "foreign";
}

/** What a zone is to be replaced for, and what the program is then, by what keeps the zone all the same. */
const KEPT: Record<string, Kept> = {
  "the program accepts what a refresh has found": {
    drift: "de",
    after: [web({ plan: { ...PLAN, country: "de" } })],
    options: ["--refresh"],
  },
  "another resource takes it over": {
    after: [
      web({ name: "web2" }),
      password,
      { kind: "Zone", name: "b", args: { name: "web", plan: PLAN, adopt: true } },
    ],
  },
  "`retainOnDelete` has it kept": {
    before: { retainOnDelete: true },
    after: [web({ name: "web2" }, { retainOnDelete: true }), password],
  },
  "`retainOnDelete` has it kept, which no program in another language tells": {
    before: { retainOnDelete: true },
    after: [web({ name: "web2" }, { retainOnDelete: true }), password],
    form: "foreign",
  },
};

it.each(Object.entries(KEPT))(
  "a password is removed from a zone that would be replaced and stays: %s",
  async (_, { before, drift, after, options = [], form }) => {
    const { simulator, stack, declare } = await (form === undefined ? scene() : nativeScene());
    if (form !== undefined) stack.setEnvironment({ FORM: form });
    const zone = () => simulator.account.liveZones().find(({ name }) => name === "web");
    declare(web({}, before), password);
    await stack.expect("up");
    await stack.expect("up");
    expect(zone()?.password).toHaveLength(2);
    if (drift !== undefined) Object.assign(zone()?.plan ?? {}, { country: drift });
    declare(...after);
    await stack.expect("up", ...options);
    expect(zone()?.password).toHaveLength(1);
  },
);

const CLIENTS = ["203.0.113.8", "203.0.113.9"];

const withPort = (port: number, more: object, access: object, name = "access", alias?: string): Declaration[] => [
  web(),
  { kind: "ProxyPort", name: "port", args: { port, zone: { $output: ["a", "name"] }, ...more } },
  {
    kind: "ZoneAccess",
    name,
    args: { zone: { $output: ["a", "name"] }, ...access },
    options: { replaceWith: ["port"], ...(alias !== undefined && { aliases: [{ name: alias }] }) },
  },
];

it.each(["dynamic", "native"] as const)(
  "a zone's access that goes with something of a fixed name is rewritten, and removed by destroy alone: %s",
  async (form) => {
    const { simulator, stack, declare } = await (form === "native" ? nativeScene() : scene());
    stack.setEnvironment({ FORM: form });
    const { requests } = simulator.remote.service;
    const changes = () => {
      const sent = requests.splice(0).filter(({ method, path }) => method !== "GET" && /list|perm/.test(path));
      return sent.map(({ method, body }) => {
        const { ip, domain } = body as Record<"ip" | "domain", string | string[] | undefined>;
        return `${method} ${ip ?? domain}`;
      });
    };
    declare(...withPort(24_100, {}, { allowedIps: [OFFICE], allowedDomains: ["example.com"] }));
    await stack.expect("up");
    changes();
    declare(...withPort(24_101, {}, { allowedIps: CLIENTS, allowedDomains: ["example.org"] }));
    expect(await stack.expect("up")).toContain("are kept: another resource of this program is to take them over.");
    expect(changes()).toEqual([`POST ${CLIENTS}`, "POST example.org", `DELETE ${OFFICE}`, "DELETE example.com"]);
    // What replaces it fails, and the next update goes on.
    declare(...withPort(24_102, { zone: "unknown" }, { allowedIps: [OFFICE] }));
    expect((await stack.command("up")).status).not.toBe(0);
    expect(changes()).toEqual([]);
    declare(...withPort(24_102, {}, { allowedIps: [OFFICE] }));
    await stack.expect("up");
    expect(changes()).toEqual([`POST ${OFFICE}`, ...CLIENTS.map((ip) => `DELETE ${ip}`), "DELETE example.org"]);
    expect(quietly(() => readdirSync(join(stack.folder, "home/brightdata/intents")))).toEqual([]);
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("destroy", "--run-program");
    expect(changes()).toEqual([`DELETE ${OFFICE}`]);
  },
);

it.each(["dynamic", "native"] as const)(
  "a zone's access that is told its zone by something of a fixed name stays as that is replaced by force: %s",
  async (form) => {
    const { simulator, stack, declare } = await (form === "native" ? nativeScene() : scene());
    stack.setEnvironment({ FORM: form });
    const args = { zone: { $output: ["port", "zone"] }, allowedIps: [OFFICE] };
    declare(...withPort(24_103, {}, {}).slice(0, 2), { kind: "ZoneAccess", name: "access", args });
    await stack.expect("up");
    const { requests } = simulator.remote.service;
    requests.length = 0;
    const port = (await stack.resources()).find(({ urn }) => urn.endsWith("::port"))?.urn ?? "";
    expect(await stack.expect("up", "--replace", port)).toContain("2 replaced");
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(simulator.account.liveZones()).toMatchObject([{ ips: [OFFICE] }]);
    await stack.expect("preview", "--expect-no-changes");
  },
);

it("a zone's access that was renamed before its state was written anew stays with what it goes with", async () => {
  const { simulator, stack, declare } = await scene();
  const named = (port: number, ...names: [string, string?]) => withPort(port, {}, { allowedIps: [OFFICE] }, ...names);
  declare(...named(24_104, "access"));
  await stack.expect("up");
  const { requests } = simulator.remote.service;
  requests.length = 0;
  for (const program of [
    named(24_104, "second", "access"),
    named(24_105, "second", "access"),
    named(24_105, "third", "second"),
    named(24_106, "third"),
  ]) {
    declare(...program);
    await stack.expect("up");
  }
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(simulator.account.liveZones()).toMatchObject([{ ips: [OFFICE] }]);
});

it.each(["dynamic", "native"] as const)(
  "a zone's access that is to be deleted before it is replaced is rewritten all the same: %s",
  async (form) => {
    const { simulator, stack, declare } = await (form === "native" ? nativeScene() : scene());
    stack.setEnvironment({ FORM: form });
    const options = { deleteBeforeReplace: true, replaceOnChanges: ["allowedIps"] };
    const named = (...allowedIps: string[]): Declaration[] => [
      web(),
      { kind: "ZoneAccess", name: "access", args: { zone: { $output: ["a", "name"] }, allowedIps }, options },
    ];
    declare(...named(OFFICE));
    await stack.expect("up");
    const { requests } = simulator.remote.service;
    const changes = () =>
      requests
        .splice(0)
        .flatMap(({ method, body }) => (method === "GET" ? [] : [`${method} ${(body as { ip?: string }).ip}`]));
    changes();
    declare(...named(...CLIENTS));
    expect(await stack.expect("up")).toContain("1 replaced");
    expect(changes()).toEqual([`POST ${CLIENTS}`, `DELETE ${OFFICE}`]);
    const access = (await stack.resources()).find(({ urn }) => urn.endsWith("::access"))?.urn ?? "";
    expect(await stack.expect("up", "--replace", access)).toContain("1 replaced");
    await stack.taint(access);
    expect(await stack.expect("up")).toContain("1 replaced");
    expect(changes()).toEqual([]);
    await stack.expect("preview", "--expect-no-changes");
  },
);

const FORMS_AND_FOREIGN = ["dynamic", "native", "foreign"] as const;

/** What the requests are that change who may use a zone. */
const listChanges = ({ requests }: { requests: { method: string; path: string; body?: unknown }[] }) =>
  requests
    .splice(0)
    .filter(({ method, path }) => method !== "GET" && /list|perm/.test(path))
    .map(({ method, body }) => `${method} ${(body as { ip?: string }).ip}`);

const GOES = { replaceOnChanges: ["internalName"], deleteBeforeReplace: true };

const going = (internalName: string): Declaration => ({
  kind: "ProxyPort",
  name: "port",
  args: { port: 24_110, zone: { $output: ["a", "name"] }, internalName },
  options: GOES,
});

/** What has a fixed name and is replaced for its internal name; a zone's access goes with it. */
const WITH: Record<string, (internalName: string, ...allowedIps: string[]) => Declaration[]> = {
  "by `replaceWith`": (internalName, ...allowedIps) => [
    web(),
    going(internalName),
    {
      kind: "ZoneAccess",
      name: "access",
      args: { zone: { $output: ["a", "name"] }, allowedIps },
      options: { replaceWith: ["port"] },
    },
  ],
  "as it tells the zone": (internalName, ...allowedIps) => [
    web(),
    going(internalName),
    { kind: "ZoneAccess", name: "access", args: { zone: { $output: ["port", "zone"] }, allowedIps } },
  ],
  "as it tells the zone, in a component": (internalName, ...allowedIps) => [
    web(),
    going(internalName),
    { component: "group" },
    {
      kind: "ZoneAccess",
      name: "access",
      args: { zone: { $output: ["port", "zone"] }, allowedIps },
      options: { parent: "group" },
    },
  ],
};

it.each(Object.keys(WITH).flatMap((way) => FORMS_AND_FOREIGN.map((form) => [way, form] as const)))(
  "a zone's access that goes with something never leaves the zone open: %s, %s",
  async (way, form) => {
    const { simulator, stack, declare } = await (form === "dynamic" ? scene() : nativeScene());
    stack.setEnvironment({ FORM: form });
    const program = (...of: [string, ...string[]]) => declare(...(WITH[way]?.(...of) ?? []));
    program("one", OFFICE);
    await stack.expect("up");
    listChanges(simulator.remote.service);
    program("two", ...CLIENTS);
    await stack.expect("up");
    expect(listChanges(simulator.remote.service)).toEqual([`POST ${CLIENTS}`, `DELETE ${OFFICE}`]);
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("destroy");
    expect(listChanges(simulator.remote.service)).toEqual(CLIENTS.map((ip) => `DELETE ${ip}`));
  },
);

it.each(FORMS_AND_FOREIGN)(
  "the manager's key that goes with something is another if its triggers change, and only then: %s",
  async (form) => {
    const { simulator, stack, declare } = await (form === "dynamic" ? scene() : nativeScene());
    stack.setEnvironment({ FORM: form });
    const { settings } = simulator.manager.state;
    const program = (port: number, trigger: string) =>
      declare(
        web(),
        { kind: "ProxyPort", name: "port", args: { port, zone: { $output: ["a", "name"] } } },
        { kind: "ManagerApiKey", name: "key", args: { triggers: [trigger] }, options: { replaceWith: ["port"] } },
      );
    program(24_120, "one");
    await stack.expect("up");
    const first = settings.token_auth;
    program(24_121, "one");
    await stack.expect("up");
    expect(settings.token_auth).toBe(first);
    program(24_122, "two");
    await stack.expect("up");
    expect(settings.token_auth).not.toBe(first);
    expect(await stack.resources()).toContainEqual(expect.objectContaining({ urn: expect.stringMatching(/::key$/) }));
    await stack.expect("preview", "--expect-no-changes");
  },
);

it("a zone's access that is replaced with something before that goes has its lists rewritten", async () => {
  const { simulator, stack, declare } = await nativeScene();
  stack.setEnvironment({ FORM: "foreign" });
  declare(...withPort(24_123, {}, { allowedIps: [OFFICE] }));
  await stack.expect("up");
  listChanges(simulator.remote.service);
  declare(...withPort(24_124, {}, { allowedIps: CLIENTS }));
  expect(await stack.expect("up")).toContain("2 replaced");
  expect([...new Set(listChanges(simulator.remote.service))]).toEqual([`POST ${CLIENTS}`, `DELETE ${OFFICE}`]);
});
