import { expect, test } from "vitest";
import { NotFoundError } from "../../src/base/errors";
import { getSnapshotProgress } from "../../src/generated";
import { startService } from "./harness";
import { addSnapshot, DATASET } from "./snapshots";

test("getSnapshotProgress looks once, and does not wait", async () => {
  const { account, asked } = await startService();
  const { id } = addSnapshot(account, 0, "running", "ready");
  await expect(getSnapshotProgress({ snapshotId: id })).resolves.toEqual({
    snapshotId: id,
    datasetId: DATASET,
    status: "running",
  });
  expect(asked()).toEqual([`GET /datasets/v3/progress/${id}`]);
});

test("getSnapshotProgress tells of a failure as a result", async () => {
  const { account } = await startService();
  const snapshot = addSnapshot(account, 0, "failed");
  snapshot.errorMessage = "No data found in discovery";
  await expect(getSnapshotProgress({ snapshotId: snapshot.id })).resolves.toEqual({
    snapshotId: snapshot.id,
    status: "failed",
    errorMessage: "No data found in discovery",
  });
});

test("getSnapshotProgress tells that there is no such snapshot", async () => {
  await startService();
  await expect(getSnapshotProgress({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
});
