import { expect, test } from "vitest";
import { declared } from "./mocks";

const config = {
  datasetId: "gd_1",
  urls: ["https://example.com/1"],
  maxUrls: 2,
  edition: "first",
  bucket: "",
  region: "us-east-1",
  roleArn: "arn:aws:iam::123456789012:role/deliver",
  externalId: "hl_1",
  pollInterval: 10,
};

test("without a bucket, the records are collected and not delivered", async () => {
  const found = await declared("development", { ...config, production: false });
  expect(found.map(({ type, inputs }) => [type, inputs.datasetId, inputs.inputs])).toEqual([
    ["DatasetCollection", "gd_1", [{ url: "https://example.com/1" }]],
  ]);
  const { files } = await import("../index.js");
  expect(files).toEqual([]);
});

test("each environment has a directory of its own in the bucket", async () => {
  const found = await declared("pr-12", { ...config, bucket: "records" });
  const delivery = found.find(({ type }) => type === "SnapshotDelivery");
  // A secret, which mocks get with a wrapper.
  expect(delivery?.inputs.target).toMatchObject({ value: { bucket: "records", directory: "pr-12/first" } });
});

test("no environment collects more than it may", async () => {
  const urls = ["1", "2", "3"].map((page) => `https://example.com/${page}`);
  await expect(declared("pr-12", { ...config, urls })).rejects.toThrow(
    "The stack pr-12 asks for 3 URLs, and may have 2.",
  );
});
