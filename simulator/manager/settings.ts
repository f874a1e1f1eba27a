import { type Answer, text } from "../service";
import { fixedList, setApiList, setPortsList } from "./allowlists";
import { pick, save, savedPorts } from "./configFile";
import { Crash } from "./crash";
import { DEFAULTS, type Fields, isFields, SETTING_FIELDS } from "./fields";
import { coerce } from "./portRecord";
import { type ApiCall, jsonOrPretty, type Routes } from "./route";
import type { ManagerState } from "./state";

export const settingsRoutes: Routes = {
  "GET /settings": (state, call) => jsonOrPretty(call, shownSettings(state)),
  "PUT /settings": update,
};

const CACHE_LIMIT = 1e8;

function shownSettings(state: ManagerState): Fields {
  const { settings, startOptions, options } = state;
  const owner = settings.customer_id || settings.account_id;
  return {
    ...pick(settings, ["account_id", "customer_id", "customer", "zone", "password"]),
    www_whitelist_ips: settings.www_whitelist_ips ?? [],
    whitelist_ips: settings.whitelist_ips ?? [],
    fixed_whitelist_ips: fixedList(state),
    read_only: startOptions.read_only,
    config: startOptions.config,
    test_url: settings.test_url,
    mail_domain: "bright.cn",
    ...pick(settings, ["logs", "log", "har_limit", "debug", "lpm_auth", "request_stats", "dropin"]),
    pending_ips: [...state.pendingIps],
    pending_www_ips: [...state.pendingWwwIps],
    zagent: options.zagent ?? false,
    av_server: false,
    reseller: false,
    sync_config: settings.sync_config,
    ask_sync_config: settings.ask_sync_config,
    cache_report: [0],
    cache_limit: CACHE_LIMIT,
    lpm_token: settings.lpm_token,
    cloud_url_address: `pmgr-customer-${String(owner).replace(/^(hl|c)_/, "")}.brd.superproxy.io`,
    server_conf: SERVER_CONF,
    proxy_port: startOptions.proxy_port,
    ...pick(settings, ["logs_settings", "bw_limit_webhook_url", "bw_th_webhook_url"]),
    use_custom_cert: false,
    socket_inactivity_timeout: settings.socket_inactivity_timeout || startOptions.socket_inactivity_timeout,
    new_ui: false,
  };
}

/** What the vendor tells a manager to do differently from others: nothing. */
export const SERVER_CONF = { client: {}, cloud: {}, zone_auth_type_whitelist: [] };

/** Unknown fields, and those that cannot be changed, are ignored without a word; values are not checked. */
function update(state: ManagerState, call: ApiCall): Answer {
  const { settings, options } = state;
  const change = coerce(call.body, SETTING_FIELDS);
  const refusal = options.zagent ? refusalInCloud(change, settings) : refusalOnPremise(change);
  if (refusal !== undefined) return text(refusal, 400);
  if (settings.sync_config && !state.vendorReachable) throw new Crash("no_lpm_f_conn");
  for (const [field, value] of Object.entries(change)) SETTERS.get(field)?.(state, value);
  save(state);
  return jsonOrPretty(call, shownSettings(state));
}

const refusalOnPremise = (change: Fields): string | undefined =>
  change.logs_settings ? "Available only in Cloud Proxy Manager" : undefined;

function refusalInCloud(change: Fields, settings: Fields): string | undefined {
  const { logs, har_limit: harLimit } = change;
  const lists = [change.www_whitelist_ips, change.whitelist_ips].flatMap((list) => (Array.isArray(list) ? list : []));
  if (lists.some((ip) => ANY_IPS.includes(ip)))
    return "Not allowed to set 'any' or 0.0.0.0/0 as a whitelisted IP in Cloud Proxy Manager";
  if (Number(logs) > 1000) return "Request logs limit can only have a maximum value of 1000 in Cloud Proxy Manager";
  const { logs_settings: delivery } = settings;
  if (Number(logs) > 0 && isFields(delivery) && delivery.type && !change.logs_settings)
    return "Request logs limit can not be changed while remote logs delivery enabled";
  if (harLimit !== undefined && harLimit !== -1 && harLimit !== 1024)
    return "Response size limit can only be 1KB or Disabled in Cloud Proxy Manager";
  return undefined;
}

const ANY_IPS: readonly unknown[] = ["any", "0.0.0.0/0"];

const PLAIN_FIELDS = ["logs", "log", "sync_config", "bw_limit_webhook_url", "bw_th_webhook_url"];

/** Settings that the running ports take over at once. */
const PORT_DEFAULTS = ["har_limit", "debug", "lpm_auth", "socket_inactivity_timeout"];

type Setter = (state: ManagerState, value: unknown) => void;

const SETTERS: ReadonlyMap<string, Setter> = new Map([
  ["www_whitelist_ips", setApiList],
  ["whitelist_ips", (state, value) => setPortsList(state, value)],
  ["zone", setDefaultZone],
  ["logs_settings", setLogsSettings],
  ["request_stats", setRequestStats],
  ...PLAIN_FIELDS.map((field): [string, Setter] => [field, (state, value) => setPlain(state, field, value)]),
  ...PORT_DEFAULTS.map((field): [string, Setter] => [field, (state, value) => setPortDefault(state, field, value)]),
]);

function setPlain({ settings }: ManagerState, field: string, value: unknown): void {
  settings[field] = value;
}

function setLogsSettings({ settings }: ManagerState, value: unknown): void {
  settings.logs_settings = isFields(value) && value.disable ? undefined : value;
}

function setRequestStats({ settings, stats }: ManagerState, value: unknown): void {
  settings.request_stats = value === undefined || value === "" ? true : value;
  if (!settings.request_stats) stats.clear();
}

/** A port that was given its own value keeps it, for the fields in which ports may differ. */
function setPortDefault(state: ManagerState, field: string, value: unknown): void {
  // The only setting that is forgotten when it is set to its default.
  const forgotten = field === "socket_inactivity_timeout" && value === DEFAULTS[field];
  state.settings[field] = forgotten ? undefined : value;
  for (const port of state.running.values()) {
    const own = ["debug", "lpm_auth"].includes(field) ? state.record(port.config.port)?.[field] : undefined;
    state.update(port, { [field]: own ?? value });
  }
}

/** The ports without a zone of their own run with the new one at once, though their records do not show it. */
function setDefaultZone(state: ManagerState, zone: unknown): void {
  const zoneless = savedPorts(state).filter((port) => !("zone" in port));
  state.settings.zone = zone;
  for (const { port } of zoneless) {
    const running = state.running.get(String(port));
    if (running !== undefined) state.update(running, { zone });
  }
}
