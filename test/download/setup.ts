import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { type RecordSource, syntheticRecords } from "../../simulator";
import { parseCsv } from "../../simulator/remote/csv";
import { type DownloadArgs, downloadSnapshot } from "../../src/download/download";
import type { SnapshotFormat } from "../../src/model/snapshot";
import { type Remote, startRemote } from "../remote/harness";

export const COUNT = 2500;
export const BATCH = 1000;

export interface Setup extends Remote {
  folder: string;
  id: string;
  to: string;
  download(args?: Partial<DownloadArgs>, signal?: AbortSignal): ReturnType<typeof downloadSnapshot>;
  /** Names of the files in the folder. */
  files(): string[];
  /** Which parts have been asked for, in order. */
  partsAsked(): (string | undefined)[];
}

export async function setUp(records: RecordSource = syntheticRecords(COUNT)): Promise<Setup> {
  const remote = await startRemote();
  const folder = mkdtempSync(join(tmpdir(), "download-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const snapshot = remote.account.addSnapshot("gd_simulated", ["ready"], []);
  snapshot.status = "ready";
  snapshot.records = records;
  const { id } = snapshot;
  const to = join(folder, "data");
  const path = `/datasets/v3/snapshot/${id}`;
  return {
    ...remote,
    folder,
    id,
    to,
    download: (args = {}, signal) => downloadSnapshot(remote.client, { snapshotId: id, to, ...args }, { signal }),
    files: () => readdirSync(folder).sort(),
    partsAsked: () => remote.requests.filter((request) => request.path === path).map(({ query }) => query.part),
  };
}

/** The records in a file, read by other means than those that wrote it. */
export function recordsOf(file: string, format: SnapshotFormat, compress: boolean): unknown[] {
  const bytes = readFileSync(file);
  const text = (compress ? gunzipSync(bytes) : bytes).toString("utf8");
  if (format === "json") return JSON.parse(text) as unknown[];
  if (format === "csv") return parseCsv(text);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

export const expected = (format: SnapshotFormat, count = COUNT): unknown[] =>
  Array.from({ length: count }, (_, index) => {
    const record = syntheticRecords(count).at(index);
    return format === "csv" ? { ...record, price: String(record.price), tags: JSON.stringify(record.tags) } : record;
  });
