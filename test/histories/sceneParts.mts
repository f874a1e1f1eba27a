import type { JsonObject } from "../../src/base/json.ts";
import type { Chance } from "./chance.mts";
import type { Hand, History, RunStep, Step, Up } from "./history.mts";
import type { Resource } from "./program.mts";

/** A short history of which one knows how it has to end. */
export type Plot = Partial<History> & { steps: Step[] };

/** What histories hardly come to by chance. */
export interface Scene {
  says: string;
  draw(chance: Chance): Plot;
}

export const resource = (kind: string, name: string, args: JsonObject, more: Partial<Resource> = {}): Resource => ({
  ...{ kind, name, args },
  ...more,
});

export const planIn = (country: string): JsonObject => ({ type: "static", ipsType: "shared", country });

export const zone = (name: string, args: JsonObject = {}, more: Partial<Resource> = {}): Resource =>
  resource("Zone", name, { plan: planIn("us"), ...args }, more);

export const port = (name: string, args: JsonObject = {}): Resource =>
  resource("ProxyPort", name, { zone: "web", ...args });

export const ports = (name: string, members: JsonObject): Resource =>
  resource("ProxyPorts", name, { defaults: { zone: "web" }, ports: members });

export const ips = (name: string, count: number, args: JsonObject = {}): Resource =>
  resource("ZoneIps", name, { zone: "web", count, ...args });

export const adopting = (one: Resource): Resource => ({ ...one, args: { ...one.args, adopt: true } });

export const up = (program: Resource[], more: Partial<Up> = {}): Up => ({ do: "up", stack: 0, program, ...more });

/** An update that nothing disturbs. */
export const well = (program: Resource[], more: Partial<Up> = {}): Up => up(program, { expects: "success", ...more });

/** What something may not be, and the next update neither. */
export const refused = (program: Resource[], more: Partial<Up> = {}): Up =>
  up(program, { expects: "refusal", ...more });

export const destroy = (more: Partial<RunStep> = {}): RunStep => ({ do: "destroy", stack: 0, ...more }) as RunStep;

export const hand = (act: Hand["act"], what: Hand["what"], pick = 0, service = 0): Step => ({
  do: "hand",
  service,
  hand: { act, what, pick },
});

export const there = (...names: string[]): Step => ({ do: "see", service: 0, there: names });

export const gone = (...names: string[]): Step => ({ do: "see", service: 0, gone: names });

/** The program at once, or one resource after the other. */
export const anyhow = (chance: Chance): Partial<Up> => (chance.oneIn(2) ? { together: true } : {});

/** A kill while requests are under way: before one arrives, or before its answer is back. */
export const killed = (when: "request" | "answer" | "recorded", after: number): Partial<Up> => ({
  interruption: { by: "kill", when, after },
});

/** One resource of those that have a name, twice: as it is first, and as another that takes it over. */
export const NAMED: readonly { one(name: string): Resource; thing: string }[] = [
  { one: (name) => zone(name, { name: "alpha0" }), thing: "zone alpha0" },
  { one: (name) => port(name, { port: 24_000 }), thing: "port 24000" },
  { one: (name) => resource("WhitelistIp", name, { ip: "203.0.113.7" }), thing: "ui 203.0.113.7" },
  {
    one: (name) => resource("ZonePassword", name, { zone: "web", password: "Given-Password-00" }),
    thing: "password web/Given-Password-00",
  },
  {
    one: (name) => resource("ZoneAccess", name, { zone: "web", allowedIps: ["203.0.113.7"] }),
    thing: "allowed web/203.0.113.7",
  },
];
