import { describe, expect, test } from "vitest";
import { ArgumentError, ResponseFormatError, ServiceError } from "../../src/base/errors";
import type { RemoteClient } from "../../src/remote/client";
import { failure, startRemote } from "./harness";

type Usage = RemoteClient["usage"];

const used = (cost: number, bw_sum: number, more: Record<string, number> = {}) => ({ cost, bw_sum, ...more });

test("bandwidth reads the service's own periods, under the customer and the zone's name", async () => {
  const { client, account, requests, request } = await startRemote();
  const zone = account.addZone("web", { type: "static" });
  zone.usage = {
    "2026-02-03": used(1, 1000, { bw_dn: 900, https_svc_req: 4 }),
    "2026-03-15": used(2, 2000),
  };
  const bandwidth = await client.usage.bandwidth("web");
  expect(bandwidth).toMatchObject({
    zone: "web",
    customerId: "hl_test",
    from: "2026-02-01T00:00:00.000Z",
    to: "2026-03-15T00:00:00.000Z",
    lastValueAt: "2026-03-15T10:30:00.000Z",
    lastUpdateAt: "2026-03-15T10:30:00.000Z",
  });
  expect(Object.keys(bandwidth.sums)).toEqual(["backM1", "backM0", "backD2", "backD1", "backD0"]);
  expect(bandwidth.sums.backM1).toEqual({
    bwSum: 1000,
    bwDn: 900,
    bwUp: 0,
    httpDirectReq: 0,
    bwSumDc: 0,
    bwApi: 0,
    httpsDirectReq: 0,
    httpsSvcReq: 4,
  });
  expect(bandwidth.sums.backM0?.bwSum).toBe(2000);
  expect(bandwidth.sums.backD0?.bwSum).toBe(2000);
  expect(bandwidth.daily.bwSum).toHaveLength(42);
  expect(bandwidth.daily.bwSum?.[2]).toBe(1000);
  expect(requests).toEqual([request({ method: "GET", path: "/zone/bw", query: { zone: "web" } })]);
});

test("bandwidth reads the period asked for", async () => {
  const { client, account, requests, request } = await startRemote();
  const zone = account.addZone("web", { type: "static" });
  zone.usage = { "2026-03-01": used(1, 10), "2026-03-02": used(1, 20), "2026-03-03": used(1, 40) };
  const period = { from: "2026-03-01", to: "2026-03-03T00:00:00" };
  const { daily, sums } = await client.usage.bandwidth("web", period);
  expect(daily.bwSum).toEqual([10, 20]);
  expect(Object.keys(sums)).toEqual(["custom"]);
  expect(sums.custom?.bwSum).toBe(30);
  expect(requests).toEqual([request({ method: "GET", path: "/zone/bw", query: { zone: "web", ...period } })]);
});

test("bandwidth reads the documented shape, where the zone's name is `static`", async () => {
  const { client, answer } = await startRemote();
  const metrics = { bw_sum: 7, bw_dn: 4, bw_up: 3, http_direct_req: 2, bw_sum_dc: 7, bw_api: 0, https_direct_req: 1 };
  const series = Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, [0, value]]));
  answer(200, {
    c_1a2b3c: {
      customer_id: "c_1a2b3c",
      from: "2022-10-01T00:00:00.000Z",
      to: "2022-11-23T23:59:59.000Z",
      data: { static: series },
      last_value_ts: "2022-11-23T13:15:00.000Z",
      last_update_ts: "2022-11-23T13:18:40.000Z",
      sums: { static: { back_m1: metrics, back_m0: metrics, back_d2: metrics, back_d1: metrics, back_d0: metrics } },
    },
  });
  const figures = { bwSum: 7, bwDn: 4, bwUp: 3, httpDirectReq: 2, bwSumDc: 7, bwApi: 0, httpsDirectReq: 1 };
  await expect(client.usage.bandwidth("web")).resolves.toEqual({
    zone: "web",
    customerId: "c_1a2b3c",
    from: "2022-10-01T00:00:00.000Z",
    to: "2022-11-23T23:59:59.000Z",
    daily: Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, [0, value]])),
    sums: { backM1: figures, backM0: figures, backD2: figures, backD1: figures, backD0: figures },
    lastValueAt: "2022-11-23T13:15:00.000Z",
    lastUpdateAt: "2022-11-23T13:18:40.000Z",
  });
});

