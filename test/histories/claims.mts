import type { JsonObject } from "../../src/base/json.ts";
import type { Entry } from "./engine.mts";
import { JOBS } from "./jobs.mts";
import { KINDS, kindOf } from "./kinds.mts";
import { type Resource, urnOf } from "./program.mts";

type Claims = ReadonlyMap<string, string | undefined>;

/** A resource as a program has it, with what it has besides and does not name. */
export type Declared = Resource & { held?: readonly string[] };

export const claimsOf = (entry: Entry): Claims => kindOf(entry.urn).claims(entry.outputs);

/** Whether nothing but their number says that an IP of a state has come in the place of another: it may be somebody else's. */
export const supposes = ({ outputs }: Entry, name: string): boolean =>
  Array.isArray(outputs.supposed) && outputs.supposed.some((ip) => name === `ip ${outputs.zone}/${ip}`);

export const claimsOfArgs = ({ kind, args }: Resource): Claims => KINDS[kind]?.claims(args) ?? new Map();

/** Whether a thing of this name may be what a resource makes. */
export function mayMake(resource: Resource, name: string): boolean {
  const { kind, name: own, args } = resource;
  if (claimsOfArgs(resource).has(name)) return true;
  if (!isOpen(resource)) return false;
  const zone = `${args.zone}/`;
  const [made = "port"] = kind in JOBS ? (KINDS[kind]?.makes ?? []) : [];
  const beginning =
    { Zone: `zone ${own}_`, ZoneIps: `ip ${zone}`, ZonePassword: `password ${zone}` }[kind] ?? `${made} `;
  return name.startsWith(beginning);
}

/** Arguments that leave it to the service what the thing is called. */
function isOpen({ kind, args }: Resource): boolean {
  if (kind === "ZoneIps" || (kind in JOBS && KINDS[kind]?.makes.length !== 0)) return true;
  const name = { Zone: "name", ProxyPort: "port", ZonePassword: "password" }[kind];
  if (name !== undefined) return args[name] === undefined;
  return (
    kind === "ProxyPorts" &&
    Object.values(args.ports as Record<string, JsonObject>).some(({ port }) => port === undefined)
  );
}

/** A program with what its resources have in a state without naming it. */
export const withHeld = (program: readonly Resource[], state: readonly Entry[]): Declared[] =>
  program.map((resource) => {
    const urns = [resource.name, ...(resource.aliases ?? [])].map((name) => urnOf(resource.kind, name));
    const had = urns.map((each) => state.find(({ urn, doomed }) => !doomed && urn === each));
    const entry = had.find(Boolean);
    return entry === undefined || !isOpen(resource) ? resource : { ...resource, held: [...claimsOf(entry).keys()] };
  });

/** Which things more than one resource declares: what becomes of them is a matter of who comes last. */
export function contestedIn(programs: readonly Declared[][]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const resource of programs.flat()) {
    for (const name of namesOf(resource)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isMany = (name: string) => (counts.get(name) ?? 0) > 1;
  return (name) => {
    const [what = "", rest = ""] = name.split(" ");
    const list = /^(allowed|denied)$/.test(what) ? `access ${rest.split("/")[0]}` : what === "ui" ? "list ui" : name;
    const isOnBoth = /^(ui|ports)$/.test(what) && isMany(`address ${rest}`);
    return isMany(name) || isOnBoth || (isMany(list) && counts.has(`whole ${list}`));
  };
}

/** What a resource declares, and the lists that are its own as a whole. */
export function namesOf(resource: Declared): string[] {
  const { kind, args } = resource;
  const names = [...new Set([...claimsOfArgs(resource).keys(), ...(resource.held ?? [])])];
  if (kind === "ZoneAccess") names.push(`access ${args.zone}`, `whole access ${args.zone}`);
  // The manager keeps an address on one of the lists.
  for (const name of [...names]) if (/^(ui|ports) /.test(name)) names.push(`address ${name.split(" ")[1]}`);
  if (kind === "WhitelistIp" && args.list === undefined) names.push("list ui");
  if (kind === "ManagerSettings" && args.wwwWhitelistIps !== undefined) names.push("list ui", "whole list ui");
  return names;
}
