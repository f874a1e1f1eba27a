import { json, type SimulatedResponse, text } from "../service";
import type { RemoteBehaviour } from "./behaviour";
import { type Call, isObject, jsonBody, type Routes } from "./call";
import { refuse } from "./refusal";

/** Runs a collector for one input or for a batch of them, and answers what it found. */
export const collectorRoutes: Routes = {
  "POST /dca/trigger_immediate": trigger,
  "GET /dca/get_result": result,
  "POST /dca/trigger": triggerBatch,
  "GET /dca/dataset": batch,
};

function trigger(call: Call): SimulatedResponse {
  if (!call.query.get("collector")) throw refuse(400, "collector is required");
  const input = jsonBody(call);
  if (!isObject(input)) throw refuse(400, "Input should be an object");
  const { responseId } = call.account.addCollectorRun([rowOf(input)], call.behaviour.collectorPendingReads);
  return json({ response_id: responseId }, 202);
}

const rowOf = (input: Record<string, unknown>) => ({ input, title: `Title of ${String(input.url ?? "a page")}` });

function result({ account, behaviour, query }: Call): SimulatedResponse {
  const id = query.get("response_id");
  if (!id) throw refuse(400, "response_id is required");
  const timeout = query.get("timeout");
  if (timeout !== null && !/^(2[5-9]|[34]\d|50)s$/.test(timeout))
    throw refuse(400, "timeout should be from 25s to 50s");
  const run = account.collectorRuns.get(id);
  if (run === undefined) throw refuse(404, "Response not found");
  if (run.pendingReads > 0) {
    run.pendingReads--;
    return PENDING[behaviour.collectorPending]();
  }
  return json(behaviour.collectorShape === "array" ? run.rows : (run.rows[0] ?? {}));
}

function triggerBatch(call: Call): SimulatedResponse {
  const { account, behaviour } = call;
  if (!call.query.get("collector")) throw refuse(400, "collector is required");
  const inputs = jsonBody(call);
  if (!Array.isArray(inputs) || inputs.length === 0 || !inputs.every(isObject))
    throw refuse(400, "Input should be an array of objects");
  const { responseId } = account.addCollectorRun(inputs.map(rowOf), behaviour.collectorPendingReads, "j_");
  return json({ collection_id: responseId, start_eta: account.clock().toISOString() });
}

function batch({ account, query }: Call): SimulatedResponse {
  const id = query.get("id");
  if (!id) throw refuse(400, "id is required");
  const run = account.collectorRuns.get(id);
  if (run === undefined) throw refuse(404, "Dataset not found");
  if (run.pendingReads === 0) return json(run.rows);
  run.pendingReads--;
  return json({ status: "building", message: "Dataset is not ready yet, try again in 30s" }, 202);
}

const PENDING: Readonly<Record<RemoteBehaviour["collectorPending"], () => SimulatedResponse>> = {
  "202": () => json({ pending: true, message: "Result is not ready yet" }, 202),
  empty: () => text(""),
  null: () => json(null),
  object: () => json({ pending: true, message: "Result is not ready yet" }),
};
