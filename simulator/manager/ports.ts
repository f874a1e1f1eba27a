import { isDeepStrictEqual } from "node:util";
import { passed } from "../service";
import { mergedList } from "./allowlists";
import type { BanList } from "./banList";
import { saveLater } from "./configFile";
import { Crash } from "./crash";
import type { Fields } from "./fields";
import { addressOf, refusalOf } from "./interfaces";
import { type PortRecord, withIntegers, withoutEmpty } from "./portRecord";
import { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";
import { GB_COST } from "./zoneList";

/** What starting a port came to: the port, or why there is none. */
export type Started = { port: RunningPort; error?: undefined } | { port?: undefined; error: string };

/** The number a port gets whose creator does not say one. */
export const nextNumber = (state: ManagerState): number =>
  Math.max(23999, ...[...state.running.keys()].map(Number)) + 1;

/** Starts a port and, where its type is `persist`, adds it to the configured ones. */
export function createPort(state: ManagerState, fields: PortRecord, bans?: BanList): Started {
  const type = fields.proxy_type || fields.port === state.dropinPort ? {} : { proxy_type: "persist" };
  const record = withoutEmpty({ ...fields, ...type });
  const started = startPort(state, record, bans);
  if (started.port?.hung === false && record.proxy_type === "persist") {
    state.records.push(record);
    saveLater(state);
  }
  return started;
}

/** Starts the port of a record, and the further ones that its `multiply` asks for. */
export function startPort(state: ManagerState, record: PortRecord, bans?: BanList): Started {
  const multiply = record.multiply || 1;
  if (record.port <= state.www && added(record.port, multiply) - 1 >= state.www) {
    return { error: "Proxy port conflict UI port" };
  }
  const limit = state.settings.ports_limit;
  if (added(state.running.size, multiply) > Number(limit)) {
    return { error: `number of many proxy ports exceeding the limit: ${limit}` };
  }
  const count = Number(multiply) || 1;
  const config = effective(state, record);
  const port = running(state, multiplied(config, 0), bans?.shared() ?? state.noBans());
  for (let index = 1; index < count; index++) {
    const further = { ...config, proxy_type: "duplicate", master_port: config.port, port: config.port + index };
    port.duplicates.push(running(state, multiplied(further, index), bans?.shared() ?? state.noBans()));
  }
  logEach(state, port, (number) => `Starting port ${number}`);
  for (const { config: own } of [port, ...port.duplicates]) {
    const refusal = refusalOf(addressOf(own.iface), own.port);
    if (refusal === undefined) state.log("MGRPR", `Port ${own.port} ready`);
    else for (const words of [refusal, "Unhandled error: [object Object]"]) state.log("MNGR", words, "ERROR");
  }
  return { port };
}

/** Adds as JavaScript does: a text is appended to the digits. */
const added = (number: number, addend: unknown): number =>
  ["number", "boolean"].includes(typeof addend) ? number + Number(addend) : Number(`${number}${addend}`);

function logEach(state: ManagerState, port: RunningPort, message: (number: number) => string): void {
  for (const { config } of [port, ...port.duplicates]) state.log("MGRPR", message(config.port));
}

function running(state: ManagerState, config: PortRecord, bans: BanList): RunningPort {
  const zone = state.zones.find(config.zone ?? state.settings.zone);
  const permissions = zone?.perm.split(" ");
  const user = state.users.find(({ email }) => email === config.user);
  const port = new RunningPort(
    {
      ...state.startOptions,
      ...state.settings,
      ...config,
      proxy_port: state.startOptions.proxy_port,
      ssl_perm: Boolean(zone?.plan.ssl),
      state_perm: permissions?.includes("state"),
      zip_perm: permissions?.includes("zip"),
      ...(user === undefined ? {} : { user_password: user.password }),
      hosts: ["127.0.0.1"],
      zone_auth_type_whitelist: [],
    },
    bans,
  );
  state.running.set(String(config.port), port);
  return port;
}

/** With `multiply_ips`, `multiply_vips` or `multiply_users` each of the ports gets one of the record's. */
function multiplied(config: PortRecord, index: number): PortRecord {
  const result = { ...config };
  const nth = (list: unknown): unknown => (Array.isArray(list) ? list[index % list.length] : undefined);
  if (config.multiply_ips) Object.assign(result, { ip: nth(config.ips), ips: [nth(config.ips)] });
  if (config.multiply_vips) Object.assign(result, { vip: nth(config.vips), vips: [nth(config.vips)] });
  if (config.multiply_users) result.user = nth(config.users);
  return result;
}

/**
 * Puts the manager's own values into the record (the account's password of the zone in place of the one sent, the
 * default addresses before the port's), and gives what the port shall run by.
 */
function effective<T extends Fields>(state: ManagerState, record: T): T {
  const name = record.zone || state.settings.zone;
  const zone = state.zones.find(name);
  const password = zone?.password || record.password || state.settings.password;
  const filled = {
    password,
    gb_cost: zone === undefined ? 0 : GB_COST,
    whitelist_ips: mergedList(state, record.whitelist_ips),
  };
  Object.assign(record, filled);
  return {
    ...withIntegers(record),
    static: zone?.plan.type === "static",
    mobile: Boolean(zone?.plan.mobile),
    unblock: isUnblocker(zone?.plan),
    super_proxy_ports: [],
    av_server_url: "127.0.0.1:1343",
  };
}

export const isUnblocker = (plan: Fields | undefined): boolean =>
  plan?.type === "unblocker" || Boolean(plan?.unblocker);

/** Takes away a port that could not be started. */
export function dropPort(state: ManagerState, port: number, why: string): void {
  state.running.delete(String(port));
  state.records = state.records.filter((record) => record.port !== port);
  state.log("MGRPR", `Failed initializing proxy port ${port}: ${why}`, "ERROR");
}

/** A port takes as long to stop: what was sent at the same time finds it stopping. */
const STOPPING_MS = 5;

/**
 * Deletes the ports. They are all begun at once, and one that cannot be deleted stops the others half-way: those before
 * it in the list go, those after it are stuck until a restart.
 */
export async function deletePorts(state: ManagerState, numbers: readonly unknown[]): Promise<void> {
  let failure: Crash | undefined;
  const begun: RunningPort[] = [];
  for (const number of numbers) {
    const port = state.running.get(String(number));
    const obstacle = obstacleOf(port);
    if (obstacle !== undefined) failure ??= new Crash(obstacle);
    if (port === undefined || obstacle !== undefined) continue;
    port.stuck = true;
    if (failure === undefined) begun.push(port);
  }
  if (begun.length > 0) await passed(STOPPING_MS);
  for (const port of begun) remove(state, port);
  if (begun.length > 0) saveLater(state);
  if (failure !== undefined) throw failure;
}

function obstacleOf(port: RunningPort | undefined): string | undefined {
  if (port === undefined) return "this proxy does not exist";
  if (port.config.proxy_type === "duplicate") return "cannot delete this port";
  return port.stuck ? "this proxy is already being stopped and deleted" : undefined;
}

function remove(state: ManagerState, port: RunningPort): void {
  for (const { config } of [port, ...port.duplicates]) state.running.delete(String(config.port));
  logEach(state, port, (number) => `Port ${number} stopped`);
  // The drop-in port has no type, so its record stays listed although nothing listens.
  if (port.config.proxy_type !== "persist") return;
  state.records = state.records.filter((record) => record.port !== port.config.port);
}

/** What an update came to: the running configuration, or why the port could not be started anew. */
export type Updated = { config: Fields; error?: undefined } | { config?: undefined; error: string };

/** Changes the fields given, in place or, where a field asks for it, by deleting the port and making it anew. */
export async function updatePort(
  state: ManagerState,
  record: PortRecord,
  change: Fields,
  sent: unknown = change,
): Promise<Updated> {
  const changed = { ...change };
  const zone = state.zones.find(changed.zone || record.zone);
  const renders = changed.render || record.render;
  if (renders && !isUnblocker(zone?.plan) && !zone?.plan.serp) changed.render = false;
  if (changed.bw_limit) {
    changed.bw_limit = bandwidthLimit(state, Object.assign({}, record.bw_limit, changed.bw_limit));
  }
  if (state.settings.sync_config && !state.vendorReachable) throw new Crash("no_lpm_f_conn");
  if (isRecreated(record, changed)) return recreate(state, record, changed);
  if (typeof sent !== "object") {
    throw new Crash(
      `Cannot create property '${record.whitelist_ips ? "whitelist_ips" : "zone"}' on ${typeof sent} '${sent}'`,
    );
  }
  if (!changed.whitelist_ips && record.whitelist_ips) changed.whitelist_ips = record.whitelist_ips;
  return { config: updateInPlace(state, record, changed) };
}

/** A body without `ips` or `vips` counts as one that empties them, though they are kept. */
function isRecreated(record: PortRecord, { port, multiply, multiply_users, users, ips, vips }: Fields): boolean {
  return (
    (Boolean(port) && Number(port) !== record.port) ||
    (multiply !== undefined && multiply !== record.multiply) ||
    (multiply_users !== undefined && multiply_users !== record.multiply_users) ||
    (users !== undefined && !isDeepStrictEqual(users, record.users)) ||
    !isDeepStrictEqual(sorted(ips), sorted(record.ips)) ||
    !isDeepStrictEqual(sorted(vips), sorted(record.vips))
  );
}

/** What is no list counts too, by its members or by its characters. */
const sorted = (list: unknown): unknown[] => Object.values(list || {}).sort();

async function recreate(state: ManagerState, record: PortRecord, change: Fields): Promise<Updated> {
  const bans = state.running.get(String(record.port))?.bans;
  await deletePorts(state, [record.port]);
  // The real record gets the ban list itself, of which JSON shows no more than this.
  const fields = { ...record, ...change, banlist: { cache: {}, max: null } };
  const started = createPort(state, fields, bans);
  if (started.error === undefined) return { config: started.port.config };
  createPort(state, record);
  return started;
}

function updateInPlace(state: ManagerState, record: PortRecord, change: Fields): Fields {
  const first = record.port;
  const fields: Fields = effective(state, { ...change, zone: change.zone || record.zone });
  Object.assign(record, fields);
  for (const field of ["debug", "lpm_auth"]) {
    const value = record[field];
    if (!value) continue;
    if (typeof value !== "string") throw new Crash("old_opt[s].startsWith is not a function");
    if (!value.startsWith("default")) continue;
    delete record[field];
    if (fields[field] === undefined) throw new Crash("Cannot read properties of undefined (reading 'split')");
    fields[field] = value.split("-")[1];
  }
  saveLater(state);
  for (let index = 1; index < (Number(record.multiply) || 1); index++) {
    const port = state.running.get(String(first + index));
    if (port !== undefined) state.update(port, fields);
  }
  const port = state.running.get(String(first));
  if (port === undefined) return fields;
  state.update(port, fields);
  return port.config;
}

const BANDWIDTH_FIELDS = ["days", "bytes", "start", "renewable", "use_limit_webhook", "th_webhook_value"];

/** The limit as it is kept. */
export function bandwidthLimit(state: ManagerState, limit: NonNullable<unknown>): Fields {
  const known = Object.fromEntries(Object.entries(limit).filter(([field]) => BANDWIDTH_FIELDS.includes(field)));
  return {
    ...known,
    renewable: Boolean(known.renewable),
    th_webhook_value: known.th_webhook_value || undefined,
    start: known.start || state.clock().toISOString(),
  };
}
