import { PortSessionRefresh, type PortSessionRefreshArgs } from "../../../src";
import type { Sample } from "../sample";
import { addPort, addZone } from "./prerequisites";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new PortSessionRefresh(name, args as unknown as PortSessionRefreshArgs, options),
    async prepare(simulator) {
      addZone(simulator, "web");
      for (const port of [24_000, 24_001]) await addPort(simulator, port);
    },
    args: { port: 24_000, triggers: ["1"] },
    changes: {
      port: { args: { port: 24_001 }, replaces: true },
      triggers: { args: { triggers: ["2"] }, replaces: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: () => ["session 24000", "session 24001"],
    holds: (world, { port }) => Number(world[`session ${port}`]) > 0,
    leaves: { touched: () => ["session 24000", "session 24001"], reason: "what is done is not undone" },
    generated: true,
  },
];
