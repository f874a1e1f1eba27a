import { expect, test } from "vitest";
import { moneyOf } from "../../../src/cli/pipeline/money";
import { planFrom } from "../../../src/cli/pipeline/plan";
import { monthUntil } from "../../../src/cli/report/period";
import { lines, SECRET, step, UNKNOWN } from "./events";

const PRICES = { "datacenter-dedicated-ip": 0.8, "isp-dedicated-ip": 10, "residential-gip": 2 };
const dedicated = (ips: unknown) => ({ type: "static", ipsType: "dedicated", ips });
const isp = (ips: unknown) => ({ ...dedicated(ips), poolIpType: "static_res" });
const moneyIn = (...events: readonly object[]) => moneyOf(planFrom(lines(...events), String), PRICES);

test("a month costs what the stack has, before and after, and only what is more is bought", () => {
  const web = { name: "web", plan: dedicated(10) };
  const money = moneyIn(
    step("same", "Zone", "web", { before: web, after: web }),
    step("create", "Zone", "homes", { after: { name: "homes", plan: { type: "resident", vips: 5 } } }),
    step("update", "ZoneIps", "more", { before: { zone: "web", count: 2 }, after: { zone: "web", count: 5 } }),
    step("delete", "ZoneIps", "fewer", { before: { zone: "web", count: 1 } }),
    step("create", "ZoneIps", "taken", { after: { zone: "homes", count: 5, kind: "gips" } }),
  );
  expect(money).toEqual({
    now: 0.8 * 13,
    after: 0.8 * 15 + 10,
    unpriced: [],
    bought: [
      { of: "Zone homes", count: 5, piece: "residential-gip", monthly: 10, isAdopted: false },
      { of: "ZoneIps more", count: 3, piece: "datacenter-dedicated-ip", monthly: 0.8 * 3, isAdopted: false },
    ],
  });
});

test("what may have come in the place of IPs that a refresh has found gone is not certainly bought", () => {
  const [before, after] = [
    { zone: "web", count: 1 },
    { zone: "web", count: 2 },
  ];
  const boughtWith = (outputs: object) =>
    moneyIn(step("update", "ZoneIps", "more", { before, after, outputs: { ...before, ...outputs } })).bought;
  expect(boughtWith({ missing: 1 })).toMatchObject([{ count: 1, isAdopted: true }]);
  expect(boughtWith({})).toMatchObject([{ count: 1, isAdopted: false }]);
});

test("a zone that is replaced buys all of its IPs again", () => {
  const { bought } = moneyIn(
    step("replace", "Zone", "web", {
      before: { name: "web", plan: dedicated(3) },
      after: { name: "web", plan: dedicated(2) },
    }),
  );
  expect(bought).toMatchObject([{ of: "Zone web", count: 2, monthly: 1.6 }]);
});

test("what has no price or no number yet is in no sum, and is named", () => {
  const money = moneyIn(
    step("create", "Zone", "shared", { after: { name: "shared", plan: { ...dedicated(4), ipsType: "shared" } } }),
    step("create", "Zone", "some", { after: { name: "some", plan: dedicated(UNKNOWN), adopt: true } }),
    step("create", "ZoneIps", "elsewhere", { after: { zone: "not-here", count: 2 } }),
    step("create", "Zone", "web", { after: { name: "web", plan: { type: "unblocker" } } }),
  );
  expect(money).toMatchObject({ now: 0, after: 0, unpriced: ["Zone shared", "Zone some", "ZoneIps elsewhere"] });
  expect(money.bought).toEqual([
    { of: "Zone shared", count: 4, piece: "datacenter-shared-ip", monthly: undefined, isAdopted: false },
    { of: "Zone some", count: undefined, piece: "datacenter-dedicated-ip", monthly: undefined, isAdopted: true },
    { of: "ZoneIps elsewhere", count: 2, piece: undefined, monthly: undefined, isAdopted: false },
  ]);
});

test("IPs that are only looked up are neither bought nor without a price", () => {
  expect(moneyIn(step("read", "ZoneIps", "theirs", { before: {}, after: {} }))).toEqual({
    now: 0,
    after: 0,
    unpriced: [],
    bought: [],
  });
});

