import { z } from "zod";
import { ArgumentError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { MUCH_DATA_BYTES } from "../http/bounded";
import { ANYTHING } from "../http/success";
import type { Call, CallOptions, Transport } from "../http/transport";

/** What a run of a collector has yielded: nothing yet, or its rows. Each row carries its `input`. */
export type CollectorResult = { status: "pending" } | { status: "ready"; rows: JsonObject[] };

/** How to read a result. */
export interface ResultOptions extends CallOptions {
  /** Seconds, whole and from 25 to 50, that the service may take to answer when there is no result yet. Default: it answers at once. */
  wait?: number | undefined;
}

const startedShape = z.looseObject({ response_id: z.string() });
const resultShape = z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())), z.null()]);

// The answer may need its time after the service has stopped waiting.
const MARGIN_SECONDS = 15;

/**
 * Runs a collector for one input, at once, and answers the id of the run. `POST /dca/trigger_immediate?collector=`.
 *
 * It costs money, every time, and is not sent again when its outcome is not known.
 *
 * @param collector its id, such as `c_l1vikfnt1wgvvqz95w`
 */
export async function triggerImmediate(
  transport: Transport,
  collector: string,
  input: JsonObject,
  options: CallOptions = {},
): Promise<string> {
  if (!isObject(input)) throw new ArgumentError("The input of a collector is one object, not a list.");
  const call: Call = {
    operation: `run collector ${JSON.stringify(collector)}`,
    method: "POST",
    path: "/dca/trigger_immediate",
    query: { collector },
    body: input,
    mayBePending: true,
    ...options,
  };
  return (await transport.json(call, startedShape)).response_id;
}

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
export async function getResult(
  transport: Transport,
  responseId: string,
  options: ResultOptions = {},
): Promise<CollectorResult> {
  const { wait, ...callOptions } = options;
  if (wait !== undefined && !(Number.isInteger(wait) && wait >= 25 && wait <= 50)) {
    throw new ArgumentError(`\`wait\` is ${wait}: expected whole seconds from 25 to 50.`);
  }
  const call: Call = {
    operation: `read the result of run ${JSON.stringify(responseId)}`,
    method: "GET",
    path: "/dca/get_result",
    query: { response_id: responseId, timeout: wait === undefined ? undefined : `${wait}s` },
    ...(wait === undefined ? {} : { timeout: wait + MARGIN_SECONDS }),
    mayBePending: true,
    mostBytes: MUCH_DATA_BYTES,
    ...callOptions,
  };
  const reply = await transport.send(call, ANYTHING);
  // Each of these ways to say that there is nothing yet has been seen.
  if (reply.status === 202 || reply.text.trim() === "") return { status: "pending" };
  const answered = transport.read(call, reply, resultShape);
  if (answered === null) return { status: "pending" };
  if (Array.isArray(answered)) return { status: "ready", rows: answered };
  return answered.pending === true && !("input" in answered)
    ? { status: "pending" }
    : { status: "ready", rows: [answered] };
}
