import type { SimulatedRequest } from "../service";
import type { RemoteContext } from "./call";
import { type DatasetRecord, dataset } from "./dataset";
import { RECORD_FORMATS, type RecordFormat } from "./recordStream";
import { type Refused, refuse, refuseJson } from "./refusal";
import { age, type SnapshotRecord } from "./snapshot";

const RETENTION_MS = 16 * 86_400_000;

/** An error of the dataset calls, in the form the service is set to use. */
export const refuseDatasetCall = ({ behaviour }: RemoteContext, status: number, message: string): Refused =>
  behaviour.datasetErrors === "json" ? refuseJson(status, { error: message }) : refuse(status, message);

export const invalid = (...errors: string[]): Refused => refuseJson(400, { validation_errors: errors });

/** The dataset of that id; where every dataset exists, it does from now on. */
export function namedDataset(context: RemoteContext, id: string): DatasetRecord {
  const { account, behaviour } = context;
  const known = account.datasets.get(id);
  if (known !== undefined) return known;
  if (!behaviour.everyDatasetExists || !id.startsWith("gd_"))
    throw refuseDatasetCall(context, 404, "dataset does not exist");
  const made = dataset(id, { fields: {} });
  account.datasets.set(id, made);
  return made;
}

export function namedSnapshot(context: RemoteContext, request: SimulatedRequest): SnapshotRecord {
  const snapshot = context.account.snapshots.get(request.params.snapshot_id ?? "");
  if (snapshot === undefined) throw refuseDatasetCall(context, 404, "Snapshot does not exist");
  age(snapshot, context.account.clock(), context.behaviour.snapshotStateMs);
  return snapshot;
}

/** The snapshots as time has left them, oldest first. */
export function agedSnapshots({ account, behaviour }: RemoteContext): SnapshotRecord[] {
  const snapshots = [...account.snapshots.values()];
  for (const snapshot of snapshots) age(snapshot, account.clock(), behaviour.snapshotStateMs);
  return snapshots;
}

/** The service keeps a snapshot for sixteen days. */
export const isExpired = ({ account }: RemoteContext, snapshot: SnapshotRecord): boolean =>
  snapshot.expired || account.clock().getTime() - Date.parse(snapshot.created) > RETENTION_MS;

/** How a snapshot is cut into parts and written. */
export interface Cut {
  format: RecordFormat;
  compress: boolean;
  batchSize: number | undefined;
}

export function cutOf({ behaviour }: RemoteContext, query: URLSearchParams): Cut {
  const written = query.get("format") ?? "json";
  const format = RECORD_FORMATS.find((known) => known === written);
  if (format === undefined) throw invalid(`"format" must be one of ${RECORD_FORMATS.join(", ")}`);
  const compress = query.get("compress") ?? "false";
  if (compress !== "true" && compress !== "false") throw invalid('"compress" must be a boolean');
  const batchSize = integerOf(query, "batch_size");
  if (batchSize !== undefined && batchSize < behaviour.minBatchSize)
    throw invalid(`"batch_size" must be greater than or equal to ${behaviour.minBatchSize}`);
  return { format, compress: compress === "true", batchSize };
}

/** A whole number of the query that is not negative, or undefined when it is absent. */
export function integerOf(query: URLSearchParams, name: string): number | undefined {
  const written = query.get(name);
  if (written === null) return undefined;
  if (!/^\d+$/.test(written)) throw invalid(`"${name}" must be a number`);
  return Number(written);
}

export const partsOf = (snapshot: SnapshotRecord, batchSize: number | undefined): number =>
  batchSize === undefined ? 1 : Math.ceil(snapshot.records.count / batchSize);
