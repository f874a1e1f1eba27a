import { keysIn } from "../../base/json";
import { kind } from "../../declaration/kind";
import { any, flag, map, object } from "../../declaration/property";
import { disjoint } from "../../declaration/rules";
import { everybodyOnPurpose } from "../../model/allowedAddress";
import { readableSettings } from "../../model/generalSettings";

export const managerSettings = kind("ManagerSettings", {
  says: "The general settings of the local Proxy Manager, as far as they are declared. A manager has one set of settings. A setting that is not declared is left alone; one that is removed from the program gets back the value that it had before, and so do all when the resource is destroyed.",
  brief: "the Proxy Manager's general settings",
  service: "manager",
  id: { says: "Always `settings`.", example: "settings" },
  endpoints: ["GET /api/settings", "PUT /api/settings", "GET /api/proxies", "PUT /api/proxies/{PORT}"],
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
    previous: object(
      { ...readableSettings, logsSettings: map(any({}), { says: "What turns the delivery off.", secret: true }) },
      {
        named: "ManagerSettingsBefore",
        says: "The values that the declared settings had before they were declared, and get back afterwards; of `logsSettings`, what turns it off.",
        isVolatile: true,
      },
    ),
    hushed: flag({ hidden: true }),
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
  // What a setting is put back to, such as another default zone, is not to be had for the time between.
  announced: [...keysIn(readableSettings), "logsSettings"],
  takesOver: true,
  namedBy: "always",
  example: `new brightdata.ManagerSettings("manager", { logs: 5000, log: "info", whitelistIps: ["10.20.0.0/16"] });`,
});
