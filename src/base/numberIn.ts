/** The number that a pattern finds in a text, with the first of its groups that is there. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.slice(1).find(Boolean);
  return digits === undefined ? undefined : Number(digits);
}
