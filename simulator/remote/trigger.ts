import type { DatasetRecord } from "../account/dataset";
import { isRunning, type SnapshotRecord } from "../account/snapshot";
import { json, parsed, type SimulatedResponse } from "../service";
import { type Call, isObject, type Routes } from "./call";
import { parseCsv } from "./csv";
import {
  agedSnapshots,
  integerOf,
  invalid,
  isAddress,
  isExpired,
  namedDataset,
  oneOf,
  refuseDatasetCall,
} from "./datasetCalls";
import { RECORD_FORMATS } from "./recordStream";
import { refuse, refuseJson } from "./refusal";

type Input = Record<string, unknown>;

/** Starts collections. Each call starts, and bills, one more. */
export const triggerRoutes: Routes = {
  "POST /datasets/v3/trigger": trigger,
  "POST /datasets/v3/snapshot/:snapshot_id/rerun": rerun,
};

function trigger(call: Call): SimulatedResponse {
  const dataset = triggerable(call);
  checkQuery(call.query);
  const input = inputsOf(call);
  if (input.length === 0) throw refuseDatasetCall(call, "No data to trigger");
  if (input.length < dataset.minInputs) throw refuseDatasetCall(call, `Should be at least ${dataset.minInputs} inputs`);
  checkInputs(call.query.has("discover_by") ? [] : requiredFields(dataset), input);
  return json({ snapshot_id: collect(call, dataset, input).id });
}

function rerun(call: Call): SimulatedResponse {
  const snapshot = call.account.snapshots.get(call.params.snapshot_id ?? "");
  if (snapshot === undefined) throw refuse(404, "snapshot not found");
  if (snapshot.input === undefined || isExpired(call, snapshot)) throw refuse(400, "snapshot inputs expired");
  return json({ snapshot_id: collect(call, namedDataset(call, snapshot.datasetId), snapshot.input).id });
}

function collect(call: Call, { id, jobsLimit }: DatasetRecord, input: Input[]): SnapshotRecord {
  const { account, behaviour } = call;
  const running = agedSnapshots(call).filter((snapshot) => snapshot.datasetId === id && isRunning(snapshot)).length;
  if (running >= jobsLimit) {
    const why = `Too many running jobs for this dataset (${running}>=${jobsLimit}). Combine inputs into one request`;
    throw refuseDatasetCall(call, why, 429);
  }
  const snapshot = account.addSnapshot(id, behaviour.snapshotStates, input);
  snapshot.buildingReads = behaviour.snapshotBuildingReads;
  snapshot.hiddenReads = behaviour.snapshotVisibleAfterReads;
  return snapshot;
}

function triggerable(call: Call): DatasetRecord {
  const id = call.query.get("dataset_id");
  if (!id) throw refuseDatasetCall(call, "dataset missing");
  const dataset = namedDataset(call, id);
  if (!dataset.allowedForApi) throw refuseDatasetCall(call, "This dataset is not allowed for API");
  if (!dataset.ready) throw refuseDatasetCall(call, "This dataset is not ready yet");
  return dataset;
}

function checkQuery(query: URLSearchParams): void {
  const type = query.get("type");
  if (type !== null && type !== "discover_new") throw invalid('"type" must be discover_new');
  if (query.has("discover_by") && type === null) throw invalid('"discover_by" requires "type"');
  for (const name of ["limit_per_input", "limit_multiple_results"]) {
    if (integerOf(query, name) === 0) throw invalid(`"${name}" must be greater than or equal to 1`);
  }
  const endpoint = query.get("endpoint");
  if (endpoint !== null && !isAddress(endpoint)) throw invalid('"endpoint" must be a valid uri');
  oneOf(query, "format", RECORD_FORMATS);
}

/** A JSON array, an object that holds one, or a form with a CSV file in its field `data`. */
function inputsOf(call: Call): unknown[] {
  const type = call.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return attachedInputs(call, type);
  if (!type.includes("application/json") || call.text === "") return [];
  const body = parsed(call.text);
  const input = isObject(body) ? body.input : body;
  if (!Array.isArray(input)) throw refuseJson(400, { error: "Invalid input format" });
  return input;
}

function attachedInputs(call: Call, type: string): Input[] {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  const fields = boundary === undefined ? [] : call.text.split(`--${boundary}`);
  for (const field of fields) {
    const headEnd = field.indexOf("\r\n\r\n");
    if (headEnd !== -1 && /name="data"/.test(field.slice(0, headEnd)))
      return parseCsv(field.slice(headEnd + 4).replace(/\r\n$/, ""));
  }
  throw refuseDatasetCall(call, "Invalid attachments");
}

/** What an input must have; in a discovery that is up to what it discovers by, such as a keyword. */
const requiredFields = ({ fields }: DatasetRecord): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.required);

function checkInputs(required: string[], inputs: unknown[]): asserts inputs is Input[] {
  const errors = inputs.flatMap((input, index) => {
    if (!isObject(input)) return [`"[${index}]" must be an object`];
    return required.filter((name) => !input[name]).map((name) => `"[${index}].${name}" is required`);
  });
  if (errors.length > 0) throw invalid(...errors);
}
