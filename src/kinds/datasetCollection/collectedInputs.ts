import { quietly } from "../../base/disk";
import type { JsonObject } from "../../base/json";
import { canonicalJson, sameJson } from "../../declaration/values";
import { csvRows } from "../../download/csv";

/**
 * Whether a file is that of a collection of these inputs; `undefined` where it does not tell: it has no row yet, something beyond,
 * or the same in another spelling.
 */
export function areInputsIn(csv: string, inputs: readonly JsonObject[]): boolean | undefined {
  const [names = [], ...rows] = csvRows(csv);
  if (rows.length === 0) return undefined;
  const columns = [...new Set(inputs.flatMap((input) => Object.keys(input)))].sort();
  const found = rows.map((row) => columns.map((column) => cellText(row[names.indexOf(column)])));
  const wanted = inputs.map((input) => columns.map((column) => cellText(input[column])));
  if (unordered(found) !== unordered(wanted)) return areAlike(found, wanted) ? undefined : false;
  const others = names.flatMap((name, index) => (columns.includes(name) ? [] : [index]));
  return rows.some((row) => others.some((index) => row[index])) ? undefined : true;
}

/** Whether rows are the same but for the spelling of values, and for inputs that the service may have merged. */
function areAlike(found: readonly string[][], wanted: readonly string[][]): boolean {
  const [spoken, meant] = [found, wanted].map((rows) => rows.map((row) => JSON.stringify(row.map(unspelled))).sort());
  return [meant, [...new Set(meant)]].some((rows) => sameJson(rows, spoken));
}

function unspelled(cell: string): string {
  const text = cell.trim().toLowerCase();
  return text === "" || Number.isNaN(Number(text)) ? text : String(Number(text));
}

/** A value as a cell of the file has it, whoever wrote it: what is no text is written as JSON. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return canonicalJson(value);
  const json = /^[[{]/.test(value) ? quietly(() => canonicalJson(JSON.parse(value))) : undefined;
  return json ?? value;
}

const unordered = (rows: readonly string[][]): string => JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
