import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const urls = config.require("urls").split(/\s+/).filter(Boolean);
const edition = config.require("edition");
const pollInterval = config.requireNumber("pollInterval");

const collection = new brightdata.DatasetCollection("pages", {
  datasetId: config.require("datasetId"),
  inputs: urls.map((url) => ({ url })),
  includeErrors: true,
  triggers: [edition],
  pollInterval,
});

const delivery = new brightdata.SnapshotDelivery("to-bucket", {
  snapshotId: collection.snapshotId,
  target: {
    type: "s3",
    bucket: config.require("bucket"),
    region: config.require("region"),
    directory: `pages/${edition}`,
    credentials: { roleArn: config.require("roleArn"), externalId: config.require("externalId") },
  },
  filename: { template: "pages", extension: "ndjson" },
  pollInterval,
});

export const snapshotId = collection.snapshotId;
export const records = collection.records;
export const files = delivery.files.apply((delivered) => delivered.map(({ filename }) => filename));
