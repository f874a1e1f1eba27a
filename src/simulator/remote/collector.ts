import { json, type SimulatedResponse, text } from "../service";
import type { RemoteBehaviour } from "./behaviour";
import { type Call, isObject, jsonBody, type Routes } from "./call";
import { refuse } from "./refusal";

/** Runs a collector for one input, and answers its result. */
export const collectorRoutes: Routes = {
  "POST /dca/trigger_immediate": trigger,
  "GET /dca/get_result": result,
};

function trigger(call: Call): SimulatedResponse {
  if (!call.query.get("collector")) throw refuse(400, "collector is required");
  const input = jsonBody(call);
  if (!isObject(input)) throw refuse(400, "Input should be an object");
  const rows = [{ input, title: `Title of ${String(input.url ?? "a page")}` }];
  const { responseId } = call.account.addCollectorRun(rows, call.behaviour.collectorPendingReads);
  return json({ response_id: responseId }, 202);
}

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

const PENDING: Readonly<Record<RemoteBehaviour["collectorPending"], () => SimulatedResponse>> = {
  "202": () => json({ pending: true, message: "Result is not ready yet" }, 202),
  empty: () => text(""),
  null: () => json(null),
  object: () => json({ pending: true, message: "Result is not ready yet" }),
};
