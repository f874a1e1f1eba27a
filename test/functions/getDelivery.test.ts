import { expect, test } from "vitest";
import type { Account } from "../../simulator";
import { NotFoundError } from "../../src/base/errors";
import { getDelivery } from "../../src/generated";
import { startService } from "./harness";

const NOW = "2026-03-15T10:30:00.000Z";
const clock = () => new Date(NOW);

const addDelivery = (account: Account, ...states: string[]) =>
  account.addDelivery(account.addSnapshot("gd_simulated", ["ready"], []), states, {
    type: "s3",
    filenames: ["pages.ndjson"],
  });

test("a delivery that is over, with its files", async () => {
  const { account, asked } = await startService({ clock });
  const { id } = addDelivery(account, "done");
  await expect(getDelivery({ deliveryId: id })).resolves.toEqual({
    deliveryId: id,
    status: "done",
    files: [{ filename: "pages.ndjson", deliveredAt: NOW }],
  });
  expect(asked()).toEqual([`GET /datasets/v3/delivery/${id}`]);
});

test.each(["delivering", "failed", "canceled"])("a delivery whose state is %s is a result", async (status) => {
  const { account, asked } = await startService();
  const { id } = addDelivery(account, status, "done");
  await expect(getDelivery({ deliveryId: id })).resolves.toEqual({ deliveryId: id, status, files: [] });
  expect(asked()).toHaveLength(1);
});

test("a delivery that does not exist", async () => {
  await startService();
  await expect(getDelivery({ deliveryId: "dl_1" })).rejects.toBeInstanceOf(NotFoundError);
});
