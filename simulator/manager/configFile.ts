import { isDeepStrictEqual } from "node:util";
import { parsed } from "../service";
import { defaultList } from "./allowlists";
import { CREDENTIAL_FIELDS, DEFAULTS, type Fields, isFields, SETTING_FIELDS } from "./fields";
import { parseBlock } from "./netmask";
import type { PortRecord } from "./portRecord";
import type { ManagerSettings, ManagerState } from "./state";

// What is worked out anew at each start, and what belongs to the account rather than to the port.
const NOT_SAVED = [
  "stats",
  "proxy_type",
  "zones",
  "www_whitelist_ips",
  "logs",
  "conflict",
  "version",
  "customer",
  "gb_cost",
  "banlist",
  "error",
  "static",
  "mobile",
  "unblock",
];

const SAVED_SETTINGS = [...CREDENTIAL_FIELDS, ...Object.keys(SETTING_FIELDS), "version", "ask_sync_config"].filter(
  (field) => !["config", "no_usage_stats", "force", "zagent"].includes(field),
);

// A port may differ from the settings in these, so they are written even at their default.
const ALWAYS_SAVED = ["debug", "lpm_auth"];

/** Writes the config file, unless the manager is read-only. */
export function save(state: ManagerState): void {
  if (!state.options.readOnly) state.configFile = fileText(state, state.clock());
}

/**
 * As {@link save}, but the text is made when it is read: thousands of ports may be changed before that. Whatever changes ports or
 * settings without saving them has to `save` first.
 */
export function saveLater(state: ManagerState): void {
  const now = state.clock();
  if (!state.options.readOnly) state.writeLater(() => fileText(state, now));
}

function fileText(state: ManagerState, now: Date): string {
  const proxies = savedPorts(state);
  const settings = withoutDefaults(pick(state.settings, SAVED_SETTINGS), DEFAULTS);
  return indented({ proxies, _defaults: settings, ts: now.toISOString() });
}

/** The configured ports as the file has them: without defaults, and without what the manager put in. */
export function savedPorts(state: ManagerState): Fields[] {
  const inherited: Fields = { ...state.startOptions, ...state.settings };
  delete inherited.zone;
  const defaults = defaultList(state);
  return state.records
    .filter((record) => record.proxy_type === "persist")
    .map((record) => {
      const saved: Fields = Object.fromEntries(Object.entries(record).filter(([field]) => !NOT_SAVED.includes(field)));
      if (defaults.length > 0 && Array.isArray(saved.whitelist_ips)) {
        saved.whitelist_ips = saved.whitelist_ips.filter((ip) => !defaults.includes(ip));
      }
      return withoutDefaults(saved, inherited);
    });
}

/** What a start finds in the file. A file that is not JSON counts as empty. */
export function load(state: ManagerState): { settings: ManagerSettings; records: PortRecord[] } {
  const file = contentOf(state.configFile);
  const proxies: PortRecord[] = Array.isArray(file.proxies) ? file.proxies : [];
  return {
    settings: pick(isFields(file._defaults) ? file._defaults : {}, [...SAVED_SETTINGS, "force"]),
    records: proxies.map((saved) => {
      const record = { ...saved };
      if (Array.isArray(record.whitelist_ips)) {
        record.whitelist_ips = record.whitelist_ips.filter((ip) => parseBlock(ip, state.shortForm) !== undefined);
      }
      if (record.session === "") delete record.session;
      return { ...record, proxy_type: "persist" };
    }),
  };
}

/** The file as `GET /config` gives it. */
export function shownFile(state: ManagerState): string {
  const file = contentOf(state.configFile);
  delete file.ts;
  return indented(file);
}

function withoutDefaults(fields: Fields, defaults: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => {
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
      if (typeof value === "object") return !isDeepStrictEqual(value, defaults[field]);
      return ALWAYS_SAVED.includes(field) || value !== defaults[field];
    }),
  );
}

export const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

function contentOf(text: string): Fields {
  const value = parsed(text);
  return isFields(value) ? value : {};
}

const indented = (value: unknown): string => JSON.stringify(sorted(value), null, 2);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