test("resources of the same name in two components are counted each", () => {
  const money = moneyIn(
    step("create", "Zone", "web", { after: { name: "a", plan: dedicated(5) }, parent: "shop:Site" }),
    step("create", "Zone", "web", { after: { name: "b", plan: dedicated(7) }, parent: "shop:Other" }),
  );
  expect(money).toMatchObject({ after: 0.8 * 5 + 0.8 * 7, bought: [{ count: 5 }, { count: 7 }] });
});

test("a zone whose former one is still to be deleted buys nothing, and both cost until then", () => {
  const web = { name: "web", plan: dedicated(5) };
  const money = moneyIn(
    step("same", "Zone", "web", { before: web, after: web }),
    step("delete", "Zone", "web", { before: { name: "web_old", plan: dedicated(2) } }),
  );
  expect(money).toEqual({ now: 0.8 * 5 + 0.8 * 2, after: 0.8 * 5, unpriced: [], bought: [] });
});

test.each([
  ["unknown", UNKNOWN],
  ["secret", SECRET],
])("a zone whose whole plan is %s buys some IPs", (_, plan) => {
  expect(moneyIn(step("create", "Zone", "web", { after: { name: "web", plan } }))).toEqual({
    now: 0,
    after: 0,
    unpriced: ["Zone web"],
    bought: [{ of: "Zone web", count: undefined, piece: undefined, monthly: undefined, isAdopted: false }],
  });
});

test("a number of IPs that is secret is no number", () => {
  const money = moneyIn(
    step("create", "Zone", "web", { after: { name: "web", plan: dedicated(SECRET) } }),
    step("create", "ZoneIps", "more", { after: { zone: "web", count: SECRET } }),
  );
  expect(money).toMatchObject({ after: 0, unpriced: ["Zone web", "ZoneIps more"] });
  expect(money.bought.map(({ count, monthly }) => [count, monthly])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("further IPs cost what those of their zone cost, and not those of another account's zone of that name", () => {
  const zones = [
    step("create", "Zone", "a", { after: { name: "web", account: "one", plan: isp(1) } }),
    step("create", "Zone", "b", { after: { name: "web", account: "two", plan: dedicated(1) } }),
  ];
  const more = (account?: string) =>
    moneyIn(...zones, step("create", "ZoneIps", "more", { after: { zone: "web", count: 5, account } })).bought[2];
  expect(more("one")).toMatchObject({ piece: "isp-dedicated-ip", monthly: 50 });
  expect(more("two")).toMatchObject({ piece: "datacenter-dedicated-ip", monthly: 4 });
  expect(more()).toMatchObject({ piece: undefined, monthly: undefined });
});

test("further IPs of a zone whose name is not known have no price", () => {
  const more = step("create", "ZoneIps", "more", { after: { zone: UNKNOWN, count: 5 } });
  const zone = (name: string, plan: object) => step("create", "Zone", name, { after: { name: UNKNOWN, plan } });
  expect(moneyIn(zone("a", isp(1)), zone("b", dedicated(1)), more).bought[2]).toMatchObject({ piece: undefined });
});

test("IPs that are taken over are those of the zone's plan, which are paid for already", () => {
  const web = { name: "web", plan: dedicated(5) };
  const moneyOf = (taken: object) =>
    moneyIn(
      step("same", "Zone", "web", { before: web, after: web }),
      step("create", "ZoneIps", "taken", { after: { zone: "web", adopt: true, ...taken } }),
    );
  expect(moneyOf({ count: 5 })).toEqual({ now: 4, after: 4, unpriced: [], bought: [] });
  expect(moneyOf({ count: 7 }).bought).toMatchObject([{ count: 2, monthly: 1.6, isAdopted: true }]);
  expect(moneyOf({ count: 5, country: "us" }).bought).toMatchObject([{ count: 5, monthly: 4, isAdopted: true }]);
});

test.each([
  ["2026-05-31T23:59:59Z", "2026-05-01", "2026-06-01"],
  ["2026-06-01T00:00:00Z", "2026-06-01", "2026-06-02"],
])("at %s, the month is from %s until %s", (now, from, to) => {
  expect(monthUntil(new Date(now))).toEqual({ from, to });
});
