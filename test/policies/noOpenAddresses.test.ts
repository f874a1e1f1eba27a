import { expect, test } from "vitest";
import { noOpenAddresses } from "../../policies/rules/noOpenAddresses";
import { resource, saysOf, UNKNOWN } from "./resources";

const said = (path: string, entry: string, prefix = 8) =>
  `\`${path}\` is "${entry}": expected a network of at most a /${prefix}. Name the networks of your clients.`;

test.each([
  ["WhitelistIp", { ip: "0.0.0.0/0", allowAny: true }, [said("ip", "0.0.0.0/0")]],
  ["ZoneAccess", { allowedIps: ["203.0.113.7", "any"] }, [said("allowedIps[1]", "any")]],
  ["ZoneAccess", { allowedIps: ["::/0"] }, [said("allowedIps[0]", "::/0", 32)]],
  ["ZoneAccess", { allowedIps: ["::ffff:0.0.0.0/96"] }, [said("allowedIps[0]", "::ffff:0.0.0.0/96")]],
  ["ManagerSettings", { wwwWhitelistIps: ["0.0.0.0/1"] }, [said("wwwWhitelistIps[0]", "0.0.0.0/1")]],
  ["ManagerSettings", { whitelistIps: ["128.0.0.0/1"] }, [said("whitelistIps[0]", "128.0.0.0/1")]],
  ["ProxyPort", { whitelistIps: ["10.0.0.0/8", "0.0.0.0/7"] }, [said("whitelistIps[1]", "0.0.0.0/7")]],
  [
    "ProxyPorts",
    {
      defaults: { whitelistIps: ["0.0.0.0/0"] },
      ports: { "us-1": { whitelistIps: ["203.0.113.7"] }, "de-1": { whitelistIps: ["0.0.0.0/2"] } },
    },
    [said("defaults.whitelistIps[0]", "0.0.0.0/0"), said('ports["de-1"].whitelistIps[0]', "0.0.0.0/2")],
  ],
])("a %s with %j lets too many in", (kind, props, expected) => {
  expect(saysOf(noOpenAddresses, resource(kind, "one", props))).toEqual(expected);
});

test.each([
  ["WhitelistIp", { ip: "203.0.113.0/28" }],
  ["WhitelistIp", { ip: UNKNOWN }],
  ["ZoneAccess", { allowedIps: UNKNOWN, deniedIps: ["0.0.0.0/1"] }],
  ["ProxyPorts", { ports: UNKNOWN, defaults: UNKNOWN }],
  ["BannedIp", { ip: "203.0.113.7" }],
])("a %s with %j is no opening", (kind, props) => {
  expect(saysOf(noOpenAddresses, resource(kind, "one", props))).toEqual([]);
});

test("how large a network may be is an option", () => {
  const access = resource("ZoneAccess", "web", { allowedIps: ["10.0.0.0/16", "2001:db8::/48"] });
  expect(saysOf(noOpenAddresses, access, { shortestPrefix: 24, shortestPrefixIpv6: 56 })).toEqual([
    said("allowedIps[0]", "10.0.0.0/16", 24),
    said("allowedIps[1]", "2001:db8::/48", 56),
  ]);
});
