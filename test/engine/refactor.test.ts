import { expect, test } from "vitest";
import type { Simulator } from "../../simulator";
import { hasTurn, inTurn } from "../turn";
import { type Declaration, edit, type Kind, type Scene, scene } from "./harness";

const it = inTurn(2);

type Outputs = Record<string, unknown>;

/** A resource that stands for something which only one resource can stand for. */
interface Identity {
  kind: Kind;
  args: object;
  /** Input that is changed in place when nothing else is said, and what the arguments are with its other value. */
  change: { path: string; args: object };
  /** What the service has of it. */
  held(simulator: Simulator): unknown;
  /** What the service should have of it. */
  declared(outputs: Outputs): unknown;
  /** What the service has of it once it is destroyed. */
  left: unknown;
  /** The same where another resource has taken it over before. Default: {@link left}. */
  leftByAnother?: unknown;
  /** Whether a second resource for the same thing is refused, unless its argument `adopt` is true. */
  refuses?: boolean;
}

const plan = { type: "static", ipsType: "shared", country: "us" };
const OFFICE = "203.0.113.7";
const BANNED = "203.0.113.9";

const zonesLike =
  (pattern: RegExp) =>
  ({ account }: Simulator): unknown =>
    account
      .liveZones()
      .map(({ name }) => name)
      .filter((name) => pattern.test(name));

const recordsLike =
  (pattern: RegExp) =>
  ({ manager }: Simulator): unknown =>
    manager.state.records.filter(({ internal_name }) => pattern.test(String(internal_name))).map(({ port }) => port);

/** The IPs of the zone `ips`, but for the two that it was made with. */
const addedIps = ({ account }: Simulator): unknown =>
  account
    .zone("ips")
    ?.allocatedIps.slice(2)
    .map(({ ip }) => ip);

/** By their logical names. */
const IDENTITIES: Record<string, Identity> = {
  named: {
    kind: "Zone",
    args: { name: "by_name", plan },
    change: { path: "disabled", args: { name: "by_name", plan, disabled: true } },
    held: zonesLike(/^by_name/),
    declared: ({ name }) => [name],
    left: [],
    refuses: true,
  },
  automatic: {
    kind: "Zone",
    args: { plan },
    change: { path: "disabled", args: { plan, disabled: true } },
    held: zonesLike(/^automatic/),
    declared: ({ name }) => [name],
    left: [],
  },
  access: {
    kind: "ZoneAccess",
    args: { zone: "access", allowedIps: [OFFICE] },
    change: { path: "allowedIps", args: { zone: "access", allowedIps: [OFFICE, "203.0.113.8"] } },
    held: ({ account }) => account.zone("access")?.ips,
    declared: ({ allowedIps }) => allowedIps,
    left: ["any"],
  },
  ips: {
    kind: "ZoneIps",
    args: { zone: "ips", count: 2 },
    change: { path: "count", args: { zone: "ips", count: 3 } },
    held: addedIps,
    declared: ({ ips }) => ips,
    left: [],
  },
  generated: {
    kind: "ZonePassword",
    args: { zone: "generated" },
    change: { path: "timeouts", args: { zone: "generated", timeouts: { create: 30 } } },
    held: ({ account }) => account.zone("generated")?.password.slice(1),
    declared: ({ password }) => [password],
    left: [],
  },
  given: {
    kind: "ZonePassword",
    // What replaces it by force cannot tell the password from somebody else's.
    args: { zone: "given", password: "given-by-hand", adopt: true },
    change: {
      path: "timeouts",
      args: { zone: "given", password: "given-by-hand", adopt: true, timeouts: { create: 30 } },
    },
    held: ({ account }) => account.zone("given")?.password.slice(1),
    declared: ({ password }) => [password],
    left: [],
  },
  numbered: {
    kind: "ProxyPort",
    args: { port: 24_500, zone: "ports", internalName: "numbered" },
    change: { path: "country", args: { port: 24_500, zone: "ports", internalName: "numbered", country: "us" } },
    held: recordsLike(/^numbered$/),
    declared: ({ port }) => [port],
    left: [],
    refuses: true,
  },
  counted: {
    kind: "ProxyPort",
    args: { zone: "ports", internalName: "counted" },
    change: { path: "country", args: { zone: "ports", internalName: "counted", country: "us" } },
    held: recordsLike(/^counted$/),
    declared: ({ port }) => [port],
    left: [],
  },
  allowed: {
    kind: "WhitelistIp",
    args: { ip: OFFICE },
    change: { path: "timeouts", args: { ip: OFFICE, timeouts: { create: 30 } } },
    held: ({ manager }) => manager.state.settings.www_whitelist_ips ?? [],
    declared: ({ ip }) => [ip],
    left: [],
    refuses: true,
  },
  banned: {
    kind: "BannedIp",
    args: { ip: BANNED, port: 24_000 },
    change: { path: "timeouts", args: { ip: BANNED, port: 24_000, timeouts: { create: 30 } } },
    held: ({ manager }) => manager.state.running.get("24000")?.bans.keys(),
    declared: ({ ip }) => [ip],
    left: [],
  },
  settings: {
    kind: "ManagerSettings",
    args: { logs: 500 },
    change: { path: "logs", args: { logs: 600 } },
    held: ({ manager }) => manager.state.settings.logs,
    declared: ({ logs }) => logs,
    left: 1000,
    // A new resource knows of no earlier settings than those that it found.
    leftByAnother: 500,
  },
  user: {
    kind: "ManagerUser",
    args: { email: "ops@example.com" },
    change: { path: "timeouts", args: { email: "ops@example.com", timeouts: { create: 30 } } },
    held: ({ manager }) => manager.state.users.map(({ email }) => email),
    declared: ({ email }) => [email],
    // The manager cannot remove a user.
    left: ["ops@example.com"],
    refuses: true,
  },
  key: {
    kind: "ManagerApiKey",
    args: {},
    change: { path: "timeouts", args: { timeouts: { create: 30 } } },
    held: ({ manager }) => manager.state.settings.token_auth,
    declared: ({ apiKey }) => apiKey,
    // Others may go by it.
    left: expect.any(String),
  },
};

