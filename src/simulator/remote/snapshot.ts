/** The records of a snapshot. They are made when they are sent, so that there may be millions. */
export interface RecordSource {
  count: number;
  at(index: number): Record<string, unknown>;
}

/** What one collection yields. Plain data but for its records: a test may edit any of it. */
export interface SnapshotRecord {
  readonly id: string;
  readonly datasetId: string;
  /** ISO 8601. */
  created: string;
  /** What the progress said last. */
  status: string;
  /** What the progress will say next, one state a poll. */
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

/** The records of a list. */
export const listedRecords = (records: readonly Record<string, unknown>[]): RecordSource => ({
  count: records.length,
  at: (index) => records[index] ?? {},
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

const ENDED = ["ready", "failed", "canceled", "cancelled", "error"];

/** A state the service does not name as an end is one that goes on. */
export const isRunning = (snapshot: SnapshotRecord): boolean => !ENDED.includes(snapshot.status);
