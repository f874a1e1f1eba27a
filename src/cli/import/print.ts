import { withEscapes } from "../../base/escapes";
import { isObject, type JsonObject } from "../../base/json";

/** The width of a line, as formatters have it that were not told otherwise. */
const WIDTH = 80;

const STEP = "  ";

/** A piece of a program's text that is no literal, such as `web.name`. */
export class Code {
  constructor(readonly text: string) {}
}

/** A call, such as `new brightdata.Zone("web", { … })`. */
export class FunctionCall {
  constructor(
    readonly callee: string,
    readonly args: readonly unknown[],
  ) {}
}

/** An object whose members are members of the one that it stands in. */
export class Spread {
  constructor(readonly of: unknown) {}
}

/** Calls that differ in the values of a few variables. */
export interface Loop {
  readonly variables: readonly string[];
  readonly rows: readonly JsonObject[];
  /** Whether the values are to have types of their own. */
  readonly isConstant: boolean;
  readonly call: FunctionCall;
}

export function printedLoop({ variables, rows, isConstant, call }: Loop): string {
  const [only = "", ...others] = variables;
  const isList = others.length === 0;
  const values = isList ? rows.map(({ [only]: value }) => value) : rows;
  const head = `for (const ${isList ? only : `{ ${variables.join(", ")} }`} of `;
  const end = `${isConstant ? " as const" : ""}) {`;
  return `${head}${printed(values, "", head.length + end.length)}${end}\n${STEP}${printed(call, STEP, STEP.length + 1)};\n}\n`;
}

/** A statement that is a call, or that keeps what it returns. */
export const printedStatement = (call: FunctionCall, before = ""): string =>
  `${before}${printed(call, "", before.length + 1)};\n`;

function brokenCall({ callee, args }: FunctionCall, indent: string, taken: number): string {
  const [last, ...others] = args.toReversed();
  const head = `${callee}(${others
    .reverse()
    .map((arg) => `${flatText(arg)}, `)
    .join("")}`;
  // The last argument alone is broken where the others fit beside its beginning.
  const isHugged = isPlain(last) && !others.some((arg) => isPlain(arg) || isTall(arg)) && taken + head.length < WIDTH;
  if (isHugged) return `${head}${broken(last, indent)})`;
  const inner = `${indent}${STEP}`;
  return `${callee}(\n${args.map((arg) => `${inner}${printed(arg, inner, inner.length + 1)},\n`).join("")}${indent})`;
}

/**
 * A value as formatters write it.
 *
 * @param indent of the line that it begins in
 * @param taken the characters of that line that are not its own
 */
function printed(value: unknown, indent: string, taken: number): string {
  if (value instanceof Spread) return printed(value.of, indent, taken);
  const flat = flatText(value);
  const isSimple = !Array.isArray(value) && !isPlain(value) && !(value instanceof FunctionCall);
  if (isSimple || (taken + flat.length <= WIDTH && !isTall(value))) return flat;
  return value instanceof FunctionCall ? brokenCall(value, indent, taken) : broken(value, indent);
}

function broken(value: unknown, indent: string): string {
  const inner = `${indent}${STEP}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every((item) => typeof item === "number")) return `[\n${filled(value, inner)}${indent}]`;
    const items = value.map((item) => `${inner}${printed(item, inner, inner.length + 1)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  const entries = entriesOf(value as JsonObject).map(([key, item]) => {
    if (isShorthand(key, item)) return `${inner}${key},\n`;
    const head = `${inner}${headOf(key, item)}`;
    const text = printed(item, inner, head.length + 1);
    const isLate = typeof item === "string" && head.length + text.length + 1 > WIDTH;
    return isLate ? `${head.trimEnd()}\n${inner}${STEP}${text},\n` : `${head}${text},\n`;
  });
  return entries.length === 0 ? "{}" : `{\n${entries.join("")}${indent}}`;
}

/** Numbers, as many in a line as it takes. */
function filled(numbers: readonly number[], indent: string): string {
  const lines: string[] = [];
  for (const number of numbers) {
    const last = lines.at(-1);
    const longer = `${last} ${number},`;
    if (last === undefined || longer.length > WIDTH) lines.push(`${indent}${number},`);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `${line}\n`).join("");
}

function flatText(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value instanceof Spread) return flatText(value.of);
  if (value instanceof FunctionCall) return `${value.callee}(${value.args.map(flatText).join(", ")})`;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flatText).join(", ")}]`;
  if (!isPlain(value)) return String(value);
  const entries = entriesOf(value).map(([key, item]) =>
    isShorthand(key, item) ? key : `${headOf(key, item)}${flatText(item)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Lists of objects, or of lists, stand one below the other however short they are. */
function isTall(value: unknown): boolean {
  if (Array.isArray(value)) {
    const isLong = (item: unknown) =>
      Array.isArray(item) ? item.length > 1 : isPlain(item) && entriesOf(item).length > 1;
    const isMatrix = value.length > 1 && (value.every(Array.isArray) || value.every(isPlain)) && value.every(isLong);
    return isMatrix || value.some(isTall);
  }
  if (value instanceof FunctionCall) return value.args.some(isTall);
  return isPlain(value) && entriesOf(value).some(([, item]) => isTall(item));
}

export const isPlain = (value: unknown): value is JsonObject =>
  isObject(value) && ![Code, FunctionCall, Spread].some((piece) => value instanceof piece);

const entriesOf = (value: JsonObject): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined);

const headOf = (key: string, item: unknown): string => (item instanceof Spread ? "..." : `${keyText(key)}: `);

const isShorthand = (key: string, item: unknown): boolean => item instanceof Code && item.text === key;

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

/** A text in those quotes that need fewer escapes. */
function quoted(text: string): string {
  const count = (quote: string) => text.split(quote).length;
  const json = withEscapes(JSON.stringify(text), UNSEEN);
  return count('"') > count("'") ? `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : json;
}

/** Characters that a reader would not see, or that turn the order of the others. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
