import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const deliveryId = config.require("deliveryId");
const responseId = config.require("collectorRun");

/** Why collections have failed, by snapshot. */
async function failures(snapshots: brightdata.GetSnapshotsResult["snapshots"]) {
  const failed = snapshots.filter(({ status }) => status === "failed");
  const progress = await Promise.all(failed.map(({ snapshotId }) => brightdata.getSnapshotProgress({ snapshotId })));
  return Object.fromEntries(progress.map(({ snapshotId, errorMessage }) => [snapshotId, errorMessage]));
}

/** Nothing, where the service no longer has what is looked up: it keeps records for some weeks, and not every input. */
async function ifKept<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const isGone =
      error instanceof brightdata.SnapshotExpiredError || error instanceof brightdata.SnapshotInputMissingError;
    if (isGone) return undefined;
    throw error;
  }
}

/** The snapshot in detail, with its first record as a sample. */
async function describe({ snapshotId, created, size }: brightdata.GetSnapshotsResult["snapshots"][number]) {
  const [snapshot, input, count] = await Promise.all([
    ifKept(brightdata.getSnapshot({ snapshotId, maxRecords: 1 })),
    ifKept(brightdata.getSnapshotInput({ snapshotId })),
    ifKept(brightdata.getSnapshotParts({ snapshotId, batchSize: 1000 })),
  ]);
  return {
    snapshotId,
    created,
    records: size,
    filesOfAThousand: count?.parts,
    input: input?.csv,
    sample: snapshot?.records?.[0],
  };
}

export = async () => {
  const { snapshots } = await brightdata.getSnapshots({
    datasetId: config.require("datasetId"),
    fromDate: config.require("since"),
    limit: 5000,
  });
  const ready = snapshots.filter(({ status }) => status === "ready");
  const latest = ready.sort((a, b) => (a.created ?? "").localeCompare(b.created ?? "")).at(-1);
  return {
    collections: snapshots.length,
    records: ready.reduce((sum, { size = 0 }) => sum + size, 0),
    failures: await failures(snapshots),
    latest: latest && (await describe(latest)),
    delivery: deliveryId === "" ? undefined : await brightdata.getDelivery({ deliveryId }),
    // A single look: a run that is still going on is `pending`.
    collectorRun: responseId === "" ? undefined : await brightdata.getCollectorResult({ responseId, timeout: 0 }),
  };
};
