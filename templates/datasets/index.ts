import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";
import { withinLimit } from "./environment";

const config = new pulumi.Config();
const urls = config.requireObject<string[]>("urls");
const edition = config.require("edition");
const bucket = config.require("bucket");
const pollInterval = config.requireNumber("pollInterval");
withinLimit(urls.length, "URLs", "maxUrls");

const collection = new brightdata.DatasetCollection("pages", {
  datasetId: config.require("datasetId"),
  inputs: urls.map((url) => ({ url })),
  includeErrors: true,
  triggers: [edition],
  pollInterval,
});

/** A bucket that all environments share has a directory of each. */
const deliver = (): brightdata.SnapshotDelivery =>
  new brightdata.SnapshotDelivery("to-bucket", {
    snapshotId: collection.snapshotId,
    target: {
      type: "s3",
      bucket,
      region: config.require("region"),
      directory: `${pulumi.getStack()}/${edition}`,
      credentials: { roleArn: config.require("roleArn"), externalId: config.require("externalId") },
    },
    filename: { template: "pages", extension: "ndjson" },
    pollInterval,
  });

const delivery = bucket === "" ? undefined : deliver();

export const snapshotId = collection.snapshotId;
export const records = collection.records;
export const files = delivery?.files.apply((delivered) => delivered.map(({ filename }) => filename)) ?? [];