test("bandwidth takes the figures of the zone that was asked for, not of its neighbour", async () => {
  const { client, answer } = await startRemote();
  answer(200, {
    hl_test: {
      data: { static: { bw_sum: [1] }, web: { bw_sum: [2] }, other: { bw_sum: [3] } },
      sums: { other: { custom: { bw_sum: 3 } }, web: { custom: { bw_sum: 2 } } },
    },
  });
  await expect(client.usage.bandwidth("web")).resolves.toMatchObject({
    daily: { bwSum: [2] },
    sums: { custom: { bwSum: 2 } },
  });
});

test("bandwidth takes no neighbour's figures where the zone has none", async () => {
  const { client, answer } = await startRemote();
  answer(200, { hl_test: { data: { a: { bw_sum: [1] }, b: { bw_sum: [2] } }, sums: null } });
  await expect(client.usage.bandwidth("web")).resolves.toMatchObject({ daily: {}, sums: {} });
});

test("bandwidth counts a value that is missing as nothing", async () => {
  const { client, answer } = await startRemote();
  answer(200, {
    hl_test: { data: { web: { bw_sum: [null, "12", 3] } }, sums: { web: { custom: { bw_sum: null } } } },
  });
  await expect(client.usage.bandwidth("web")).resolves.toMatchObject({
    daily: { bwSum: [0, 12, 3] },
    sums: { custom: { bwSum: 0 } },
  });
});

test("cost reads the service's own periods", async () => {
  const { client, account, requests, request } = await startRemote();
  const zone = account.addZone("web", { type: "static" });
  zone.usage = { "2026-01-31": used(4, 40), "2026-02-03": used(1.5, 10), "2026-03-14": used(0.25, 20) };
  await expect(client.usage.cost("web")).resolves.toEqual({
    zone: "web",
    customerId: "hl_test",
    periods: {
      backM2: { cost: 4, bw: 40, details: {} },
      backM1: { cost: 1.5, bw: 10, details: {} },
      backM0: { cost: 0.25, bw: 20, details: {} },
      backD2: { cost: 0, bw: 0, details: {} },
      backD1: { cost: 0.25, bw: 20, details: {} },
      backD0: { cost: 0, bw: 0, details: {} },
    },
  });
  expect(requests).toEqual([request({ method: "GET", path: "/zone/cost", query: { zone: "web" } })]);
});

test("cost reads the period asked for, whose end is not part of it, with the plan's own figures", async () => {
  const { client, account, requests, request } = await startRemote();
  const zone = account.addZone("web", { type: "unblocker", serp: true });
  zone.usage = {
    "2026-03-01": used(1, 1_500_000_000, { reqs_serp: 5 }),
    "2026-03-02": used(2, 500_000_000, { reqs_serp: 6 }),
    "2026-03-03": used(4, 7),
  };
  const period = { from: "2026-03-01", to: "2026-03-03" };
  await expect(client.usage.cost("web", period)).resolves.toMatchObject({
    periods: {
      custom: {
        cost: 3,
        bw: 2_000_000_000,
        details: { gbs: 2, range: { from: "1-Mar-2026", to: "3-Mar-2026" }, reqsSerp: 11 },
      },
    },
  });
  expect(requests).toEqual([request({ method: "GET", path: "/zone/cost", query: { zone: "web", ...period } })]);
});

test("cost reads a disabled zone, which has a cost only", async () => {
  const { client, account } = await startRemote();
  account.addZone("web", { type: "static" }).status = "disabled";
  await expect(client.usage.cost("web", { from: "2026-03-01" })).resolves.toMatchObject({
    periods: { custom: { cost: 0, bw: 0, details: {} } },
  });
});

test("cost reads the documented shape", async () => {
  const { client, answer } = await startRemote();
  const entry = { bw: 1000, cost: 0.01 };
  answer(200, {
    c_1a2b3c: { back_m2: entry, back_m1: entry, back_m0: entry, back_d2: entry, back_d1: entry, back_d0: entry },
  });
  const figures = { cost: 0.01, bw: 1000, details: {} };
  await expect(client.usage.cost("web")).resolves.toEqual({
    zone: "web",
    customerId: "c_1a2b3c",
    periods: {
      backM2: figures,
      backM1: figures,
      backM0: figures,
      backD2: figures,
      backD1: figures,
      backD0: figures,
    },
  });
});