const each = <T>(value: (identity: Identity, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(IDENTITIES).map(([name, identity]) => [name, value(identity, name)]));

type Change = (declaration: { kind: Kind; name: string; args: object }, identity: Identity) => Declaration;

const declarations = (change: Change = (declaration) => declaration): Declaration[] =>
  Object.entries(IDENTITIES).map(([name, identity]) =>
    change({ kind: identity.kind, name, args: identity.args }, identity),
  );

const renamed: Change = ({ kind, name, args }) => ({ kind, name: `${name}-renamed`, args });

/** A stack with all of them, up. */
async function standing(): Promise<Scene> {
  const made = await scene({ manager: { dropin: false } });
  const { simulator, stack, declare } = made;
  for (const name of ["access", "generated", "given", "ports"]) simulator.account.addZone(name, { type: "static" });
  simulator.account.addZone("ips", { type: "static", ips: 2 });
  await edit(simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "ports" } });
  declare(...declarations());
  await stack.expect("up");
  await expectAgreement(made);
  return made;
}

/** The service has what the state says, of each of them. */
async function expectAgreement({ simulator, stack }: Scene): Promise<void> {
  const outputs = Object.entries(await stack.outputs()).map(([name, value]) => [name.replace("-renamed", ""), value]);
  const byName = Object.fromEntries(outputs) as Record<string, Outputs>;
  expect(each(({ held }) => held(simulator))).toEqual(
    each(({ declared }, name) => declared(byName[name] ?? { missing: name })),
  );
  expect(simulator.account.sweeps).toEqual([]);
}

/** What was to come about has, the next preview has nothing to say, and a destroy leaves nothing. */
async function expectConvergence(made: Scene, left = each((identity) => identity.left)): Promise<void> {
  const { simulator, stack } = made;
  await expectAgreement(made);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("destroy");
  expect(each(({ held }) => held(simulator))).toEqual(left);
}

const leftByAnother = () => each(({ left, leftByAnother = left }) => leftByAnother);

const urns = async ({ stack }: Scene): Promise<string[]> => (await stack.resources()).map(({ urn }) => urn);

/** What has everything replaced by an update, with the options that it is given. */
const REPLACEMENTS: readonly [how: string, replace: (made: Scene) => Promise<string[]>][] = [
  ["`up --replace` says so", async (made) => (await urns(made)).flatMap((urn) => ["--replace", urn])],
  [
    "it is tainted",
    async (made) => {
      await made.stack.taint(...(await urns(made)));
      return [];
    },
  ],
  [
    "the option `replaceOnChanges` names what changes",
    async (made) => {
      const changed = declarations(({ kind, name }, { change }) => ({
        kind,
        name,
        args: change.args,
        options: { replaceOnChanges: [change.path] },
      }));
      made.declare(...changed);
      return [];
    },
  ],
  [
    "the option `replacementTrigger` has another value",
    async (made) => {
      const triggered = (replacementTrigger: string) =>
        declarations(({ kind, name, args }) => ({ kind, name, args, options: { replacementTrigger } }));
      made.declare(...triggered("spring"));
      await made.stack.expect("up");
      made.declare(...triggered("autumn"));
      return [];
    },
  ],
];

