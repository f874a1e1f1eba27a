import { expect, test } from "vitest";
import { nameOf, policyScene, reported, STRICT } from "./policyScene";

const options = { provider: "other" };
const elsewhere = { provider: "shop", dependsOn: ["more"] };

test("neither an explicit provider of the plugin nor `extra` is a way around any policy", async () => {
  const { stack, simulator, declare, configured } = await policyScene("native");
  const plan = { type: "static", ipsType: "dedicated", ips: 5, extra: { api_token: "abc" } };
  const headers = [{ name: "Authorization", value: "abc" }];
  declare(
    { kind: "Provider", name: "other", args: {} },
    { kind: "Zone", name: "Web", args: { plan }, options },
    { kind: "ZoneIps", name: "more", args: { zone: nameOf("Web"), count: 1 }, options },
    // Those of another account, in a zone of the same name, once the stack costs too much: each that comes then is said to.
    { kind: "Provider", name: "shop", args: { apiToken: "another" } },
    { kind: "ZoneIps", name: "elsewhere", args: { zone: nameOf("Web"), count: 3 }, options: elsewhere },
    { kind: "WhitelistIp", name: "world", args: { ip: "0.0.0.0/0", allowAny: true }, options },
    { kind: "ProxyPort", name: "port", args: { zone: nameOf("Web"), port: 24_000, headers }, options },
  );
  const config = { ...STRICT, "allowed-products": { allowed: ["isp-*"] } };
  const preview = await stack.command("preview", ...(await configured(config)));
  expect(preview.status).not.toBe(0);
  const found = reported(preview).map(([level, policy, resource]) => `${level} ${policy}: ${resource}`);
  expect([...new Set(found)]).toEqual([
    "mandatory allowed-products: Web",
    "mandatory max-ips: more",
    "mandatory monthly-cost: elsewhere",
    "mandatory monthly-cost: more",
    "mandatory name-patterns: Web",
    "mandatory name-patterns: port",
    "mandatory no-credentials-in-clear: Web",
    "mandatory no-credentials-in-clear: port",
    "mandatory no-open-addresses: world",
    "mandatory port-allowlists: port",
    "mandatory protected-zones: Web",
    "mandatory zone-access: Web",
  ]);
  // `askAccount` reads what the account has cost last month: by a POST, as the service has it.
  const sent = simulator.remote.service.requests.map(({ method, path }) => `${method} ${path}`);
  expect(sent).toEqual(["POST /costs/export/json"]);
});
