// What registering a resource costs the program, engine and provider left out: npm run bench:registration
// CPU time for each of 1,000, where the SDK's own mocks stand in for the engine. From one row to the next, a program that registers
// by the SDK alone has more of what a native resource registers: the last row is that resource.
import { execFileSync } from "node:child_process";
import { ROOT } from "../scripts/root.mts";
import { median } from "./summary.mts";

const ROUNDS = 7;

/** What each row registers besides the inputs of a port. */
const ROWS = {
  "a class that adds nothing": "(name, args) => new Port(name, args)",
  "and the alias by which a stack changes its form":
    "(name, args) => new Port(name, args, { aliases: [aliasOf(name)] })",
  "and what the plugin is told of the program":
    "(name, args) => new Port(name, { ...args, __program: { place: name } }, { aliases: [aliasOf(name)] })",
  "a ProxyPort of the plugin": "(name, args) => new ProxyPort(name, args)",
};

const program = `
  const pulumi = require("@pulumi/pulumi");
  const { ProxyPort } = require("pulumi-brightdata/native");
  pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs });
  class Port extends pulumi.CustomResource {
    constructor(name, args, options) {
      super("noop:index:Port", name, { ...args, listenPort: undefined }, { version: "0.1.0", ...options });
    }
  }
  const aliasOf = (name) => "urn:pulumi:stack::project::pulumi-nodejs:dynamic/brightdata:ProxyPort::" + name;
  const register = eval(process.argv[1]);
  (async () => {
    const names = Array.from({ length: 1000 }, (_, index) => "port-" + index);
    const before = process.cpuUsage();
    const ports = names.map((name, index) => register(name, { port: 30000 + index, zone: "bench", country: "us" }));
    await Promise.all(ports.map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000 / names.length);
  })();
`;

const measure = (register: string): number =>
  Number(execFileSync(process.execPath, ["-e", program, register], { cwd: ROOT, encoding: "utf8" }));

const rounds = Array.from({ length: ROUNDS }, () => Object.values(ROWS).map(measure));
const figures = Object.keys(ROWS).map((row, index) => [row, median(rounds.map((round) => round[index] ?? 0))] as const);
const [[, least] = ["", 1]] = figures;
for (const [row, milliseconds] of figures)
  console.log(`${milliseconds.toFixed(2)} ms, ${(milliseconds / least).toFixed(2)} ×: ${row}`);
