import type { JsonObject } from "../../src/base/json.ts";
import type { Chance } from "./chance.mts";
import { JOBS } from "./jobs.mts";
import { banName, type Ledger } from "./world.mts";

/** Whether a resource takes over what is there if it is told to, and nothing that it does not name. */
export const canAdopt = (kind: string, args: JsonObject): boolean =>
  !(kind in JOBS) &&
  // IPs that are adopted may be those that another resource has added: which is a matter of who comes first.
  !["ZoneIps", "ManagerSettings", "BannedIp"].includes(kind) &&
  // Under an automatic name there may be the zone of a stack of the same name.
  !(kind === "Zone" && args.name === undefined) &&
  !(kind === "ZonePassword" && args.password === undefined);

/** What a history has to know of a kind of resource. */
export interface Kind {
  /** Arguments of a resource in the stack of that number. What two stacks name is not the same. */
  draw(chance: Chance, stack: number): JsonObject;
  /** Arguments that cannot change without another thing taking the place of the first. */
  identity: readonly string[];
  /** Names of what arguments or outputs say that there is, as {@link atomsOf} has them, and the value where it is known. */
  claims(values: JsonObject): Map<string, string | undefined>;
  /** What the names of its things begin with. */
  makes: readonly string[];
  /** What this many of its things cost. */
  buys?: keyof Ledger;
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const named = (names: readonly string[]): Map<string, undefined> => new Map(names.map((name) => [name, undefined]));

const maybe = (chance: Chance, args: JsonObject): JsonObject => (chance.oneIn(3) ? args : {});

const ZONES = ["web", "shop"];

/** Two stacks do not declare the lists of one zone: who adopts them would be a matter of who came last. */
const zoneOf = (stack: number): string => ZONES[stack] as string;

const ports = ({ ports }: JsonObject): JsonObject[] => Object.values((ports ?? {}) as Record<string, JsonObject>);

const portClaims = (settings: readonly JsonObject[]): Map<string, string | undefined> =>
  new Map(
    settings
      .filter(({ port }) => port !== undefined)
      .map(({ port, zone, country, adopt }) => {
        // What is not declared stays on a port that is taken over.
        const isOpen = zone === undefined || (adopt === true && country === undefined);
        return [`port ${port}`, isOpen ? undefined : `${zone} ${country ?? ""}`];
      }),
  );

/** What there is before any program, by the id that it is imported by. */
export const IMPORTS: readonly { kind: string; id: string; args: JsonObject }[] = [
  { kind: "Zone", id: "taken", args: { name: "taken", plan: { type: "static", ipsType: "shared", country: "us" } } },
  // Not the port that has the bans: they would go with it.
  { kind: "ProxyPort", id: "24890", args: { port: 24_890, zone: "web" } },
  { kind: "WhitelistIp", id: "ports/198.51.100.2", args: { ip: "198.51.100.2", list: "ports" } },
];

/** Kinds of what is there, each with what is drawn of it anywhere. */
export const THINGS: Readonly<Record<string, Kind>> = {
  Zone: {
    draw: (chance, stack) => ({
      plan: { type: "static", ipsType: "shared", country: chance.pick(["us", "us", "de"]) },
      ...maybe(chance, { name: chance.pick([`alpha${stack}`, `beta${stack}`, "taken"]) }),
      ...(chance.oneIn(6) ? { adopt: true } : {}),
    }),
    identity: ["name", "plan"],
    makes: ["zone"],
    claims: ({ name, plan }) => {
      const { country } = plan as JsonObject;
      return name === undefined ? new Map() : new Map([[`zone ${name}`, `active ${country}`]]);
    },
    buys: "zones",
  },
  ZoneIps: {
    draw: (chance) => ({
      zone: chance.pick(ZONES),
      count: 1 + chance.below(3),
      ...maybe(chance, { country: chance.pick(["us", "de"]) }),
      ...(chance.oneIn(6) ? { adopt: true } : {}),
    }),
    identity: ["zone", "country"],
    makes: ["ip"],
    claims: ({ zone, ips }) => named(listOf(ips).map((ip) => `ip ${zone}/${ip}`)),
    buys: "ips",
  },
  ZoneAccess: {
    draw: (chance, stack) => ({
      zone: zoneOf(stack),
      allowedIps: chance.pick([["203.0.113.7"], ["203.0.113.8"], ["203.0.113.7", "203.0.113.64/26"]]),
      ...maybe(chance, { deniedIps: ["192.0.2.1"] }),
      ...(chance.oneIn(3) ? { adopt: true } : {}),
    }),
    identity: ["zone"],
    makes: ["allowed", "denied"],
    claims: ({ zone, allowedIps, deniedIps }) =>
      named([
        ...listOf(allowedIps)
          .filter((ip) => ip !== "any")
          .map((ip) => `allowed ${zone}/${ip}`),
        ...listOf(deniedIps).map((ip) => `denied ${zone}/${ip}`),
      ]),
  },
  ZonePassword: {
    draw: (chance, stack) => ({
      zone: zoneOf(stack),
      ...maybe(chance, {
        password: `Given-Password-${stack}${chance.below(2)}`,
        ...(chance.oneIn(2) ? { adopt: true } : {}),
      }),
    }),
    identity: ["zone", "password", "triggers"],
    makes: ["password"],
    claims: ({ zone, password }) => named(password === undefined ? [] : [`password ${zone}/${password}`]),
  },
  ProxyPort: {
    draw: (chance, stack) => ({
      zone: chance.pick(ZONES),
      ...maybe(chance, { port: chance.pick([24_000, 24_001, 24_002]) + 10 * stack }),
      ...maybe(chance, { country: chance.pick(["us", "de"]) }),
      ...(chance.oneIn(4) ? { adopt: true } : {}),
    }),
    identity: ["port"],
    makes: ["port"],
    claims: (values) => portClaims([values]),
  },
  ProxyPorts: {
    draw: (chance, stack) => ({
      defaults: { zone: chance.pick(ZONES) },
      ports: Object.fromEntries(
        ["a", "b", "c"]
          .slice(0, 1 + chance.below(3))
          .map((name, index) => [name, chance.oneIn(2) ? { port: 24_000 + index + 10 * stack } : {}]),
      ),
      ...(chance.oneIn(3) ? { adopt: true } : {}),
    }),
    identity: [],
    makes: ["port"],
    claims: (values) => portClaims(ports(values).map((port) => ({ ...port, adopt: values.adopt }))),
  },
  WhitelistIp: {
    draw: (chance, stack) => ({
      ip: `203.0.113.${7 + chance.below(2) + 10 * stack}`,
      ...maybe(chance, { list: "ports" }),
      ...(chance.oneIn(4) ? { adopt: true } : {}),
    }),
    identity: ["ip", "list"],
    makes: ["ui", "ports"],
    claims: ({ ip, list }) => named([`${list ?? "ui"} ${ip}`]),
  },
  ManagerSettings: {
    // The list as a whole is one program's; settings of one manager in two states are a matter of who comes last.
    draw: (chance, stack) =>
      stack === 1
        ? { requestStats: chance.oneIn(2) }
        : {
            logs: chance.pick([500, 600]),
            ...maybe(chance, { wwwWhitelistIps: ["198.51.100.1", `203.0.113.${7 + chance.below(2)}`] }),
          },
    identity: [],
    makes: ["setting", "ui"],
    claims: ({ logs, requestStats, wwwWhitelistIps }) =>
      new Map([
        ...(logs === undefined ? [] : [["setting logs", String(logs)] as const]),
        ...(requestStats === undefined ? [] : [["setting request_stats", String(requestStats)] as const]),
        ...listOf(wwwWhitelistIps).map((ip) => [`ui ${ip}`, undefined] as const),
      ]),
  },
  BannedIp: {
    draw: (chance, stack) => ({ ip: `192.0.2.${7 + chance.below(2) + 10 * stack}`, ports: [24_900] }),
    identity: ["ip", "domain"],
    makes: ["ban"],
    claims: ({ ip, domain, ports }) => named(listOf(ports).map((port) => banName(port, { ip, domain }))),
  },
  ManagerUser: {
    draw: (chance, stack) => ({ email: `user${stack}@example.com`, ...maybe(chance, { adopt: true }) }),
    identity: ["email"],
    makes: ["user"],
    claims: ({ email }) => named([`user ${email}`]),
  },
};

export const KINDS: Readonly<Record<string, Kind>> = { ...THINGS, ...JOBS };

export const kindOf = (urn: string): Kind => KINDS[urn.slice(0, urn.indexOf(" "))] as Kind;
