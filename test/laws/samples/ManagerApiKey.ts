import { ManagerApiKey } from "../../../src";
import type { Sample } from "../sample";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ManagerApiKey(name, args, options),
    args: { triggers: ["1"] },
    changes: { triggers: { args: { triggers: ["2"] } }, timeouts: { args: { timeouts: { create: 300 } } } },
    touches: () => ["setting token_auth"],
    holds: (world, { apiKey }) => typeof apiKey === "string" && world["setting token_auth"] === apiKey,
    leaves: { touched: () => ["setting token_auth"], reason: "others may use the key, and it cannot be taken back" },
    edit({ manager }) {
      manager.state.settings.token_auth = "anotherKey00000";
    },
    waived: {
      edit: "the key of the moment is what the resource tells, and another one is no drift",
      "imported by a file that is out of date": "the key of the moment is known after a refresh",
    },
  },
];
