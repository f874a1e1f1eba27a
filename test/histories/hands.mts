import type { Hand } from "./history.mts";
import { JOB_PORT, JOB_ZONES } from "./jobs.mts";
import type { Machine } from "./machine.mts";
import { type Atoms, atomsOf, type Services } from "./world.mts";

/** Asks a Proxy Manager for something, as a person at its page does, and tells whether it was done. */
export type Ask = (method: string, path: string, body?: object) => Promise<boolean>;

/** What a person has done. */
export interface Deed {
  /** Names of what has come, is gone, or is another thing under the same name. */
  come: string[];
  gone: string[];
  remade: string[];
  changed: string[];
}

/** Zones that are there before any program, and stay. */
const ZONES = ["web", "shop"];

const NEW: Readonly<Record<Exclude<Hand["what"], "all" | "ip">, readonly string[]>> = {
  zone: ["zone alpha0", "zone beta0", "zone handmade"],
  password: ["password web/Handmade-Password-1", "password shop/Handmade-Password-1"],
  allowed: ["allowed web/203.0.113.200", "allowed shop/203.0.113.200"],
  port: ["port 24000", "port 24001", "port 24002", "port 24500"],
  ui: ["ui 203.0.113.7", "ui 203.0.113.201"],
  ban: ["ban 24900/192.0.2.7", "ban 24900/192.0.2.99"],
};

/**
 * What a person does, by hand, at the services of an account.
 *
 * @param first what was there before any program
 */
export async function lend(simulator: Services, hand: Hand, first: Atoms, ask: Ask): Promise<Deed> {
  const before = atomsOf(simulator);
  const name = nameFor(simulator, hand, first);
  let isMade = true;
  if (hand.act === "forget") await ask("PATCH", "/__simulator/state", { config: FIRST_CONFIG });
  else if (name !== undefined) isMade = await touch(simulator, hand.act, name, ask);
  const after = atomsOf(simulator);
  // A run may go on meanwhile, and do something as well.
  const isAbout = (each: string): boolean =>
    hand.act === "forget"
      ? /^(port|ui|ports|ban) /.test(each) && (!after.has(each) || after.get(each) === first.get(each))
      : isPartOf(each, name, hand);
  const all = [...new Set([...before.keys(), ...after.keys()])].filter(isAbout);
  return {
    come: isMade ? all.filter((each) => !before.has(each)) : [],
    gone: all.filter((each) => !after.has(each)),
    remade: hand.act === "remake" ? all.filter((each) => before.has(each) && after.has(each)) : [],
    changed: all.filter((each) => before.has(each) && after.has(each) && before.get(each) !== after.get(each)),
  };
}

/** A new IP has another name than the one that it comes for. */
function isPartOf(each: string, name: string | undefined, { what }: Hand): boolean {
  if (name === undefined) return false;
  const [, zone, rest] = partsOf(name);
  // The manager keeps an address on one of the lists.
  if (what === "ui") return each === `ui ${rest}` || each === `ports ${rest}`;
  if (what === "ip") return each.startsWith(`ip ${zone}/`);
  return each === name || (what === "zone" && each.includes(` ${zone}/`));
}

/** What it is about; nothing where there is no such thing. */
function nameFor(simulator: Services, { act, what, pick }: Hand, first: Atoms): string | undefined {
  if (what === "all") return undefined;
  if (act === "make" && what === "ip") return `ip ${ZONES[pick % ZONES.length]}/`;
  const atoms = atomsOf(simulator);
  // A zone has to keep a password.
  const isLast = (name: string) => {
    const beginning = name.slice(0, name.indexOf("/") + 1);
    return [...atoms.keys()].filter((each) => each.startsWith(beginning)).length === 1;
  };
  const isMeant = (name: string) =>
    name.startsWith(`${what} `) && isFree(name) && !(what === "password" && (first.has(name) || isLast(name)));
  const free = what === "ip" ? [] : NEW[what].filter((name) => !atoms.has(name));
  const from = act === "make" ? free : [...atoms.keys()].filter(isMeant).sort();
  return from[pick % from.length];
}

