/** The known names that are most like `name`, the most alike first. */
export function nearest(name: string, known: readonly string[], most: number): string[] {
  return known
    .map((candidate) => ({ candidate, slips: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((left, right) => left.slips - right.slips)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const FARTHEST_GUESS = 2;

/** The known name that was probably meant: another spelling of it, or one with at most two slips. */
export function likely(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
  const distances = known.map((candidate) => ({ candidate, slips: editDistance(plain(name), plain(candidate)) }));
  const best = distances.sort((a, b) => a.slips - b.slips)[0];
  return best !== undefined && best.slips <= FARTHEST_GUESS ? best.candidate : undefined;
}

/** How many letters have to be put in, taken out or changed to make one text the other. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const changed = (row[column] as number) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
