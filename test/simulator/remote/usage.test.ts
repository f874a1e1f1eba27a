import { expect, test } from "vitest";
import { type Harness, NOW, refusal, startRemote } from "./harness";

/** A zone that used something in each of the service's windows; now is 2026-03-15. */
async function startUsed(): Promise<Harness> {
  const harness = await startRemote();
  harness.account.addZone("z", { type: "static", ips_type: "dedicated", ips: 2 }).usage = {
    "2026-01-31": { cost: 1, bw_sum: 1_000 },
    "2026-02-28": { cost: 2, bw_sum: 2_000, bw_sum_res: 5 },
    "2026-03-13": { cost: 4, bw_sum: 4_000 },
    "2026-03-14": { cost: 8, bw_sum: 8_000, http_direct_req: 3 },
    "2026-03-15": { cost: 16, bw_sum: 16_000 },
  };
  return harness;
}

const none = {
  bw_sum: 0,
  bw_dn: 0,
  bw_up: 0,
  http_direct_req: 0,
  bw_sum_dc: 0,
  bw_api: 0,
  https_direct_req: 0,
  bw_sum_res: 0,
};

test("bandwidth without dates is a value a day since last month, and the service's own windows", async () => {
  const { call } = await startUsed();
  const { body } = await call("GET", "/zone/bw?zone=z");
  const { data, sums, ...rest } = (body as Record<string, Record<string, Record<string, unknown>>>).hl_test ?? {};
  expect(rest).toEqual({
    customer_id: "hl_test",
    from: "2026-02-01T00:00:00.000Z",
    to: "2026-03-15T00:00:00.000Z",
    last_value_ts: NOW.toISOString(),
    last_update_ts: NOW.toISOString(),
  });
  const series = (data?.z as { bw_sum: number[] } | undefined)?.bw_sum ?? [];
  expect(series).toHaveLength(28 + 14);
  expect(series.slice(26, 29)).toEqual([0, 2_000, 0]);
  expect(series.slice(-3)).toEqual([0, 4_000, 8_000]);
  expect(sums).toEqual({
    z: {
      back_m1: { ...none, bw_sum: 2_000, bw_sum_res: 5 },
      back_m0: { ...none, bw_sum: 28_000, http_direct_req: 3 },
      back_d2: { ...none, bw_sum: 4_000 },
      back_d1: { ...none, bw_sum: 8_000, http_direct_req: 3 },
      back_d0: { ...none, bw_sum: 16_000 },
    },
  });
});

test("bandwidth with dates is one window, whose end is not part of it", async () => {
  const { call } = await startUsed();
  expect((await call("GET", "/zone/bw?zone=z&from=2026-03-13&to=2026-03-15T00:00:00")).body).toMatchObject({
    hl_test: {
      from: "2026-03-13T00:00:00.000Z",
      to: "2026-03-15T00:00:00.000Z",
      data: { z: { bw_sum: [4_000, 8_000], http_direct_req: [0, 3], bw_dn: [0, 0] } },
      sums: { z: { custom: { ...none, bw_sum: 12_000, http_direct_req: 3 } } },
    },
  });
});

test("the bandwidth of all zones is told at once", async () => {
  const { account, call } = await startUsed();
  account.addZone("other", { type: "unblocker" });
  const { body } = await call("GET", "/customer/bw?from=2026-03-14&to=2026-03-15");
  expect(body).toMatchObject({
    hl_test: { data: { z: { bw_sum: [8_000] }, other: { bw_sum: [0] } }, sums: { other: { custom: { bw_sum: 0 } } } },
  });
});

test("costs without dates are those of the service's own windows", async () => {
  const { call } = await startUsed();
  expect((await call("GET", "/zone/cost?zone=z")).body).toEqual({
    hl_test: {
      back_m2: { cost: 1, bw: 1_000 },
      back_m1: { cost: 2, bw: 2_000 },
      back_m0: { cost: 28, bw: 28_000 },
      back_d2: { cost: 4, bw: 4_000 },
      back_d1: { cost: 8, bw: 8_000 },
      back_d0: { cost: 16, bw: 16_000 },
    },
  });
});

test.each([
  ["from=2026-03-13&to=2026-03-15", 12, { from: "13-Mar-2026", to: "15-Mar-2026" }],
  ["from=2026-03-14", 24, { from: "14-Mar-2026", to: "16-Mar-2026" }],
  ["to=2026-03-14", 6, { from: "1-Feb-2026", to: "14-Mar-2026" }],
  ["from=2026-03-14T10:00:00&to=2026-03-14T20:00:00", 0, { from: "14-Mar-2026", to: "14-Mar-2026" }],
])("costs with %s are those of whole days", async (query, cost, range) => {
  const { call } = await startUsed();
  expect((await call("GET", `/zone/cost?zone=z&${query}`)).body).toEqual({
    hl_test: { custom: { cost, bw: cost * 1_000, gbs: 0, range, gbs_ipbw: 0, ips: 2 } },
  });
});

