import { join } from "node:path";
import { expect } from "vitest";
import { inTurn } from "../turn";
import { type Declaration, scene } from "./harness";
import { FORMS, putIn } from "./nativeScene";

const it = inTurn(2);

const zone = { $output: ["web", "name"] };

/** A zone with what belongs to it, and ports with and without a number. */
const program = ({ name = "web", count = 2, allowedIps = ["203.0.113.7"], throttle = 5 }): Declaration[] => [
  { kind: "Zone", name: "web", args: { name, plan: { type: "static", ipsType: "shared", ips: 1 } } },
  { kind: "ZoneAccess", name: "access", args: { zone, allowedIps } },
  { kind: "ZoneIps", name: "ips", args: { zone, count } },
  { kind: "ZonePassword", name: "password", args: { zone } },
  { kind: "ProxyPort", name: "port", args: { zone, throttle } },
  { kind: "ProxyPorts", name: "ports", args: { ports: { a: { port: 24_500, zone, throttle } } } },
];

/** Changes of which an update may do all, and no more, once a preview has planned them. */
const CHANGES = [{}, { count: 3, allowedIps: ["203.0.113.8"], throttle: 6 }, { name: "other" }];

for (const form of FORMS) {
  it(`an update does what a saved plan says, and not more (${form})`, async () => {
    const { stack, simulator, declare } = await scene();
    await putIn(form, stack);
    const { requests } = simulator.remote.service;
    const file = join(stack.folder, "plan.json");
    const plan = () => stack.expect("preview", "--save-plan", file);
    for (const change of CHANGES) {
      declare(...program(change));
      await plan();
      // For outputs without a value, the CLI ends with 1, though all is done.
      const { stdout, stderr } = await stack.command("up", "--plan", file);
      expect(stdout + stderr).not.toContain("error:");
      await stack.expect("preview", "--expect-no-changes");
    }
    expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["other"]);

    await plan();
    declare(...program({ name: "other", count: 7 }));
    requests.length = 0;
    const { status, stdout, stderr } = await stack.command("up", "--plan", file);
    expect(status).not.toBe(0);
    expect(stdout + stderr).toMatch(/ZoneIps::ips violates plan: .*count/);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
}
