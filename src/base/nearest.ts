/** The known names that are most like `name`, the most alike first. */
export function nearest(name: string, known: readonly string[], most: number): string[] {
  return known
    .map((candidate) => ({ candidate, slips: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((left, right) => left.slips - right.slips)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The known names that are most like `name`, as a sentence begins that tells of them; `undefined` where there are none. */
export function mostSimilar(name: string, known: readonly string[], most: number): string | undefined {
  const near = nearest(name, known, most).map((one) => JSON.stringify(one));
  return near.length === 0 ? undefined : `the most similar ${near.length === 1 ? "is" : "are"} ${near.join(", ")}`;
}

/** The name that was probably meant, if any: another spelling of it, or one with a slip, of a long one with two. */
export function meant(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
  const [near] = nearest(plain(name), known.map(plain), 1);
  if (near === undefined) return undefined;
  const most = Math.max(plain(name).length, near.length) < LONG_NAME ? 1 : 2;
  return editDistance(plain(name), near) <= most ? known.find((candidate) => plain(candidate) === near) : undefined;
}

const LONG_NAME = 7;

export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const changed = at(row, column) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, at(row, column + 1) + 1, at(next, column) + 1));
    }
    row = next;
  }
  return at(row, row.length - 1);
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0;
