import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { ArgumentError, PermissionError } from "../../src/errors";
import { getAccountCost, getAccountCostOutput, getBalance, getBalanceOutput } from "../../src/functions";
import { program, settled, startService } from "./harness";

describe("getBalance", () => {
  test("is in dollars", async () => {
    const { account, asked } = await startService({ remote: { balanceFigures: "observed" } });
    account.balance = { balance: 12.5, credit: 1, prepayment: 2, pending_costs: 3 };
    await expect(getBalance()).resolves.toEqual({ balance: 12.5, credit: 1, prepayment: 2, pendingCosts: 3 });
    expect(asked()).toEqual(["GET /customer/balance"]);
  });

  test("tells that the token may not see it", async () => {
    const { faults } = await startService();
    faults.add({ kind: "respond", status: 403 });
    await expect(getBalance()).rejects.toBeInstanceOf(PermissionError);
  });

  test("as an output", async () => {
    await program(true);
    await startService();
    await expect(settled(getBalanceOutput().balance)).resolves.toEqual({ value: 1000, secret: false });
  });
});

describe("getAccountCost", () => {
  const period = { from: "2026-03-01", to: "2026-03-03" };
  const exported = {
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ "2026-03-01": { web: 0.5, old: 2 }, "2026-03-02": { web: 0.25 } }),
  } as const;

  test("sums up what has cost, by what and by day", async () => {
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

  test("splits it by what it is told to", async () => {
    const { simulator, faults } = await startService();
    faults.add(exported);
    await getAccountCost({ ...period, dimension: "products" });
    expect(simulator.remote.service.requests[0]?.body).toMatchObject({ dimension: "products" });
  });

  test.each([
    { from: "yesterday", to: "2026-03-03" },
    { from: "2026-03-03", to: "2026-03-01" },
  ])("sends nothing for $from to $to", async (bad) => {
    const { asked } = await startService();
    await expect(getAccountCost(bad)).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("as an output", async () => {
    await program(true);
    const { faults } = await startService();
    faults.add(exported);
    const cost = getAccountCostOutput({ from: pulumi.output(period.from), to: period.to });
    await expect(settled(cost.total)).resolves.toEqual({ value: 2.75, secret: false });
  });
});
