import { readdirSync, readFileSync } from "node:fs";

/** Whose work a process does: Pulumi's own, the program's, or the provider's. */
export type Part = "engine" | "program" | "provider";

/** What a command and everything that it started has used. */
export interface Usage {
  /** Seconds of CPU, of the user and of the system. */
  cpu: Record<Part, number>;
  /** The most memory that a process of the provider has had in RAM, in bytes. */
  providerPeakBytes: number;
  /** The most that all processes of the provider have had together, in bytes: each page that they share counts once. */
  providersPeakBytes: number;
}

interface Watched {
  part: Part;
  cpuTicks: number;
  peakBytes: number;
}

const POLL_MS = 25;
/** The system walks through all pages of a process to tell what it shares: only each of so many times. */
const POLLS_PER_SUM = 10;
/** Linux counts in these to everybody outside the kernel. */
const TICKS_PER_SECOND = 100;

/**
 * Watches a process and all its descendants while they run. Linux tells of a process only as long as it lives, so that the last
 * milliseconds of each are missing.
 */
export class ProcessTree {
  static readonly supported = process.platform === "linux";
  readonly #watched = new Map<number, Watched>();
  readonly #foreign = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  #polls = 0;
  #providersPeakBytes = 0;

  constructor(root: number) {
    this.#watched.set(root, { part: "engine", cpuTicks: 0, peakBytes: 0 });
    this.#poll();
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /** Ends the watch. */
  stop(): Usage {
    clearInterval(this.#timer);
    const cpu = { engine: 0, program: 0, provider: 0 };
    let providerPeakBytes = 0;
    for (const { part, cpuTicks, peakBytes } of this.#watched.values()) {
      cpu[part] += cpuTicks / TICKS_PER_SECOND;
      if (part === "provider") providerPeakBytes = Math.max(providerPeakBytes, peakBytes);
    }
    return { cpu, providerPeakBytes, providersPeakBytes: this.#providersPeakBytes };
  }

  #poll(): void {
    const alive = new Set(readdirSync("/proc").map(Number).filter(Number.isInteger));
    // The number of a process that has ended may be another's next.
    for (const pid of this.#foreign) if (!alive.has(pid)) this.#foreign.delete(pid);
    for (const pid of alive) {
      if (this.#foreign.has(pid)) continue;
      const stat = statOf(pid);
      if (stat === undefined) continue;
      const watched = this.#watched.get(pid) ?? this.#adopt(pid, stat.parent);
      if (watched === undefined) continue;
      watched.cpuTicks = stat.cpuTicks;
      watched.part = partOf(pid) ?? watched.part;
      watched.peakBytes = peakBytesOf(pid) ?? watched.peakBytes;
    }
    if (this.#polls++ % POLLS_PER_SUM === 0) this.#sum(alive);
  }

  #sum(alive: ReadonlySet<number>): void {
    const providers = [...this.#watched].filter(([pid, { part }]) => part === "provider" && alive.has(pid));
    const bytes = providers.reduce((sum, [pid]) => sum + shareOf(pid), 0);
    this.#providersPeakBytes = Math.max(this.#providersPeakBytes, bytes);
  }

  /** A process does what its parent does, until it says otherwise. */
  #adopt(pid: number, parent: number): Watched | undefined {
    const parents = this.#watched.get(parent);
    if (parents === undefined) {
      this.#foreign.add(pid);
      return undefined;
    }
    const watched: Watched = { part: parents.part, cpuTicks: 0, peakBytes: 0 };
    this.#watched.set(pid, watched);
    return watched;
  }
}

function statOf(pid: number): { parent: number; cpuTicks: number } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name, in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { parent: Number(fields[1]), cpuTicks: Number(fields[11]) + Number(fields[12]) };
}

function partOf(pid: number): Part | undefined {
  const command = read(`/proc/${pid}/cmdline`) ?? "";
  if (/cmd\/dynamic-provider|pulumi-resource-|\/dist\/plugin\.js/.test(command)) return "provider";
  return /@pulumi\/pulumi\/cmd\/run/.test(command) ? "program" : undefined;
}

const peakBytesOf = (pid: number): number | undefined => bytesIn(`/proc/${pid}/status`, /^VmHWM:\s*(\d+) kB/m);

/** Its own pages, and its part of those that it shares. */
const shareOf = (pid: number): number => bytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s*(\d+) kB/m) ?? 0;

function bytesIn(file: string, kilobytes: RegExp): number | undefined {
  const found = kilobytes.exec(read(file) ?? "")?.[1];
  return found === undefined ? undefined : Number(found) * 1024;
}

/** A process may end at any moment, and its files with it. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
