import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as brightdata from "pulumi-brightdata";
import { startSimulator } from "pulumi-brightdata/simulator";
import { expect, onTestFinished, test } from "vitest";
import { reviewStack } from "./stack";

test("a pull request's records are in the bucket and in a file, and are collected once", async () => {
  const simulator = await startSimulator({ remote: { everyDatasetExists: true } });
  const folder = await mkdtemp(join(tmpdir(), "records-"));
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true });
  });
  const stack = await reviewStack(simulator, {
    datasetId: "gd_1",
    urls: ["https://example.com/1", "https://example.com/2"],
    bucket: "records",
    roleArn: "arn:aws:iam::123456789012:role/deliver",
    externalId: "hl_1",
    pollInterval: 1,
  });
  const { outputs } = await stack.up();
  expect(outputs.records?.value).toBe(2);
  expect(outputs.files?.value).toHaveLength(1);
  const settings = brightdata.readSettings(() => undefined, simulator.environment());
  const client = new brightdata.RemoteClient(settings);
  const file = join(folder, "records.json");
  await brightdata.downloadSnapshot(client, { snapshotId: String(outputs.snapshotId?.value), to: file });
  expect(JSON.parse(await readFile(file, "utf8"))).toHaveLength(2);
  await stack.preview({ expectNoChanges: true });
  await stack.destroy();
});
