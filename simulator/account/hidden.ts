/** Something that reads do not show at first: the service tells of new things with a delay. */
export interface Hidden {
  /** How many reads still do not show it. */
  hiddenReads?: number;
  /** Until when no read shows it, ISO 8601. */
  hiddenUntil?: string;
}

/** Whether a read at this time shows it; uses up one of the reads that do not. */
export function shows(record: Hidden, now: Date): boolean {
  if (record.hiddenUntil !== undefined && now < new Date(record.hiddenUntil)) return false;
  if (!record.hiddenReads) return true;
  record.hiddenReads--;
  return false;
}
