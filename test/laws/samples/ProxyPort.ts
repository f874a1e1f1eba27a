import { ProxyPort, type ProxyPortArgs } from "../../../src";
import type { JsonObject } from "../../../src/base/json";
import type { Sample } from "../sample";
import { addPort, addZone, askManager } from "./prerequisites";

const UNDECLARED = "what the program has never declared, as far as the state knows, is not looked at";

const shared = {
  make: (name, args, options) => new ProxyPort(name, args as unknown as ProxyPortArgs, options),
  async prepare(simulator) {
    addZone(simulator, "web", 2);
    addZone(simulator, "shop");
    await addPort(simulator, 24_500);
  },
  touches: ({ port }) => [`port ${port}`],
  holds(world, { port, zone, country, rules }) {
    const record = world[`port ${port}`] as JsonObject | undefined;
    return (
      record !== undefined &&
      record.zone === zone &&
      (record.country || undefined) === country &&
      ((record.rules as unknown[]) ?? []).length === ((rules as unknown[]) ?? []).length
    );
  },
  edit: (simulator, { port }) =>
    askManager(simulator, "PUT", `/api/proxies/${port}`, { proxy: { zone: "web", country: "fr" } }),
  vanish: (simulator, { port }) => askManager(simulator, "DELETE", `/api/proxies/${port}`),
} satisfies Partial<Sample>;

const changes: Sample["changes"] = {
  zone: { args: { zone: "shop" } },
  country: { args: { country: "de" } },
  "country removed": { args: { country: undefined } },
  rules: { args: { rules: [{ status: "200", action: { banIp: 60_000 } }] } },
  password: { args: { password: "Sample-Secret-Zone" } },
  timeouts: { args: { timeouts: { create: 300 } } },
};

export const samples: Sample[] = [
  {
    ...shared,
    variant: "number given",
    args: { port: 24_000, zone: "web", country: "us" },
    changes: {
      ...changes,
      port: { args: { port: 24_001 }, replaces: true },
      multiply: { args: { multiply: 2 } },
      adopt: { args: { adopt: true } },
    },
    waived: {
      "renamed and changed: country removed": "what the program does not declare stays on a port that is taken over",
      "gone back after a killed update: rules": UNDECLARED,
    },
    foreign: { place: (simulator) => addPort(simulator, 24_000, { country: "us" }), adoptable: true },
  },
  {
    ...shared,
    variant: "number of the manager's choice",
    args: { zone: "web", country: "us" },
    changes,
    waived: { "gone back after a killed update: rules": UNDECLARED },
    generated: true,
    known: ["port"],
  },
];
