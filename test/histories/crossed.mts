import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import type { Interruption } from "./engine.mts";
import { FAULTS } from "./faults.mts";
import type { History, Step, Trouble, Up } from "./history.mts";
import { deliveryOf } from "./jobs.mts";
import { canAdopt } from "./kinds.mts";
import type { Form, Resource } from "./program.mts";

/** Arguments of two resources of a kind that are there at the same time, and what may be declared in their place. */
type Pair = readonly [kind: string, one: JsonObject, other: JsonObject, ...instead: readonly Others[]];

/** Resources by kind and arguments. */
type Others = readonly (readonly [kind: string, args: JsonObject])[];

const plan = (country: string): JsonObject => ({ type: "static", ipsType: "shared", country });

const zone = (name: string, country: string): JsonObject => ({ plan: plan(country), name });

const port = (number: number, zone = "web"): JsonObject => ({ port: number, zone });

const set = (ports: Readonly<Record<string, JsonObject>>): JsonObject => ({ ports });

const collection = (page: string): JsonObject => ({
  datasetId: "gd_simulated",
  inputs: [{ url: `https://example.com/${page}` }],
});

const [A, B, C] = [port(24_000), port(24_001), port(24_002)];

const PAIRS: readonly Pair[] = [
  ["Zone", zone("alpha0", "us"), zone("beta0", "us")],
  ["Zone", zone("alpha0", "us"), zone("beta0", "de")],
  [
    "Zone",
    { plan: plan("us") },
    zone("beta0", "us"),
    [["Zone", zone("beta0", "de")]],
    [["Zone", zone("alpha0", "us")]],
  ],
  ["ZoneIps", { zone: "web", count: 1 }, { zone: "web", count: 2 }],
  ["ZoneIps", { zone: "web", count: 3 }, { zone: "shop", count: 1 }],
  [
    "ZoneIps",
    { zone: "web", count: 2, country: "us" },
    { zone: "web", count: 2, country: "de" },
    [["ZoneIps", { zone: "web", count: 3, country: "us" }]],
    [["ZoneIps", { zone: "web", count: 1, country: "de" }]],
  ],
  ["ZoneAccess", { zone: "web", allowedIps: ["203.0.113.7"] }, { zone: "web", deniedIps: ["192.0.2.1"] }],
  ["ZonePassword", { zone: "web", password: "Given-Password-00" }, { zone: "web", password: "Given-Password-01" }],
  ["ZonePassword", { zone: "web" }, { zone: "web", password: "Given-Password-01" }],
  [
    "ProxyPort",
    B,
    C,
    [["ProxyPorts", set({ a: B, b: C })]],
    [
      ["ProxyPorts", set({ a: C })],
      ["ProxyPort", port(24_001, "shop")],
    ],
  ],
  ["ProxyPort", B, { ...port(24_002, "shop"), country: "de" }],
  ["ProxyPort", { zone: "web" }, port(24_003)],
  [
    "ProxyPorts",
    set({ a: A, b: B }),
    set({ c: C }),
    [
      ["ProxyPort", A],
      ["ProxyPort", B],
      ["ProxyPorts", set({ c: C })],
    ],
    [
      ["ProxyPorts", set({ a: A })],
      ["ProxyPorts", set({ b: B, c: C })],
    ],
    [["ProxyPorts", set({ a: B, b: C, c: A })]],
    [
      ["ProxyPorts", set({ a: A, c: { zone: "shop" } })],
      ["ProxyPort", { ...B, country: "de" }],
    ],
  ],
  [
    "ProxyPorts",
    set({ a: { zone: "web" }, b: { zone: "web" } }),
    set({ c: C }),
    [
      ["ProxyPorts", set({ a: { zone: "web" } })],
      ["ProxyPorts", set({ b: { zone: "web" } })],
    ],
    [["ProxyPorts", set({ b: { zone: "web", country: "us" }, d: { zone: "web" } })]],
  ],
  [
    "WhitelistIp",
    { ip: "203.0.113.7" },
    { ip: "203.0.113.8" },
    [["ManagerSettings", { logs: 500, wwwWhitelistIps: ["198.51.100.1", "203.0.113.7"] }]],
    [["ManagerSettings", { logs: 500, wwwWhitelistIps: ["198.51.100.1", "203.0.113.7", "203.0.113.8"] }]],
    [
      ["WhitelistIp", { ip: "203.0.113.7", list: "ports" }],
      ["WhitelistIp", { ip: "203.0.113.8" }],
    ],
  ],
  ["WhitelistIp", { ip: "203.0.113.7", list: "ports" }, { ip: "203.0.113.8" }],
  ["BannedIp", { ip: "192.0.2.7", ports: [24_900] }, { ip: "192.0.2.8", ports: [24_900] }],
  [
    "BannedIp",
    { ip: "192.0.2.7", domain: "example.org", ports: [24_900] },
    { ip: "192.0.2.7", domain: "example.com", ports: [24_900] },
  ],
  ["ManagerUser", { email: "user0@example.com" }, { email: "user1@example.com" }],
  [
    "DatasetCollection",
    collection("a"),
    collection("b"),
    [["DatasetCollection", { ...collection("a"), triggers: ["2"] }]],
  ],
  ["SnapshotDelivery", deliveryOf(0), deliveryOf(1), [["SnapshotDelivery", { ...deliveryOf(0), triggers: ["2"] }]]],
];

