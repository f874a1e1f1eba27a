import { kind, triggers } from "../../declaration/kind";
import { any, choice, count, flag, list, map, text } from "../../declaration/property";
import { url } from "../../declaration/url";
import { waiting } from "../../declaration/waiting";
import { snapshotId } from "../shared/snapshotId";

const LIMIT = {
  least: 1,
  expected: "expected a whole number from 1 on.",
  defaultSays: "no limit",
  example: 100,
} as const;

export const datasetCollection = kind("DatasetCollection", {
  says: "Collects a dataset. **Each collection costs money.**",
  brief: "collects a dataset and waits for the snapshot. Billed per record",
  service: "remote",
  isAction: true,
  id: { says: "Id of the snapshot that holds the records.", example: "s_m4x7enmven8djfqak" },
  endpoints: [
    "POST /datasets/v3/trigger",
    "GET /datasets/v3/progress/{snapshot_id}",
    "GET /datasets/v3/snapshots",
    "GET /datasets/v3/snapshot/{snapshot_id}/input",
    "POST /datasets/v3/snapshot/{snapshot_id}/cancel",
  ],
  timeouts: { create: 3600, read: 60, update: 3600, delete: 60 },
  inputs: {
    datasetId: text({ says: "Id of the dataset.", required: true, example: "gd_l1vikfnt1wgvvqz95w" }),
    inputs: list(map(any({}), { expected: 'expected an object such as { url: "https://example.com" }.' }), {
      says: "What to collect, or what to discover by: one object or more, with the fields that the dataset takes.",
      required: true,
      least: 1,
      expected: "expected a list of objects, with the fields that the dataset takes.",
      tooFew: "expected one input or more.",
      example: [{ url: "https://example.com/products/1" }],
    }),
    inputForm: text({
      says: "How the inputs are sent: as an array, or as the field `input` of an object. The service documents the array, and its own clients send the object.",
      oneOf: ["array", "object"],
      default: "array",
    }),
    discoverBy: text({
      says: "Discovers new pages instead of collecting the given ones: by `keyword`, `category_url` or another method of the dataset. Sends `type=discover_new` with it.",
      defaultSays: "the inputs themselves are collected",
      example: "keyword",
    }),
    includeErrors: flag({
      says: "Whether the snapshot also tells which inputs failed.",
      defaultSays: "left to the service",
    }),
    customOutputFields: list(text({}), {
      says: "The fields to collect.",
      least: 1,
      expected: "expected a list of names of fields.",
      tooFew: "expected one field or more; leave the property out for all.",
      defaultSays: "all",
      example: ["url", "about.updated_on"],
    }),
    limitPerInput: count({ ...LIMIT, says: "Maximum number of records for one input, from 1 on; when discovering." }),
    limitMultipleResults: count({ ...LIMIT, says: "Maximum number of records in all, from 1 on; when discovering." }),
    notify: choice([flag({}), url({})], {
      says: "URL that is notified when the collection has ended. Some datasets take `true`.",
      expected: "expected a URL, or true where the dataset takes that.",
      default: false,
      defaultSays: "nobody is notified",
      example: "https://example.com/collected",
    }),
    endpoint: url({
      says: "URL of a webhook that the records are sent to.",
      defaultSays: "the records stay with the service",
      example: "https://example.com/hook",
    }),
    format: text({
      says: "Format for the webhook.",
      oneOf: ["json", "ndjson", "jsonl", "csv"],
      defaultSays: "left to the service",
    }),
    authHeader: text({ says: "Sent to the webhook as the header `Authorization`.", secret: true }),
    uncompressedWebhook: flag({
      says: "Whether the webhook receives the records uncompressed instead of compressed with gzip.",
      default: false,
    }),
    ...waiting,
    triggers: triggers(),
    snapshotId: snapshotId({
      says: "Id of the snapshot of an existing collection of the dataset to wait for instead of triggering one: it belongs to this resource. As long as it is given, nothing is triggered.",
      defaultSays: "a collection is triggered",
      replaces: true,
      onChange: "replacement, unless it is the id in the state",
      known: true,
      outputSays: "Id of the snapshot that holds the records, given or not; also the resource's `id`.",
    }),
  },
  outputs: {
    status: text({
      says: "`ready`. When the update does not wait: what the service last said, such as `starting` or `running`.",
      required: true,
      isVolatile: true,
    }),
    records: count({
      says: "Number of records. Absent until the collection has ended, and where the service does not say.",
      isVolatile: true,
    }),
    errorMessage: text({ says: "Why the collection failed, in the service's words.", isVolatile: true }),
  },
  fails:
    "the service refuses to collect, when the collection fails, or when it takes longer than the timeout: the snapshot is kept then, and the next update goes on waiting for it; also when it is not known what became of the request: nothing is kept then, and the error says how to go on",
  example: `const collection = new brightdata.DatasetCollection("products", {
  datasetId: "gd_l1vikfnt1wgvvqz95w",
  inputs: [{ url: "https://example.com/products/1" }],
  triggers: ["2026-05"],
});
export const snapshotId = collection.snapshotId;`,
});
