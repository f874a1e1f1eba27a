import { load, save } from "./configFile";
import { CREDENTIAL_FIELDS, type Fields, SETTING_FIELDS } from "./fields";
import { logIn } from "./login";
import { dropPort, startPort } from "./ports";
import type { ManagerState } from "./state";

/** Starts the manager from its config file. Whatever is not in the file (bans, sessions, stuck ports) is gone. */
export function boot(state: ManagerState): void {
  const { settings, records } = load(state);
  state.running.clear();
  state.zones.reset();
  state.pendingIps.clear();
  state.pendingWwwIps.clear();
  state.settings = {
    ...knownSettings(state.startOptions),
    ...settings,
    version: state.version,
    www_domain: "brightdata.com",
    www_api: "https://brightdata.com",
    www_help: "https://help.brightdata.com",
  };
  const { whitelistIps = [] } = state.options;
  if (whitelistIps.length > 0) {
    state.settings.whitelist_ips = [...new Set([...(state.settings.whitelist_ips ?? []), ...whitelistIps])];
  }
  state.records = records;
  if (state.options.dropin !== false) {
    const { zone, test_url } = state.settings;
    state.records.push({ port: state.dropinPort, listen_port: state.dropinPort, zone, test_url });
  }
  save(state);
  logIn(state);
  for (const record of [...state.records]) {
    const { error } = startPort(state, record);
    if (error !== undefined) dropPort(state, record.port, error);
  }
}

const knownSettings = (options: Fields): Fields =>
  Object.fromEntries(
    Object.entries(options).filter(([field]) => field in SETTING_FIELDS || CREDENTIAL_FIELDS.includes(field)),
  );
