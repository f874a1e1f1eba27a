import { ProxyPorts, type ProxyPortsArgs } from "../../../src";
import type { JsonObject } from "../../../src/base/json";
import type { Sample } from "../sample";
import { addPort, addZone, askManager } from "./prerequisites";

type Ports = Record<string, JsonObject>;

const numbers = ({ ports }: JsonObject): unknown[] => Object.values(ports as Ports).map(({ port }) => port);

const UNDECLARED = "what the program has never declared, as far as the state knows, is not looked at";
const KEPT = "a port that was added may be another resource's by now: the person is told of it";

const shared = {
  make: (name, args, options) => new ProxyPorts(name, args as unknown as ProxyPortsArgs, options),
  async prepare(simulator) {
    addZone(simulator, "web", 2);
    addZone(simulator, "shop");
    await addPort(simulator, 24_500);
  },
  touches: (outputs) => numbers(outputs).map((number) => `port ${number}`),
  holds(world, { ports }) {
    return Object.values(ports as Ports).every(({ port, zone, country }) => {
      const record = world[`port ${port}`] as JsonObject | undefined;
      return record !== undefined && record.zone === zone && (record.country || undefined) === country;
    });
  },
  edit: (simulator, outputs) =>
    askManager(simulator, "PUT", `/api/proxies/${numbers(outputs)[1]}`, { proxy: { zone: "shop", country: "fr" } }),
  async vanish(simulator, outputs) {
    for (const number of numbers(outputs)) await askManager(simulator, "DELETE", `/api/proxies/${number}`);
  },
} satisfies Partial<Sample>;

const defaults = { zone: "web", userPassword: "Sample-Secret-Shared" };

export const samples: Sample[] = [
  {
    ...shared,
    variant: "numbers given",
    args: {
      defaults,
      ports: {
        "us-1": { port: 24_000, country: "us" },
        "us.2": { port: 24_001, password: "Sample-Secret-Own" },
        shop: { port: 24_002, zone: "shop" },
      },
    },
    changes: {
      "one port": {
        args: { ports: { "us-1": { port: 24_000, country: "de" }, "us.2": { port: 24_001 }, shop: { port: 24_002 } } },
      },
      "one more, one less": {
        args: { ports: { "us-1": { port: 24_000, country: "us" }, "us-3": { port: 24_003, country: "us" } } },
      },
      "numbers swapped": {
        args: { ports: { "us-1": { port: 24_001, country: "us" }, "us.2": { port: 24_000 }, shop: { port: 24_004 } } },
      },
      "none at all": { args: { ports: {} } },
      defaults: { args: { defaults: { zone: "shop", country: "fr" } } },
      timeouts: { args: { timeouts: { create: 300 } } },
      adopt: { args: { adopt: true } },
    },
    waived: {
      "renamed and changed: numbers swapped": "what the program does not declare stays on a port that is taken over",
      "gone back after a killed update: defaults": UNDECLARED,
      "gone back after a killed update: numbers swapped": KEPT,
      "gone back after a killed update: one more, one less": KEPT,
    },
    foreign: {
      async place(simulator) {
        for (const port of [24_000, 24_001, 24_002]) await addPort(simulator, port);
      },
      adoptable: true,
    },
  },
  {
    ...shared,
    variant: "numbers of the manager's choice",
    args: { defaults: { zone: "web" }, ports: { a: { country: "us" }, b: { country: "de" } } },
    changes: {
      "one more": { args: { ports: { a: { country: "us" }, b: { country: "fr" }, c: {} } } },
      renamed: { args: { ports: { x: { country: "us" }, b: { country: "de" } } } },
    },
    waived: { "gone back after a killed update: one more": KEPT },
    generated: true,
    known: ["ports"],
  },
];
