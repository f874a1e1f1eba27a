/** The rows of a CSV text (RFC 4180), that of the names included. Empty lines are none. */
export function csvRows(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell, quoted or bare, and what ends it.
  for (const [, quoted, bare = "", end] of csv
    .replace(/^\uFEFF/, "")
    .matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^,\n]*?))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || quoted !== undefined || bare !== "") rows.push(row);
    row = [];
  }
  return rows;
}
