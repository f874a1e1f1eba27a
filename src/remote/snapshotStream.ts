import { z } from "zod";
import { counted, grouped } from "../base/counted";
import { BrightDataError, type RequestContext, ResponseFormatError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { bounded, MUCH_DATA_BYTES, tooLong } from "../http/bounded";
import type { Call } from "../http/call";
import { readJson } from "../http/json";
import { LineTooLongError, linesOf, NotUtf8Error } from "../http/lines";
import type { StreamReply } from "../http/reply";
import { isPage } from "../http/success";
import type { Transport } from "../http/transport";
import { RECORD_LIMIT } from "../model/recordLimit";
import { CollectionFailedError } from "./collectionErrors";
import { RecordTooLargeError } from "./snapshotErrors";

/** What comes of a snapshot, as the service writes it. */
export async function* pieces(transport: Transport, call: Call, body: StreamReply["body"]): AsyncGenerator<Uint8Array> {
  let begun = false;
  try {
    for await (const piece of unlessFailed(body, transport, call)) {
      if (!begun && isPage(Buffer.from(piece).toString("latin1"))) {
        throw new ResponseFormatError(transport.context(call), "an HTML page instead of records");
      }
      begun = true;
      yield piece;
    }
  } catch (error) {
    throw brokenOff(transport, call, error, "on the way");
  } finally {
    leave(body);
  }
}

/** The first records of a snapshot that comes as NDJSON, and no more of it than that. */
export async function firstRecords(
  transport: Transport,
  call: Call,
  body: StreamReply["body"],
  limit: number,
): Promise<JsonObject[]> {
  const context = transport.context(call);
  const tooMuch = () => new ResponseFormatError(context, tooLong(MUCH_DATA_BYTES));
  const found: JsonObject[] = [];
  try {
    const answered = unlessFailed(bounded(body, MUCH_DATA_BYTES, tooMuch), transport, call);
    for await (const line of linesOf(answered, RECORD_LIMIT)) {
      for (const record of recordsIn(line, context, found.length)) found.push(record);
      if (found.length >= limit) return found.slice(0, limit);
    }
    return found;
  } catch (error) {
    if (error instanceof LineTooLongError) throw tooLarge(context, found.length);
    if (error instanceof NotUtf8Error)
      throw new ResponseFormatError(
        context,
        `what comes after ${counted(found.length, "record")} is text that is not UTF-8`,
      );
    throw brokenOff(transport, call, error, `after ${counted(found.length, "record")}`);
  } finally {
    leave(body);
  }
}

/** What is left of an answer may be gigabytes. */
const leave = (body: StreamReply["body"]): unknown => body.on("error", () => {}).destroy();

/** More than the words in which the service says that a collection has failed. */
const LONGEST_FAILURE = 16_384;

const failureShape = z.strictObject({
  status: z.literal("failed"),
  error_message: z.string(),
  snapshot_id: z.string().optional(),
  dataset_id: z.string().optional(),
});

/** Nothing but an error. A record that tells of one has other fields, too. */
const errorShape = z.strictObject({ error: z.union([z.string(), z.looseObject({})]) });

/** What comes, unless that is, with status 200, no records but an error, or the progress of a collection that has failed. */
async function* unlessFailed(
  body: AsyncIterable<Uint8Array>,
  transport: Transport,
  call: Call,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = Buffer.alloc(0);
  let isHolding = true;
  for await (const piece of body) {
    if (isHolding) {
      held = Buffer.concat([held, piece]);
      isHolding = held.length <= LONGEST_FAILURE && (held.length === 0 || held[0] === OPENING_BRACE);
      if (!isHolding) yield held;
    } else yield piece;
  }
  if (!isHolding) return;
  const text = Buffer.from(held).toString();
  const { value } = readJson(text);
  if (errorShape.safeParse(value).success) throw transport.refusal(call, { status: 200, headers: {}, text });
  const failure = failureShape.safeParse(value).data;
  if (failure !== undefined) throw new CollectionFailedError(transport.context(call), failure.error_message);
  yield held;
}

const OPENING_BRACE = 0x7b;

function brokenOff(transport: Transport, call: Call, error: unknown, where: string): unknown {
  if (error instanceof BrightDataError) return error;
  if (call.signal?.aborted) return call.signal.reason;
  return transport.connectionError(call, error, where);
}

const tooLarge = (context: RequestContext, before: number): RecordTooLargeError =>
  new RecordTooLargeError(
    context,
    `the record after the first ${grouped(before)}`,
    RECORD_LIMIT,
    "Download the snapshot to a file (`downloadSnapshot`, or the command `pulumi-brightdata download`), where larger records can be allowed.",
  );

/** The record of a line, or the records, where a service that knows no NDJSON answers a JSON array. */
function recordsIn(line: string, context: RequestContext, before: number): JsonObject[] {
  if (line.trim() === "") return [];
  const place = `what comes after ${counted(before, "record")}`;
  const json = readJson(line, "digits");
  if (json.problem !== undefined) throw new ResponseFormatError(context, `${place} is ${json.problem}`);
  const values: unknown[] = Array.isArray(json.value) ? json.value : [json.value];
  if (values.every(isObject)) return values;
  throw new ResponseFormatError(context, `${place} is not a record`);
}
