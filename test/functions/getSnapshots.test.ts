import { describe, expect, test } from "vitest";
import { InvalidRequestError } from "../../src/base/errors";
import { getSnapshots } from "../../src/generated";
import { startService } from "./harness";
import { addReady, addSnapshot, clock, DATASET, NOW } from "./snapshots";

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

  test("lists none where the service finds none", async () => {
    const { faults } = await startService();
    const body = JSON.stringify({ error: "Snapshot not found" });
    faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 404, body });
    await expect(getSnapshots({ datasetId: DATASET })).resolves.toEqual({ datasetId: DATASET, snapshots: [] });
  });

  test("passes the service's complaints on", async () => {
    const { faults } = await startService();
    faults.add({ kind: "respond", status: 400, body: '{"validation_errors":["\\"dataset_id\\" is required"]}' });
    await expect(getSnapshots({ datasetId: DATASET })).rejects.toBeInstanceOf(InvalidRequestError);
  });
});
