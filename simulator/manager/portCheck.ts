import { Crash } from "./crash";
import { type Fields, isFields } from "./fields";
import { MAX_STRING_LENGTH } from "./portRecord";
import type { ManagerState } from "./state";

/** Why a port cannot be as asked. */
export interface PortError {
  msg: string;
  field?: string;
}

/**
 * What is wrong with the configuration of a port. A create has only its number checked, so the zone of a new port may be
 * unknown; an update has everything checked, old fields included.
 *
 * @param old the port as it is, for an update
 */
export function checkPort(state: ManagerState, config: Fields, old?: { port: number; multiply: unknown }): PortError[] {
  const errors: PortError[] = [];
  if (config.port !== undefined) errors.push(...checkNumber(state, config, old));
  if (config.zone !== undefined) errors.push(...checkZone(state, config.zone));
  if (config.bw_limit) errors.push(...checkBandwidthLimit(config.bw_limit));
  for (const [field, value] of Object.entries(config)) {
    if (typeof value === "string" && value.length > MAX_STRING_LENGTH) {
      errors.push({ msg: "Maximum string length exceeded", field });
    }
  }
  return errors;
}

const MOST = 65_535;

/** How many a list of JavaScript can have that is added to one by one. */
const LONGEST_LIST = 112_813_858;

function checkNumber(state: ManagerState, config: Fields, old?: { port: number; multiply: unknown }): PortError[] {
  const field = "port";
  if (!config.port || Number(config.port) < 1000) {
    return [{ msg: "Invalid port. It must be a number >= 1000", field }];
  }
  const first = Number(config.port);
  const last = lastPort(first, config.multiply);
  const candidates: number[] = [];
  // Among what is no number of a port, none is taken.
  for (let port = first; port <= Math.min(last, MOST + 1); port++) {
    if (old !== undefined && port >= old.port && port <= lastPort(old.port, old.multiply)) continue;
    if (port === state.www) return [{ msg: `port ${port} in use by the UI/API and UI/WebSocket`, field }];
    if (state.running.has(String(port))) return [{ msg: `port ${port} in use by another proxy`, field }];
    candidates.push(port);
  }
  requireList(first, last);
  if (first > MOST) candidates.push(first);
  const impossible = candidates.find((port) => port > MOST || !Number.isInteger(port));
  if (impossible !== undefined) {
    const msg = `port options.port should be >= 0 and < 65536. Received type number (${impossible}).`;
    return [{ msg, field }];
  }
  const taken = candidates.find((port) => state.portsInUse.has(port));
  if (taken === undefined) return [];
  // Where several are tried at once, the manager tells what the system said.
  const msg =
    candidates.length === 1
      ? `port ${taken} in use by another app`
      : `port Error: listen EADDRINUSE: address already in use 0.0.0.0:${taken}`;
  return [{ msg, field }];
}

/** The manager makes a list of all of them, without end where a number and the next are the same. */
function requireList(first: number, last: number): void {
  if (first + 1 === first || last - first > LONGEST_LIST) throw new Crash("Invalid array length");
}

export const lastPort = (first: number, multiply: unknown): number => first + (Number(multiply) || 1) - 1;

function checkZone(state: ManagerState, name: unknown): PortError[] {
  const zone = state.zones.find(name);
  if (zone === undefined) return [{ msg: "the provided zone name is not valid.", field: "zone" }];
  return zone.plan.disable ? [{ msg: "zone disabled", field: "zone" }] : [];
}

function checkBandwidthLimit(limit: NonNullable<unknown>): PortError[] {
  if (!isFields(limit)) throw new Crash(`Cannot use 'in' operator to search for 'use_limit_webhook' in ${limit}`);
  const wrong: string[] = [];
  const maxima = { bytes: Number.MAX_SAFE_INTEGER, days: 1e5 };
  for (const [name, max] of Object.entries(maxima)) {
    const value = Number(limit[name]);
    if (!(value > 0 && value <= max)) wrong.push(`${name} should be positive number no greater than ${max}`);
  }
  if (limit.start && Number.isNaN(new Date(String(limit.start)).getTime())) wrong.push("start should be date");
  if ("use_limit_webhook" in limit && typeof limit.use_limit_webhook !== "boolean") {
    wrong.push("use_limit_webhook should be true or false");
  }
  const threshold = limit.th_webhook_value;
  if (threshold !== undefined && threshold !== "" && !isPercentage(threshold)) {
    wrong.push("th_webhook_value should be a number between 0 and 99");
  }
  return wrong.map((what) => ({ msg: `Invalid BW limit params, ${what}`, field: "bw_limit" }));
}

const isPercentage = (value: unknown): boolean => typeof value === "number" && value > 0 && value < 100;
