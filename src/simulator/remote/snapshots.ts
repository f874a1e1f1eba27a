import { json, type SimulatedResponse, text } from "../service";
import type { RemoteContext } from "./call";
import { csvLine } from "./csv";
import {
  agedSnapshots,
  cutOf,
  integerOf,
  invalid,
  isExpired,
  namedSnapshot,
  partsOf,
  refuseDatasetCall,
} from "./datasetCalls";
import { shows } from "./hidden";
import { CONTENT_TYPES, gzipped, type RecordRange, recordStream } from "./recordStream";
import { isRunning, poll, type SnapshotRecord } from "./snapshot";

const LISTED_STATES = ["starting", "running", "ready", "failed"];
const TRIGGER_TYPES = ["ALL", "CP", "API"];

/** Watches, downloads, counts, cancels and lists snapshots. */
export function addSnapshotRoutes(context: RemoteContext): void {
  const { account, behaviour, route } = context;

  route("GET", "/datasets/v3/progress/:snapshot_id", (request) => {
    const snapshot = namedSnapshot(context, request);
    poll(snapshot, account.clock());
    return json(progress(snapshot));
  });

  route("GET", "/datasets/v3/snapshot/:snapshot_id", (request) => {
    const snapshot = namedSnapshot(context, request);
    const { format, compress, batchSize } = cutOf(context, request.query);
    const part = integerOf(request.query, "part");
    if (part !== undefined && batchSize === undefined) throw invalid('"part" requires "batch_size"');
    if (isExpired(context, snapshot)) throw refuseDatasetCall(context, 400, "Snapshot is expired");
    poll(snapshot, account.clock());
    if (snapshot.status === "failed" && behaviour.failedDownload === "progress") return json(progress(snapshot));
    if (snapshot.status !== "ready") return notReady(snapshot);
    if (snapshot.buildingReads > 0) {
      snapshot.buildingReads--;
      return building();
    }
    if (snapshot.records.count === 0) throw refuseDatasetCall(context, 400, "Snapshot is empty");
    if (part !== undefined && (part < 1 || part > partsOf(snapshot, batchSize)))
      throw invalid(`"part" must be from 1 to ${partsOf(snapshot, batchSize)}`);
    const chunks = recordStream(snapshot.records, rangeOf(snapshot, batchSize, part), format);
    return {
      status: 200,
      headers: { "content-type": compress ? "application/gzip" : CONTENT_TYPES[format] },
      body: compress ? gzipped(chunks) : chunks,
    };
  });

  route("GET", "/datasets/v3/snapshot/:snapshot_id/parts", (request) => {
    const snapshot = namedSnapshot(context, request);
    const { batchSize } = cutOf(context, request.query);
    if (snapshot.status !== "ready") throw refuseDatasetCall(context, 400, "Snapshot is not ready");
    return json({ parts: partsOf(snapshot, batchSize) });
  });

  route("GET", "/datasets/v3/snapshot/:snapshot_id/input", (request) => {
    const { input } = namedSnapshot(context, request);
    if (input === undefined) throw refuseDatasetCall(context, 400, "Snapshot input does not exist");
    const columns = [...new Set(input.flatMap((row) => Object.keys(row)))];
    const lines = [columns, ...input.map((row) => columns.map((column) => row[column]))];
    return text(lines.map(csvLine).join(""), 200, "text/csv; charset=utf-8");
  });

  route("GET", "/datasets/v3/log/:snapshot_id", (request) => {
    const snapshot = namedSnapshot(context, request);
    const name = account.datasets.get(snapshot.datasetId)?.name;
    const inputs = snapshot.input?.length ?? 0;
    return json({
      ...listed(snapshot),
      dataset_name: name,
      scraper_name: name,
      inputs_count: inputs,
      discovery_collector_id: null,
      ...(snapshot.status === "ready" ? { success_rate: 1 } : {}),
    });
  });

  route("POST", "/datasets/v3/snapshot/:snapshot_id/cancel", (request) => {
    const snapshot = namedSnapshot(context, request);
    if (!isRunning(snapshot)) throw refuseDatasetCall(context, 400, "Snapshot is not running");
    snapshot.status = "canceled";
    snapshot.upcoming = [];
    return text("OK", 200, "text/plain; charset=utf-8");
  });

  route("GET", "/datasets/v3/snapshots", ({ query }) => {
    const datasetId = query.get("dataset_id");
    if (datasetId === null || datasetId === "") throw invalid('"dataset_id" is required');
    const status = choice(query, "status", LISTED_STATES);
    const trigger = choice(query, "trigger_type", TRIGGER_TYPES) ?? "ALL";
    const skip = integerOf(query, "skip") ?? 0;
    const limit = integerOf(query, "limit") ?? 1000;
    if (limit < 1 || limit > 5000) throw invalid('"limit" must be from 1 to 5000');
    const from = dayOf(query, "from_date") ?? "";
    const to = dayOf(query, "to_date") ?? "9999-12-31";
    const found = agedSnapshots(context).filter(
      (snapshot) =>
        snapshot.datasetId === datasetId &&
        (status === undefined || snapshot.status === status) &&
        (trigger === "ALL" || snapshot.triggeredBy === trigger) &&
        snapshot.created.slice(0, 10) >= from &&
        snapshot.created.slice(0, 10) <= to &&
        shows(snapshot, account.clock()),
    );
    const page = found.slice(skip, skip + limit).map(listed);
    // What the list looks like with its total is undocumented.
    return json(query.get("with_total") === "true" ? { total: found.length, snapshots: page } : page);
  });

  function notReady({ status }: SnapshotRecord): SimulatedResponse {
    if (behaviour.snapshotNotReadyStatus === 409) return json({ error: "Snapshot is not ready for download" }, 409);
    return status === "building"
      ? building()
      : json({ status, message: "Snapshot is not ready yet, try again in 10s" }, 202);
  }
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

function choice(query: URLSearchParams, name: string, choices: string[]): string | undefined {
  const chosen = query.get(name) ?? undefined;
  if (chosen !== undefined && !choices.includes(chosen))
    throw invalid(`"${name}" must be one of ${choices.join(", ")}`);
  return chosen;
}

function dayOf(query: URLSearchParams, name: string): string | undefined {
  const day = query.get(name) ?? undefined;
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw invalid(`"${name}" must be a date (YYYY-MM-DD)`);
  return day;
}
