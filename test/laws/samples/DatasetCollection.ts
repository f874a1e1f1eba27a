import { dataset } from "../../../simulator";
import { DatasetCollection, type DatasetCollectionArgs } from "../../../src";
import type { Sample } from "../sample";

const inputs = [{ url: "https://example.com/1" }];

export const samples: Sample[] = [
  {
    make: (name, args, options) => new DatasetCollection(name, args as unknown as DatasetCollectionArgs, options),
    prepare({ account }) {
      account.datasets.set("gd_other", dataset("gd_other"));
      account.addSnapshot("gd_simulated", ["ready"], inputs);
    },
    args: {
      datasetId: "gd_simulated",
      inputs,
      endpoint: "https://example.com/hook",
      authHeader: "Sample-Secret-Header",
      triggers: ["1"],
      timeouts: { create: 600 },
    },
    price: { snapshots: 1 },
    changes: {
      datasetId: { args: { datasetId: "gd_other" }, replaces: true },
      inputs: { args: { inputs: [{ url: "https://example.com/2" }] }, replaces: true },
      triggers: { args: { triggers: ["2"] }, replaces: true },
      authHeader: { args: { authHeader: "Sample-Secret-Other" }, replaces: true },
      wait: { args: { wait: false } },
      pollInterval: { args: { pollInterval: 30 } },
      timeouts: { args: { timeouts: { create: 700 } } },
    },
    touches: ({ snapshotId }) => [`snapshot ${snapshotId}`],
    holds(world, { snapshotId, datasetId, status }) {
      const snapshot = world[`snapshot ${snapshotId}`] as { datasetId: string; status: string } | undefined;
      return (
        snapshot !== undefined && snapshot.datasetId === datasetId && snapshot.status === "ready" && status === "ready"
      );
    },
    leaves: { touched: ({ snapshotId }) => [`snapshot ${snapshotId}`], reason: "the service keeps what it collected" },
    generated: true,
    known: ["snapshotId", "status"],
  },
];
