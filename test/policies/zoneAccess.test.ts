import { expect, test } from "vitest";
import { zoneAccess } from "../../policies/rules/zoneAccess";
import { resource, saysOfStack, UNKNOWN, urnOf, zone } from "./resources";

const web = zone("web", { type: "static" });
const access = (props: object, comesFrom = {}) =>
  resource("ZoneAccess", "web", { zone: "web", ...props }, { comesFrom });
const OPEN = {
  urn: urnOf("Zone", "web"),
  message: "Zone web is open to everybody who knows a password: declare a ZoneAccess with `allowedIps`.",
};

test.each([
  ["without a ZoneAccess", [web]],
  ["whose ZoneAccess lets anybody in", [web, access({ allowedIps: ["any"] })]],
  ["whose ZoneAccess has another list", [web, access({ deniedIps: ["203.0.113.7"] })]],
  ["of another account than the ZoneAccess", [web, access({ allowedIps: ["203.0.113.7"], account: "second" })]],
  [
    "whose ZoneAccess is that of another zone",
    [
      web,
      resource("Zone", "mail", { name: UNKNOWN, plan: {}, disabled: true }),
      access({ zone: UNKNOWN, allowedIps: ["203.0.113.7"] }, { zone: [urnOf("Zone", "mail")] }),
    ],
  ],
])("a zone %s is open to everybody", async (_, stack) => {
  expect(await saysOfStack(zoneAccess, stack)).toEqual([OPEN]);
});

test.each([
  ["with addresses", [web, access({ allowedIps: ["203.0.113.7"] })]],
  ["with addresses that are not known yet", [web, access({ allowedIps: UNKNOWN })]],
  [
    "whose ZoneAccess comes from another provider of the account",
    [web, { ...access({ allowedIps: ["203.0.113.7"] }), provider: { urn: "explicit", configuration: {} } }],
  ],
  ["that is switched off", [zone("web", { type: "static" }, { disabled: true })]],
  [
    "whose name is not known yet",
    [
      zone("web", { type: "static" }, { name: UNKNOWN }),
      access({ zone: UNKNOWN, allowedIps: ["203.0.113.7"] }, { zone: [web.urn] }),
    ],
  ],
  [
    "whose name comes from what that of the ZoneAccess comes from",
    [
      resource("Zone", "web", { name: UNKNOWN, plan: {} }, { comesFrom: { name: ["urn:of:random"] } }),
      access({ zone: UNKNOWN, allowedIps: ["203.0.113.7"] }, { zone: ["urn:of:random"] }),
    ],
  ],
])("a zone %s is not open to everybody", async (_, stack) => {
  expect(await saysOfStack(zoneAccess, stack)).toEqual([]);
});

test("which lists count is an option", async () => {
  const stack = [web, access({ allowedDomains: ["example.com"] })];
  expect(await saysOfStack(zoneAccess, stack, { lists: ["allowedIps", "allowedDomains"] })).toEqual([]);
  expect(await saysOfStack(zoneAccess, [web], { lists: ["allowedIps", "allowedDomains"] })).toEqual([
    { ...OPEN, message: OPEN.message.replace("`allowedIps`", "`allowedIps` or `allowedDomains`") },
  ]);
});
