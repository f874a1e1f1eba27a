import { type Answer, json, text } from "../service";
import { FIELDS } from "./fields";
import type { ApiCall, Routes } from "./route";
import { SERVER_CONF } from "./settings";
import type { ManagerState } from "./state";

/** What the manager says of itself. */
export const infoRoutes: Routes = {
  "GET /mode": (state) => json({ logged_in: state.loggedIn }),
  "GET /conn": (state) => json({ current_country: "us", domain: state.vendorReachable }),
  "GET /consts": (state) => json({ proxy: fieldDescriptions(state), consts: LIMITS }),
  "GET /defaults": (state) => json(defaults(state)),
  "GET /server_conf": () => json(SERVER_CONF),
  "GET /tls_warning": () => json(false),
  "PUT /pmgr_domain": setDomain,
  "GET /browser/:port": () => text("Puppeteer not installed", 400),
  // Only the vendor's cloud manager limits a port's bandwidth.
  "GET /bw_limit/:port": () => CLOUD_ONLY,
  "PUT /bw_limit/:port": () => CLOUD_ONLY,
  "GET /bw_limit_stats": () => CLOUD_ONLY,
  "GET /bw_limit_stats/:port": () => CLOUD_ONLY,
};

const CLOUD_ONLY = text("Not allowed to use BW limit in Proxy Manager on premise", 403);

const LIMITS = {
  MAX_STRING_LENGTH: 300,
  MAX_URL_LENGTH: 1024,
  MAX_EXT_PROXIES: 100,
  CACHE_LIMIT: 1e8,
  RL: { DEF: { window: 60000, max_reqs: 2000 }, GEN: { window: 3600000, max_reqs: 5 } },
};

/** Type, meaning and default of every field, and the choices of two. */
const fieldDescriptions = ({ settings }: ManagerState): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([field, { def, ...desc }]) => [
      field,
      { desc, def: field === "zone" ? settings.zone : def, values: CHOICES[field] },
    ]),
  );

const CHOICES: Readonly<Record<string, unknown>> = {
  dns: ["", "local", "remote"],
  iface: [
    { key: "dynamic (default)", value: "" },
    { key: "All", value: "0.0.0.0" },
    { key: "lo", value: "lo" },
  ],
};

const defaults = ({ startOptions }: ManagerState): Record<string, unknown> =>
  Object.fromEntries(Object.entries(startOptions).filter(([field]) => field in FIELDS));

function setDomain(state: ManagerState, { body: { domain } }: ApiCall): Answer {
  if (!domain) return text("You need to pass a domain name\n", 400);
  if (!/^([a-z0-9-]+\.)+[a-z]{2,}$/i.test(String(domain))) return text("Invalid domain\n", 422);
  state.settings.pmgr_domain = domain;
  return text("OK");
}
