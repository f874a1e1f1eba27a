import { ManagerRestart } from "../../../src";
import type { Sample } from "../sample";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ManagerRestart(name, args, options),
    args: { triggers: ["1"] },
    changes: {
      triggers: { args: { triggers: ["2"] }, replaces: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => [],
    holds: (world, { version }) => (world.version as string[])[0] === version,
    generated: true,
    known: ["version"],
  },
];
