/** One line of CSV, quoted where it must be; objects are written as JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(",")}\n`;

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const written = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

/** The rows of a CSV text as objects, by the names in its first line. */
export function parseCsv(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = csvRows(csv);
  return rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column] ?? ""])));
}

function csvRows(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell, quoted or bare, and what ends it. A line end at the end of the text leaves an empty last cell.
  for (const [, quoted, bare = "", end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === "" && row.length === 0 && quoted === undefined && bare === "") break;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
    if (end === "") break;
  }
  return rows;
}
