import { expect, test } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { Machine } from "./machine.mts";
import { ProviderProcess } from "./providerProcess.mts";

const textOf = (kind: string): string => `this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`;

async function started(machine: Machine): Promise<{ process: ProviderProcess; simulator: Simulator }> {
  const simulator = await machine.simulator({ seed: "1" });
  simulator.account.addZone("web", { type: "static", ips: 1 });
  const config = {
    "brightdata:apiToken": simulator.token,
    "brightdata:baseUrl": simulator.remote.url,
    "brightdata:proxyManagerUrl": simulator.manager.url,
  };
  const env = { PULUMI_HOME: "/home", PULUMI_BACKEND_URL: "file:///states" };
  const watcher = () => ({ arrived: () => true, done: () => {} });
  return {
    process: new ProviderProcess(machine, { config, env, engine: "127.0.0.1:1", hear: () => {}, watcher }),
    simulator,
  };
}

test("a process that is killed twice leaves its modules to one other alone", async () => {
  const machine = new Machine();
  const __provider = textOf("ManagerUser");
  machine.restart(1);
  const { process: killed } = await started(machine);
  await killed.handlers({ __provider });
  killed.kill();
  killed.kill();
  machine.restart(1);
  const [{ process: first }, { process: second }] = [await started(machine), await started(machine)];
  const handlers = await second.handlers({ __provider });
  first.kill();
  const inputs = { email: "someone@example.com", __key: "key", __provider };
  const { id } = await machine.time.until(handlers.create(inputs));
  expect(id).toBe("someone@example.com");
});

test("what a process asks for when it is gone does not leave it", async () => {
  const machine = new Machine();
  machine.restart(1);
  const { process, simulator } = await started(machine);
  const __provider = textOf("ProxyPort");
  const handlers = await process.handlers({ __provider });
  const inputs = (__key: string) => ({ zone: "web", __key, __provider });
  await machine.time.until(handlers.create(inputs("one")));
  const before = simulator.manager.state.records.length;
  handlers.create(inputs("other")).catch(() => {});
  process.kill();
  await machine.time.pass(5000);
  expect(simulator.manager.state.records).toHaveLength(before);
});
