import { expect, test } from "vitest";
import type { Declaration } from "../engine/harness";
import { nameOf, policyScene, reported, STRICT } from "./policyScene";

/** Keeps to every policy, with {@link STRICT} and in a production stack. */
const GOOD: Declaration[] = [
  {
    kind: "Zone",
    name: "web",
    args: { plan: { type: "static", ipsType: "dedicated", ips: 4, country: "us" } },
    options: { protect: true },
  },
  // What is only looked up keeps to no policy.
  { kind: "Zone", name: "theirs", get: "Theirs" },
  { kind: "ZoneIps", name: "more", args: { zone: nameOf("web"), count: 1 } },
  { kind: "ZoneAccess", name: "access", args: { zone: nameOf("web"), allowedIps: ["203.0.113.7"] } },
  { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.0/28", list: "ports" } },
  {
    kind: "ProxyPorts",
    name: "fleet",
    args: {
      defaults: { zone: nameOf("web"), whitelistIps: ["203.0.113.7"], internalName: "shop" },
      ports: { a: { port: 24_000, headers: [{ name: "Accept", value: "*/*" }] }, b: { port: 24_001 } },
    },
  },
  {
    kind: "ProxyPort",
    name: "one",
    args: {
      zone: nameOf("web"),
      port: 24_010,
      internalName: "shop",
      whitelistIps: ["203.0.113.7"],
      userPassword: "a-password",
      headers: { $secret: [{ name: "Authorization", value: "abc" }] },
    },
    options: { additionalSecretOutputs: ["headers"] },
  },
];

test("a program that keeps to every policy is updated, and its state analyzed", async () => {
  const { stack, simulator, declare, configured } = await policyScene();
  declare(...GOOD);
  simulator.account.addZone("Theirs", { type: "resident", vip: 1, vips: 9 });
  const { faults } = simulator.remote.service;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ "2026-03-01": { web: 9.5 } });
  faults.add({ kind: "respond", path: "/costs/export/json", status: 200, headers, body });
  const options = await configured(STRICT);
  const up = await stack.command("up", ...options);
  expect(reported(up)).toEqual([]);
  expect(up).toMatchObject({ status: 0, stdout: expect.stringContaining("✅ pulumi-brightdata-policy@v") });
  expect(simulator.remote.service.requests.filter(({ path }) => path === "/costs/export/json")).toHaveLength(1);

  expect(await stack.analyze(...options)).toMatchObject({ status: 0 });
  const strictest = await stack.analyze(...(await configured({ ...STRICT, "max-ips": { ips: 4 } })));
  expect(strictest.status).not.toBe(0);
  expect(reported(strictest)).toEqual([
    ["mandatory", "max-ips", "more", "Zone ZONE has 5 IPs: at most 4 are allowed."],
  ]);
});
