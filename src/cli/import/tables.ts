import { isObject, type JsonObject } from "../../base/json";
import { canonicalJson } from "../../declaration/values";
import { identifier } from "./names";
import { Code, FunctionCall, isPlain, type Loop } from "./print";

/** From so many resources on that are alike, a person would write a loop. */
const LEAST = 5;

/** In so many inputs resources may differ, beside what their names tell. */
const MOST = 2;

/** A resource of a program: its class, and what that is called with. */
export interface DeclaredResource {
  kind: string;
  args: readonly unknown[];
}

type Path = readonly string[];

interface TableRow<T> {
  of: T;
  declared: DeclaredResource;
  name: string;
  values: ReadonlyMap<string, unknown>;
}

/** Resources that one loop declares. */
export interface Table<T> {
  members: readonly T[];
  loop: Loop;
}

/**
 * The resources that loops over tables declare in few lines.
 *
 * @param taken what the variables of a loop must not hide
 */
export function tablesOf<T>(resources: ReadonlyMap<T, DeclaredResource>, taken: ReadonlySet<string>): Table<T>[] {
  const all = [...resources].flatMap(([of, declared]): TableRow<T>[] => {
    const [name, inputs] = declared.args;
    if (typeof name !== "string" || !isPlain(inputs)) return [];
    return [{ of, declared, name, values: new Map(leavesOf(inputs)) }];
  });
  const shapes = Map.groupBy(all, ({ declared: { kind, args }, values }) =>
    canonicalJson([kind, ...values.keys(), args.slice(2)]),
  );
  return [...shapes.values()].flatMap((rows) => divided(rows, taken));
}

const keyOf = (path: Path): string => JSON.stringify(path);

function leavesOf(inputs: JsonObject, above: Path = []): [string, unknown][] {
  return Object.entries(inputs).flatMap(([key, value]): [string, unknown][] => {
    const path = [...above, key];
    return isPlain(value) && Object.keys(value).length > 0 ? leavesOf(value, path) : [[keyOf(path), value]];
  });
}

const textOf = (value: unknown): string => (value instanceof Code ? `=${value.text}` : JSON.stringify(value));

/** One table of all; else those of the parts that are alike in what they differ least in. */
function divided<T>(rows: readonly TableRow<T>[], taken: ReadonlySet<string>): Table<T>[] {
  if (rows.length < LEAST) return [];
  const divisions = [...(rows[0]?.values.keys() ?? [])].map((key) => {
    return { key, parts: Map.groupBy(rows, ({ values }) => textOf(values.get(key))) };
  });
  const varying = divisions.filter(({ parts }) => parts.size > 1);
  const paths = varying.map(({ key }) => key);
  const table = tableOf(rows, paths, taken);
  if (table !== undefined) return [table];
  const [least] = varying.sort((one, other) => one.parts.size - other.parts.size);
  return [...(least?.parts.values() ?? [])].flatMap((part) => divided(part, taken));
}

function tableOf<T>(rows: readonly TableRow<T>[], paths: readonly string[], taken: ReadonlySet<string>) {
  const naming = paths.map((key) => nameBy(rows, key)).find((each) => each !== undefined);
  const own = naming === undefined ? [undefined] : [];
  if (paths.length - (naming === undefined ? 0 : 1) > MOST) return undefined;
  const variables = new Map([...own, ...paths].map((key) => [key, variableOf(key)]));
  const names = [...variables.values()];
  const isClear = new Set(names).size === names.length && names.every((name) => !taken.has(name) && isVariable(name));
  if (!isClear || !areTyped(rows, paths, naming?.key)) return undefined;
  const table = rows.map(({ name, values }) =>
    Object.fromEntries([...variables].map(([key, variable]) => [variable, key === undefined ? name : values.get(key)])),
  );
  const declared = rows[0]?.declared;
  if (declared === undefined) return undefined;
  const [, inputs, ...options] = declared.args;
  const name = naming?.of(variables.get(naming.key) ?? "") ?? new Code(variableOf(undefined));
  const call = new FunctionCall(`new brightdata.${declared.kind}`, [name, filledIn(inputs, variables), ...options]);
  const isConstant = paths.some((key) => key !== naming?.key && typeof rows[0]?.values.get(key) === "string");
  return { members: rows.map(({ of }) => of), loop: { variables: names, rows: table, isConstant, call } };
}

/** The last key of an input; of a resource's name, that. */
const variableOf = (key: string | undefined): string =>
  key === undefined ? "name" : ((JSON.parse(key) as string[]).at(-1) ?? "");

const isVariable = (name: string): boolean => identifier(name, "input") === name;

/** Lists in a constant table could not be changed, and texts in another one are any texts: TypeScript refuses either. */
function areTyped<T>(rows: readonly TableRow<T>[], paths: readonly string[], naming: string | undefined): boolean {
  const values = rows.flatMap((row) => paths.map((key) => ({ key, value: row.values.get(key) })));
  const hasLists = values.some(({ value }) => Array.isArray(value));
  const hasTexts = values.some(({ key, value }) => key !== naming && typeof value === "string");
  const isEven = paths.every((key) => new Set(rows.map(({ values }) => sortOf(values.get(key)))).size === 1);
  const isKnown = values.every(({ value }) => value instanceof Code || !isObject(value));
  return isEven && isKnown && !(hasLists && hasTexts) && !values.some(({ value }) => isEmptyOrMixed(value));
}

const sortOf = (value: unknown): string =>
  Array.isArray(value) ? "list" : value instanceof Code ? "code" : typeof value;

const isEmptyOrMixed = (value: unknown): boolean =>
  Array.isArray(value) && (value.length === 0 || new Set(value.map(sortOf)).size > 1 || value.some(isObject));

/** Says the name of a resource by one of its inputs, where that can be done. */
function nameBy<T>(rows: readonly TableRow<T>[], key: string) {
  const [first] = rows;
  const value = first?.values.get(key);
  if (first === undefined || !["string", "number"].includes(typeof value) || String(value) === "") return undefined;
  const at = first.name.indexOf(String(value));
  const [before, after] = [first.name.slice(0, at), first.name.slice(at + String(value).length)];
  const isSo = at >= 0 && rows.every(({ name, values }) => name === `${before}${values.get(key)}${after}`);
  if (!isSo || /[`$\\\p{C}]/u.test(before + after)) return undefined;
  const isBare = before + after === "" && typeof value === "string";
  return { key, of: (variable: string) => new Code(isBare ? variable : `\`${before}\${${variable}}${after}\``) };
}

/** Inputs with variables in the place of what differs. */
function filledIn(value: unknown, variables: ReadonlyMap<string | undefined, string>, above: Path = []): unknown {
  const variable = above.length === 0 ? undefined : variables.get(keyOf(above));
  if (variable !== undefined) return new Code(variable);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, filledIn(item, variables, [...above, key])]);
  return Object.fromEntries(entries);
}
