import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gzipSync } from "node:zlib";
import { isError } from "../base/cause";
import { isFolder, isPlainOrFree } from "../base/disk";
import { ArgumentError, ConnectionError, ResponseFormatError } from "../base/errors";
import { requireArguments } from "../declaration/arguments";
import type { CallOptions } from "../http/call";
import { pause } from "../http/pause";
import { backoffSeconds } from "../http/retry";
import { checkedRecordLimit } from "../model/recordLimit";
import { ENDED_BADLY, type SnapshotFormat, snapshotForm } from "../model/snapshot";
import { contextOf, malformed, shortfall } from "../remote/badSnapshot";
import type { RemoteClient } from "../remote/client";
import { CollectionFailedError } from "../remote/collectionErrors";
import { lineOf } from "../remote/snapshotList";
import { BlockHash } from "./blockHash";
import { BlockWriter } from "./blockWriter";
import { isMalformed, tooLarge, unwritable } from "./failures";
import { lockFor } from "./fileLock";
import { endOf, Joiner } from "./joiner";
import { type DonePart, DownloadJournal } from "./journal";
import { PartFile } from "./partFile";
import { type Layout, OversizedRecordError } from "./recordReader";

/** What to download, and where to. */
export interface DownloadArgs {
  /** Id of the snapshot, such as `s_m4x7enmven8djfqak`. */
  snapshotId: string;
  /**
   * The file that it becomes. Until it is complete there is `<to>.partial` beside it, in parts also `<to>.partial.json`; while it
   * runs `<to>.partial.lock`, which keeps other downloads from the file.
   */
  to: string;
  /** Default `json`: an array. `ndjson` and `jsonl` are the same: a record a line. */
  format?: SnapshotFormat | undefined;
  /** Whether it is compressed by gzip, on the way and in the file. Default no. */
  compress?: boolean | undefined;
  /**
   * Records a part, from 1000 on. A download in parts goes on where it broke off, even in another process; without parts it
   * begins anew. Default: the whole in one part, which the service allows up to 5 GB.
   */
  batchSize?: number | undefined;
  /** Bytes that a record may have, at most. Default 67108864, which is 64 MiB. */
  maxRecordBytes?: number | undefined;
  /** Whether a file that is there already may be replaced, and what another download of it has left. Default no. */
  overwrite?: boolean | undefined;
  /** Told of what has been done: after each part, and several times in a big one. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** How far a download has come. */
export interface DownloadProgress {
  /** Parts that are complete. */
  partsDone: number;
  parts: number;
  /** Records that have been written, those of the part that is being read included. */
  records: number;
  /** How many there are, where the list of snapshots tells. */
  expectedRecords?: number;
  /** Bytes that have been written. */
  bytes: number;
}

/** A download that is complete. */
export interface Download {
  /** The file, as an absolute path. */
  file: string;
  bytes: number;
  records: number;
  parts: number;
  /** Parts that an earlier download had left. */
  resumedParts: number;
}

const TRIES = 4;
const BYTES_BETWEEN_REPORTS = 8 * 1024 * 1024;
/** Bytes of the pieces that gzip makes and takes. */
const chunkSize = 64 * 1024;

/**
 * Downloads a snapshot to a file, whatever its size: part by part where `batchSize` is given, with as little memory for
 * gigabytes as for kilobytes. The parts are joined to one valid file: one JSON array, one line of names in CSV. What the
 * file's name stands for is complete or not there at all; what records have to look like is checked on the way:
 * of JSON, that each begins and ends as a value does; what is between is kept as the service wrote it.
 *
 * `GET /datasets/v3/progress/{snapshot_id}`, `…/snapshots`, `…/snapshot/{snapshot_id}/parts` and
 * `…/snapshot/{snapshot_id}?part=`.
 *
 * @throws {ArgumentError} for a format that there is not; when the file is there already, cannot be written, is being downloaded
 *   by somebody else, or has parts of another download
 * @throws {CollectionFailedError} when the collection has failed or was canceled
 * @throws {SnapshotNotReadyError} {@link SnapshotExpiredError} {@link SnapshotEmptyError} {@link SnapshotNotFoundError}
 * @throws {RecordTooLargeError} when a record has more than `maxRecordBytes`
 * @throws {ConnectionError} when a part breaks off time and again; called once more, it goes on with that part
 * @throws {ResponseFormatError} when what comes is not in the format, or has fewer records than the list of snapshots tells
 *
 * @example
 * await downloadSnapshot(client, { snapshotId: "s_m4x7enmven8djfqak", to: "pages.ndjson", format: "ndjson", batchSize: 10_000 });
 */
export async function downloadSnapshot(
  client: RemoteClient,
  args: DownloadArgs,
  options: CallOptions = {},
): Promise<Download> {
  requireArguments("downloadSnapshot", ["snapshotId", "to"], args);
  requireFormat(args.format);
  const limit = checkedRecordLimit(args.maxRecordBytes);
  const file = resolve(args.to);
  if (args.to.endsWith("/") || args.to.endsWith(sep)) throw folder(file);
  const release = await lockFor(file);
  try {
    return await downloadTo(file, client, args, limit, options);
  } catch (error) {
    // Those of the network are told of as such by the client.
    throw isError(error) && "syscall" in error ? unwritable(file, error) : error;
  } finally {
    await release();
  }
}

async function downloadTo(
  file: string,
  client: RemoteClient,
  args: DownloadArgs,
  limit: number,
  options: CallOptions,
): Promise<Download> {
  const { snapshotId, format = "json", compress = false, batchSize, overwrite = false } = args;
  refuseExisting(file, overwrite);
  const expectedRecords = await expectedCount(client, snapshotId, options);
  // An array's records come a line each, and its brackets are written here.
  const form = { format: format === "csv" ? format : "ndjson", compress, batchSize } as const;
  // A snapshot without records has no parts: asking for the first lets the service say so.
  const parts = batchSize === undefined ? 1 : Math.max(1, await client.snapshots.parts(snapshotId, form, options));
  const plan = { snapshotId, format, compress, batchSize: batchSize ?? null, parts };
  const journal = new DownloadJournal(`${file}.partial.json`, plan);
  if (!overwrite && existsSync(`${file}.partial`)) await journal.requireSame(`${file}.partial`);
  const partial = await PartFile.open(`${file}.partial`);
  let isVerified = false;
  try {
    await journal.resume(partial.data, options.signal);
    isVerified = true;
    const resumedParts = journal.done.length;
    const job = {
      client,
      options,
      partial,
      journal,
      snapshotId,
      format,
      form,
      limit,
      parts,
      expectedRecords,
      onProgress: args.onProgress,
    };
    while (journal.done.length < parts) await addPart(job);
    const { records } = journal;
    const short = shortfall(records, expectedRecords);
    if (short !== undefined) {
      journal.clear();
      throw malformed(snapshotId, short);
    }
    const bytes = journal.bytes + (await finish(job));
    await partial.sync();
    refuseExisting(file, overwrite);
    await partial.publish(file, bytes);
    await journal.remove();
    return { file, bytes, records, parts, resumedParts };
  } finally {
    await partial.close();
    // Without a complete part there is nothing to go on with, unless nobody knows yet.
    const isOfNoUse = !journal.isKept || (isVerified && journal.done.length === 0);
    if (isOfNoUse) await Promise.all([partial.remove(), journal.remove()]);
  }
}

interface DownloadJob {
  client: RemoteClient;
  options: CallOptions;
  partial: PartFile;
  journal: DownloadJournal;
  snapshotId: string;
  /** Of the file. */
  format: SnapshotFormat;
  /** Of the service's answers. */
  form: { format: Layout; compress: boolean; batchSize: number | undefined };
  /** Bytes that a record may have. */
  limit: number;
  parts: number;
  expectedRecords: number | undefined;
  onProgress: DownloadArgs["onProgress"];
}

/** Appends the next part, from its beginning each time that it breaks off. */
async function addPart(job: DownloadJob): Promise<void> {
  const { journal, options, partial } = job;
  for (let tries = 1; ; tries++) {
    try {
      const part = await writePart(job);
      // The journal must not run ahead of the data.
      await partial.sync();
      await journal.add(part);
      report(job, 0, 0);
      return;
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (!isBrokenPart(error) || tries === TRIES) throw error;
      await pause(backoffSeconds(tries, Math.random()) * 1000, options.signal);
    }
  }
}

const isBrokenPart = (error: unknown): boolean =>
  (error instanceof ConnectionError && !error.settled) || error instanceof ResponseFormatError;

async function writePart(job: DownloadJob): Promise<DonePart> {
  const { client, options, partial, journal, snapshotId, form, limit } = job;
  const start = journal.bytes;
  const part = journal.done.length + 1;
  await partial.cut(start);
  const joiner = new Joiner(job);
  const pieces = await client.snapshots.download(
    snapshotId,
    form.batchSize === undefined ? form : { ...form, part },
    options,
  );
  const hash = journal.isKept ? new BlockHash() : undefined;
  const writer = new BlockWriter(partial, start, hash);
  let reported = 0;
  const write = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) {
      await writer.write(piece);
      if (writer.bytes - reported < BYTES_BETWEEN_REPORTS) continue;
      reported = writer.bytes;
      report(job, writer.bytes, joiner.records);
    }
  };
  const join = (source: AsyncIterable<Uint8Array>) => joiner.join(source);
  const limits = options.signal === undefined ? {} : { signal: options.signal };
  try {
    // Unpacked to be checked, and packed again: the parts of a JSON array or of a CSV file have to be joined.
    await (form.compress
      ? pipeline(pieces, createGunzip({ chunkSize }), join, copies, createGzip({ chunkSize }), write, limits)
      : pipeline(pieces, join, write, limits));
    await writer.end();
    journal.header ??= joiner.header;
    return { bytes: writer.bytes, records: joiner.records, hash: hash?.end() };
  } catch (error) {
    if (error instanceof OversizedRecordError) throw tooLarge(snapshotId, part, limit);
    throw isMalformed(error) ? malformed(snapshotId, `part ${part} is broken: ${error.message}`) : error;
  } finally {
    await writer.settle();
  }
}

