// Downloads of a snapshot beside undici writing the same answer to a file, on this machine. Columns take turns; only ratios of
// one run mean anything.
//   npm run bench:download -- [megabytes] [rounds]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figures, Task } from "./download/task.mts";
import type { Measurement } from "./results.mts";
import { Summary } from "./summary.mts";

export const MEGABYTES = 512;
const ROUNDS = 5;

export const FORMS = {
  NDJSON: { format: "ndjson", compress: false },
  JSON: { format: "json", compress: false },
  CSV: { format: "csv", compress: false },
  "NDJSON, gzip": { format: "ndjson", compress: true },
} as const;

/** Who downloads: the package, undici, and undici that waits until the disk has the file, as the package does. */
export const DOWNLOADERS = {
  "pulumi-brightdata": { program: "package", sync: true },
  undici: { program: "raw", sync: false },
  "undici-sync": { program: "raw", sync: true },
} as const;

/** Downloads each form by each downloader, each time in a process of its own. The size is that of the NDJSON in megabytes. */
export async function measureDownloads(megabytes = MEGABYTES, rounds = ROUNDS): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-download-"));
  const server = start("server", String(megabytes));
  try {
    const url = `http://127.0.0.1:${await message<number>(server)}`;
    const measurements: Measurement[] = [];
    for (const [form, { format, compress }] of Object.entries(FORMS)) {
      for (let round = 1; round <= rounds; round++) {
        const turns = Object.entries(DOWNLOADERS);
        // Whoever comes first finds another machine.
        for (const [column, { program, sync }] of round % 2 === 0 ? turns.toReversed() : turns) {
          const file = join(folder, column);
          await prepare(file, megabytes);
          const task: Task = { url, file, format, compress, sync };
          const { seconds, cpuSeconds, peakBytes } = await message<Figures>(start(program, JSON.stringify(task)));
          await rm(file);
          const cpu = { program: cpuSeconds };
          measurements.push({
            service: "download",
            column,
            size: megabytes,
            round,
            step: form,
            seconds,
            cpu,
            peakBytes,
          });
        }
      }
    }
    return measurements;
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true });
  }
}

/** Lets everybody find the same: memory that a file has just left, and a disk that has nothing to do. */
async function prepare(file: string, megabytes: number): Promise<void> {
  const handle = await open(file, "w");
  const megabyte = Buffer.alloc(1e6);
  for (let written = 0; written < megabytes; written++) await handle.write(megabyte);
  await handle.sync();
  await handle.close();
  await rm(file);
}

const start = (name: string, argument: string): ChildProcess =>
  fork(fileURLToPath(new URL(`download/${name}.mts`, import.meta.url)), [argument]);

/** What a process tells. */
async function message<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  const [told] = await Promise.race([once(child, "message"), ended]);
  return told as T;
}

if (import.meta.main) {
  const [megabytes = MEGABYTES, rounds = ROUNDS] = process.argv.slice(2).map(Number);
  console.log(`${megabytes} MB of NDJSON, and the same records in other forms; medians of ${rounds} rounds`);
  const summary = new Summary(await measureDownloads(megabytes, rounds));
  for (const form of Object.keys(FORMS)) {
    const seconds = (column: string): number => summary.seconds(`download:${column}`, megabytes, form);
    const own = seconds("pulumi-brightdata");
    for (const column of Object.keys(DOWNLOADERS)) {
      const cpu = summary.figure("programSeconds", `download:${column}`, megabytes, form);
      const peak = summary.figure("peakBytes", `download:${column}`, megabytes, form) / 2 ** 20;
      console.log(
        `${form}, ${column}: ${seconds(column).toFixed(2)} s (CPU ${cpu.toFixed(2)} s, ${peak.toFixed(0)} MiB)` +
          `, the package takes ${(own / seconds(column)).toFixed(2)} of that`,
      );
    }
  }
}
