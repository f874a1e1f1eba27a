import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { ArgumentError, NotFoundError } from "../../src/errors";
import {
  type GetZoneCostOutputArgs,
  getZoneBandwidth,
  getZoneBandwidthOutput,
  getZoneCost,
  getZoneCostOutput,
} from "../../src/functions";
import { Zone } from "../../src/kinds/zone/resource";
import { program, settled, startService } from "./harness";

const clock = () => new Date("2026-03-15T10:30:00Z");
const usage = { "2026-03-01": { cost: 0.5, bw_sum: 1000 }, "2026-03-02": { cost: 0.25, bw_sum: 500 } };

test("getZoneBandwidth: bytes by the service's own periods", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { zone, sums, daily } = await getZoneBandwidth({ zone: "web" });
  expect(zone).toBe("web");
  expect(sums.backM0?.bwSum).toBe(1500);
  expect(daily.bwSum?.slice(28, 30)).toEqual([1000, 500]);
  expect(asked()).toEqual(["GET /zone/bw?zone=web"]);
});

test("getZoneBandwidth: bytes of a period", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { sums, daily } = await getZoneBandwidth({ zone: "web", from: "2026-03-01", to: "2026-03-02" });
  expect(sums.custom?.bwSum).toBe(1000);
  expect(daily.bwSum).toEqual([1000]);
  expect(asked()).toEqual(["GET /zone/bw?zone=web&from=2026-03-01&to=2026-03-02"]);
});

test("getZoneCost: dollars by the service's own periods", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { zone, periods } = await getZoneCost({ zone: "web" });
  expect(zone).toBe("web");
  expect(periods.backM0).toEqual({ cost: 0.75, bw: 1500, details: {} });
  expect(asked()).toEqual(["GET /zone/cost?zone=web"]);
});

test("getZoneCost: dollars of a period", async () => {
  const { account, asked } = await startService({ clock });
  account.addZone("web", { type: "static" }).usage = usage;
  const { periods } = await getZoneCost({ zone: "web", from: "2026-03-02", to: "2026-03-03" });
  expect(periods.custom).toMatchObject({ cost: 0.25, bw: 500 });
  expect(asked()).toEqual(["GET /zone/cost?zone=web&from=2026-03-02&to=2026-03-03"]);
});

type Plain = typeof getZoneBandwidth | typeof getZoneCost;
type AsOutput = (args: GetZoneCostOutputArgs) => pulumi.Output<unknown>;

describe.each<[string, Plain, AsOutput]>([
  ["getZoneBandwidth", getZoneBandwidth, getZoneBandwidthOutput],
  ["getZoneCost", getZoneCost, getZoneCostOutput],
])("%s", (_, plain, output) => {
  test("tells a zone that does not exist", async () => {
    const { account } = await startService();
    account.addZone("web", { type: "static" });
    const call = plain({ zone: "wep" });
    await expect(call).rejects.toBeInstanceOf(NotFoundError);
    await expect(call).rejects.toThrow(/the most similar is "web"\.$/);
  });

  test("sends nothing for a bad date", async () => {
    const { asked } = await startService();
    await expect(plain({ zone: "web", from: "yesterday" })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("works for a zone that the same program makes, once that is made", async () => {
    await program(false);
    const { account, asked } = await startService({ clock });
    account.addZone("web", { type: "static" }).usage = usage;
    const zone = new Zone("web", { name: "web", plan: { type: "static" } });
    await expect(settled(output({ zone: zone.name, from: "2026-03-01" }))).resolves.toMatchObject({
      value: { zone: "web", customerId: "hl_test" },
      secret: false,
    });
    expect(asked()).toHaveLength(1);
  });

  test("asks for nothing in the preview of that", async () => {
    await program(true);
    const { asked } = await startService();
    const zone = new Zone("web", { name: "web", plan: { type: "static" } });
    await expect(settled(output({ zone: zone.name }))).resolves.toEqual({ value: "unknown", secret: false });
    expect(asked()).toEqual([]);
  });
});
