import type { SnapshotFormat } from "../../src/model/snapshot.ts";

/** One download by one process. */
export interface Task {
  url: string;
  file: string;
  format: SnapshotFormat;
  compress: boolean;
  /** Whether to wait until the disk has the file. */
  sync: boolean;
}

/** What a download took. */
export interface Figures {
  seconds: number;
  cpuSeconds: number;
  /** The largest resident memory of the process. */
  peakBytes: number;
}

export const readTask = (): Task => JSON.parse(process.argv[2] ?? "") as Task;

/** Tells the process that started this one what the download took. */
export async function measured(download: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await download();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  process.send?.({ seconds, cpuSeconds: (user + system) / 1e6, peakBytes } satisfies Figures);
  process.disconnect();
}
