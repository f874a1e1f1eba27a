import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { proxyPortLifecycle } from "../../src/kinds/proxyPort/lifecycle";
import { zoneAccessLifecycle } from "../../src/kinds/zoneAccess/lifecycle";
import { zoneIpsLifecycle } from "../../src/kinds/zoneIps/lifecycle";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { isSure, wantedBy } from "../../src/run/wanted";

const IPS = { zone: "web", count: 1, ips: ["192.0.2.1"] };
const PASSWORD = { zone: "web", password: "secret-of-web" };

test.each<[string, Lifecycle, JsonObject, boolean]>([
  ["takes over all IPs of the zone", zoneIpsLifecycle, { zone: "web", adopt: true }, true],
  ["takes over IPs of another zone", zoneIpsLifecycle, { zone: "api", adopt: true }, false],
  ["takes over IPs of nobody knows which zone", zoneIpsLifecycle, { adopt: true }, false],
  ["adds IPs to the zone", zoneIpsLifecycle, { zone: "web" }, true],
  ["adds IPs of another country to the zone", zoneIpsLifecycle, { zone: "web", country: "us" }, false],
  ["takes over something else of the zone", zonePasswordLifecycle, { zone: "web", adopt: true }, false],
])(
  "IPs that the program has dropped may be those of a resource that %s, or not: %o",
  (_, lifecycle, inputs, isWanted) => {
    const { has } = zoneIpsLifecycle.holdings("web/ips", IPS);
    const dropped = { lifecycle: zoneIpsLifecycle, state: IPS, gone: has };
    expect(has).toHaveLength(1);
    expect(wantedBy({ place: "new", name: "new", inputs, unknown: ["account"], lifecycle }, dropped)).toEqual(
      isWanted ? has : [],
    );
  },
);

test.each<[JsonObject, string[], boolean]>([
  [{}, ["zone"], true],
  [{ adopt: true }, ["account", "zone"], true],
  [{ country: "us" }, ["zone"], false],
])(
  "IPs that the program has dropped may give way to %j with %j that comes from what has failed: %s",
  (inputs, unknown, is) => {
    const { has } = zoneIpsLifecycle.holdings("web/ips", IPS);
    const untold = { place: "new", name: "new", inputs, unknown, lifecycle: zoneIpsLifecycle };
    expect(wantedBy(untold, { lifecycle: zoneIpsLifecycle, state: IPS, gone: has })).toEqual(is ? has : []);
  },
);

test.each<[string, JsonObject, string[], boolean]>([
  ["a given one of the zone", { zone: "web" }, ["password"], true],
  ["a generated one of the zone", { zone: "web" }, [], true],
  ["a given one of another zone", { zone: "api" }, ["password"], false],
  ["one of nobody knows which zone", {}, ["password", "zone"], false],
  ["a generated one of another zone", { zone: "api" }, [], false],
  ["a generated one of a zone that has failed", {}, ["zone"], true],
])("a password that the program has dropped may be, or give way to, %s, or not", (_, inputs, unknown, isWanted) => {
  const { has } = zonePasswordLifecycle.holdings("web/1f2e3d4c", PASSWORD);
  const dropped = { lifecycle: zonePasswordLifecycle, state: PASSWORD, gone: has };
  expect(has).toHaveLength(1);
  const lifecycle = zonePasswordLifecycle;
  expect(wantedBy({ place: "new", name: "new", inputs, unknown, lifecycle }, dropped)).toEqual(isWanted ? has : []);
});

test.each([
  [{ zone: "web", password: "secret-of-web" }, [], true],
  [{ zone: "web" }, ["password"], false],
  [{ zone: "web" }, [], false],
])("what a resource with %j and %j that is not known is to have is sure: %s", (inputs, unknown, is) => {
  const untold = { place: "new", name: "new", inputs, lifecycle: zonePasswordLifecycle };
  const scope = { names: new Set(["here"]) };
  expect(isSure({ ...untold, unknown }, scope)).toBe(is);
  expect(isSure({ ...untold, unknown, of: "here" }, scope)).toBe(is);
  expect(isSure({ ...untold, unknown, of: "there" }, scope)).toBe(false);
  if (unknown.length === 0) expect(isSure(untold, scope)).toBe(is);
});

const ACCESS = { zone: "web", allowedIps: ["192.0.2.1"], deniedIps: ["192.0.2.3"] };
const ALLOWED = ACCESS.allowedIps;

test.each<[JsonObject, string[], string[]]>([
  [{ zone: "web", allowedIps: ALLOWED }, [], ["allowedIps of zone web"]],
  [{ zone: "web", allowedIps: ["192.0.2.9"] }, [], ["allowedIps of zone web"]],
  [{ allowedIps: ALLOWED }, ["zone"], ["allowedIps of zone web"]],
  [{ zone: "api", allowedIps: ALLOWED }, [], []],
])(
  "of lists that the program has dropped, what %j names with %j that is not known is wanted",
  (inputs, unknown, things) => {
    const lifecycle = zoneAccessLifecycle;
    const { has: gone } = lifecycle.holdings("web", ACCESS);
    expect(gone).toContain("deniedIps of zone web");
    const untold = { place: "new", name: "new", inputs, unknown, lifecycle };
    expect(wantedBy(untold, { lifecycle, state: ACCESS, gone })).toEqual(things);
  },
);

test("what a resource is to have is not sure while a list of it is not known", () => {
  const untold = {
    place: "new",
    name: "new",
    inputs: { zone: "web", allowedIps: ALLOWED },
    lifecycle: zoneAccessLifecycle,
  };
  const scope = { names: new Set<string>() };
  expect(isSure(untold, scope)).toBe(true);
  expect(isSure({ ...untold, unknown: ["deniedIps"] }, scope)).toBe(false);
});

test("a port without a number does not give way to another one of its manager", () => {
  const { has } = proxyPortLifecycle.holdings("24000", { port: 24_000 });
  const [lifecycle, state] = [proxyPortLifecycle, { port: 24_000, manager: "fra-1" }];
  const untold = { place: "new", name: "new", inputs: { manager: "fra-1" }, lifecycle };
  expect(wantedBy(untold, { lifecycle, state, gone: has })).toEqual([]);
});
