import type { Hidden } from "./hidden";

/** The records of a snapshot. They are made when they are sent, so that there may be millions. */
export interface RecordSource {
  count: number;
  at(index: number): Record<string, unknown>;
  /** All of them, where they are not made up. */
  listed?: readonly Record<string, unknown>[];
}

/** What one collection yields. Plain data but for its records: a test may edit any of it. */
export interface SnapshotRecord extends Hidden {
  readonly id: string;
  readonly datasetId: string;
  /** ISO 8601. */
  created: string;
  /** What a poll said last. */
  status: string;
  /** When it came into that state, ISO 8601. */
  since: string;
  /** What the next polls will say. */
  upcoming: string[];
  errorMessage: string;
  /** Downloads that still answer `building` although the progress said `ready`. */
  buildingReads: number;
  expired: boolean;
  triggeredBy: "API" | "CP";
  /** Absent when the input was not kept. */
  input?: Record<string, unknown>[];
  records: RecordSource;
}

export const listedRecords = (records: readonly Record<string, unknown>[]): RecordSource => ({
  count: records.length,
  at: (index) => records[index] ?? {},
  listed: records,
});

/** As many made-up records as asked for, without the memory they would take. */
export const syntheticRecords = (count: number): RecordSource => ({
  count,
  at: (index) => ({
    url: `https://example.com/items/${index}`,
    title: `Item ${index}`,
    price: (index % 1000) / 100,
    tags: [`group-${index % 7}`],
  }),
});

/** A poll finds the snapshot in its next state. */
export function poll(snapshot: SnapshotRecord, now: Date): void {
  const next = snapshot.upcoming.shift();
  if (next === undefined) return;
  snapshot.status = next;
  snapshot.since = now.toISOString();
}

/** Goes through the states that end by themselves, each after so many milliseconds. */
export function age(snapshot: SnapshotRecord, now: Date, stateMs: number): void {
  for (;;) {
    const end = new Date(Date.parse(snapshot.since) + stateMs);
    if (snapshot.upcoming.length === 0 || now < end) return;
    poll(snapshot, end);
  }
}

const ENDED = ["ready", "failed", "canceled", "cancelled", "error"];

/** A state the service does not name as an end is one that goes on. */
export const isRunning = (snapshot: SnapshotRecord): boolean => !ENDED.includes(snapshot.status);
