import { expect, onTestFinished, test, vi } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import type { Adapter } from "../../src/dynamic/adapter";
import type * as provider from "../../src/provider";

const PORTS = 200;

/** How many operations the engine runs at once. */
const AT_ONCE = 16;

/** What is asked for once, however many ports there are. */
const LISTS = 5;

const PROTOCOL = { __provider: "text" };

const numbers = Array.from({ length: PORTS }, (_, index) => 24_000 + index);

async function manager(): Promise<Simulator> {
  const simulator = await startSimulator({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await simulator.close();
  });
  return simulator;
}

/** Does something with every port in one run of the engine, and returns what came of it and how many requests that took. */
async function run<T>({ manager }: Simulator, task: (it: Adapter, port: number) => Promise<T>) {
  // Each run has a process of its own.
  vi.resetModules();
  const it = (await vi.importActual<typeof provider>("../../src/provider")).resource("ProxyPort", 1);
  await it.configure({ config: { get: () => undefined } });
  manager.service.requests.length = 0;
  const results = new Map<number, T>();
  const waiting = [...numbers];
  const work = async () => {
    for (let port = waiting.shift(); port !== undefined; port = waiting.shift())
      results.set(port, await task(it, port));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { results, requests: manager.service.requests.length };
}

test.each<[string, JsonObject]>([
  ["its zone and country", {}],
  ["its own addresses", { whitelistIps: ["203.0.113.7"] }],
])("a life of many ports, each with %s, takes a request for each change and a few for all", async (_, fields) => {
  const simulator = await manager();
  const inputsOf = (port: number, country: string) => ({
    ...PROTOCOL,
    port,
    zone: "web",
    country,
    ...fields,
    __key: `key-${port}`,
  });
  const made = await run(simulator, async (it, port) => {
    const { inputs } = await it.check({}, inputsOf(port, "us"));
    return (await it.create(inputs)).outs;
  });
  expect(made.requests).toBeLessThanOrEqual(PORTS + LISTS);
  const refreshed = await run(simulator, (it, port) => it.read(String(port), made.results.get(port) ?? {}));
  expect([...refreshed.results.values()].map(({ id }) => Number(id)).sort()).toEqual(numbers);
  expect(refreshed.requests).toBeLessThanOrEqual(LISTS);
  const changed = await run(simulator, async (it, port) => {
    const olds = made.results.get(port) ?? {};
    const { inputs } = await it.check(inputsOf(port, "us"), inputsOf(port, "de"));
    expect((await it.diff(String(port), olds, inputs)).changes).toBe(true);
    return (await it.update(String(port), olds, inputs)).outs;
  });
  expect(changed.requests).toBeLessThanOrEqual(PORTS + LISTS);
  expect(simulator.manager.state.records.filter(({ country }) => country === "de")).toHaveLength(PORTS);
  const deleted = await run(simulator, (it, port) => it.delete(String(port), changed.results.get(port) ?? {}));
  // And one list: a port may be another program's by now.
  expect(deleted.requests).toBe(PORTS + 1);
  expect(simulator.manager.state.records.filter(({ zone }) => zone === "web")).toEqual([]);
});
