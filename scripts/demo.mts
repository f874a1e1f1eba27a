// The whole life of a stack, on the real Pulumi CLI and simulated services: npm run demo
import { strict as assert } from "node:assert";
import { join } from "node:path";
import type { Simulator } from "../dist/simulator/index.js";
import { resolvePulumi } from "./pulumi.mts";
import { ROOT } from "./root.mts";
import { send } from "./send.mts";
import { Stack } from "./stack.mts";

const OFFICE = "203.0.113.7";

interface Scene {
  simulator: Simulator;
  stack: Stack;
}

/** One step: what it is about, and what has to be so after it. Returns what the engine printed. */
interface Step {
  title: string;
  run(scene: Scene): Promise<string>;
}

const steps: Step[] = [
  {
    title: "up: a zone, three ports on it, an allowed address",
    async run({ simulator, stack }) {
      const printed = await stack.expect("up");
      assert.match(printed, /\+ 6 created/);
      const { zoneName, urls, dollarsThisMonth, bytesThisMonth } = await stack.outputs();
      assert.equal(zones(simulator).length, 1);
      assert.equal(zones(simulator)[0]?.name, zoneName);
      assert.equal((urls as string[]).length, 3);
      assert.equal(typeof dollarsThisMonth, "number");
      assert.equal(typeof bytesThisMonth, "number");
      const ports = await portRecords(simulator);
      assert.deepEqual(
        ports.map(({ zone }) => zone),
        [zoneName, zoneName, zoneName],
      );
      assert.deepEqual(await allowed(simulator), [OFFICE]);
      const state = await stack.stateText();
      const secrets = [simulator.token, ...(zones(simulator)[0]?.password ?? [])];
      assert.ok(!secrets.some((secret) => (state + printed).includes(secret)), "a secret stands in the state in clear");
      return printed;
    },
  },
  {
    title: "preview: nothing to do",
    run: ({ stack }) => stack.expect("preview", "--expect-no-changes"),
  },
  {
    title: "somebody switches the zone off, changes a port and removes the address by hand: refresh finds it",
    async run({ simulator, stack }) {
      const { zoneName } = await stack.outputs();
      const port = (await portRecords(simulator))[0]?.port;
      const edit = { zone: zoneName, internal_name: "mine", rotate_session: true };
      await send(simulator.manager.url, "PUT", `/api/proxies/${port}`, { proxy: edit });
      await send(simulator.remote.url, "POST", "/zone/change_disable", { zone: zoneName, disable: 1 }, simulator.token);
      await send(simulator.manager.url, "PUT", "/api/settings", { whitelist_ips: [] });
      const printed = await stack.expect("refresh", "--diff");
      assert.match(printed, /~ 2 updated/);
      assert.match(printed, /- 1 deleted/);
      const preview = await stack.expect("preview", "--diff");
      assert.match(preview, /~ disabled\s*: true => false/);
      assert.match(preview, /~ internalName\s*: "mine" => "(search|shop|news)"/);
      assert.match(preview, /~ rotateSession\s*: true => false/);
      return `${printed}\n${preview}`;
    },
  },
  {
    title: "up: put right, property by property",
    async run({ simulator, stack }) {
      const printed = await stack.expect("up");
      assert.match(printed, /\+ 1 created/);
      assert.match(printed, /~ 2 updated/);
      assert.equal(zones(simulator)[0]?.status, "active");
      const [port] = await portRecords(simulator);
      assert.notEqual(port?.internal_name, "mine");
      assert.ok(!port?.rotate_session);
      assert.deepEqual(await allowed(simulator), [OFFICE]);
      await stack.expect("preview", "--expect-no-changes");
      return printed;
    },
  },
  {
    title: "an update in place: sessions rotate on all three ports",
    async run({ simulator, stack }) {
      const before = await portRecords(simulator);
      await stack.setConfig("rotate", "true");
      const printed = await stack.expect("up");
      assert.match(printed, /~ 3 updated/);
      const after = await portRecords(simulator);
      assert.deepEqual(
        after.map(({ port }) => port),
        before.map(({ port }) => port),
      );
      assert.ok(after.every(({ rotate_session }) => rotate_session === true));
      return printed;
    },
  },
  {
    title: "a replacement: another country is another zone; the ports move over to it and the old zone goes",
    async run({ simulator, stack }) {
      const before = zones(simulator)[0]?.name;
      await stack.setConfig("country", "de");
      const printed = await stack.expect("up");
      assert.match(printed, /\+-1 replaced/);
      assert.match(printed, /~ 3 updated/);
      const [zone, ...others] = zones(simulator);
      assert.deepEqual(others, []);
      assert.notEqual(zone?.name, before);
      assert.ok((await portRecords(simulator)).every((port) => port.zone === zone?.name));
      return printed;
    },
  },
  {
    title: "destroy: nothing is left in either service",
    async run({ simulator, stack }) {
      const printed = await stack.expect("destroy");
      assert.deepEqual(zones(simulator), []);
      assert.deepEqual(await portRecords(simulator), []);
      assert.deepEqual(await allowed(simulator), []);
      assert.deepEqual(simulator.account.sweeps, [], "a request named no zone");
      return printed;
    },
  },
];

const zones = ({ account }: Simulator) => [...account.zones.values()].filter(({ status }) => status !== "deleted");

interface PortRecord {
  port: number;
  proxy_type?: string;
  zone?: string;
  internal_name?: string;
  rotate_session?: boolean;
}

/** The ports in the order of their numbers, without the manager's own. */
async function portRecords({ manager }: Simulator): Promise<PortRecord[]> {
  const records = (await send(manager.url, "GET", "/api/proxies")) as PortRecord[];
  return records.filter(({ proxy_type }) => proxy_type === "persist").sort((a, b) => a.port - b.port);
}

async function allowed({ manager }: Simulator): Promise<string[]> {
  return ((await send(manager.url, "GET", "/api/settings")) as { whitelist_ips: string[] }).whitelist_ips;
}

/** The lines that say what the engine did: resources, properties and their numbers. */
function essence(printed: string): string[] {
  const lines = printed.split("\n").map((line) => line.trimEnd().replace("pulumi-nodejs:dynamic/brightdata:", ""));
  const resource = /^ *(\+|-|~|\+-|\+\+|--|-\+) +[A-Z]\w+ \S+ (created|updated|deleted|refreshed|replaced)/;
  const property = /^ +~ (disabled|internalName|rotateSession) *:/;
  const total = /^ +(\+|-|~|\+-)? ?\d+ (to )?\w+/;
  return lines
    .filter((line) => resource.test(line) || property.test(line) || total.test(line))
    .map((line) => line.trim());
}

const cli = await resolvePulumi();
console.log(`Pulumi ${cli.version} (${cli.source}), and both services simulated on this machine.`);
const { startSimulator } = await import("../dist/simulator/index.js");
const simulator = await startSimulator();
let stack: Stack | undefined;
let failed = false;
try {
  stack = await Stack.create(cli, join(ROOT, "examples/quickstart"), simulator.environment());
  for (const [index, { title, run }] of steps.entries()) {
    console.log(`\n${index + 1}. ${title}`);
    for (const line of essence(await run({ simulator, stack }))) console.log(`   ${line}`);
  }
  console.log(`\nAll ${steps.length} steps went as they must.`);
} catch (error) {
  failed = true;
  console.error(`\nThe step failed: ${(error as Error).message}`);
} finally {
  await stack?.remove();
  await simulator.close();
}
process.exitCode = failed ? 1 : 0;
