import { json, text } from "../service";
import { DEFAULTS, SETTING_FIELDS } from "./defaults";
import { DESCRIPTIONS } from "./descriptions";
import type { Answer, Operation } from "./operation";
import { PORT_FIELD_TYPES } from "./portRecord";
import { SERVER_CONF } from "./settings";
import type { ManagerState } from "./state";

const FIELDS = { ...PORT_FIELD_TYPES, ...SETTING_FIELDS };

/** What the manager says of itself. */
export const infoOperations = (state: ManagerState): Operation[] => [
  { method: "GET", path: "/mode", answer: () => json({ logged_in: state.loggedIn }) },
  { method: "GET", path: "/conn", answer: () => json({ current_country: "us", domain: state.vendorReachable }) },
  { method: "GET", path: "/consts", answer: () => json({ proxy: fieldDescriptions(state), consts: LIMITS }) },
  { method: "GET", path: "/defaults", answer: () => json(defaults(state)) },
  { method: "GET", path: "/server_conf", answer: () => json(SERVER_CONF) },
  { method: "GET", path: "/tls_warning", answer: () => json(false) },
  { method: "PUT", path: "/pmgr_domain", answer: ({ body }) => setDomain(state, body.domain) },
  { method: "GET", path: "/browser/:port", answer: () => text("Puppeteer not installed", 400) },
  // Only the vendor's cloud manager limits a port's bandwidth.
  { method: "GET", path: "/bw_limit/:port", answer: () => CLOUD_ONLY },
  { method: "PUT", path: "/bw_limit/:port", answer: () => CLOUD_ONLY },
  { method: "GET", path: "/bw_limit_stats", answer: () => CLOUD_ONLY },
  { method: "GET", path: "/bw_limit_stats/:port", answer: () => CLOUD_ONLY },
];

const CLOUD_ONLY = text("Not allowed to use BW limit in Proxy Manager on premise", 403);

const LIMITS = {
  MAX_STRING_LENGTH: 300,
  MAX_URL_LENGTH: 1024,
  MAX_EXT_PROXIES: 100,
  CACHE_LIMIT: 1e8,
  RL: { DEF: { window: 60000, max_reqs: 2000 }, GEN: { window: 3600000, max_reqs: 5 } },
};

/** Type, meaning and default of every field, and the choices of two. */
const fieldDescriptions = (state: ManagerState): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([field, type]) => [
      field,
      {
        desc: { type, ...DESCRIPTIONS[field] },
        def: field === "zone" ? state.settings.zone : DEFAULTS[field],
        values: CHOICES[field],
      },
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

function setDomain(state: ManagerState, domain: unknown): Answer {
  if (!domain) return text("You need to pass a domain name\n", 400);
  if (!/^([a-z0-9-]+\.)+[a-z]{2,}$/i.test(String(domain))) return text("Invalid domain\n", 422);
  state.settings.pmgr_domain = domain;
  return text("OK");
}