describe.each(["bandwidth", "cost"] as const)("%s", (name) => {
  test.each([
    ["nothing", {}],
    ["a value that is no object", { hl_test: 12 }],
    ["two customers", { hl_one: {}, hl_two: {} }],
  ])("does not guess at %s", async (_, answered) => {
    const { client, answer } = await startRemote();
    answer(200, answered);
    const error = await failure(client.usage[name]("web"), ResponseFormatError);
    expect(error.message).toContain("expected an object with one key");
  });

  test("sends nothing for a bad date", async () => {
    const { client, requests } = await startRemote();
    await failure(client.usage[name]("web", { from: "yesterday" }), ArgumentError);
    await failure(client.usage[name]("web", { from: "2026-03-02", to: "2026-03-02" }), ArgumentError);
    expect(requests).toEqual([]);
  });
});

test("accountBandwidth reads every zone's figures", async () => {
  const { client, account, requests, request } = await startRemote();
  account.addZone("web", { type: "static" }).usage = { "2026-03-01": used(1, 10) };
  account.addZone("shop", { type: "static" }).usage = { "2026-03-02": used(1, 20) };
  const period = { from: "2026-03-01", to: "2026-03-03" };
  const zones = await client.usage.accountBandwidth(period);
  expect(zones.map(({ zone, customerId, daily, sums }) => [zone, customerId, daily.bwSum, sums.custom?.bwSum])).toEqual(
    [
      ["web", "hl_test", [10, 0], 10],
      ["shop", "hl_test", [0, 20], 20],
    ],
  );
  expect(requests).toEqual([request({ method: "GET", path: "/customer/bw", query: period })]);
});

test("accountBandwidth agrees with what it says of one zone", async () => {
  const { client, account } = await startRemote();
  account.addZone("web", { type: "static" }).usage = { "2026-03-01": used(1, 10) };
  await expect(client.usage.accountBandwidth()).resolves.toEqual([await client.usage.bandwidth("web")]);
});

test("accountBandwidth reads the documented sample, where sums and times stand among the zones", async () => {
  const { client, answer } = await startRemote();
  answer(200, {
    hl_test: {
      customer_id: "hl_test",
      data: {
        web: { bw_sum: [1, 2] },
        last_value_ts: "2026-03-02T00:00:00.000Z",
        last_update_ts: "2026-03-02T01:00:00.000Z",
        sums: { web: { custom: { bw_sum: 3 } } },
      },
    },
  });
  await expect(client.usage.accountBandwidth()).resolves.toEqual([
    {
      zone: "web",
      customerId: "hl_test",
      daily: { bwSum: [1, 2] },
      sums: { custom: { bwSum: 3 } },
      lastValueAt: "2026-03-02T00:00:00.000Z",
      lastUpdateAt: "2026-03-02T01:00:00.000Z",
    },
  ]);
});

test("accountBandwidth knows an account without zones, and a zone called sums", async () => {
  const { client, account } = await startRemote();
  await expect(client.usage.accountBandwidth()).resolves.toEqual([]);
  account.addZone("sums", { type: "static" });
  await expect(client.usage.accountBandwidth()).resolves.toMatchObject([{ zone: "sums" }]);
});

const PERIOD = { from: "2026-04-01", to: "2026-04-03T00:00:00" };

test("accountCost adds up what the service exports by zone and day", async () => {
  const { client, answer, requests, request } = await startRemote();
  answer(200, { "2026-04-01": { web: 45.5, shop: 1 }, "2026-04-02": { web: 0.5, shop: null } });
  await expect(client.usage.accountCost(PERIOD)).resolves.toEqual({
    total: 47,
    byResource: { web: 46, shop: 1 },
    daily: { "2026-04-01": { web: 45.5, shop: 1 }, "2026-04-02": { web: 0.5, shop: 0 } },
  });
  expect(requests).toEqual([
    request({
      method: "POST",
      path: "/costs/export/json",
      body: { dimension: "zones", filters: {}, from: "2026-04-01", to: "2026-04-03" },
    }),
  ]);
});

test("accountCost is what the zones cost in the period", async () => {
  const { client, account } = await startRemote();
  account.addZone("web", { type: "static" }).usage = { "2026-04-01": { cost: 2 }, "2026-04-03": { cost: 4 } };
  await expect(client.usage.accountCost(PERIOD)).resolves.toMatchObject({ total: 2, byResource: { web: 2 } });
});

test("accountCost splits by something else, and takes an account without costs", async () => {
  const { client, answer, requests } = await startRemote();
  answer(200, {});
  await expect(client.usage.accountCost(PERIOD, "products")).resolves.toEqual({
    total: 0,
    byResource: {},
    daily: {},
  });
  expect(requests[0]?.body).toMatchObject({ dimension: "products" });
});

