import { grouped } from "./counted";

export function inShort(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${grouped(more)} more` : "");
}

const MOST_FAILURES = 20;

export function failuresInShort(failures: readonly string[]): string[] {
  const more = failures.length - MOST_FAILURES;
  return more > 0 ? [...failures.slice(0, MOST_FAILURES), `${grouped(more)} more like these.`] : [...failures];
}
