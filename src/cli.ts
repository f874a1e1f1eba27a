#!/usr/bin/env node
import { constants } from "node:os";
import { parseArgs } from "node:util";
import { type DownloadProgress, downloadSnapshot } from "./download/download";
import type { SnapshotFormat } from "./model/snapshot";
import { RemoteClient } from "./remote/client";
import { SnapshotNotReadyError } from "./remote/snapshotErrors";
import { connected } from "./settings/connections";
import { readSettings } from "./settings/settings";

const USAGE = `Usage: pulumi-brightdata download <snapshot-id> --to <file> [options]

Downloads a snapshot of a dataset collection to a file, whatever its size.

  --to <file>            the file; until it is complete there is <file>.partial beside it
  --format <format>      json (default), ndjson, jsonl or csv
  --compress             compress by gzip, on the way and in the file
  --batch-size <number>  download in parts of so many records, 1000 or more: a download
                         that breaks off goes on where it was when it is started again
  --max-record-bytes <number>
                         the largest record to accept; default 67108864 (64 MiB)
  --overwrite            replace the file if it is there already
  --account <name>       the account of that name among BRIGHTDATA_ACCOUNTS
  --help                 show this text

Settings come from the environment: BRIGHTDATA_API_TOKEN (required without --account),
BRIGHTDATA_BASE_URL, BRIGHTDATA_ACCOUNTS, BRIGHTDATA_REQUEST_TIMEOUT, BRIGHTDATA_RETRIES,
BRIGHTDATA_REQUESTS_PER_MINUTE, BRIGHTDATA_LOG.

Exit status: 0 done, 1 failed, 2 called wrongly, 3 the snapshot is not ready yet.
`;

const FAILED = 1;
const MISUSE = 2;
const NOT_READY = 3;
/** Added to the number of a signal, as shells do. */
const SIGNALLED = 128;

const FORMATS: readonly SnapshotFormat[] = ["json", "ndjson", "jsonl", "csv"];

class Misuse extends Error {}

/** The command was told to stop. */
class Interrupted extends Error {
  constructor(
    readonly signal: "SIGINT" | "SIGTERM",
    hasParts: boolean,
  ) {
    super(
      `Interrupted. ${hasParts ? "Parts that are complete are kept for the next time." : "Nothing is kept for the next time: that takes --batch-size."}`,
    );
  }
}

interface Arguments {
  snapshotId: string;
  to: string;
  format: SnapshotFormat;
  compress: boolean;
  overwrite: boolean;
  account: string | undefined;
  batchSize: number | undefined;
  maxRecordBytes: number | undefined;
}

/** What to download; `undefined` when help is asked for. */
function readArguments(): Arguments | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: "string" },
      format: { type: "string", default: "json" },
      compress: { type: "boolean", default: false },
      "batch-size": { type: "string" },
      "max-record-bytes": { type: "string" },
      overwrite: { type: "boolean", default: false },
      account: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const [command, snapshotId, ...more] = positionals;
  if (command !== "download") throw new Misuse(command === undefined ? "No command." : `No such command: ${command}.`);
  if (snapshotId === undefined) throw new Misuse("Which snapshot? Its id is missing.");
  if (more.length > 0) throw new Misuse(`One snapshot at a time, not also ${more.join(" ")}.`);
  if (values.to === undefined || values.to === "") throw new Misuse("Where to? --to is missing.");
  const format = FORMATS.find((known) => known === values.format);
  if (format === undefined) throw new Misuse(`--format takes ${FORMATS.join(", ")}, not "${values.format}".`);
  return {
    snapshotId,
    to: values.to,
    format,
    compress: values.compress,
    overwrite: values.overwrite,
    account: values.account,
    batchSize: wholeNumber(values["batch-size"], "--batch-size", "records"),
    maxRecordBytes: wholeNumber(values["max-record-bytes"], "--max-record-bytes", "bytes"),
  };
}

function wholeNumber(text: string | undefined, option: string, unit: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Misuse(`${option} takes a number of ${unit}, not "${text}".`);
  return Number(text);
}

function progressLine({ partsDone, parts, records, expectedRecords, bytes }: DownloadProgress): string {
  const all = expectedRecords === undefined ? "" : ` of ${expectedRecords}`;
  return `${partsDone} of ${parts} parts, ${records}${all} records, ${megabytes(bytes)} MB`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

async function main(): Promise<void> {
  const args = readArguments();
  if (args === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort(new Interrupted(signal, args.batchSize !== undefined)));
  }
  const { account, ...download } = args;
  const settings = readSettings(() => undefined);
  const client = new RemoteClient(connected(settings, { account }));
  const onProgress = (progress: DownloadProgress): void => void process.stderr.write(`${progressLine(progress)}\n`);
  const { file, records, bytes, resumedParts } = await downloadSnapshot(
    client,
    { ...download, onProgress },
    { signal: stop.signal },
  );
  const resumed = resumedParts > 0 ? `, ${resumedParts} parts of an earlier download kept` : "";
  process.stderr.write(`Done: ${records} records, ${megabytes(bytes)} MB${resumed}\n`);
  process.stdout.write(`${file}\n`);
}

function exitCode(error: unknown): number {
  if (error instanceof Misuse || isParseError(error)) return MISUSE;
  if (error instanceof SnapshotNotReadyError) return NOT_READY;
  return error instanceof Interrupted ? SIGNALLED + constants.signals[error.signal] : FAILED;
}

const isParseError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

main().catch((error: unknown) => {
  process.exitCode = exitCode(error);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.exitCode === MISUSE) process.stderr.write(`\n${USAGE}`);
});
