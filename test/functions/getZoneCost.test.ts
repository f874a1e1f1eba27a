import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getZoneCost } from "../../src/functions";
import { startService } from "./harness";

const clock = () => new Date("2026-03-15T10:30:00Z");
const usage = { "2026-03-01": { cost: 0.5, bw_sum: 1000 }, "2026-03-02": { cost: 0.25, bw_sum: 500 } };

test("dollars by the service's own periods", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { zone, periods } = await getZoneCost({ zone: "web" });
  expect(zone).toBe("web");
  expect(periods.backM0).toEqual({ cost: 0.75, bw: 1500, details: {} });
  expect(asked()).toEqual(["GET /zone/cost?zone=web"]);
});

test("dollars of a period", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { periods } = await getZoneCost({ zone: "web", from: "2026-03-02", to: "2026-03-03" });
  expect(periods.custom).toMatchObject({ cost: 0.25, bw: 500 });
  expect(asked()).toEqual(["GET /zone/cost?zone=web&from=2026-03-02&to=2026-03-03"]);
});

test("sends nothing for a bad date", async () => {
  const { asked } = await startService();
  await expect(getZoneCost({ zone: "web", from: "yesterday" })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
