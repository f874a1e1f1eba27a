import { text } from "../service";
import { fixedList, setApiList, setPortsList } from "./allowlists";
import { save, savedPorts } from "./configFile";
import { DEFAULTS, SETTING_FIELDS } from "./defaults";
import { type Answer, type ApiCall, Crash, jsonOrPretty, type Operation } from "./operation";
import { coerce, type Fields } from "./portRecord";
import type { ManagerState } from "./state";

/** The general settings. */
export const settingsOperations = (state: ManagerState): Operation[] => [
  { method: "GET", path: "/settings", answer: (call) => jsonOrPretty(call, shownSettings(state)) },
  { method: "PUT", path: "/settings", answer: (call) => update(state, call) },
];

const CACHE_LIMIT = 1e8;

function shownSettings(state: ManagerState): Fields {
  const { settings, startOptions, options } = state;
  const owner = settings.customer_id || settings.account_id;
  return {
    account_id: settings.account_id,
    customer_id: settings.customer_id,
    customer: settings.customer,
    zone: settings.zone,
    password: settings.password,
    www_whitelist_ips: settings.www_whitelist_ips ?? [],
    whitelist_ips: settings.whitelist_ips ?? [],
    fixed_whitelist_ips: fixedList(state),
    read_only: startOptions.read_only,
    config: startOptions.config,
    test_url: settings.test_url,
    mail_domain: "bright.cn",
    logs: settings.logs,
    log: settings.log,
    har_limit: settings.har_limit,
    debug: settings.debug,
    lpm_auth: settings.lpm_auth,
    request_stats: settings.request_stats,
    dropin: settings.dropin,
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
    logs_settings: settings.logs_settings,
    bw_limit_webhook_url: settings.bw_limit_webhook_url,
    bw_th_webhook_url: settings.bw_th_webhook_url,
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
  for (const [field, value] of Object.entries(change)) {
    if (field === "www_whitelist_ips") setApiList(state, value);
    else if (field === "whitelist_ips") setPortsList(state, value);
    else if (field === "zone") setDefaultZone(state, value);
    else if (field === "logs_settings") settings[field] = isOff(value) ? undefined : value;
    else if (PLAIN_FIELDS.includes(field)) settings[field] = value;
    else if (PORT_DEFAULTS.includes(field)) setPortDefault(state, field, value);
  }
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
  const { type } = (settings.logs_settings ?? {}) as { type?: unknown };
  if (Number(logs) > 0 && type && !change.logs_settings)
    return "Request logs limit can not be changed while remote logs delivery enabled";
  if (harLimit !== undefined && harLimit !== -1 && harLimit !== 1024)
    return "Response size limit can only be 1KB or Disabled in Cloud Proxy Manager";
  return undefined;
}

const ANY_IPS: readonly unknown[] = ["any", "0.0.0.0/0"];

const PLAIN_FIELDS = ["logs", "log", "request_stats", "sync_config", "bw_limit_webhook_url", "bw_th_webhook_url"];

const isOff = (logsSettings: unknown): boolean => Boolean((logsSettings as { disable?: unknown } | null)?.disable);

/** Settings that the running ports take over at once. */
const PORT_DEFAULTS = ["har_limit", "debug", "lpm_auth", "socket_inactivity_timeout"];

/** A port that was given its own value keeps it, for the fields in which ports may differ. */
function setPortDefault(state: ManagerState, field: string, value: unknown): void {
  // The only setting that is forgotten when it is set to its default.
  const forgotten = field === "socket_inactivity_timeout" && value === DEFAULTS[field];
  state.settings[field] = forgotten ? undefined : value;
  for (const { config } of state.running.values()) {
    const own = ["debug", "lpm_auth"].includes(field) ? state.record(config.port)?.[field] : undefined;
    config[field] = own ?? value;
  }
}

/** The ports without a zone of their own run with the new one at once, though their records do not show it. */
function setDefaultZone(state: ManagerState, zone: unknown): void {
  const zoneless = savedPorts(state).filter((port) => !("zone" in port));
  state.settings.zone = zone;
  for (const { port } of zoneless) {
    const running = state.running.get(String(port));
    if (running !== undefined) running.config.zone = zone;
  }
}