test.each(REPLACEMENTS.filter((_, index) => hasTurn(index, REPLACEMENTS.length)))(
  "what stands for one thing only is replaced when %s",
  async (_, replace) => {
    const made = await standing();
    const options = await replace(made);
    expect(await made.stack.expect("up", ...options)).toContain(`+-${(await urns(made)).length} replaced`);
    await expectConvergence(made);
  },
);

it("what stands for one thing only survives a new name in the program, and the old resource lets go of it", async () => {
  const made = await standing();
  made.declare(
    ...declarations(({ kind, name, args }, { refuses }) => ({
      kind,
      name: `${name}-renamed`,
      args: refuses ? { ...args, adopt: true } : args,
    })),
  );
  const printed = await made.stack.expect("up");
  expect(printed).toContain("zone by_name belongs to another resource of this program now, and is kept");
  await expectConvergence(made, leftByAnother());
});

it("what stands for one thing only survives being moved into a component", async () => {
  const made = await standing();
  made.declare(
    { component: "group" },
    ...declarations(({ kind, name, args }, { refuses }) => ({
      kind,
      name,
      args: refuses ? { ...args, adopt: true } : args,
      options: { parent: "group" },
    })),
  );
  await made.stack.expect("up");
  await expectConvergence(made, leftByAnother());
});

it("what stands for one thing only is refused to another resource that does not say `adopt`, in words that name renaming first", async () => {
  const made = await standing();
  const refusing = Object.entries(IDENTITIES).filter(([, { refuses }]) => refuses);
  for (const [changed] of refusing) {
    made.declare(
      ...declarations((declaration, identity) =>
        declaration.name === changed ? renamed(declaration, identity) : declaration,
      ),
    );
    const { status, stdout } = await made.stack.command("up");
    expect(status, changed).not.toBe(0);
    expect(stdout.indexOf("`aliases`"), changed).toBeGreaterThan(0);
    expect(stdout.indexOf("`aliases`"), changed).toBeLessThan(stdout.indexOf("`adopt: true`"));
  }
  made.declare(...declarations());
  await expectConvergence(made);
});

it("what stands for one thing only stays as it is when it is renamed or moved with `aliases`", async () => {
  const made = await standing();
  const aliased: Change = ({ kind, name, args }) => ({
    kind,
    name: `${name}-renamed`,
    args,
    options: { aliases: [{ name }] },
  });
  made.declare(...declarations(aliased));
  await made.stack.expect("up", "--expect-no-changes");
  await expectAgreement(made);
  made.declare(
    { component: "group" },
    ...declarations(({ kind, name, args }) => ({
      kind,
      name,
      args,
      options: { parent: "group", aliases: [{ name: `${name}-renamed`, parent: null }] },
    })),
  );
  expect(await made.stack.expect("up")).toMatch(/\+ 1 created\n\s+\d+ unchanged/);
  await expectConvergence(made);
});

it("what several resources may have is destroyed with the program that has renamed it by `aliases`", async () => {
  const { simulator, stack, declare } = await scene();
  const zone = {
    kind: "Zone",
    name: "a",
    args: { name: "web", plan: { type: "static" } },
    options: { retainOnDelete: true },
  } as const;
  const named = (name: string, aliases: object[] = []): Declaration => ({
    kind: "ZonePassword",
    name,
    args: { zone: { $output: ["a", "name"] }, password: "Given-Password-01" },
    options: { aliases },
  });
  const given = () => simulator.account.zones.get("web")?.password.includes("Given-Password-01");
  declare(zone, named("before"));
  await stack.expect("up");
  declare(zone, named("after", [{ name: "before" }]));
  await stack.expect("up", "--expect-no-changes");
  expect(given()).toBe(true);
  await stack.expect("destroy", "--run-program");
  expect(given()).toBe(false);
});

it("what stands for one thing only stays as it is when it is renamed in the state, too", async () => {
  const made = await standing();
  for (const urn of await urns(made)) await made.stack.rename(urn, `${urn.split("::").at(-1)}-renamed`);
  made.declare(...declarations(({ kind, name, args }) => ({ kind, name: `${name}-renamed`, args })));
  await made.stack.expect("up", "--expect-no-changes");
  await expectConvergence(made);
});
