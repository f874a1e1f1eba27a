import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import type { Interruption } from "./engine.mts";
import { FAULTS } from "./faults.mts";
import type { History, Step, Trouble, Up } from "./history.mts";
import { canAdopt } from "./kinds.mts";
import type { Form, Resource } from "./program.mts";

/** Arguments of two resources of a kind that are there at the same time. */
type Pair = readonly [kind: string, one: JsonObject, other: JsonObject];

const zone = (name: string, country: string): JsonObject => ({
  plan: { type: "static", ipsType: "shared", country },
  name,
});

const PAIRS: readonly Pair[] = [
  ["Zone", zone("alpha0", "us"), zone("beta0", "us")],
  ["Zone", zone("alpha0", "us"), zone("beta0", "de")],
  ["ZoneIps", { zone: "web", count: 1 }, { zone: "web", count: 2 }],
  ["ZoneIps", { zone: "web", count: 3 }, { zone: "shop", count: 1 }],
  ["ZoneAccess", { zone: "web", allowedIps: ["203.0.113.7"] }, { zone: "web", deniedIps: ["192.0.2.1"] }],
  ["ZonePassword", { zone: "web", password: "Given-Password-00" }, { zone: "web", password: "Given-Password-01" }],
  ["ZonePassword", { zone: "web" }, { zone: "web", password: "Given-Password-01" }],
  ["ProxyPort", { port: 24_001, zone: "web" }, { port: 24_002, zone: "web" }],
  ["ProxyPort", { port: 24_001, zone: "web" }, { port: 24_002, zone: "shop", country: "de" }],
  ["ProxyPort", { zone: "web" }, { port: 24_003, zone: "web" }],
  ["ProxyPorts", { ports: { a: { port: 24_000, zone: "web" }, b: { port: 24_001, zone: "web" } } }, ports("c")],
  ["WhitelistIp", { ip: "203.0.113.7" }, { ip: "203.0.113.8" }],
  ["WhitelistIp", { ip: "203.0.113.7", list: "ports" }, { ip: "203.0.113.8" }],
  ["BannedIp", { ip: "192.0.2.7", ports: [24_900] }, { ip: "192.0.2.8", ports: [24_900] }],
];

function ports(key: string): JsonObject {
  return { ports: { [key]: { port: 24_002, zone: "web" } } };
}

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
}

type Make = (name: string, args: JsonObject, more?: Partial<Resource>) => Resource;

function crossingOf([kind, one, other]: Pair, isAdopting: boolean): Crossing {
  const of: Make = (name, args, more) => ({ kind, name, args, aliases: [], ...more });
  const adopting: Make = (name, args, more) =>
    of(name, isAdopting && canAdopt(kind, args) ? { ...args, adopt: true } : args, more);
  return { kind, one, other, of, adopting };
}

/**
 * A short history of two things of one kind: something goes wrong while they are made, or while another program takes the place of
 * the first, and one more comes after it. What is drawn is what becomes of the two, what goes wrong and where, and the forms.
 */
export function drawCrossed(seed: number): History {
  const chance = new Chance(seed);
  const crossing = crossingOf(chance.pick(PAIRS), chance.oneIn(2));
  const forms = chance.pick<readonly Form[]>([["dynamic"], ["native"], ["dynamic", "native"]]);
  const up = (name: string, more: Partial<Up> = {}): Up => ({
    ...{ do: "up", stack: 0, program: PROGRAMS[name]?.(crossing) ?? [] },
    form: chance.pick(forms),
    ...(chance.oneIn(2) ? { together: true } : {}),
    ...(chance.oneIn(4) ? { parallel: 1 } : {}),
    ...more,
  });
  const isNew = chance.oneIn(3);
  const second = isNew ? "same" : chance.pick(Object.keys(PROGRAMS));
  const wrong = hindered(chance, crossing.kind);
  const steps: Step[] = isNew ? [up(second, wrong)] : [up("same"), up(second, wrong)];
  if (chance.oneIn(4)) steps.push({ do: "refresh", stack: 0 });
  // Once more, back, or on.
  steps.push(up(chance.pick([second, "same", chance.pick(Object.keys(PROGRAMS))])));
  return { seed, stacks: [{ home: 0, service: 0, backend: 0 }], steps };
}

const ENDS: readonly Interruption["by"][] = ["kill", "cancel", "engine", "provider"];
const MOMENTS: readonly Interruption["when"][] = ["before call", "after call", "made", "recorded", "request", "answer"];

function hindered(chance: Chance, kind: string): Pick<Up, "trouble" | "interruption"> {
  if (chance.oneIn(4))
    return { interruption: { by: chance.pick(ENDS), when: chance.pick(MOMENTS), after: chance.below(6) } };
  const at = kind.startsWith("Zone") ? "remote" : "manager";
  const fault = chance.pick(Object.keys(FAULTS));
  const trouble: Trouble = { at, after: chance.below(12), fault, times: chance.pick([1, 2, 3, 8]) };
  return { trouble: chance.oneIn(4) ? { ...trouble, isLasting: true } : trouble };
}
