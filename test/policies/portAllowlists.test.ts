import { expect, test } from "vitest";
import { portAllowlists } from "../../policies/rules/portAllowlists";
import { resource, saysOfStack, UNKNOWN, urnOf } from "./resources";

const port = resource("ProxyPort", "one", { port: 24_000 });
const fleet = resource("ProxyPorts", "fleet", {
  ports: { a: { port: 24_010 }, b: { port: 24_011, whitelistIps: ["203.0.113.7"] }, c: { port: 24_012 } },
});
const NEEDS = "is empty: name the addresses that may use the port.";

test("a port without addresses is told of, and a set by its first one", async () => {
  expect(await saysOfStack(portAllowlists, [port, fleet])).toEqual([
    { urn: urnOf("ProxyPort", "one"), message: `\`whitelistIps\` ${NEEDS}` },
    {
      urn: urnOf("ProxyPorts", "fleet"),
      message: `\`ports["a"].whitelistIps\`, and that of 1 more ports of the set, ${NEEDS}`,
    },
  ]);
});

test("addresses of the port, of its set, and those that are not known yet are an allowlist", async () => {
  const stack = [
    resource("ProxyPort", "two", { whitelistIps: ["203.0.113.7"] }),
    resource("ProxyPort", "three", { whitelistIps: UNKNOWN }),
    resource("ProxyPorts", "defaulted", { defaults: UNKNOWN, ports: { a: { port: 24_030 } } }),
    resource("ProxyPorts", "partly", { ports: { a: UNKNOWN, b: { whitelistIps: ["203.0.113.7"] } } }),
    resource("ProxyPorts", "later", { ports: UNKNOWN }),
    resource("ProxyPorts", "set", { defaults: { whitelistIps: ["203.0.113.7"] }, ports: { a: { port: 24_020 } } }),
  ];
  expect(await saysOfStack(portAllowlists, stack, { own: true })).toEqual([]);
});

test.each([
  ["WhitelistIp", { ip: "203.0.113.7", list: "ports" }],
  ["ManagerSettings", { whitelistIps: ["203.0.113.7"] }],
])("a %s is an allowlist of all ports of its manager, and of no other", async (kind, props) => {
  const other = resource("ProxyPort", "other", { manager: "berlin" });
  const violations = await saysOfStack(portAllowlists, [resource(kind, "office", props), port, fleet, other]);
  expect(violations?.map(({ urn }) => urn)).toEqual([other.urn]);
});

test("with `own`, each port needs addresses of its own", async () => {
  const office = resource("WhitelistIp", "office", { ip: "203.0.113.7" });
  const violations = await saysOfStack(portAllowlists, [office, port], { own: true });
  expect(violations?.map(({ urn }) => urn)).toEqual([port.urn]);
});