/** What is packed may wait for its turn while the next piece is made in its place; of a large one, as little as possible. */
async function* copies(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; from += chunkSize)
      yield Buffer.from(piece.subarray(from, from + chunkSize));
  }
}

/** Writes what comes behind the last part; how many bytes that was. */
async function finish({ partial, journal, format, form }: DownloadJob): Promise<number> {
  const text = endOf(format, journal.records);
  // Files packed by gzip can be put one behind the other.
  const end = form.compress && text.length > 0 ? gzipSync(text) : text;
  await partial.cut(journal.bytes);
  await partial.write(end, journal.bytes);
  return end.length;
}

function report({ journal, parts, expectedRecords, onProgress }: DownloadJob, bytes: number, records: number): void {
  onProgress?.({
    partsDone: journal.done.length,
    parts,
    records: journal.records + records,
    ...(expectedRecords === undefined ? {} : { expectedRecords }),
    bytes: journal.bytes + bytes,
  });
}

/** How many records there should be, where the service says so: only the list of snapshots does. */
async function expectedCount(client: RemoteClient, id: string, options: CallOptions): Promise<number | undefined> {
  const { status, errorMessage, datasetId } = await client.snapshots.progress(id, options);
  if (ENDED_BADLY.includes(status)) throw new CollectionFailedError(contextOf(id), errorMessage ?? status);
  return status === "ready" ? (await lineOf(client, { datasetId, snapshotId: id }, options))?.size : undefined;
}

/** The service hears only of NDJSON and CSV, and could not refuse it. */
function requireFormat(format: string = snapshotForm.format.default): void {
  const formats: readonly string[] = snapshotForm.format.oneOf;
  if (formats.includes(format)) return;
  throw new ArgumentError(`format is ${JSON.stringify(format)}: expected one of ${formats.join(", ")}.`);
}

function refuseExisting(file: string, overwrite: boolean): void {
  if (isFolder(file)) throw folder(file);
  if (!isPlainOrFree(file)) throw new ArgumentError(`${file} is a link, a pipe or a device: name a plain file.`);
  if (!overwrite && existsSync(file))
    throw new ArgumentError(
      `${file} is there already. Allow it to be replaced with \`overwrite\` (--overwrite), or name another.`,
    );
}

const folder = (path: string): ArgumentError => new ArgumentError(`${path} is a folder: name the file to download to.`);
