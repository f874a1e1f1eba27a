/** The run of a collector for one input, or for a batch of them. */
export interface CollectorRun {
  readonly responseId: string;
  /** How many reads still say that it is pending. */
  pendingReads: number;
  rows: Record<string, unknown>[];
}
