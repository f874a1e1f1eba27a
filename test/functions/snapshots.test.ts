import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, NotFoundError, ServerError } from "../../src/errors";
import {
  getSnapshot,
  getSnapshotInput,
  getSnapshotInputOutput,
  getSnapshotOutput,
  getSnapshotParts,
  getSnapshotPartsOutput,
  getSnapshotProgress,
  getSnapshotProgressOutput,
  getSnapshots,
  getSnapshotsOutput,
} from "../../src/functions";
import {
  SnapshotExpiredError,
  SnapshotInputMissingError,
  SnapshotNotReadyError,
} from "../../src/remote/snapshotErrors";
import { type Account, syntheticRecords } from "../../src/simulator";
import { program, settled, startService } from "./harness";

const NOW = "2026-03-15T10:30:00.000Z";
const clock = () => new Date(NOW);
const DATASET = "gd_simulated";

function addSnapshot(account: Account, count: number, ...states: string[]) {
  const snapshot = account.addSnapshot(DATASET, states, []);
  snapshot.records = syntheticRecords(count);
  return snapshot;
}

function addReady(account: Account, count: number) {
  const snapshot = addSnapshot(account, count, "ready");
  snapshot.status = "ready";
  return snapshot;
}

describe("getSnapshots", () => {
  test("lists what the filter lets through", async () => {
    const { account, asked } = await startService({ clock });
    const { id } = addReady(account, 3);
    addSnapshot(account, 0, "running");
    await expect(getSnapshots({ datasetId: DATASET, status: "ready", limit: 10 })).resolves.toEqual({
      datasetId: DATASET,
      snapshots: [{ snapshotId: id, datasetId: DATASET, status: "ready", created: NOW, size: 3, triggerType: "API" }],
    });
    expect(asked()).toEqual([`GET /datasets/v3/snapshots?dataset_id=${DATASET}&status=ready&limit=10`]);
  });

  test("passes every filter on", async () => {
    const { asked } = await startService();
    await getSnapshots({
      datasetId: DATASET,
      status: "failed",
      skip: 1,
      limit: 2,
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
      triggerType: "CP",
    });
    const query = "status=failed&skip=1&limit=2&from_date=2026-03-01&to_date=2026-03-31&trigger_type=CP";
    expect(asked()).toEqual([`GET /datasets/v3/snapshots?dataset_id=${DATASET}&${query}`]);
  });

  test("passes the service's complaints on", async () => {
    await startService();
    await expect(getSnapshots({ datasetId: "" })).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test("as an output", async () => {
    await program(true);
    const { account } = await startService();
    addReady(account, 1);
    const output = getSnapshotsOutput({ datasetId: pulumi.output(DATASET), limit: 1 });
    await expect(settled(output.snapshots.length)).resolves.toEqual({ value: 1, secret: false });
  });
});

describe("getSnapshotProgress", () => {
  test("looks once, and does not wait", async () => {
    const { account, asked } = await startService();
    const { id } = addSnapshot(account, 0, "running", "ready");
    await expect(getSnapshotProgress({ snapshotId: id })).resolves.toEqual({
      snapshotId: id,
      datasetId: DATASET,
      status: "running",
    });
    expect(asked()).toEqual([`GET /datasets/v3/progress/${id}`]);
  });

  test("tells of a failure as a result", async () => {
    const { account } = await startService();
    const snapshot = addSnapshot(account, 0, "failed");
    snapshot.errorMessage = "No data found in discovery";
    await expect(getSnapshotProgress({ snapshotId: snapshot.id })).resolves.toEqual({
      snapshotId: snapshot.id,
      status: "failed",
      errorMessage: "No data found in discovery",
    });
  });

  test("tells that there is no such snapshot", async () => {
    await startService();
    await expect(getSnapshotProgress({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
  });

  test("as an output", async () => {
    await program(false);
    const { account } = await startService();
    const { id } = addSnapshot(account, 0, "digesting");
    const output = getSnapshotProgressOutput({ snapshotId: Promise.resolve(id) });
    await expect(settled(output.status)).resolves.toEqual({ value: "digesting", secret: false });
  });
});

describe("getSnapshot", () => {
  test("tells about a snapshot, and reads no records unless it is told to", async () => {
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

  test.each([1, 4, 5, 100])("reads up to %i records of five", async (maxRecords) => {
    const { account, asked } = await startService();
    const { id } = addReady(account, 5);
    const { records, size } = await getSnapshot({ snapshotId: id, maxRecords });
    const all = Array.from({ length: 5 }, (_, index) => syntheticRecords(5).at(index));
    expect(records).toEqual(all.slice(0, maxRecords));
    expect(size).toBe(5);
    expect(asked()).toContain(`GET /datasets/v3/snapshot/${id}?format=ndjson`);
  });

  test.each(["starting", "running", "building", "canceled", "a_new_state"])(
    "has no records while the state is %s, and is no error",
    async (status) => {
      const { account, asked } = await startService();
      const { id } = addSnapshot(account, 5, status);
      const snapshot = await getSnapshot({ snapshotId: id, maxRecords: 5 });
      expect(snapshot).toMatchObject({ status });
      expect(snapshot).not.toHaveProperty("records");
      expect(asked()).not.toContain(`GET /datasets/v3/snapshot/${id}?format=ndjson`);
    },
  );

  test("says why a collection has failed", async () => {
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
    "is building when the download says so by %i after the progress said ready",
    async (status) => {
      const { account, faults } = await startService();
      const { id } = addReady(account, 5);
      faults.add({ path: `/datasets/v3/snapshot/${id}`, kind: "respond", status, body: "not ready" });
      const snapshot = await getSnapshot({ snapshotId: id, maxRecords: 5 });
      expect(snapshot).toMatchObject({ status: "building", size: 5 });
      expect(snapshot).not.toHaveProperty("records");
    },
  );

  test("has an empty list of records when it is empty", async () => {
    const { account } = await startService();
    const { id } = addReady(account, 0);
    await expect(getSnapshot({ snapshotId: id, maxRecords: 5 })).resolves.toMatchObject({ records: [], size: 0 });
  });

  test("fails when records are asked for that are no longer kept", async () => {
    const { account } = await startService();
    const snapshot = addReady(account, 5);
    snapshot.expired = true;
    await expect(getSnapshot({ snapshotId: snapshot.id, maxRecords: 5 })).rejects.toBeInstanceOf(SnapshotExpiredError);
    await expect(getSnapshot({ snapshotId: snapshot.id })).resolves.toMatchObject({ status: "ready" });
  });

  test.each([403, 404])("does without the list when that answers %i", async (status) => {
    const { account, faults } = await startService();
    const { id } = addReady(account, 5);
    faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status, body: "Snapshot not found" });
    await expect(getSnapshot({ snapshotId: id })).resolves.toEqual({
      snapshotId: id,
      datasetId: DATASET,
      status: "ready",
    });
  });

  test("does not pass over a list that fails in another way", async () => {
    const { account, faults } = await startService();
    const { id } = addReady(account, 5);
    faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500 });
    await expect(getSnapshot({ snapshotId: id })).rejects.toBeInstanceOf(ServerError);
  });

  test.each([-1, 0.5, Number.NaN])("sends nothing for %d records", async (maxRecords) => {
    const { asked } = await startService();
    await expect(getSnapshot({ snapshotId: "s_1", maxRecords })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("as an output", async () => {
    await program(true);
    const { account } = await startService();
    const { id } = addReady(account, 5);
    const output = getSnapshotOutput({ snapshotId: pulumi.secret(id), maxRecords: 2 });
    await expect(settled(output.apply(({ records }) => records?.length))).resolves.toEqual({ value: 2, secret: true });
  });
});

describe("getSnapshotParts", () => {
  test("counts the parts of the form that it is to be downloaded in", async () => {
    const { account, asked } = await startService();
    const { id } = addReady(account, 2500);
    const form = { format: "csv", compress: true, batchSize: 1000 } as const;
    await expect(getSnapshotParts({ snapshotId: id, ...form })).resolves.toEqual({ snapshotId: id, parts: 3 });
    await expect(getSnapshotParts({ snapshotId: id })).resolves.toEqual({ snapshotId: id, parts: 1 });
    const path = `/datasets/v3/snapshot/${id}/parts`;
    expect(asked()).toEqual([`GET ${path}?format=csv&compress=true&batch_size=1000`, `GET ${path}`]);
  });

  test("tells that the snapshot is not ready, that a part is too small, and that there is no such snapshot", async () => {
    const { account } = await startService();
    const running = addSnapshot(account, 0, "running").id;
    await expect(getSnapshotParts({ snapshotId: running })).rejects.toBeInstanceOf(SnapshotNotReadyError);
    const { id } = addReady(account, 5);
    await expect(getSnapshotParts({ snapshotId: id, batchSize: 1 })).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(getSnapshotParts({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
  });

  test("as an output", async () => {
    await program(true);
    const { account } = await startService();
    const { id } = addReady(account, 5);
    const output = getSnapshotPartsOutput({ snapshotId: pulumi.output(id) });
    await expect(settled(output.parts)).resolves.toEqual({ value: 1, secret: false });
  });
});

describe("getSnapshotInput", () => {
  test("is the CSV as the service has it", async () => {
    const { account, asked } = await startService();
    const { id } = account.addSnapshot(DATASET, ["ready"], [{ url: "https://example.com/" }]);
    const { snapshotId, csv } = await getSnapshotInput({ snapshotId: id });
    expect(snapshotId).toBe(id);
    expect(csv.trimEnd().split(/\r?\n/)).toEqual(["url", "https://example.com/"]);
    expect(asked()).toEqual([`GET /datasets/v3/snapshot/${id}/input`]);
  });

  test("tells that there is none, and that there is no such snapshot", async () => {
    const { account } = await startService();
    const snapshot = addReady(account, 5);
    delete snapshot.input;
    await expect(getSnapshotInput({ snapshotId: snapshot.id })).rejects.toBeInstanceOf(SnapshotInputMissingError);
    await expect(getSnapshotInput({ snapshotId: "s_1" })).rejects.toBeInstanceOf(NotFoundError);
  });

  test("as an output", async () => {
    await program(true);
    const { account } = await startService();
    const { id } = account.addSnapshot(DATASET, ["ready"], [{ url: "https://example.com/" }]);
    const output = getSnapshotInputOutput({ snapshotId: pulumi.secret(id) });
    await expect(settled(output.csv.apply((csv) => csv.split("\n").length > 1))).resolves.toEqual({
      value: true,
      secret: true,
    });
  });
});
