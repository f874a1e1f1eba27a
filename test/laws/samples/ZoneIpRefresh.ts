import { ZoneIpRefresh, type ZoneIpRefreshArgs } from "../../../src";
import type { Sample } from "../sample";
import { addZone } from "./prerequisites";

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ZoneIpRefresh(name, args as unknown as ZoneIpRefreshArgs, options),
    prepare(simulator) {
      addZone(simulator, "web", 3);
      addZone(simulator, "shop", 3);
    },
    args: { zone: "web", all: true, triggers: ["1"] },
    price: { ips: 3 },
    changes: {
      triggers: { args: { triggers: ["2"] }, replaces: true },
      zone: { args: { zone: "shop" }, replaces: true },
      country: { args: { country: "de" } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => ["ips web", "ips shop"],
    holds(world, { zone, currentIps }, before) {
      const present = listOf(world[`ips ${zone}`]);
      const stale = listOf(before[`ips ${zone}`]);
      return listOf(currentIps).join() === present.join() && !present.some((ip) => stale.includes(ip));
    },
    leaves: { touched: () => ["ips web", "ips shop"], reason: "what is done is not undone" },
    generated: true,
    unknowable: [
      {
        faults: /./,
        words: /Whether the IPs of zone .* were refreshed is not known/,
        reason: "as long as the old IPs are there it may not have begun, and doing it twice is paid twice",
      },
    ],
    known: ["currentIps"],
  },
];
