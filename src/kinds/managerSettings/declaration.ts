import { kind } from "../../declaration/kind";
import { any, count, flag, list, map, text } from "../../declaration/property";
import { disjoint } from "../../declaration/rules";
import { MANAGER_LOG_LEVELS } from "../../model/managerLogLevels";
import { allowedAddress, everybodyOnPurpose } from "../shared/allowedAddress";
import { zoneName } from "../zone/properties";

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
    must: [{ format: "url", expected: "expected a URL that begins with https:// or http://; leave it out for none." }],
    defaultSays: "left alone",
  });

/** The settings that can be read back. */
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
  logs: count({ says: "How many requests the manager remembers; 0 for none.", least: 0, initial: 1000 }),
  log: text({
    says: "How much the manager writes to its log.",
    oneOf: MANAGER_LOG_LEVELS,
    initial: "notice",
  }),
  harLimit: count({
    says: "How much of the body of each request and response the manager remembers; -1 for nothing.",
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
    unit: "milliseconds",
    least: 1,
    initial: 120_000,
  }),
  bwLimitWebhookUrl: webhook("URL that a cloud manager notifies when a port has used up its bandwidth."),
  bwThWebhookUrl: webhook("URL that a cloud manager notifies when a port has used up a part of its bandwidth."),
};

/** The general settings of the local Proxy Manager, as far as they are declared. */
export const managerSettings = kind("ManagerSettings", {
  says: "The general settings of the local Proxy Manager, as far as they are declared. A manager has one set of settings. A setting that is not declared is left alone; one that is removed from the program gets back the value that it had before, and so do all when the resource is destroyed.",
  brief: "the Proxy Manager's general settings",
  service: "manager",
  id: { says: "Always `settings`.", example: "settings" },
  endpoints: ["GET /api/settings", "PUT /api/settings"],
  timeouts: 60,
  inputs: {
    ...readableSettings,
    logsSettings: map(any({}), {
      says: "Where a cloud manager delivers its logs, in the service's own spelling; other managers refuse it. Removing it turns the delivery off.",
      secret: true,
      writeOnly: true,
      defaultSays: "left alone",
      outputSays: "What was declared.",
    }),
    allowAny: flag({
      says: "Must be `true` for `0.0.0.0/0` on a list, which lets the whole internet in.",
      default: false,
    }),
  },
  outputs: {
    previous: map(any({}), {
      says: "The values that the declared settings had before they were declared, and get back afterwards; of `logsSettings`, what turns it off.",
    }),
  },
  rules: [
    everybodyOnPurpose("wwwWhitelistIps"),
    everybodyOnPurpose("whitelistIps"),
    disjoint(
      "whitelistIps",
      "wwwWhitelistIps",
      "the manager keeps an address on one of them only. Leave it out of `whitelistIps`: `wwwWhitelistIps` lets it use every port too.",
    ),
  ],
  namedBy: "always",
  example: `new brightdata.ManagerSettings("manager", { logs: 5000, log: "info", whitelistIps: ["10.20.0.0/16"] });`,
});
