import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getAccountCost } from "../../src/generated";
import { startService } from "./harness";

const period = { from: "2026-03-01", to: "2026-03-03" };
const exported = {
  kind: "respond",
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ "2026-03-01": { web: 0.5, old: 2 }, "2026-03-02": { web: 0.25 } }),
} as const;

test("getAccountCost sums up what has cost, by what and by day", async () => {
  const { simulator, faults, asked } = await startService();
  faults.add(exported);
  await expect(getAccountCost(period)).resolves.toEqual({
    total: 2.75,
    byResource: { web: 0.75, old: 2 },
    daily: { "2026-03-01": { web: 0.5, old: 2 }, "2026-03-02": { web: 0.25 } },
  });
  expect(asked()).toEqual(["POST /costs/export/json"]);
  expect(simulator.remote.service.requests[0]?.body).toEqual({ dimension: "zones", filters: {}, ...period });
});

test("getAccountCost sums up as people do", async () => {
  const { faults } = await startService();
  faults.add({
    ...exported,
    body: JSON.stringify({ "2026-03-01": { web: 0.1, old: 0.7 }, "2026-03-02": { web: 0.2 } }),
  });
  await expect(getAccountCost(period)).resolves.toMatchObject({ total: 1, byResource: { web: 0.3, old: 0.7 } });
});

test("getAccountCost splits it by what it is told to", async () => {
  const { simulator, faults } = await startService();
  faults.add(exported);
  await getAccountCost({ ...period, dimension: "products" });
  expect(simulator.remote.service.requests[0]?.body).toMatchObject({ dimension: "products" });
});

test.each([
  { from: "yesterday", to: "2026-03-03" },
  { from: "2026-03-03", to: "2026-03-01" },
])("getAccountCost sends nothing for $from to $to", async (bad) => {
  const { asked } = await startService();
  await expect(getAccountCost(bad)).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
