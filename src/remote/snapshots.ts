import { z } from "zod";
import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { MUCH_DATA_BYTES } from "../http/bounded";
import type { Call, CallOptions } from "../http/call";
import { camel } from "../http/camel";
import { meaning } from "../http/meaning";
import { json, type Operation } from "../http/operation";
import { field, optional, orElse, present } from "../http/optional";
import { ANYTHING } from "../http/success";
import type { SnapshotFilter, SnapshotForm, SnapshotProgress, SnapshotSummary } from "../model/snapshot";
import { DATASET_MEANINGS, datasetRefusal } from "./datasetRefusal";
import { segment } from "./names";
import { orWhyNever } from "./neverReady";
import { SnapshotNotFoundError } from "./snapshotErrors";
import { firstRecords, pieces } from "./snapshotStream";

/** How much of a snapshot to read. */
export interface RecordsOptions extends CallOptions {
  /** The most records to read; the rest is left with the service. */
  limit: number;
}

const trigger = optional(z.looseObject({ type: optional(z.string()) }));
const summaryShape = camel({
  id: z.string(),
  dataset_id: optional(z.string()),
  status: z.string(),
  created: optional(z.string()),
  dataset_size: optional(z.number()),
  trigger,
}).transform(
  ({ id: snapshotId, datasetSize: size, trigger, ...told }): SnapshotSummary =>
    present({ snapshotId, ...told, size, triggerType: trigger?.type }),
);
const listShape = orElse(z.array(summaryShape), []);

const progressShape = camel({
  snapshot_id: optional(z.string()),
  dataset_id: optional(z.string()),
  status: z.string(),
  error_message: optional(z.string()),
});

/**
 * Lists the snapshots of a dataset. `GET /datasets/v3/snapshots?dataset_id=`.
 *
 * @throws {ValidationError} for a filter that the service does not take
 */
export const list = (filter: SnapshotFilter, options?: CallOptions): Operation<SnapshotSummary[]> =>
  json(listShape, {
    operation: `list the snapshots of dataset ${JSON.stringify(filter.datasetId)}`,
    request: "GET /datasets/v3/snapshots",
    query: {
      dataset_id: filter.datasetId,
      status: filter.status,
      skip: filter.skip,
      limit: filter.limit,
      from_date: filter.fromDate,
      to_date: filter.toDate,
      trigger_type: filter.triggerType,
    },
    onRefusal: datasetRefusal,
    ...options,
  });

/**
 * Tells how far a snapshot has come. `GET /datasets/v3/progress/{snapshot_id}`.
 *
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 */
export const progress = (id: string, options?: CallOptions): Operation<SnapshotProgress> =>
  json(
    progressShape.transform((told): SnapshotProgress => ({ snapshotId: id, ...told })),
    {
      operation: `read the progress of snapshot ${JSON.stringify(id)}`,
      request: `GET /datasets/v3/progress/${snapshotSegment(id)}`,
      onRefusal: snapshotRefusal(id),
      ...options,
    },
  );

/**
 * Reads the first records of a snapshot, and no more of it than that.
 * `GET /datasets/v3/snapshot/{snapshot_id}?format=ndjson`.
 *
 * @throws {SnapshotNotReadyError} while it is being made, even for a moment after the progress says `ready`
 * @throws {SnapshotExpiredError} when the service no longer has it
 * @throws {SnapshotEmptyError} when it has no records
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 * @throws {CollectionFailedError} when the collection has failed
 * @throws {RecordTooLargeError} when one has more than 64 MiB
 * @throws {ConnectionError} when the answer breaks off: a part of the records is not passed off as all of them
 * @throws {ResponseFormatError} when the records have more than 256 MiB: download the snapshot then
 */
export const records = (id: string, options: RecordsOptions): Operation<JsonObject[]> => {
  const { limit, ...callOptions } = options;
  if (!Number.isInteger(limit) || limit < 1) {
    throw new ArgumentError(`The number of records to read is ${limit}: expected a whole number from 1 on.`);
  }
  const call = downloadCall(id, { format: "ndjson" }, callOptions);
  return async (transport) => {
    const { body } = await transport.stream(call);
    return firstRecords(transport, call, body, limit);
  };
};

export const formQuery = ({ format, compress, batchSize }: SnapshotForm) => ({
  format,
  compress,
  batch_size: batchSize,
});

/**
 * Tells in how many parts a snapshot comes. `GET /datasets/v3/snapshot/{snapshot_id}/parts`, and where it is not ready
 * `GET /datasets/v3/progress/{snapshot_id}`.
 *
 * @throws {SnapshotNotReadyError} while it is being made
 * @throws {CollectionFailedError} when the collection has failed
 * @throws {ValidationError} {@link BatchTooSmallError} for a form that the service does not take
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 */
export const parts = (id: string, form: SnapshotForm = {}, options?: CallOptions): Operation<number> =>
  orWhyNever(
    json(field("parts", z.number()), {
      operation: `count the parts of snapshot ${JSON.stringify(id)}`,
      request: `GET /datasets/v3/snapshot/${snapshotSegment(id)}/parts`,
      query: formQuery(form),
      onRefusal: snapshotRefusal(id),
      ...options,
    }),
    progress(id, options),
  );

