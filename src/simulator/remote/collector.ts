import { json, type SimulatedResponse, text } from "../service";
import type { RemoteBehaviour } from "./behaviour";
import { isObject, jsonBody, type RemoteContext } from "./call";
import { refuse } from "./refusal";

/** Runs a collector for one input, and answers its result. */
export function addCollectorRoutes({ account, behaviour, route }: RemoteContext): void {
  route("POST", "/dca/trigger_immediate", (request) => {
    if (!request.query.get("collector")) throw refuse(400, "collector is required");
    const input = jsonBody(request);
    if (!isObject(input)) throw refuse(400, "Input should be an object");
    const { responseId } = account.addCollectorRun(
      [{ input, title: `Title of ${String(input.url ?? "a page")}` }],
      behaviour.collectorPendingReads,
    );
    return json({ response_id: responseId }, 202);
  });

  route("GET", "/dca/get_result", ({ query }) => {
    const id = query.get("response_id");
    if (id === null || id === "") throw refuse(400, "response_id is required");
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
  });
}

const PENDING: Readonly<Record<RemoteBehaviour["collectorPending"], () => SimulatedResponse>> = {
  "202": () => json({ pending: true, message: "Result is not ready yet" }, 202),
  empty: () => text(""),
  null: () => json(null),
  object: () => json({ pending: true, message: "Result is not ready yet" }),
};