/** @returns whether what is to be made was: the run may have been there before */
async function touch(simulator: Services, act: Hand["act"], name: string, ask: Ask): Promise<boolean> {
  if (act === "exchange") exchange(simulator, name);
  if (act === "change") await change(simulator, name, ask);
  if (act === "delete" || act === "remake") await remove(simulator, name, ask);
  return act === "make" || act === "remake" ? make(simulator, name, ask) : true;
}

const KEPT = [
  ...["web", "shop", ...JOB_ZONES].map((name) => `zone ${name}`),
  ...[22_225, 24_900, JOB_PORT].map((port) => `port ${port}`),
];

/** What a history needs in its place is left there. */
const isFree = (name: string): boolean => !KEPT.includes(name) && !JOB_ZONES.some((zone) => name.includes(` ${zone}/`));

const partsOf = (name: string): [what: string, zone: string, rest: string] => {
  const [what = "", place = ""] = name.split(" ");
  const slash = place.indexOf("/");
  return slash === -1 ? [what, place, place] : [what, place.slice(0, slash), place.slice(slash + 1)];
};

async function make({ account, manager: { state } }: Services, name: string, ask: Ask): Promise<boolean> {
  const [what, place, rest] = partsOf(name);
  const zone = account.zone(place);
  if (what === "zone") account.addZone(place, { type: "static", ips_type: "shared", country: "de" });
  if (what === "ip") zone?.allocatedIps.push(...account.allocateIps(1));
  if (what === "password") zone?.password.push(rest);
  if (what === "allowed" && zone !== undefined) zone.ips = [...zone.ips.filter((ip) => ip !== "any"), rest];
  if (what === "port") return ask("POST", "/api/proxies", { proxy: { port: Number(place), zone: "shop" } });
  if (what === "ban") await ask("POST", `/api/proxies/${place}/banip`, { ip: rest });
  const { www_whitelist_ips: ips = [] } = state.settings;
  if (what === "ui") await ask("PUT", "/api/settings", { www_whitelist_ips: [...ips, rest] });
  return true;
}

async function remove({ account, manager: { state } }: Services, name: string, ask: Ask): Promise<void> {
  const [what, place, rest] = partsOf(name);
  const zone = account.zone(place);
  if (what === "zone") account.removeZone(place);
  if (what === "ip" && zone) zone.allocatedIps = zone.allocatedIps.filter(({ ip }) => ip !== rest);
  if (what === "password" && zone) zone.password = zone.password.filter((password) => password !== rest);
  if (what === "allowed" && zone) {
    const left = zone.ips.filter((ip) => ip !== rest);
    zone.ips = left.length === 0 ? ["any"] : left;
  }
  if (what === "port") await ask("DELETE", `/api/proxies/${place}`);
  if (what === "ban") await ask("POST", `/api/proxies/${place}/unbanip`, { ip: rest });
  const { www_whitelist_ips: ips = [] } = state.settings;
  if (what === "ui") await ask("PUT", "/api/settings", { www_whitelist_ips: ips.filter((ip) => ip !== rest) });
}

async function change({ account }: Services, name: string, ask: Ask): Promise<void> {
  const [what, place] = partsOf(name);
  const zone = account.zone(place);
  if (what === "zone" && zone) zone.status = zone.status === "active" ? "disabled" : "active";
  if (what === "port") await ask("PUT", `/api/proxies/${place}`, { proxy: { country: "fr" } });
}

/** The service gives another IP in the place of one. */
function exchange({ account }: Services, name: string): void {
  const [, place, ip] = partsOf(name);
  const zone = account.zone(place);
  if (zone !== undefined) account.refreshIps(zone, [ip]);
}

/** What a manager has before any program. */
export const FIRST_SETTINGS = { www_whitelist_ips: ["198.51.100.1"], whitelist_ips: ["198.51.100.2"] };
export const FIRST_PORTS = [
  ...[24_890, 24_900].map((port) => ({ port, zone: "web" })),
  { port: JOB_PORT, zone: JOB_ZONES[1] as string },
];

const FIRST_CONFIG = { proxies: FIRST_PORTS, _defaults: FIRST_SETTINGS };

/** A person at a manager's page. */
export const askOf = (machine: Machine, { manager }: Services): Ask => {
  const request = machine.network.client(
    () => machine,
    () => ({ arrived: () => true, done: () => {} }),
  );
  return async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { statusCode } = await request(new URL(manager.url + path), { method, headers, ...sent });
    return statusCode < 300;
  };
};
