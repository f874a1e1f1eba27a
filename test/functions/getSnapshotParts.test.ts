import { expect, test } from "vitest";
import { ArgumentError, NotFoundError } from "../../src/base/errors";
import { getSnapshotParts } from "../../src/generated";
import { CollectionFailedError } from "../../src/remote/collectionErrors";
import { SnapshotNotReadyError } from "../../src/remote/snapshotErrors";
import { startService } from "./harness";
import { addReady, addSnapshot } from "./snapshots";

test("getSnapshotParts counts the parts of the form that it is to be downloaded in", async () => {
  const { account, asked } = await startService();
  const { id } = addReady(account, 2500);
  const form = { format: "csv", compress: true, batchSize: 1000 } as const;
  await expect(getSnapshotParts({ snapshotId: id, ...form })).resolves.toEqual({ snapshotId: id, parts: 3 });
  await expect(getSnapshotParts({ snapshotId: id })).resolves.toEqual({ snapshotId: id, parts: 1 });
  const path = `/datasets/v3/snapshot/${id}/parts`;
  expect(asked()).toEqual([`GET ${path}?format=csv&compress=true&batch_size=1000`, `GET ${path}`]);
});

test("getSnapshotParts tells that the snapshot is not ready, that a part is too small, and that there is no such snapshot", async () => {
  const { account } = await startService();
  const running = addSnapshot(account, 0, "running").id;
  await expect(getSnapshotParts({ snapshotId: running })).rejects.toBeInstanceOf(SnapshotNotReadyError);
  const { id } = addReady(account, 5);
  await expect(getSnapshotParts({ snapshotId: id, batchSize: 999 })).rejects.toBeInstanceOf(ArgumentError);
  await expect(getSnapshotParts({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
});

test.each(["failed", "canceled", "cancelled", "error"])(
  "getSnapshotParts tells of a collection that is %s, which never is ready, why it is so",
  async (status) => {
    const { account, asked } = await startService();
    const snapshot = addSnapshot(account, 0, "running");
    Object.assign(snapshot, { status, upcoming: [], errorMessage: "Account is suspended" });
    const error = await getSnapshotParts({ snapshotId: snapshot.id }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CollectionFailedError);
    expect(error).toMatchObject({
      operation: `count the parts of snapshot "${snapshot.id}"`,
      serviceMessage: status === "failed" ? "Account is suspended" : status,
    });
    expect(asked()).toEqual([
      `GET /datasets/v3/snapshot/${snapshot.id}/parts`,
      `GET /datasets/v3/progress/${snapshot.id}`,
    ]);
  },
);

test("getSnapshotParts tells that the snapshot is not ready where nothing more is to be learnt", async () => {
  const { account, simulator } = await startService();
  const { id } = addSnapshot(account, 0, "running");
  simulator.remote.service.faults.add({ path: /progress/, kind: "respond", status: 403 });
  await expect(getSnapshotParts({ snapshotId: id })).rejects.toBeInstanceOf(SnapshotNotReadyError);
});