test("the cost of a window shows gigabytes with four decimals", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" }).usage = { "2026-03-14": { cost: 0.6772, bw_sum: 1_612_531_816 } };
  expect((await call("GET", "/zone/cost?zone=z&from=2026-03-14&to=2026-03-15")).body).toMatchObject({
    hl_test: { custom: { cost: 0.6772, bw: 1_612_531_816, gbs: 1.6125 } },
  });
});

test("the cost of a window has more or less to say by plan", async () => {
  const { account, call } = await startUsed();
  account.addZone("serp", { type: "unblocker", serp: true }).usage = { "2026-03-14": { cost: 1, reqs_serp: 7 } };
  account.addZone("gips", { type: "resident", vips_type: "domain", vips: 3, domain_whitelist: "a.com" });
  account.addZone("off", { type: "unblocker" }).status = "disabled";
  const custom = async (zone: string) =>
    (await call("GET", `/zone/cost?zone=${zone}&from=2026-03-14&to=2026-03-15`)).body as {
      hl_test: { custom: unknown };
    };
  expect((await custom("serp")).hl_test.custom).toMatchObject({ cost: 1, reqs_serp: 7 });
  expect((await custom("gips")).hl_test.custom).toMatchObject({ vips: 3 });
  expect((await custom("off")).hl_test.custom).toEqual({ cost: 0 });
});

test.each(["/zone/bw", "/zone/cost", "/zone/bw?zone=nosuch", "/zone/cost?zone=nosuch"])(
  "GET %s names no zone and is refused",
  async (path) => {
    const { call } = await startUsed();
    expect(await call("GET", path)).toEqual(refusal(422, "Zone not found"));
  },
);

test.each(["yesterday", "2026-13-40", "2026"])("the date %s is refused", async (date) => {
  const { call } = await startUsed();
  expect(await call("GET", `/zone/bw?zone=z&from=${date}`)).toEqual(refusal(400, "Invalid date"));
});

test("a date that is thousands of years away is refused before anything is added up", async () => {
  const { call } = await startUsed();
  for (const path of ["/zone/bw", "/zone/cost", "/customer/bw"])
    for (const span of ["from=0001-01-01", "to=9999-12-31"])
      expect(await call("GET", `${path}?zone=z&${span}`)).toEqual(refusal(400, "Invalid date"));
  expect((await call("GET", "/zone/cost?zone=z&from=1900-01-01&to=2090-01-01")).status).toBe(200);
  const asked = { dimension: "zones", from: "0001-01-01", to: "2026-03-15" };
  expect(await call(...exported(asked))).toEqual(refusal(400, "Invalid date"));
});

test("the balance has the documented or the observed figures", async () => {
  const { account, remote, call } = await startUsed();
  account.balance = { balance: 12.5, credit: 1, prepayment: 2, pending_costs: 3 };
  expect((await call("GET", "/customer/balance")).body).toEqual({ balance: 12.5, pending_balance: 3 });
  remote.behaviour.balanceFigures = "observed";
  expect((await call("GET", "/customer/balance")).body).toEqual(account.balance);
});

const exported = (body: object) => ["POST", "/costs/export/json", body] as const;

test("the export tells what each zone cost on each day, a deleted one too; the last day is not part of it", async () => {
  const { call, account } = await startUsed();
  account.removeZone("z");
  const { body } = await call(...exported({ dimension: "zones", filters: {}, from: "2026-03-12", to: "2026-03-15" }));
  expect(body).toEqual({ "2026-03-12": {}, "2026-03-13": { z: 4 }, "2026-03-14": { z: 8 } });
});

test.each([
  ["products", { dc: 8 }],
  ["types", { static: 8 }],
  ["web_apis", {}],
])("the export groups costs by %s", async (dimension, costs) => {
  const { call } = await startUsed();
  const { body } = await call(...exported({ dimension, from: "2026-03-14", to: "2026-03-15" }));
  expect(body).toEqual({ "2026-03-14": costs });
});

test("the export as CSV has a line for each day and a column for each resource", async () => {
  const { call } = await startUsed();
  const asked = { dimension: "zones", from: "2026-03-12", to: "2026-03-15" };
  const { type, body } = await call("POST", "/costs/export/csv", asked);
  expect([type, body]).toEqual(["text/csv; charset=utf-8", "Day,z\n2026-03-12,0\n2026-03-13,4\n2026-03-14,8\n"]);
});

test.each([
  { dimension: "zones", from: "2026-03-14" },
  { dimension: "colours", from: "2026-03-14", to: "2026-03-15" },
])("the export of %j is refused", async (asked) => {
  const { call } = await startUsed();
  expect((await call(...exported(asked))).status).toBe(400);
});
