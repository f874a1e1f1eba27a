import { counted } from "../../base/counted";
import { type DownloadProgress, downloadSnapshot } from "../../download/download";
import type { SnapshotFormat } from "../../model/snapshot";
import { RemoteClient } from "../../remote/client";
import { SnapshotNotReadyError } from "../../remote/snapshotErrors";
import { connected, unknownConnection } from "../../settings/connections";
import { readSettings } from "../../settings/settings";
import { type Command, type Given, Interrupted, Misuse, type Options, oneOf } from "./command";
import { Progress, progressMode } from "./progress";
import { configurationOf } from "./stack";

const NOT_READY = 3;

const FORMATS: readonly SnapshotFormat[] = ["json", "ndjson", "jsonl", "csv"];

const OPTIONS = {
  to: { value: "file", says: "the file; until it is complete there is <file>.partial beside it" },
  format: { value: "format", says: "json (default), ndjson, jsonl or csv" },
  compress: { says: "compress by gzip, on the way and in the file" },
  "batch-size": {
    value: "number",
    says: "download in parts of so many records, 1000 or more: a download that breaks off goes on where it was when it is started again",
  },
  "max-record-bytes": { value: "number", says: "the largest record to accept; default 67108864 (64 MiB)" },
  overwrite: { says: "replace the file, or parts of another download" },
  stack: { value: "name", says: "with the configuration of this stack" },
  account: { value: "name", says: "the account of that name in the settings" },
  quiet: { says: "show no progress" },
} as const satisfies Options;

export const download: Command<typeof OPTIONS> = {
  name: "download",
  usage: "<snapshot-id> --to <file> [options]",
  says: "Downloads a snapshot of a dataset collection to a file, whatever its size.",
  options: OPTIONS,
  notes: `Settings come from the environment and, with --stack, from the stack's configuration.

Exit status: 0 done, 1 failed, 2 called wrongly, 3 the snapshot is not ready yet.
`,

  async run(given) {
    const wanted = wantedBy(given);
    const { account, stack, quiet: isQuiet = false } = given.options;
    const stop = new AbortController();
    const isKept = wanted.batchSize !== undefined;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const words = isKept
        ? "Parts that are complete are kept for the next time."
        : "Nothing is kept for the next time: that takes --batch-size.";
      process.once(signal, () => stop.abort(new Interrupted(signal, words)));
    }
    const settings = readSettings(configurationOf(stack));
    const unknown = account === undefined ? undefined : unknownConnection("remote", account, settings);
    if (unknown !== undefined) throw new Misuse(unknown);
    const client = new RemoteClient(connected(settings, { account }));
    const progress = new Progress(progressMode(isQuiet));
    const onProgress = (state: DownloadProgress) => show(progress, state);
    try {
      const done = await downloadSnapshot(client, { ...wanted, onProgress }, { signal: stop.signal });
      const { file, records, bytes, resumedParts } = done;
      progress.clear();
      const resumed = resumedParts > 0 ? `, ${counted(resumedParts, "part")} of an earlier download kept` : "";
      if (!isQuiet) process.stderr.write(`Done: ${counted(records, "record")}, ${megabytes(bytes)} MB${resumed}\n`);
      process.stdout.write(`${file}\n`);
      return 0;
    } catch (error) {
      progress.clear();
      if (!(error instanceof SnapshotNotReadyError)) throw error;
      process.stderr.write(`${error.message}\n`);
      return NOT_READY;
    }
  },
};

function wantedBy({ options, positionals }: Given<typeof OPTIONS>) {
  const [snapshotId, ...more] = positionals;
  if (snapshotId === undefined) throw new Misuse("Which snapshot? Its id is missing.");
  if (!/^\w[\w-]*$/.test(snapshotId))
    throw new Misuse(`An id is one such as s_m4x7enmven8djfqak, not "${snapshotId}".`);
  if (more.length > 0) throw new Misuse(`One snapshot at a time, not also ${more.join(" ")}.`);
  const { to, compress = false, overwrite = false } = options;
  if (to === undefined) throw new Misuse("Where to? --to is missing.");
  const format = oneOf(FORMATS, "format", options.format ?? "json");
  return {
    snapshotId,
    to,
    format,
    compress,
    overwrite,
    batchSize: wholeNumber("batch-size", options["batch-size"], "records", 1000),
    maxRecordBytes: wholeNumber("max-record-bytes", options["max-record-bytes"], "bytes"),
  };
}

function wholeNumber(option: string, text: string | undefined, unit: string, least = 1): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Misuse(`--${option} takes a number of ${unit}, not "${text}".`);
  if (Number(text) < least) throw new Misuse(`--${option} takes ${least} ${unit} or more, not ${text}.`);
  return Number(text);
}

function show(progress: Progress, { partsDone, parts, records, expectedRecords, bytes }: DownloadProgress): void {
  const size = `${megabytes(bytes)} MB`;
  if (expectedRecords === undefined)
    progress.show("Parts", partsDone, parts, `, ${counted(records, "record")}, ${size}`);
  else progress.show("Records", records, expectedRecords, `, ${size}`);
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
