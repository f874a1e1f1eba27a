import type { Simulator } from "../../../simulator";
import { PortIpRefresh, type PortIpRefreshArgs } from "../../../src";
import type { Sample } from "../sample";
import { addPort, addZone } from "./prerequisites";

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const ipOf = ({ account }: Simulator, index: number): string => account.zone("web")?.allocatedIps[index]?.ip ?? "";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new PortIpRefresh(name, args as unknown as PortIpRefreshArgs, options),
    async prepare(simulator) {
      addZone(simulator, "web", 3);
      await addPort(simulator, 24_000);
    },
    args: (simulator) => ({ port: 24_000, ip: ipOf(simulator, 0), triggers: ["1"] }),
    price: { ips: 1 },
    changes: {
      ip: { args: (simulator) => ({ ip: ipOf(simulator, 1) }), replaces: true, final: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => ["ips web", "session 24000"],
    holds: (world, { ip, newIp }) =>
      !listOf(world["ips web"]).includes(String(ip)) && listOf(world["ips web"]).includes(String(newIp)),
    leaves: { touched: () => ["ips web", "session 24000"], reason: "what is done is not undone" },
    generated: true,
    unknowable: [
      {
        faults: /./,
        words:
          /still has .*: the vendor has not agreed to replace it, or was never asked.*Change a trigger to ask again/,
        reason: "as long as the old IP is there it may not have begun, and doing it twice is paid twice",
      },
    ],
    known: ["newIp"],
    waived: {
      random: "the IP that it names is gone once it is replaced: there is no way back",
      renamed: "the IP that it names is gone once it is replaced: another resource for it cannot be made",
      "forced replacement": "the IP that it names is gone once it is replaced, and the message says so",
    },
  },
];
