import { renameSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programWith } from "./formerSdk";
import { type Declaration, scene } from "./harness";
import { Hold } from "./hold";
import { childrenOf, signalProcessGroup } from "./processes";

/** To a program with this one, what has failed and has an id has not failed. */
const SDK = "3.245.0";

const ips: Declaration = { kind: "ZoneIps", name: "ips", args: { zone: "web", count: 3 } };

/** Asks the service once the program has been told what became of the IPs. */
const told: Declaration = { call: "getZoneOutput", name: "told", args: { name: { $output: ["ips", "zone"] } } };

it("an update whose state cannot be saved pays once, also with `--continue-on-error` and an older SDK", async () => {
  const { simulator, stack, declare } = await scene({}, await programWith(SDK));
  const zone = simulator.account.addZone("web", { type: "static", ips: 2 });
  declare(ips, told);
  const states = join(stack.folder, "backend/.pulumi/stacks/declared");
  const kept = join(stack.folder, "kept");
  const hold = new Hold(simulator, ({ method, path }) => {
    if (method === "POST" && path === "/zone/ips") {
      renameSync(states, kept);
      writeFileSync(states, "");
    }
    return path === "/zone" ? "before" : undefined;
  });
  const running = stack.start("up", "--continue-on-error");
  // The engine would try for another half a minute to save the rest, and then end by itself.
  await hold.settled(running.ending);
  for (const each of [running.child.pid ?? 0, ...childrenOf(running.child.pid, "pulumi-")]) {
    signalProcessGroup(each, "SIGKILL");
  }
  expect((await running.ending).stdout).toContain("failed to save snapshot");
  hold.release();
  await rm(states);
  await rename(kept, states);
  await stack.cancel();
  expect(await stack.resources()).toEqual([]);
  expect(zone.allocatedIps).toHaveLength(5);

  declare(ips);
  await stack.expect("up");
  expect(zone.allocatedIps).toHaveLength(5);
  await stack.expect("preview", "--expect-no-changes");
});
