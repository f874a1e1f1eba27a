import { json, type SimulatedRequest } from "../service";
import { isObject, type RemoteContext } from "./call";
import { parseCsv } from "./csv";
import type { DatasetRecord } from "./dataset";
import { agedSnapshots, integerOf, invalid, isExpired, namedDataset, refuseDatasetCall } from "./datasetCalls";
import { RECORD_FORMATS } from "./recordStream";
import { refuse, refuseJson } from "./refusal";
import { isRunning, type SnapshotRecord } from "./snapshot";

type Input = Record<string, unknown>;

/** Starts collections. Each call starts, and bills, one more. */
export function addTriggerRoutes(context: RemoteContext): void {
  const { account, route } = context;

  route("POST", "/datasets/v3/trigger", (request) => {
    const dataset = triggerable(context, request.query.get("dataset_id"));
    checkQuery(request.query);
    const input = inputsOf(context, request);
    if (input.length === 0) throw refuseDatasetCall(context, 400, "No data to trigger");
    if (input.length < dataset.minInputs)
      throw refuseDatasetCall(context, 400, `Should be at least ${dataset.minInputs} inputs`);
    checkInputs(request.query.has("discover_by") ? [] : requiredFields(dataset), input);
    return json({ snapshot_id: collect(context, dataset, input).id });
  });

  route("POST", "/datasets/v3/snapshot/:snapshot_id/rerun", (request) => {
    const snapshot = account.snapshots.get(request.params.snapshot_id ?? "");
    if (snapshot === undefined) throw refuse(404, "snapshot not found");
    if (snapshot.input === undefined || isExpired(context, snapshot)) throw refuse(400, "snapshot inputs expired");
    return json({ snapshot_id: collect(context, namedDataset(context, snapshot.datasetId), snapshot.input).id });
  });
}

function collect(context: RemoteContext, { id, jobsLimit }: DatasetRecord, input: Input[]): SnapshotRecord {
  const { account, behaviour } = context;
  const running = agedSnapshots(context).filter((snapshot) => snapshot.datasetId === id && isRunning(snapshot)).length;
  if (running >= jobsLimit)
    throw refuseDatasetCall(
      context,
      429,
      `Too many running jobs for this dataset (${running}>=${jobsLimit}). Combine inputs into one request`,
    );
  const snapshot = account.addSnapshot(id, behaviour.snapshotStates, input);
  snapshot.buildingReads = behaviour.snapshotBuildingReads;
  snapshot.hiddenReads = behaviour.snapshotVisibleAfterReads;
  return snapshot;
}

function triggerable(context: RemoteContext, id: string | null): DatasetRecord {
  if (id === null || id === "") throw refuseDatasetCall(context, 400, "dataset missing");
  const dataset = namedDataset(context, id);
  if (!dataset.allowedForApi) throw refuseDatasetCall(context, 400, "This dataset is not allowed for API");
  if (!dataset.ready) throw refuseDatasetCall(context, 400, "This dataset is not ready yet");
  return dataset;
}

function checkQuery(query: URLSearchParams): void {
  const type = query.get("type");
  if (type !== null && type !== "discover_new") throw invalid('"type" must be discover_new');
  if (query.has("discover_by") && type === null) throw invalid('"discover_by" requires "type"');
  for (const name of ["limit_per_input", "limit_multiple_results"]) {
    if (integerOf(query, name) === 0) throw invalid(`"${name}" must be greater than or equal to 1`);
  }
  const format = query.get("format");
  if (format !== null && !RECORD_FORMATS.some((known) => known === format))
    throw invalid(`"format" must be one of ${RECORD_FORMATS.join(", ")}`);
}

/** A JSON array, an object that holds one, or a form with a CSV file in its field `data`. */
function inputsOf(context: RemoteContext, request: SimulatedRequest): unknown[] {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return attachedInputs(context, type, request.text);
  if (!type.includes("application/json") || request.text === "") return [];
  const body = parsedOrUndefined(request.text);
  const input = isObject(body) ? body.input : body;
  if (!Array.isArray(input)) throw refuseJson(400, { error: "Invalid input format" });
  return input;
}

function parsedOrUndefined(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function attachedInputs(context: RemoteContext, type: string, form: string): Input[] {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  const fields = boundary === undefined ? [] : form.split(`--${boundary}`);
  for (const field of fields) {
    const headEnd = field.indexOf("\r\n\r\n");
    if (headEnd !== -1 && /name="data"/.test(field.slice(0, headEnd)))
      return parseCsv(field.slice(headEnd + 4).replace(/\r\n$/, ""));
  }
  throw refuseDatasetCall(context, 400, "Invalid attachments");
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
