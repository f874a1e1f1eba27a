import { expect, test } from "vitest";
import type { Declaration } from "../engine/harness";
import { nameOf, policyScene, reported } from "./policyScene";

const ONLY = { all: "disabled", "max-ips": { enforcementLevel: "mandatory", ips: 10 } };
const WEB: Declaration = {
  kind: "Zone",
  name: "web",
  args: { plan: { type: "static", ipsType: "dedicated", ips: 9 } },
};

test("a count that no preview knows is stopped before anything is bought", async () => {
  const { stack, simulator, declare, configured } = await policyScene();
  declare(
    WEB,
    { kind: "ProxyPort", name: "port", args: { zone: nameOf("web") } },
    { kind: "ZoneIps", name: "more", args: { zone: nameOf("web"), count: { $output: ["port", "port"] } } },
  );
  const up = await stack.command("up", ...(await configured(ONLY)));
  expect(up.status).not.toBe(0);
  expect(reported(up)).toEqual([
    ["mandatory", "max-ips", "more", expect.stringMatching(/^Zone ZONE has 24\d{3} IPs: at most 10 are allowed\.$/)],
  ]);
  const { requests } = simulator.remote.service;
  expect(requests.filter(({ method, path }) => method === "POST" && path === "/zone/ips")).toEqual([]);
  expect(requests.filter(({ method, path }) => method === "POST" && path === "/zone")).toHaveLength(1);
});

test("an explicit provider of the same account hides nothing", async () => {
  const { stack, simulator, declare, configured } = await policyScene();
  const options = { provider: "other" };
  declare(
    { kind: "Provider", name: "other", args: {} },
    WEB,
    { kind: "ZoneIps", name: "more", args: { zone: nameOf("web"), count: 2 }, options },
    { kind: "ZoneAccess", name: "access", args: { zone: nameOf("web"), allowedIps: ["203.0.113.7"] }, options },
  );
  const config = { ...ONLY, "zone-access": "mandatory" };
  const preview = await stack.command("preview", ...(await configured(config)));
  expect(preview.status).not.toBe(0);
  expect(reported(preview)).toEqual([
    ["mandatory", "max-ips", "more", "Zone ZONE has 11 IPs: at most 10 are allowed."],
  ]);
  expect(simulator.remote.service.requests).toEqual([]);
});
