import type { Journal } from "./lifecycle";

/** Nothing has come of what was noted last: what was noted before still holds. */
export function takeBack(journal: Journal | undefined): void {
  if (journal?.unfinished === undefined) journal?.forget();
  else journal.begin(journal.unfinished.facts, journal.unfinished.left);
}
