import { flag, list, number, text } from "../../declaration/property";
import { readableSettings as settings } from "../../kinds/managerSettings/declaration";
import { lookup } from "../../program/lookup";

const anyOf = (values: readonly string[]): string =>
  `Usually one of ${values.map((value) => `\`${value}\``).join(", ")}.`;

export const getManagerSettings = lookup("getManagerSettings", {
  says: "Looks up the general settings of the Proxy Manager. Credentials, such as the account's token and a zone's password, are omitted.",
  brief: "the Proxy Manager's general settings, without credentials",
  service: "manager",
  endpoints: ["GET /api/settings"],
  gives: "General settings of the Proxy Manager, without its credentials.",
  result: {
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
    logs: number({ says: settings.logs.says }),
    log: text({ says: `${settings.log.says} ${anyOf(settings.log.oneOf)}` }),
    harLimit: number({ says: settings.harLimit.says, unit: settings.harLimit.unit }),
    debug: text({ says: `${settings.debug.says} ${anyOf(settings.debug.oneOf)}` }),
    lpmAuth: text({ says: `${settings.lpmAuth.says} ${anyOf(settings.lpmAuth.oneOf)}` }),
    requestStats: flag({ says: "Whether the manager keeps statistics of requests." }),
    dropin: flag({ says: "Whether there is the drop-in port." }),
    zagent: flag({ says: "Whether this is a manager in Bright Data's cloud." }),
    avServer: flag({}),
    reseller: flag({}),
    syncConfig: flag({ says: "Whether the configuration is kept in Bright Data's cloud." }),
    askSyncConfig: flag({}),
    cacheReport: list(number({}), {}),
    cacheLimit: number({ says: "Limit of the manager's cache.", unit: "bytes" }),
    cloudUrlAddress: text({ says: "Host name of the customer's manager in Bright Data's cloud." }),
    proxyPort: number({ says: "Port of Bright Data's proxies." }),
    bwLimitWebhookUrl: text({ says: settings.bwLimitWebhookUrl.says }),
    bwThWebhookUrl: text({ says: settings.bwThWebhookUrl.says }),
    useCustomCert: flag({}),
    socketInactivityTimeout: number({
      says: settings.socketInactivityTimeout.says,
      unit: settings.socketInactivityTimeout.unit,
    }),
    newUi: flag({}),
    shouldSanitize: flag({}),
  },
  example: "const { whitelistIps } = await brightdata.getManagerSettings();",
  outputExample: `const settings = brightdata.getManagerSettingsOutput();
export const allowed = settings.whitelistIps;
export const logLevel = settings.apply(({ log }) => log);`,
  notes: "Settings without an explanation here are the manager's own and not documented.",
  ask: ({ settings }, _, options) => settings.get(options),
});
