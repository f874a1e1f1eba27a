import { PortIpUnban, type PortIpUnbanArgs } from "../../../src";
import type { Sample } from "../sample";
import { addPort, addZone, askManager } from "./prerequisites";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new PortIpUnban(name, args as unknown as PortIpUnbanArgs, options),
    async prepare(simulator) {
      addZone(simulator, "web");
      for (const port of [24_000, 24_001]) {
        await addPort(simulator, port);
        await askManager(simulator, "POST", `/api/proxies/${port}/banip`, { ip: "203.0.113.7" });
        await askManager(simulator, "POST", `/api/proxies/${port}/banip`, { ip: "203.0.113.8" });
      }
    },
    args: { port: 24_000, ip: "203.0.113.7", triggers: ["1"] },
    changes: {
      port: { args: { port: 24_001 }, replaces: true },
      ip: { args: { ip: "203.0.113.8" }, replaces: true },
      "ip removed": { args: { ip: undefined }, replaces: true },
      triggers: { args: { triggers: ["2"] }, replaces: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => ["bans 24000", "bans 24001"],
    holds(world, { port, ip }) {
      const bans = (world[`bans ${port}`] ?? []) as { ip: string }[];
      return bans.every((ban) => ip !== undefined && ban.ip !== ip);
    },
    leaves: { touched: () => ["bans 24000", "bans 24001"], reason: "what is done is not undone" },
    generated: true,
  },
];
