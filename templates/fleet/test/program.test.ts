import { expect, test } from "vitest";
import { declared } from "./mocks";

const config = {
  countries: ["us", "de"],
  managers: [],
  portsPerCountry: 1,
  clients: [],
  machines: [],
  ips: 0,
  maxIps: 0,
};

test("production has a protected zone for each country, and the same ports on each manager", async () => {
  process.env.BRIGHTDATA_MANAGERS = JSON.stringify({
    a: { url: "http://192.0.2.1:22999" },
    b: { url: "http://192.0.2.2:22999" },
  });
  const settings = { managers: ["a", "b"], clients: ["198.51.100.0/24"], machines: ["203.0.113.7"], ips: 1, maxIps: 2 };
  const found = await declared("live", { ...config, ...settings, production: true });
  const namesOf = (kind: string) => found.filter(({ type }) => type === kind).map(({ name }) => name);
  expect(namesOf("Zone").sort()).toEqual(["de", "us"]);
  expect(namesOf("ZoneAccess").sort()).toEqual(["de", "us"]);
  expect(namesOf("ProxyPorts").sort()).toEqual(["a", "b"]);
  for (const { type, inputs, isProtected } of found) {
    if (type === "Zone") expect([inputs.name, isProtected]).toEqual([expect.stringMatching(/^web_(us|de)$/), true]);
    if (type === "ZoneAccess") expect(inputs.allowedIps).toEqual(["203.0.113.7"]);
    if (type !== "ProxyPorts") continue;
    expect(inputs.ports).toEqual({ "us-1": { zone: "web_us" }, "de-1": { zone: "web_de" } });
    expect(inputs.defaults).toEqual({ whitelistIps: ["198.51.100.0/24"], rotateSession: true });
  }
});

test("a pull request has zones of its own, on the manager without a name", async () => {
  const found = await declared("pr-12", { ...config, countries: ["us"] });
  expect(found.map(({ type, name, inputs, isProtected }) => [type, name, inputs.name, isProtected]).sort()).toEqual([
    ["ProxyPorts", "ports", undefined, false],
    ["Zone", "us", "web_us_test_pr_12", false],
  ]);
});

test("no environment buys more than it may", async () => {
  await expect(declared("pr-12", { ...config, ips: 2 })).rejects.toThrow(
    "The stack pr-12 asks for 4 IPs, and may have 0.",
  );
});
