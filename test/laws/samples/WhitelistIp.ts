import type { Simulator } from "../../../simulator";
import { WhitelistIp, type WhitelistIpArgs } from "../../../src";
import type { Sample } from "../sample";
import { askManager } from "./prerequisites";

const SETTINGS = { ui: "setting www_whitelist_ips", ports: "setting whitelist_ips" };

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const settingOf = (list: unknown): string => (list === "ports" ? SETTINGS.ports : SETTINGS.ui);

const setLists = (simulator: Simulator, ui: string[], ports: string[]): Promise<void> =>
  askManager(simulator, "PUT", "/api/settings", { www_whitelist_ips: ui, whitelist_ips: ports });

const shared = {
  make: (name, args, options) => new WhitelistIp(name, args as unknown as WhitelistIpArgs, options),
  prepare: (simulator) => setLists(simulator, ["198.51.100.1"], ["198.51.100.2"]),
  // The manager keeps an address on one of the lists, and the key is generated where there is none.
  touches: () => [...Object.values(SETTINGS), "setting token_auth"],
  holds(world, { ip, list }, before) {
    const expected = (setting: string) =>
      [...listOf(before[setting]).filter((each) => each !== ip), ...(settingOf(list) === setting ? [String(ip)] : [])]
        .sort()
        .join();
    return Object.values(SETTINGS).every((setting) => listOf(world[setting]).sort().join() === expected(setting));
  },
  vanish: (simulator) => setLists(simulator, ["198.51.100.1"], ["198.51.100.2"]),
} satisfies Partial<Sample>;

export const samples: Sample[] = [
  {
    ...shared,
    variant: "ui",
    args: { ip: "203.0.113.7" },
    changes: {
      ip: { args: { ip: "203.0.113.8" }, replaces: true },
      "a block": { args: { ip: "203.0.113.64/26" }, replaces: true },
      list: { args: { list: "ports" }, replaces: true },
      adopt: { args: { adopt: true } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    leaves: { touched: () => ["setting token_auth"], reason: "the key may be in use by others" },
    foreign: {
      place: (simulator) => setLists(simulator, ["198.51.100.1", "203.0.113.7"], ["198.51.100.2"]),
      adoptable: true,
    },
  },
  {
    ...shared,
    variant: "ports",
    async prepare(simulator) {
      await shared.prepare(simulator);
      await askManager(simulator, "GET", "/api/gen_token");
    },
    args: ({ manager }) => ({ ip: "203.0.113.7", list: "ports", apiKey: manager.state.settings.token_auth }),
    changes: {
      ip: { args: { ip: "203.0.113.8" }, replaces: true },
      list: { args: { list: "ui" }, replaces: true },
      "apiKey removed": { args: { apiKey: undefined } },
    },
    foreign: {
      place: (simulator) => setLists(simulator, ["198.51.100.1"], ["198.51.100.2", "203.0.113.7"]),
      adoptable: true,
    },
  },
];
