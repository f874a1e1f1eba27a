import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getZoneBandwidth } from "../../src/functions";
import { startService } from "./harness";

const clock = () => new Date("2026-03-15T10:30:00Z");
const usage = { "2026-03-01": { cost: 0.5, bw_sum: 1000 }, "2026-03-02": { cost: 0.25, bw_sum: 500 } };

test("bytes by the service's own periods", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { zone, sums, daily } = await getZoneBandwidth({ zone: "web" });
  expect(zone).toBe("web");
  expect(sums.backM0?.bwSum).toBe(1500);
  expect(daily.bwSum?.slice(28, 30)).toEqual([1000, 500]);
  expect(asked()).toEqual(["GET /zone/bw?zone=web"]);
});

test("bytes of a period", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { sums, daily } = await getZoneBandwidth({ zone: "web", from: "2026-03-01", to: "2026-03-02" });
  expect(sums.custom?.bwSum).toBe(1000);
  expect(daily.bwSum).toEqual([1000]);
  expect(asked()).toEqual(["GET /zone/bw?zone=web&from=2026-03-01&to=2026-03-02"]);
});

test("sends nothing for a bad date", async () => {
  const { asked } = await startService();
  await expect(getZoneBandwidth({ zone: "web", from: "yesterday" })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
