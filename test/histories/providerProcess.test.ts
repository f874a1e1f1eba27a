import { expect, test } from "vitest";
import { Machine } from "./machine.mts";
import { ProviderProcess } from "./providerProcess.mts";

const TEXT = "this.handler=()=>require('pulumi-brightdata/provider').resource('ManagerUser')";

test("a process that is killed twice leaves its modules to one other alone", async () => {
  const machine = new Machine();
  const start = async () => {
    const { manager } = await machine.simulator({ seed: "1" });
    const config = { "brightdata:proxyManagerUrl": manager.url };
    const env = { PULUMI_HOME: "/home", PULUMI_BACKEND_URL: "file:///states" };
    const watcher = () => ({ arrived: () => true, done: () => {} });
    return new ProviderProcess(machine, { config, env, engine: "127.0.0.1:1", hear: () => {}, watcher });
  };
  machine.restart(1);
  const killed = await start();
  await killed.handlers({ __provider: TEXT });
  killed.kill();
  killed.kill();
  machine.restart(1);
  const [first, second] = [await start(), await start()];
  const handlers = await second.handlers({ __provider: TEXT });
  first.kill();
  const inputs = { email: "someone@example.com", __key: "key", __provider: TEXT };
  const { id } = await machine.time.until(handlers.create(inputs));
  expect(id).toBe("someone@example.com");
});
