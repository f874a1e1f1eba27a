import { expect, test } from "vitest";
import { syntheticRecords } from "../../simulator";
import { ArgumentError, ResponseFormatError, ServerError } from "../../src/base/errors";
import { getSnapshot } from "../../src/generated";
import { SnapshotExpiredError } from "../../src/remote/snapshotErrors";
import { startService } from "./harness";
import { addReady, addSnapshot, clock, DATASET, NOW } from "./snapshots";

test("getSnapshot tells about a snapshot, and reads no records unless it is told to", async () => {
  const { account, asked } = await startService({ clock });
  const { id } = addReady(account, 5);
  await expect(getSnapshot({ snapshotId: id })).resolves.toEqual({
    snapshotId: id,
    datasetId: DATASET,
    status: "ready",
    created: NOW,
    size: 5,
    triggerType: "API",
  });
  expect(asked()).toEqual([
    `GET /datasets/v3/progress/${id}`,
    `GET /datasets/v3/snapshots?dataset_id=${DATASET}&limit=5000`,
  ]);
});

test.each([1, 4, 5, 100])("getSnapshot reads up to %i records of five", async (maxRecords) => {
  const { account, asked } = await startService();
  const { id } = addReady(account, 5);
  const { records, size } = await getSnapshot({ snapshotId: id, maxRecords });
  const all = Array.from({ length: 5 }, (_, index) => syntheticRecords(5).at(index));
  expect(records).toEqual(all.slice(0, maxRecords));
  expect(size).toBe(5);
  expect(asked()).toContain(`GET /datasets/v3/snapshot/${id}?format=ndjson`);
});

test.each(["starting", "running", "building", "canceled", "a_new_state"])(
  "getSnapshot has no records while the state is %s, and is no error",
  async (status) => {
    const { account, asked } = await startService();
    const { id } = addSnapshot(account, 5, status);
    const snapshot = await getSnapshot({ snapshotId: id, maxRecords: 5 });
    expect(snapshot).toMatchObject({ status });
    expect(snapshot).not.toHaveProperty("records");
    expect(asked()).not.toContain(`GET /datasets/v3/snapshot/${id}?format=ndjson`);
  },
);

test("getSnapshot says why a collection has failed", async () => {
  const { account, asked } = await startService();
  const { id } = addSnapshot(account, 0, "failed");
  await expect(getSnapshot({ snapshotId: id, maxRecords: 5 })).resolves.toEqual({
    snapshotId: id,
    status: "failed",
    errorMessage: "Something went wrong. Our team is looking into it.",
  });
  expect(asked()).toHaveLength(1);
});

test.each([202, 409] as const)(
  "getSnapshot is building when the download says so by %i after the progress said ready",
  async (status) => {
    const { account, faults } = await startService();
    const { id } = addReady(account, 5);
    faults.add({ path: `/datasets/v3/snapshot/${id}`, kind: "respond", status, body: "not ready" });
    const snapshot = await getSnapshot({ snapshotId: id, maxRecords: 5 });
    expect(snapshot).toMatchObject({ status: "building", size: 5 });
    expect(snapshot).not.toHaveProperty("records");
  },
);

test("getSnapshot has an empty list of records when it is empty", async () => {
  const { account } = await startService();
  const { id } = addReady(account, 0);
  await expect(getSnapshot({ snapshotId: id, maxRecords: 5 })).resolves.toMatchObject({ records: [], size: 0 });
});

test.each<[string, string, number | undefined, number, string]>([
  ["none of two", "", 2, 5, "it has 0 records, and the list of snapshots tells of 2"],
  ["one of two", "{}\n", 2, 5, "it has 1 record, and the list of snapshots tells of 2"],
  ["none of nobody knows how many", "", undefined, 5, "it has no records, and nothing tells how many there are"],
])("getSnapshot passes no short answer off as a whole one: %s", async (_, body, size, maxRecords, words) => {
  const { account, faults } = await startService();
  const { id } = addReady(account, size ?? 1);
  if (size === undefined) faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 403 });
  faults.add({ path: `/datasets/v3/snapshot/${id}`, kind: "respond", status: 200, body });
  const error = await getSnapshot({ snapshotId: id, maxRecords }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error).toHaveProperty("message", expect.stringContaining(words));
});

test("getSnapshot takes fewer records than there are where it asks for no more", async () => {
  const { account, faults } = await startService();
  const { id } = addReady(account, 2);
  faults.add({ path: `/datasets/v3/snapshot/${id}`, kind: "respond", status: 200, body: "{}" });
  await expect(getSnapshot({ snapshotId: id, maxRecords: 1 })).resolves.toMatchObject({ records: [{}], size: 2 });
});

test("getSnapshot fails when records are asked for that are no longer kept", async () => {
  const { account } = await startService();
  const snapshot = addReady(account, 5);
  snapshot.expired = true;
  await expect(getSnapshot({ snapshotId: snapshot.id, maxRecords: 5 })).rejects.toBeInstanceOf(SnapshotExpiredError);
  await expect(getSnapshot({ snapshotId: snapshot.id })).resolves.toMatchObject({ status: "ready" });
});

test.each([403, 404])("getSnapshot does without the list when that answers %i", async (status) => {
  const { account, faults } = await startService();
  const { id } = addReady(account, 5);
  faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status, body: "Snapshot not found" });
  await expect(getSnapshot({ snapshotId: id })).resolves.toEqual({
    snapshotId: id,
    datasetId: DATASET,
    status: "ready",
  });
});

test("getSnapshot does not pass over a list that fails in another way", async () => {
  const { account, faults } = await startService();
  const { id } = addReady(account, 5);
  faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500 });
  await expect(getSnapshot({ snapshotId: id })).rejects.toBeInstanceOf(ServerError);
});

test.each([-1, 0.5, Number.NaN])("getSnapshot sends nothing for %d records", async (maxRecords) => {
  const { asked } = await startService();
  await expect(getSnapshot({ snapshotId: "s_1", maxRecords })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
