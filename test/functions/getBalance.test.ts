import { expect, test } from "vitest";
import { PermissionError } from "../../src/base/errors";
import { getBalance } from "../../src/generated";
import { startService } from "./harness";

test("getBalance is in dollars", async () => {
  const { account, asked } = await startService({ remote: { balanceFigures: "observed" } });
  account.balance = { balance: 12.5, credit: 1, prepayment: 2, pending_costs: 3 };
  await expect(getBalance()).resolves.toEqual({ balance: 12.5, credit: 1, prepayment: 2, pendingCosts: 3 });
  expect(asked()).toEqual(["GET /customer/balance"]);
});

test("getBalance tells that the token may not see it", async () => {
  const { faults } = await startService();
  faults.add({ kind: "respond", status: 403 });
  await expect(getBalance()).rejects.toBeInstanceOf(PermissionError);
});
