import { z } from "zod";
import { ArgumentError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { MUCH_DATA_BYTES } from "../http/bounded";
import type { Call, CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { field } from "../http/optional";
import { ANYTHING } from "../http/success";

/** What a run of a collector has yielded: nothing yet, or its rows. Each row carries its `input`. */
export type CollectorResult = { status: "pending" } | { status: "ready"; rows: JsonObject[] };

/** How to read a result. */
export interface ResultOptions extends CallOptions {
  /** Seconds, whole and from 25 to 50, that the service may take to answer when there is no result yet. Default: it answers at once. */
  wait?: number | undefined;
}

const PENDING: CollectorResult = { status: "pending" };
const row = z.record(z.string(), z.unknown());
const resultShape = z.union([row, z.array(row), z.null()]).transform((answered): CollectorResult => {
  if (answered === null) return PENDING;
  if (Array.isArray(answered)) return { status: "ready", rows: answered };
  return answered.pending === true && !("input" in answered) ? PENDING : { status: "ready", rows: [answered] };
});

// The answer may need its time after the service has stopped waiting.
const MARGIN_SECONDS = 15;

/**
 * Runs a collector for one input, at once, and answers the id of the run. `POST /dca/trigger_immediate?collector=`.
 *
 * It costs money, every time, and is not sent again when its outcome is not known.
 *
 * @param collector its id, such as `c_l1vikfnt1wgvvqz95w`
 */
export const triggerImmediate = (collector: string, input: JsonObject, options?: CallOptions): Operation<string> => {
  if (!isObject(input)) throw new ArgumentError("The input of a collector is one object, not a list.");
  return json(field("response_id", z.string()), {
    operation: `run collector ${JSON.stringify(collector)}`,
    request: "POST /dca/trigger_immediate",
    query: { collector },
    body: input,
    mayBePending: true,
    ...options,
  });
};

/**
 * Reads the result of a collector's run, if there is one yet. `GET /dca/get_result?response_id=`. The service keeps it for
 * a week.
 *
 * @throws {NotFoundError} when there is no such run
 *
 * @example
 * const result = await client.collector.getResult(id, { wait: 25 });
 * if (result.status === "ready") console.log(result.rows);
 */
export const getResult = (responseId: string, options: ResultOptions = {}): Operation<CollectorResult> => {
  const { wait, ...callOptions } = options;
  if (wait !== undefined && !(Number.isInteger(wait) && wait >= 25 && wait <= 50)) {
    throw new ArgumentError(`\`wait\` is ${wait}: expected whole seconds from 25 to 50.`);
  }
  const call: Call = {
    operation: `read the result of run ${JSON.stringify(responseId)}`,
    request: "GET /dca/get_result",
    query: { response_id: responseId, timeout: wait === undefined ? undefined : `${wait}s` },
    ...(wait === undefined ? {} : { leastTimeout: wait + MARGIN_SECONDS }),
    mayBePending: true,
    mostBytes: MUCH_DATA_BYTES,
    ...callOptions,
  };
  return async (transport) => {
    const reply = await transport.send(call, { ...ANYTHING, mayHaveError: true });
    // Each of these ways to say that there is nothing yet has been seen.
    if (reply.status === 202 || reply.text.trim() === "") return PENDING;
    return transport.read(call, reply, resultShape, "digits");
  };
};