test("accountCost adds up the costs of a zone that has the name of what every object has", async () => {
  const { client, answer } = await startRemote();
  const daily = { "2026-04-01": { constructor: 1 }, "2026-04-02": { constructor: 2 } };
  answer(200, daily);
  const found = await client.usage.accountCost(PERIOD);
  expect(found).toEqual({ total: 3, byResource: { constructor: 3 }, daily });
});

test("accountCost needs both ends of the period", async () => {
  const { client, requests } = await startRemote();
  await failure(client.usage.accountCost({ from: "2026-04-01" } as typeof PERIOD), ArgumentError);
  await failure(client.usage.accountCost({ from: "2026-04-03", to: "2026-04-01" }), ArgumentError);
  expect(requests).toEqual([]);
});

const REFUSED = { error: { code: "costs_unavailable", message: "Costs are being calculated" } };

describe.each([
  ["bandwidth", (usage: Usage) => usage.bandwidth("web")],
  ["accountBandwidth", (usage: Usage) => usage.accountBandwidth()],
  ["cost", (usage: Usage) => usage.cost("web")],
  ["accountCost", (usage: Usage) => usage.accountCost(PERIOD)],
] as const)("%s", (_, ask) => {
  test.each([
    ["an object", REFUSED, "Costs are being calculated"],
    ["a text", { error: "Costs are being calculated" }, "Costs are being calculated"],
  ])("takes an error that comes with 200 for a refusal, and for no figures: %s", async (__, answered, words) => {
    const { client, answer } = await startRemote();
    answer(200, answered);
    const error = await failure(ask(client.usage), ServiceError);
    expect(error.message).toContain(`answered 200: ${words}`);
  });
});

describe.each<[string, (usage: Usage) => Promise<unknown>, (value: unknown) => object]>([
  [
    "bandwidth, daily",
    (usage) => usage.bandwidth("web"),
    (value) => ({ c: { data: { web: { bw_sum: [1, value] } } } }),
  ],
  [
    "bandwidth, sums",
    (usage) => usage.bandwidth("web"),
    (value) => ({ c: { sums: { web: { d: { bw_sum: value } } } } }),
  ],
  ["cost", (usage) => usage.cost("web"), (value) => ({ c: { custom: { cost: value } } })],
  ["accountCost", (usage) => usage.accountCost(PERIOD), (value) => ({ "2026-04-01": { web: value } })],
])("%s", (_, ask, answered) => {
  test.each(["", "n/a", true, {}, []])("does not read %j as 0", async (value) => {
    const { client, answer } = await startRemote();
    answer(200, answered(value));
    await failure(ask(client.usage), ResponseFormatError);
  });
});

test("cost does not read a period without one as 0", async () => {
  const { client, answer } = await startRemote();
  for (const cost of [null, undefined]) {
    answer(200, { c: { custom: { cost, bw: 1 } } });
    await failure(client.usage.cost("web"), ResponseFormatError);
  }
});

test.each(["bandwidth", "accountBandwidth"] as const)(
  "%s does not read an answer without figures as none",
  async (name) => {
    const { client, answer } = await startRemote();
    answer(200, { hl_test: { customer_id: "hl_test" } });
    const asked = name === "bandwidth" ? client.usage.bandwidth("web") : client.usage.accountBandwidth();
    await failure(asked, ResponseFormatError);
  },
);

test.each([
  [{ from: "2026-03-01T00:00:00", to: "2026-03-02T00:00:00.000Z" }, "2026-03-01", "2026-03-02"],
  [{ from: "2026-03-01", to: "2026-03-31T23:59:59" }, "2026-03-01", "2026-04-01"],
  [{ from: "2026-03-01T06:00:00", to: "2026-03-01T12:00:00" }, "2026-03-01", "2026-03-02"],
  [{ from: "2024-02-28T23:59:59.999Z", to: "2024-02-29T00:00:00.001Z" }, "2024-02-28", "2024-03-01"],
])("cost of the period %j is that of all days that it has a part of", async (period, from, to) => {
  const { client, account, requests } = await startRemote();
  account.addZone("web", { type: "static" }).usage = { "2026-03-01": used(1, 10) };
  await client.usage.cost("web", period);
  await client.usage.accountCost(period);
  expect(requests).toMatchObject([{ query: { from, to } }, { body: { from, to } }]);
});
