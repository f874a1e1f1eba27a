import { ManagerSettings, type ManagerSettingsArgs } from "../../../src";
import type { Sample } from "../sample";

const NAMES: Readonly<Record<string, string>> = {
  logs: "logs",
  debug: "debug",
  requestStats: "request_stats",
  whitelistIps: "whitelist_ips",
  wwwWhitelistIps: "www_whitelist_ips",
  bwLimitWebhookUrl: "bw_limit_webhook_url",
};

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ManagerSettings(name, args as unknown as ManagerSettingsArgs, options),
    args: { logs: 500, debug: "full", whitelistIps: ["203.0.113.7"], bwLimitWebhookUrl: "https://example.com/hook" },
    changes: {
      "another number of logs": { args: { logs: 600 } },
      "another list": { args: { whitelistIps: ["203.0.113.8"] } },
      "list removed": { args: { whitelistIps: undefined } },
      "webhook removed": { args: { bwLimitWebhookUrl: undefined } },
      "one more": { args: { requestStats: false } },
      timeouts: { args: { timeouts: { update: 300 } } },
    },
    waived: {
      "destroyed after a killed update: one more": "only a creation is noted: a killed update is known after a refresh",
    },
    forgets: "what was before is known to the resource alone: another one puts back what it has found",
    touches: () => Object.values(NAMES).map((name) => `setting ${name}`),
    holds: (world, outputs) =>
      Object.entries(NAMES).every(
        ([name, setting]) =>
          outputs[name] === undefined || JSON.stringify(outputs[name]) === JSON.stringify(world[`setting ${setting}`]),
      ),
    edit({ manager }) {
      manager.state.settings.logs = 7;
    },
  },
];
