import { ManagerSettings, type ManagerSettingsArgs } from "../../../src";
import type { Sample } from "../sample";

const NAMES: Readonly<Record<string, string>> = {
  logs: "logs",
  debug: "debug",
  requestStats: "request_stats",
  whitelistIps: "whitelist_ips",
  wwwWhitelistIps: "www_whitelist_ips",
  bwLimitWebhookUrl: "bw_limit_webhook_url",
  log: "log",
  logsSettings: "logs_settings",
};

const make: Sample["make"] = (name, args, options) =>
  new ManagerSettings(name, args as unknown as ManagerSettingsArgs, options);

const touches = (): string[] => Object.values(NAMES).map((name) => `setting ${name}`);

const holds: Sample["holds"] = (world, outputs) =>
  Object.entries(NAMES).every(
    ([name, setting]) =>
      outputs[name] === undefined || JSON.stringify(outputs[name]) === JSON.stringify(world[`setting ${setting}`]),
  );

const forgets = "what was before is known to the resource alone: another one puts back what it has found";

export const samples: Sample[] = [
  {
    make,
    args: { logs: 500, debug: "full", whitelistIps: ["203.0.113.7"], bwLimitWebhookUrl: "https://example.com/hook" },
    changes: {
      "another number of logs": { args: { logs: 600 } },
      "another list": { args: { whitelistIps: ["203.0.113.8"] } },
      "list removed": { args: { whitelistIps: undefined } },
      "webhook removed": { args: { bwLimitWebhookUrl: undefined } },
      "one more": { args: { requestStats: false } },
      timeouts: { args: { timeouts: { update: 300 } } },
    },
    forgets,
    touches,
    holds,
    edit({ manager }) {
      manager.state.settings.logs = 7;
    },
  },
  {
    variant: "in the cloud",
    make,
    simulator: { manager: { zagent: true } },
    prepare({ manager }) {
      manager.state.settings.logs_settings = undefined;
    },
    args: { logs: 500, logsSettings: { type: "s3", bucket: "first-bucket" } },
    changes: {
      "another number of logs": { args: { logs: 600 } },
      "another delivery": { args: { logsSettings: { type: "s3", bucket: "second-bucket" } } },
      "delivery removed": { args: { logsSettings: undefined } },
      "one more": { args: { log: "debug" } },
    },
    forgets,
    touches,
    holds,
  },
];