/** Programs of two things of a kind, by what becomes of the resources `d` and `e` that have had them. */
const PROGRAMS: Readonly<Record<string, (drawn: Crossing) => Resource[]>> = {
  same: ({ one, other, of }) => [of("d", one), of("e", other)],
  swapped: ({ one, other, adopting }) => [adopting("d", other), adopting("e", one)],
  swappedInTurn: ({ one, other, adopting, kind }) => [
    adopting("d", other),
    { ...adopting("e", one), dependsOn: [`${kind} d`] },
  ],
  renamed: ({ one, other, of }) => [of("f", one, { aliases: ["d"] }), of("g", other, { aliases: ["e"] })],
  renamedAndSwapped: ({ one, other, adopting }) => [
    adopting("f", one, { aliases: ["e"] }),
    adopting("g", other, { aliases: ["d"] }),
  ],
  given: ({ one, other, of, adopting }) => [adopting("f", one), of("e", other)],
  oneIsTheOther: ({ other, adopting }) => [adopting("d", other)],
  otherIsTheOne: ({ one, adopting }) => [adopting("e", one)],
  oneLeft: ({ one, of }) => [of("d", one)],
  inComponent: ({ one, other, of }) => [
    of("d", one, { options: { parent: "Group x", wasIn: [null] } }),
    of("e", other, { options: { parent: "Group x", wasIn: [null] } }),
  ],
  withProvider: ({ one, other, of }) => [of("d", one, { provider: "one" }), of("e", other)],
  retained: ({ one, other, of }) => [
    of("d", one, { options: { retainOnDelete: true } }),
    of("e", other, { options: { protect: true } }),
  ],
  ignoring: ({ one, other, of }) => [
    of("d", one),
    of("e", other, { options: { ignoreChanges: ["count", "allowedIps", "deniedIps", "country", "ports"] } }),
  ],
  none: () => [],
};

/** What is the same in all steps of a history. */
interface Crossing {
  kind: string;
  one: JsonObject;
  other: JsonObject;
  of: Make;
  /** The same, with `adopt` where that is drawn. */
  adopting: Make;
  /** What is declared in the place of the two. */
  instead: readonly Others[];
}

type Make = (name: string, args: JsonObject, more?: Partial<Resource>) => Resource;

const withAdopt = (kind: string, args: JsonObject): JsonObject =>
  canAdopt(kind, args) ? { ...args, adopt: true } : args;

