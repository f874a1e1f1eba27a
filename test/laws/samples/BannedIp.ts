import { BannedIp, type BannedIpArgs } from "../../../src";
import type { Sample } from "../sample";
import { addPort, addZone, askManager } from "./prerequisites";

interface Ban {
  ip: string;
  domain: string;
  ends: boolean;
}

const PORTS = [24_000, 24_001, 24_002];

const bansOf = (value: unknown): Ban[] => (Array.isArray(value) ? (value as Ban[]) : []);

export const samples: Sample[] = [
  {
    make: (name, args, options) => new BannedIp(name, args as unknown as BannedIpArgs, options),
    async prepare(simulator) {
      addZone(simulator, "web");
      for (const port of PORTS) await addPort(simulator, port);
      await askManager(simulator, "POST", "/api/proxies/24000/banip", { ip: "198.51.100.1" });
    },
    args: { ip: "203.0.113.7", ports: [24_000, 24_001] },
    changes: {
      ip: { args: { ip: "203.0.113.8" }, replaces: true },
      domain: { args: { domain: "example.com" }, replaces: true },
      "one port": { args: { ports: undefined, port: 24_001 } },
      "one port more": { args: { ports: [...PORTS] } },
      durationMs: { args: { durationMs: 86_400_000 } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    known: ["ports"],
    touches: () => PORTS.map((port) => `bans ${port}`),
    holds(world, { ip, domain, ports, durationMs }, before) {
      return PORTS.every((port) => {
        const own = { ip, domain: domain ?? "", ends: durationMs !== undefined };
        const meant = (ports as number[]).includes(port);
        const expected = [...bansOf(before[`bans ${port}`]), ...(meant ? [own] : [])];
        return JSON.stringify(expected) === JSON.stringify(bansOf(world[`bans ${port}`]));
      });
    },
    vanish: async (simulator) => {
      await askManager(simulator, "POST", "/api/proxies/24000/unbanip", { ip: "203.0.113.7" });
      await askManager(simulator, "POST", "/api/proxies/24001/unbanip", { ip: "203.0.113.7" });
    },
    waived: {
      "renamed and changed: domain":
        "beside a ban for every host the manager takes none for one: it comes with the next refresh and update",
    },
    edit: (simulator) => askManager(simulator, "POST", "/api/proxies/24000/unbanip", { ip: "203.0.113.7" }),
  },
];
