import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import { type Declaration, PROGRAM, scene } from "./harness";
import { Hold } from "./hold";
import { busy } from "./load";
import { childrenOf, signalProcessGroup } from "./processes";

const program: Declaration[] = [
  { kind: "ZoneIps", name: "ips", args: { zone: "web", count: 3, timeouts: { create: 30 } } },
];

it("an update whose engine alone was killed is not begun again as long as its provider lives, on a busy machine", async () => {
  const { simulator, stack, declare } = await scene();
  const zone = simulator.account.addZone("web", { type: "static", ips: 2 });
  stack.setEnvironment({
    NODE_OPTIONS: `--require ${join(PROGRAM, "node-22.0.cjs")}`,
    BRIGHTDATA_REQUEST_TIMEOUT: "60",
    BRIGHTDATA_RETRIES: "0",
  });
  declare(...program);
  busy();
  const isAddition = ({ method, path }: { method: string; path: string }) => method === "POST" && path === "/zone/ips";
  const hold = new Hold(simulator, (request) => (isAddition(request) ? "after" : undefined));
  const running = stack.start("up");
  expect(await hold.settled(running.ending)).toBe(true);
  const [provider = 0] = childrenOf(running.child.pid, "pulumi-resource-pulumi-nodejs");
  const [writer = provider] = childrenOf(provider, "dynamic-provider");
  onTestFinished(() => signalProcessGroup(provider, "SIGKILL"));
  const others = childrenOf(running.child.pid, "pulumi-language");
  signalGroup(running.child, "SIGKILL");
  for (const other of others) signalProcessGroup(other, "SIGKILL");
  await running.ending;
  hold.release();
  expect(zone.allocatedIps).toHaveLength(5);

  await stack.cancel();
  const next = await stack.command("up");
  expect(zone.allocatedIps).toHaveLength(5);
  // It may have waited for the end of the first one instead.
  if (next.status !== 0) expect(next.stdout).toContain(String(writer));
  signalProcessGroup(provider, "SIGKILL");
  await stack.expect("up");
  expect(zone.allocatedIps).toHaveLength(5);
  expect((await stack.resources())[0]?.outputs).toMatchObject({ ips: zone.allocatedIps.slice(2).map(({ ip }) => ip) });
  await stack.expect("preview", "--expect-no-changes");
});
