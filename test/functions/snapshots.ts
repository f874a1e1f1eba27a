import { type Account, syntheticRecords } from "../../simulator";

export const NOW = "2026-03-15T10:30:00.000Z";
export const clock = () => new Date(NOW);
export const DATASET = "gd_simulated";

/** A snapshot that goes through states, with a number of records. */
export function addSnapshot(account: Account, count: number, ...states: string[]) {
  const snapshot = account.addSnapshot(DATASET, states, []);
  snapshot.records = syntheticRecords(count);
  return snapshot;
}

/** A snapshot that is ready. */
export function addReady(account: Account, count: number) {
  const snapshot = addSnapshot(account, count, "ready");
  snapshot.status = "ready";
  return snapshot;
}
