import { expect, test } from "vitest";
import { NotFoundError } from "../../src/base/errors";
import { getSnapshotInput } from "../../src/generated";
import { SnapshotInputMissingError } from "../../src/remote/snapshotErrors";
import { startService } from "./harness";
import { addReady, DATASET } from "./snapshots";

test("getSnapshotInput is the CSV as the service has it", async () => {
  const { account, asked } = await startService();
  const { id } = account.addSnapshot(DATASET, ["ready"], [{ url: "https://example.com/" }]);
  const { snapshotId, csv } = await getSnapshotInput({ snapshotId: id });
  expect(snapshotId).toBe(id);
  expect(csv.trimEnd().split(/\r?\n/)).toEqual(["url", "https://example.com/"]);
  expect(asked()).toEqual([`GET /datasets/v3/snapshot/${id}/input`]);
});

test("getSnapshotInput tells that there is none, and that there is no such snapshot", async () => {
  const { account } = await startService();
  const snapshot = addReady(account, 5);
  delete snapshot.input;
  await expect(getSnapshotInput({ snapshotId: snapshot.id })).rejects.toBeInstanceOf(SnapshotInputMissingError);
  await expect(getSnapshotInput({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
});
