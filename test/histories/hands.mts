import type { Hand } from "./history.mts";
import { type Atoms, atomsOf, type Services } from "./world.mts";

/** Asks a Proxy Manager for something, as a person at its page does. */
export type Ask = (method: string, path: string, body?: object) => Promise<void>;

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

/** What a person does, by hand, at the services of an account. */
export async function lend(simulator: Services, hand: Hand, ask: Ask): Promise<Deed> {
  const before = atomsOf(simulator);
  if (hand.act === "forget") await forget(ask);
  const remade = hand.act === "forget" ? [] : await touch(simulator, hand, before, ask);
  const after = atomsOf(simulator);
  const all = [...new Set([...before.keys(), ...after.keys()])];
  return {
    come: all.filter((name) => !before.has(name)),
    gone: all.filter((name) => !after.has(name)),
    remade,
    changed: all.filter((name) => before.has(name) && after.has(name) && before.get(name) !== after.get(name)),
  };
}

/** @returns what is another thing by now */
async function touch(simulator: Services, { act, what, pick }: Hand, atoms: Atoms, ask: Ask): Promise<string[]> {
  if (what === "all") return [];
  const there = [...atoms.keys()].filter((name) => name.startsWith(`${what} `) && isFree(name)).sort();
  const free = what === "ip" ? [] : NEW[what].filter((name) => !atoms.has(name));
  const from = act === "make" && what !== "ip" ? free : there;
  const name = from[pick % from.length];
  if (act === "make" && what === "ip") await make(simulator, `ip ${ZONES[pick % ZONES.length]}/`, ask);
  if (name === undefined) return [];
  if (act === "make") await make(simulator, name, ask);
  if (act === "exchange" && what === "ip") exchange(simulator, name);
  if (act === "change") await change(simulator, name, ask);
  if (act === "delete" || act === "remake") await remove(simulator, name, ask);
  if (act !== "remake" || what === "ip") return [];
  await make(simulator, name, ask);
  return [name];
}

/** What a history needs in its place is left there. */
const isFree = (name: string): boolean => !["zone web", "zone shop", "port 24900"].includes(name);

const partsOf = (name: string): [what: string, zone: string, rest: string] => {
  const [what = "", place = ""] = name.split(" ");
  const slash = place.indexOf("/");
  return slash === -1 ? [what, place, place] : [what, place.slice(0, slash), place.slice(slash + 1)];
};

async function make({ account, manager: { state } }: Services, name: string, ask: Ask): Promise<void> {
  const [what, place, rest] = partsOf(name);
  const zone = account.zone(place);
  if (what === "zone") account.addZone(place, { type: "static", ips_type: "shared", country: "de" });
  if (what === "ip") zone?.allocatedIps.push(...account.allocateIps(1));
  if (what === "password") zone?.password.push(rest);
  if (what === "allowed" && zone !== undefined) zone.ips = [...zone.ips.filter((ip) => ip !== "any"), rest];
  if (what === "port") await ask("POST", "/api/proxies", { proxy: { port: Number(place), zone: "shop" } });
  if (what === "ban") await ask("POST", `/api/proxies/${place}/banip`, { ip: rest });
  const { www_whitelist_ips: ips = [] } = state.settings;
  if (what === "ui") await ask("PUT", "/api/settings", { www_whitelist_ips: [...ips, rest] });
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

/** The manager starts from a file that has what was there before any program. */
const forget = (ask: Ask): Promise<void> => ask("PATCH", "/__simulator/state", { config: FIRST_CONFIG });

/** What a manager has before any program. */
export const FIRST_SETTINGS = { www_whitelist_ips: ["198.51.100.1"], whitelist_ips: ["198.51.100.2"] };
export const FIRST_PORTS = [24_890, 24_900].map((port) => ({ port, zone: "web" }));

const FIRST_CONFIG = { proxies: FIRST_PORTS, _defaults: FIRST_SETTINGS };