function crossingOf([kind, one, other, ...instead]: Pair, isAdopting: boolean): Crossing {
  const of: Make = (name, args, more) => ({ kind, name, args, aliases: [], ...more });
  const adopting: Make = (name, args, more) => of(name, isAdopting ? withAdopt(kind, args) : args, more);
  return { kind, one, other, of, adopting, instead };
}

/** With names that there were, or new ones. */
function inPlace(others: Others, chance: Chance): Resource[] {
  const names = chance.oneIn(2) ? ["d", "e", "f"] : ["f", "g", "h"];
  const isAdopting = chance.oneIn(2);
  return others.map(([kind, args], index) => ({
    ...{ kind, name: names[index] ?? "", aliases: [] },
    args: isAdopting ? withAdopt(kind, args) : args,
  }));
}

/** Makes an update with a program of that name: of the {@link PROGRAMS}, or the number of what is declared instead. */
type Run = (name: string, more?: Partial<Up>) => Up;

function runOf(chance: Chance, crossing: Crossing): Run {
  const forms = chance.pick<readonly Form[]>([["dynamic"], ["native"], ["dynamic", "native"]]);
  return (name, more) => {
    const others = crossing.instead[Number(name)];
    return {
      ...{ do: "up", stack: 0 },
      program: others === undefined ? (PROGRAMS[name]?.(crossing) ?? []) : inPlace(others, chance),
      form: chance.pick(forms),
      ...(chance.oneIn(2) ? { together: true } : {}),
      ...(chance.oneIn(4) ? { parallel: 1 } : {}),
      ...(chance.oneIn(6) ? { refresh: true } : {}),
      ...(chance.oneIn(6) ? { continueOnError: true } : {}),
      ...(chance.oneIn(8) ? { replace: [`${crossing.kind} ${chance.pick(["d", "e", "f"])}`] } : {}),
      ...more,
    };
  };
}

/**
 * A short history of two things of one kind: something goes wrong while they are made, or while another program takes the place of
 * the first, perhaps once more, and one more comes after it. What is drawn is what becomes of the two, what goes wrong and where,
 * and the forms.
 */
export function drawCrossed(seed: number): History {
  const chance = new Chance(seed);
  const crossing = crossingOf(chance.pick(PAIRS), chance.oneIn(2));
  const up = runOf(chance, crossing);
  // What is declared instead is as likely as three of the others.
  const instead = crossing.instead.flatMap((_, index) => [index, index, index].map(String));
  const any = () => chance.pick([...Object.keys(PROGRAMS), ...instead]);
  const isNew = chance.oneIn(3);
  const second = isNew ? "same" : any();
  const hindrance = () => hindered(chance, crossing.kind);
  const steps: Step[] = isNew ? [up(second, hindrance())] : [up("same"), up(second, hindrance())];
  // Once more, back, or on.
  const next = () => chance.pick([second, "same", any()]);
  if (chance.oneIn(3)) steps.push(up(next(), hindrance()));
  if (chance.oneIn(4)) steps.push({ do: "refresh", stack: 0 });
  steps.push(up(next()));
  return { seed, stacks: [{ home: 0, service: 0, backend: 0 }], steps };
}

const ENDS: readonly Interruption["by"][] = ["kill", "cancel", "engine", "provider"];
const MOMENTS: readonly Interruption["when"][] = ["before call", "after call", "made", "recorded", "request", "answer"];

function hindered(chance: Chance, kind: string): Pick<Up, "trouble" | "interruption"> {
  if (chance.oneIn(4))
    return { interruption: { by: chance.pick(ENDS), when: chance.pick(MOMENTS), after: chance.below(6) } };
  const isRemote = /^(Zone|Dataset|Snapshot)/.test(kind);
  const fault = chance.pick(Object.keys(FAULTS));
  const trouble: Trouble = {
    ...{ at: isRemote ? "remote" : "manager", after: chance.below(12), fault },
    times: chance.pick([1, 2, 3, 8]),
  };
  return { trouble: chance.oneIn(4) ? { ...trouble, isLasting: true } : trouble };
}