/**
 * Reads what a collection was started with, as CSV text with a header line.
 * `GET /datasets/v3/snapshot/{snapshot_id}/input`.
 *
 * @throws {SnapshotInputMissingError} when the service has not kept it
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 */
export const input =
  (id: string, options?: CallOptions): Operation<string> =>
  async (transport) => {
    const call: Call = {
      operation: `read the input of snapshot ${JSON.stringify(id)}`,
      request: `GET /datasets/v3/snapshot/${snapshotSegment(id)}/input`,
      mostBytes: MUCH_DATA_BYTES,
      onRefusal: snapshotRefusal(id),
      ...options,
    };
    return (await transport.send(call, ANYTHING)).text;
  };

/** Which part of a snapshot to download. */
export interface SnapshotPart extends SnapshotForm {
  /** From 1 on; needs `batchSize`. Default: the whole. */
  part?: number | undefined;
}

/**
 * Downloads a snapshot, or a part of it, as the service writes it. Read all of it, or leave the loop: what is not read
 * stays with the service. `GET /datasets/v3/snapshot/{snapshot_id}?format=&compress=&batch_size=&part=`.
 *
 * @throws {SnapshotNotReadyError} {@link SnapshotExpiredError} {@link SnapshotEmptyError} {@link SnapshotNotFoundError} for
 *   the snapshot
 * @throws {ValidationError} {@link BatchTooSmallError} for the form
 * @throws {CollectionFailedError} while it is read, when the collection has failed
 * @throws {ConnectionError} while it is read, when the answer breaks off
 */
export const download =
  (id: string, part: SnapshotPart = {}, options?: CallOptions): Operation<AsyncIterable<Uint8Array>> =>
  async (transport) => {
    const call = downloadCall(id, { ...formQuery(part), part: part.part }, options);
    const { body } = await transport.stream(call);
    return pieces(transport, call, body);
  };

const downloadCall = (id: string, query: NonNullable<Call["query"]>, options: CallOptions | undefined): Call => ({
  operation: `download snapshot ${JSON.stringify(id)}`,
  request: `GET /datasets/v3/snapshot/${snapshotSegment(id)}`,
  query,
  onRefusal: snapshotRefusal(id),
  ...options,
});

/** What a refusal of a call about one snapshot means. */
export const snapshotRefusal = (id: string) => (id.startsWith("snap_") ? marketplaceRefusal : datasetRefusal);

const marketplaceRefusal = meaning(
  {
    statuses: [404],
    error: SnapshotNotFoundError,
    remedy: "The id is one of a snapshot of the dataset marketplace; those of collections begin with `s_`.",
  },
  ...DATASET_MEANINGS,
);

export const snapshotSegment = (id: string): string => segment(id, "The snapshot's id", "s_m4x7enmven8djfqak");

/** What the service has noted about a collection. */
export interface SnapshotLog {
  snapshotId: string;
  status: string;
  datasetId?: string;
  datasetName?: string;
  scraperName?: string;
  /** ISO 8601. */
  created?: string;
  /** Number of records. */
  size?: number;
  /** Of the records, in bytes. */
  fileSize?: number;
  /** Number of inputs. */
  inputs?: number;
  /** What started the collection: `API`, or `CP` for the control panel. */
  triggerType?: string;
  /** The service does not say in which unit. */
  duration?: number;
  /** Share of the inputs that were collected, from 0 to 1. */
  successRate?: number;
}

const logShape = z
  // The service documents some names in lower case and with a capital: `status` and `Status`.
  .record(z.string(), z.unknown())
  .transform((fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])))
  .pipe(
    camel({
      id: optional(z.string()),
      status: z.string(),
      dataset_id: optional(z.string()),
      dataset_name: optional(z.string()),
      scraper_name: optional(z.string()),
      created: optional(z.string()),
      dataset_size: optional(z.number()),
      file_size: optional(z.number()),
      inputs_count: optional(z.number()),
      trigger,
      duration: optional(z.number()),
      success_rate: optional(z.number()),
    }),
  );

/**
 * Reads what the service has noted about a collection. `GET /datasets/v3/log/{snapshot_id}`.
 *
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 *
 * @example
 * const { status, successRate } = await client.snapshots.log("s_m4x7enmven8djfqak");
 */
export const log = (id: string, options?: CallOptions): Operation<SnapshotLog> =>
  json(
    logShape.transform(
      ({ id: snapshotId = id, datasetSize: size, inputsCount: inputs, trigger, ...noted }): SnapshotLog => ({
        snapshotId,
        ...noted,
        ...present({ size, inputs, triggerType: trigger?.type }),
      }),
    ),
    {
      operation: `read the log of snapshot ${JSON.stringify(id)}`,
      request: `GET /datasets/v3/log/${snapshotSegment(id)}`,
      onRefusal: snapshotRefusal(id),
      ...options,
    },
  );
