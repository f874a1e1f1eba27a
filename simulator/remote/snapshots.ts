import { shows } from "../account/hidden";
import { isRunning, poll, type SnapshotRecord } from "../account/snapshot";
import { json, type SimulatedResponse, text } from "../service";
import type { Call, Routes } from "./call";
import { csvLine } from "./csv";
import {
  agedSnapshots,
  cutOf,
  integerOf,
  invalid,
  isExpired,
  namedSnapshot,
  oneOf,
  partsOf,
  refuseDatasetCall,
} from "./datasetCalls";
import { CONTENT_TYPES, gzipped, type RecordRange, recordStream } from "./recordStream";

const LISTED_STATES = ["starting", "running", "ready", "failed"];
const TRIGGER_TYPES = ["ALL", "CP", "API"];

/** Watches, downloads, counts, cancels and lists snapshots. */
export const snapshotRoutes: Routes = {
  "GET /datasets/v3/progress/:snapshot_id": watch,
  "GET /datasets/v3/snapshot/:snapshot_id": download,
  "GET /datasets/v3/snapshot/:snapshot_id/parts": countParts,
  "GET /datasets/v3/snapshot/:snapshot_id/input": downloadInput,
  "GET /datasets/v3/log/:snapshot_id": log,
  "POST /datasets/v3/snapshot/:snapshot_id/cancel": cancel,
  "GET /datasets/v3/snapshots": list,
};

function watch(call: Call): SimulatedResponse {
  const snapshot = namedSnapshot(call);
  poll(snapshot, call.account.clock());
  return json(progress(snapshot));
}

function download(call: Call): SimulatedResponse {
  const snapshot = namedSnapshot(call);
  const { format, compress, batchSize } = cutOf(call);
  const part = integerOf(call.query, "part");
  if (part !== undefined && batchSize === undefined) throw invalid('"part" requires "batch_size"');
  if (isExpired(call, snapshot)) throw refuseDatasetCall(call, "Snapshot is expired");
  poll(snapshot, call.account.clock());
  if (snapshot.status !== "ready") return notReady(call, snapshot);
  if (snapshot.buildingReads > 0) {
    snapshot.buildingReads--;
    return building();
  }
  if (snapshot.records.count === 0) throw refuseDatasetCall(call, "Snapshot is empty");
  const parts = partsOf(snapshot, batchSize);
  if (part !== undefined && (part < 1 || part > parts)) throw invalid(`"part" must be from 1 to ${parts}`);
  const chunks = recordStream(snapshot.records, rangeOf(snapshot, batchSize, part), format);
  return {
    status: 200,
    headers: { "content-type": compress ? "application/gzip" : CONTENT_TYPES[format] },
    body: compress ? gzipped(chunks) : chunks,
  };
}

function notReady({ behaviour }: Call, snapshot: SnapshotRecord): SimulatedResponse {
  const { status } = snapshot;
  if (status === "failed" && behaviour.failedDownload === "progress") return json(progress(snapshot));
  if (behaviour.snapshotNotReadyStatus === 409) return json({ error: "Snapshot is not ready for download" }, 409);
  if (status === "building") return building();
  return json({ status, message: "Snapshot is not ready yet, try again in 10s" }, 202);
}

function countParts(call: Call): SimulatedResponse {
  const snapshot = namedSnapshot(call);
  const { batchSize } = cutOf(call);
  if (snapshot.status !== "ready") throw refuseDatasetCall(call, "Snapshot is not ready");
  return json({ parts: partsOf(snapshot, batchSize) });
}

function downloadInput(call: Call): SimulatedResponse {
  const { input } = namedSnapshot(call);
  if (input === undefined) throw refuseDatasetCall(call, "Snapshot input does not exist");
  const columns = [...new Set(input.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...input.map((row) => columns.map((column) => row[column]))];
  return text(lines.map(csvLine).join(""), 200, CONTENT_TYPES.csv);
}

function log(call: Call): SimulatedResponse {
  const snapshot = namedSnapshot(call);
  const name = call.account.datasets.get(snapshot.datasetId)?.name;
  return json({
    ...listed(snapshot),
    dataset_name: name,
    scraper_name: name,
    inputs_count: snapshot.input?.length ?? 0,
    discovery_collector_id: null,
    ...(snapshot.status === "ready" ? { success_rate: 1 } : {}),
  });
}

function cancel(call: Call): SimulatedResponse {
  const snapshot = namedSnapshot(call);
  if (!isRunning(snapshot)) throw refuseDatasetCall(call, "Snapshot is not running");
  snapshot.status = "canceled";
  snapshot.upcoming = [];
  return text("OK", 200, "text/plain; charset=utf-8");
}

function list(call: Call): SimulatedResponse {
  const { account, query } = call;
  const datasetId = query.get("dataset_id");
  if (!datasetId) throw invalid('"dataset_id" is required');
  const status = oneOf(query, "status", LISTED_STATES);
  const trigger = oneOf(query, "trigger_type", TRIGGER_TYPES) ?? "ALL";
  const skip = integerOf(query, "skip") ?? 0;
  const limit = integerOf(query, "limit") ?? 1000;
  if (limit < 1 || limit > 5000) throw invalid('"limit" must be from 1 to 5000');
  const from = dayOf(query, "from_date") ?? "";
  const to = dayOf(query, "to_date") ?? "9999-12-31";
  const matches = (snapshot: SnapshotRecord): boolean => {
    const day = snapshot.created.slice(0, 10);
    const isMeant = snapshot.datasetId === datasetId && (status === undefined || snapshot.status === status);
    return isMeant && (trigger === "ALL" || snapshot.triggeredBy === trigger) && day >= from && day <= to;
  };
  const found = agedSnapshots(call).filter((snapshot) => matches(snapshot) && shows(snapshot, account.clock()));
  const page = found.slice(skip, skip + limit).map(listed);
  // What the list looks like with its total is undocumented.
  return json(query.get("with_total") === "true" ? { total: found.length, snapshots: page } : page);
}

const progress = ({ id, datasetId, status, errorMessage }: SnapshotRecord) =>
  status === "failed" ? { status, error_message: errorMessage } : { snapshot_id: id, dataset_id: datasetId, status };

const building = (): SimulatedResponse =>
  json({ status: "building", message: "Snapshot is building. Try again in 10s" }, 202);

const rangeOf = (snapshot: SnapshotRecord, batchSize: number | undefined, part = 1): RecordRange => {
  const { count } = snapshot.records;
  if (batchSize === undefined) return { from: 0, to: count };
  return { from: (part - 1) * batchSize, to: Math.min(part * batchSize, count) };
};

const listed = (snapshot: SnapshotRecord) => ({
  id: snapshot.id,
  created: snapshot.created,
  status: snapshot.status,
  dataset_id: snapshot.datasetId,
  dataset_size: snapshot.status === "ready" ? snapshot.records.count : 0,
  trigger: { type: snapshot.triggeredBy },
});

function dayOf(query: URLSearchParams, name: string): string | undefined {
  const day = query.get(name) ?? undefined;
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw invalid(`"${name}" must be a date (YYYY-MM-DD)`);
  return day;
}
