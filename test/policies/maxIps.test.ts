import { expect, test } from "vitest";
import { maxIps } from "../../policies/rules/maxIps";
import { resource, saysOfStack, UNKNOWN, urnOf, zone } from "./resources";

const web = zone("web", { type: "static", ipsType: "dedicated", ips: "90" });
const more = (count: unknown, further = {}) => resource("ZoneIps", "more", { zone: "web", count, ...further });

test("a zone's IPs are those of its plan and of its ZoneIps", async () => {
  expect(await saysOfStack(maxIps, [web, more(10)])).toEqual([]);
  expect(await saysOfStack(maxIps, [web, more(11)])).toEqual([
    { urn: urnOf("Zone", "web"), message: "Zone web has 101 IPs: at most 100 are allowed." },
  ]);
});

test("gIPs have a limit of their own", async () => {
  const stack = [zone("web", { type: "resident", vips: 4 }), more(3, { kind: "gips" })];
  expect(await saysOfStack(maxIps, stack, { ips: 0, gips: 6 })).toEqual([
    { urn: urnOf("Zone", "web"), message: "Zone web has 7 gIPs: at most 6 are allowed." },
  ]);
});

test("IPs of a zone that the stack does not declare count for themselves", async () => {
  const stray = more(101, { zone: "elsewhere" });
  expect(await saysOfStack(maxIps, [web, stray])).toEqual([
    { urn: stray.urn, message: "Zone elsewhere has 101 IPs: at most 100 are allowed." },
  ]);
});

test("a number that is not known yet is not counted", async () => {
  expect(await saysOfStack(maxIps, [zone("web", { type: "static", ips: UNKNOWN }), more(UNKNOWN)])).toEqual([]);
});
