import { count, flag, list, number, text, type ValuesOf } from "../declaration/property";
import { allowedAddress } from "./allowedAddress";
import { IDLE_TIME, LEAST_IDLE_MS } from "./idleTime";
import { MANAGER_LOG_LEVELS } from "./managerLogLevels";
import { zoneName } from "./zone";

const ADDRESSES = {
  expected: "expected a list of addresses.",
  compares: "addresses",
  defaultSays: "left alone",
} as const;

const FULL_OR_NONE = { oneOf: ["full", "none"], initial: "none" } as const;

const webhook = <const Says extends string>(says: Says) =>
  text({
    says,
    expected: "expected a URL.",
    secret: true,
    must: [{ format: "url", expected: "expected a URL that begins with https:// or http://; leave it out for none." }],
    defaultSays: "left alone",
  });

/** The settings that can be changed and read back. */
export const readableSettings = {
  zone: zoneName({
    says: "Zone of ports that name none. It must exist; one that was created a moment ago is waited for.",
    most: 300,
    defaultSays: "left alone",
  }),
  wwwWhitelistIps: list(allowedAddress({}), {
    ...ADDRESSES,
    says: "All addresses that may use the manager's UI and API, and every port: IPv4 addresses and CIDR blocks of four octets. Excludes `WhitelistIp` resources on the `ui` list: each would undo the other.",
    example: ["203.0.113.7"],
  }),
  whitelistIps: list(allowedAddress({}), {
    ...ADDRESSES,
    says: "All addresses that may use every port: IPv4 addresses and CIDR blocks of four octets. Excludes `WhitelistIp` resources on the `ports` list: each would undo the other.",
    example: ["10.20.0.0/16"],
  }),
  logs: count({
    says: "How many requests the manager remembers; 0 for no more. Of ports created meanwhile, it remembers none until its restart.",
    least: 0,
    initial: 1000,
  }),
  log: text({
    says: "How much the manager writes to its log.",
    oneOf: MANAGER_LOG_LEVELS,
    initial: "notice",
  }),
  harLimit: count({
    says: "How much of a response's body the manager remembers; 0 for all, -1 for nothing. A request's is remembered as a whole.",
    unit: "bytes",
    least: -1,
    initial: 1024,
  }),
  debug: text({ ...FULL_OR_NONE, says: "Whether responses through the ports say how they were obtained." }),
  lpmAuth: text({
    ...FULL_OR_NONE,
    says: "Whether responses through the ports contain the credentials that were used.",
  }),
  requestStats: flag({
    says: "Whether the manager keeps statistics of requests. Turning it off clears them.",
    initial: true,
  }),
  syncConfig: flag({
    says: "Whether the configuration is kept in the vendor's cloud. When it is turned on, the manager takes over what the cloud has: **ports that the cloud does not have are lost.**",
    initial: false,
  }),
  socketInactivityTimeout: count({
    says: "Time after which an idle connection is closed.",
    expected: IDLE_TIME,
    unit: "milliseconds",
    least: LEAST_IDLE_MS,
    initial: 120_000,
  }),
  bwLimitWebhookUrl: webhook("URL that a cloud manager notifies when a port has used up its bandwidth."),
  bwThWebhookUrl: webhook("URL that a cloud manager notifies when a port has used up a part of its bandwidth."),
};

const anyOf = (values: readonly string[]): string =>
  `Usually one of ${values.map((value) => `\`${value}\``).join(", ")}.`;

/**
 * The general settings, without the credentials: a zone's password, the account's token, the ports' API key, and the keys of
 * the storage that a cloud manager delivers its logs to.
 */
export const generalSettings = {
  customer: text({ says: "Customer that the manager is logged in for." }),
  accountId: text({ says: "Another id of that customer." }),
  customerId: text({ says: "Another id of that customer." }),
  username: text({ says: "The name under which somebody is logged in." }),
  zone: text({ says: "Zone of ports that name none." }),
  wwwWhitelistIps: list(text({}), {
    says: "Addresses that may use the manager's UI and API, and every port.",
    required: true,
  }),
  whitelistIps: list(text({}), { says: "Addresses that may use every port.", required: true }),
  fixedWhitelistIps: list(text({}), {
    says: "`wwwWhitelistIps` and the addresses of the manager's command line, which cannot be removed.",
    required: true,
  }),
  pendingIps: list(text({}), { says: "Addresses that a port has refused since the manager's start." }),
  pendingWwwIps: list(text({}), {
    says: "Addresses that the UI and API have refused since the manager's start.",
  }),
  readOnly: flag({
    says: "Whether changes are not written to the configuration file, and so do not survive a restart.",
  }),
  config: text({ says: "Path of the configuration file, on the manager's machine." }),
  testUrl: text({ says: "URL that a status check requests through a port." }),
  mailDomain: text({}),
  logs: number({ says: readableSettings.logs.says }),
  log: text({ says: `${readableSettings.log.says} ${anyOf(readableSettings.log.oneOf)}` }),
  harLimit: number({ says: readableSettings.harLimit.says, unit: readableSettings.harLimit.unit }),
  debug: text({ says: `${readableSettings.debug.says} ${anyOf(readableSettings.debug.oneOf)}` }),
  lpmAuth: text({ says: `${readableSettings.lpmAuth.says} ${anyOf(readableSettings.lpmAuth.oneOf)}` }),
  requestStats: flag({ says: "Whether the manager keeps statistics of requests." }),
  dropin: flag({ says: "Whether there is the drop-in port; `true` also with `--no-dropin`." }),
  zagent: flag({ says: "Whether this is a manager in Bright Data's cloud." }),
  avServer: flag({}),
  reseller: flag({}),
  syncConfig: flag({ says: "Whether the configuration is kept in the vendor's cloud." }),
  askSyncConfig: flag({}),
  cacheReport: list(number({}), {}),
  cacheLimit: number({ says: "Limit of the manager's cache.", unit: "bytes" }),
  cloudUrlAddress: text({ says: "Host name of the customer's manager in Bright Data's cloud." }),
  proxyPort: number({ says: "Port of Bright Data's proxies." }),
  bwLimitWebhookUrl: text({ says: readableSettings.bwLimitWebhookUrl.says, secret: true }),
  bwThWebhookUrl: text({ says: readableSettings.bwThWebhookUrl.says, secret: true }),
  useCustomCert: flag({}),
  socketInactivityTimeout: number({
    says: readableSettings.socketInactivityTimeout.says,
    unit: readableSettings.socketInactivityTimeout.unit,
  }),
  newUi: flag({}),
  shouldSanitize: flag({}),
} as const;

export type GeneralSettings = ValuesOf<typeof generalSettings>;
