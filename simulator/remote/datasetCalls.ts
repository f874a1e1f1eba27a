import { type DatasetRecord, dataset } from "../account/dataset";
import { age, type SnapshotRecord } from "../account/snapshot";
import type { Call } from "./call";
import { RECORD_FORMATS, type RecordFormat } from "./recordStream";
import { type Refused, refuse, refuseJson } from "./refusal";

const RETENTION_MS = 16 * 86_400_000;

/** An error of the dataset calls, in the form the service is set to use. */
export const refuseDatasetCall = ({ behaviour }: Call, message: string, status = 400): Refused =>
  behaviour.datasetErrors === "json" ? refuseJson(status, { error: message }) : refuse(status, message);

export const invalid = (...errors: string[]): Refused => refuseJson(400, { validation_errors: errors });

/** The dataset of that id; where every dataset exists, it does from now on. */
export function namedDataset(call: Call, id: string): DatasetRecord {
  const { account, behaviour } = call;
  const known = account.datasets.get(id);
  if (known !== undefined) return known;
  if (!behaviour.everyDatasetExists || !id.startsWith("gd_"))
    throw refuseDatasetCall(call, "dataset does not exist", 404);
  const made = dataset(id, { fields: {} });
  account.datasets.set(id, made);
  return made;
}

export function namedSnapshot(call: Call): SnapshotRecord {
  const snapshot = call.account.snapshots.get(call.params.snapshot_id ?? "");
  if (snapshot === undefined) throw refuseDatasetCall(call, "Snapshot does not exist", 404);
  return aged(call, snapshot);
}

/** The snapshots as time has left them, oldest first. */
export const agedSnapshots = (call: Call): SnapshotRecord[] =>
  [...call.account.snapshots.values()].map((snapshot) => aged(call, snapshot));

function aged({ account, behaviour }: Call, snapshot: SnapshotRecord): SnapshotRecord {
  age(snapshot, account.clock(), behaviour.snapshotStateMs);
  return snapshot;
}

/** The service keeps a snapshot for sixteen days. */
export const isExpired = ({ account }: Call, snapshot: SnapshotRecord): boolean =>
  snapshot.expired || account.clock().getTime() - Date.parse(snapshot.created) > RETENTION_MS;

/** How a snapshot is cut into parts and written. */
export interface Cut {
  format: RecordFormat;
  compress: boolean;
  batchSize: number | undefined;
}

export function cutOf({ behaviour, query }: Call): Cut {
  const format = oneOf(query, "format", RECORD_FORMATS) ?? "json";
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

/** The service sends data and notices to no other addresses. */
export const isAddress = (written: string): boolean => URL.canParse(written) && /^https?:/i.test(written);

/** A choice of the query, or undefined when it is absent. */
export function oneOf<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const written = query.get(name);
  const chosen = choices.find((choice) => choice === written);
  if (written !== null && chosen === undefined) throw invalid(`"${name}" must be one of ${choices.join(", ")}`);
  return chosen;
}

export const partsOf = (snapshot: SnapshotRecord, batchSize: number | undefined): number =>
  batchSize === undefined ? 1 : Math.ceil(snapshot.records.count / batchSize);
