import { ManagerUpgrade } from "../../../src";
import type { Sample } from "../sample";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ManagerUpgrade(name, args, options),
    simulator: { manager: { latestVersion: "1.580.100" } },
    args: { triggers: ["1"] },
    changes: {
      triggers: { args: { triggers: ["2"] }, replaces: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => ["version"],
    holds: (world, { version }) => (world.version as string[])[1] === version,
    leaves: { touched: () => ["version"], reason: "a version stays installed" },
    generated: true,
    known: ["version"],
  },
];
