import type { JsonObject } from "../../base/json";
import { canonicalJson } from "../../declaration/values";
import { csvRows } from "../../download/csv";

/** Whether a file is that of a collection of these inputs; `undefined` where it says the same, and something beyond. */
export function areInputsIn(csv: string, inputs: readonly JsonObject[]): boolean | undefined {
  const [names = [], ...rows] = csvRows(csv);
  const columns = [...new Set(inputs.flatMap((input) => Object.keys(input)))].sort();
  const found = rows.map((row) => columns.map((column) => cellText(row[names.indexOf(column)])));
  const wanted = inputs.map((input) => columns.map((column) => cellText(input[column])));
  if (unordered(found) !== unordered(wanted)) return false;
  const others = names.flatMap((name, index) => (columns.includes(name) ? [] : [index]));
  return rows.some((row) => others.some((index) => row[index])) ? undefined : true;
}

/** A value as a cell of the file has it, whoever wrote it: what is no text is written as JSON. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return canonicalJson(value);
  if (!/^[[{]/.test(value)) return value;
  try {
    return canonicalJson(JSON.parse(value));
  } catch {
    return value;
  }
}

const unordered = (rows: readonly string[][]): string => JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
