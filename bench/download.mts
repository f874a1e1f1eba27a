// Downloads of a snapshot beside undici writing the same answer to a file, on this machine. Rounds alternate; only ratios of
// one run mean anything.
//   npm run bench:download -- [megabytes] [rounds]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figures, Task } from "./download/task.mts";
import type { Measurement } from "./results.mts";

export const MEGABYTES = 512;
const ROUNDS = 3;

export const FORMS = {
  NDJSON: { format: "ndjson", compress: false },
  JSON: { format: "json", compress: false },
  CSV: { format: "csv", compress: false },
  "NDJSON, gzip": { format: "ndjson", compress: true },
} as const;

/** Medians of all rounds. */
export interface DownloadRow {
  form: string;
  /** Size of the file. */
  megabytes: number;
  raw: Figures;
  package: Figures;
  /** Throughput of the package in that of undici. */
  throughput: number;
  /** How much more memory the package takes. */
  moreMiB: number;
}

/** Measures each form `rounds` times: undici and the package in turn, each in a process of its own. */
export async function benchDownload(megabytes: number, rounds: number): Promise<DownloadRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-download-"));
  const server = start("server", String(megabytes));
  try {
    const url = `http://127.0.0.1:${await message<number>(server)}`;
    const rows: DownloadRow[] = [];
    for (const [form, { format, compress }] of Object.entries(FORMS)) {
      const measure = async (who: string) => {
        const file = join(folder, who);
        const task: Task = { url, file, format, compress };
        const figures = await message<Figures>(start(who, JSON.stringify(task)));
        const { size } = await stat(file);
        await rm(file);
        return { ...figures, size };
      };
      const pairs = [];
      for (let round = 0; round < rounds; round++) {
        // Whoever comes first finds another machine.
        const isRawFirst = round % 2 === 0;
        const first = await measure(isRawFirst ? "raw" : "package");
        const second = await measure(isRawFirst ? "package" : "raw");
        pairs.push(isRawFirst ? { raw: first, package: second } : { raw: second, package: first });
      }
      rows.push({
        form,
        megabytes: (pairs[0]?.package.size ?? 0) / 1e6,
        raw: medians(pairs.map(({ raw }) => raw)),
        package: medians(pairs.map((pair) => pair.package)),
        throughput: median(pairs.map((pair) => pair.raw.seconds / pair.package.seconds)),
        moreMiB: median(pairs.map((pair) => pair.package.peakMiB - pair.raw.peakMiB)),
      });
    }
    return rows;
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true });
  }
}

/** The medians as results of the benchmark, whose size is that of the NDJSON in megabytes. */
export async function measureDownloads(): Promise<Measurement[]> {
  const rows = await benchDownload(MEGABYTES, ROUNDS);
  return rows.flatMap(({ form, raw, package: ours }) =>
    Object.entries({ undici: raw, "pulumi-brightdata": ours }).map(
      ([column, { seconds, cpuSeconds, peakMiB }]): Measurement => ({
        service: "download",
        column,
        size: MEGABYTES,
        round: 1,
        step: form,
        seconds,
        cpu: { program: cpuSeconds },
        peakBytes: peakMiB * 2 ** 20,
      }),
    ),
  );
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

const medians = (figures: Figures[]): Figures => ({
  seconds: median(figures.map(({ seconds }) => seconds)),
  cpuSeconds: median(figures.map(({ cpuSeconds }) => cpuSeconds)),
  peakMiB: median(figures.map(({ peakMiB }) => peakMiB)),
});

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const [megabytes = MEGABYTES, rounds = ROUNDS] = process.argv.slice(2).map(Number);
  const described = ({ seconds, cpuSeconds, peakMiB }: Figures): string =>
    `${seconds.toFixed(2)} s (CPU ${cpuSeconds.toFixed(2)} s, ${peakMiB.toFixed(0)} MiB)`;
  console.log(`${megabytes} MB of NDJSON, and the same records in other forms; medians of ${rounds} rounds`);
  for (const row of await benchDownload(megabytes, rounds)) {
    console.log(
      `${row.form}, ${row.megabytes.toFixed(0)} MB: undici ${described(row.raw)}, package ${described(row.package)}: ` +
        `${row.throughput.toFixed(2)} of the throughput, ${row.moreMiB.toFixed(0)} MiB more`,
    );
  }
}
