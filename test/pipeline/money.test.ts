import { expect, test } from "vitest";
import { moneyOf, monthUntil } from "../../src/pipeline/money";
import { planFrom } from "../../src/pipeline/plan";
import { lines, step, UNKNOWN } from "./events";

const PRICES = { "datacenter-dedicated-ip": 0.8, "residential-gip": 2 };
const dedicated = (ips: unknown) => ({ type: "static", ipsType: "dedicated", ips });
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
    step("create", "Zone", "isp", { after: { name: "isp", plan: { ...dedicated(4), poolIpType: "static_res" } } }),
    step("create", "Zone", "some", { after: { name: "some", plan: dedicated(UNKNOWN), adopt: true } }),
    step("create", "ZoneIps", "elsewhere", { after: { zone: "not-here", count: 2 } }),
    step("create", "Zone", "web", { after: { name: "web", plan: { type: "unblocker" } } }),
  );
  expect(money).toMatchObject({ now: 0, after: 0, unpriced: ["Zone isp", "Zone some", "ZoneIps elsewhere"] });
  expect(money.bought).toEqual([
    { of: "Zone isp", count: 4, piece: "isp-dedicated-ip", monthly: undefined, isAdopted: false },
    { of: "Zone some", count: undefined, piece: "datacenter-dedicated-ip", monthly: undefined, isAdopted: true },
    { of: "ZoneIps elsewhere", count: 2, piece: undefined, monthly: undefined, isAdopted: false },
  ]);
});

test.each([
  ["2026-05-31T23:59:59Z", "2026-05-01", "2026-06-01"],
  ["2026-06-01T00:00:00Z", "2026-06-01", "2026-06-02"],
])("at %s, the month is from %s until %s", (now, from, to) => {
  expect(monthUntil(new Date(now))).toEqual({ from, to });
});
