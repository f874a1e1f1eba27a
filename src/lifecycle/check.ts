import type { z } from "zod";
import type { JsonObject } from "../base/json";
import { meant } from "../base/nearest";
import type { Kind } from "../declaration/kind";
import { hasSecret, namesAt, propertiesAlong } from "../declaration/paths";
import type { Properties, Property } from "../declaration/property";
import { comparable, sameJson } from "../declaration/values";
import { redact, secretsIn } from "../http/redact";
import { containsUnknown } from "./diff";
import { type SecretPath, UNKNOWN } from "./lifecycle";
import { at, keysOf, propertyPath } from "./paths";

/**
 * Checks inputs and says everything that is wrong with them. Values that are not known yet are never complained about, nor are
 * those that an earlier version has accepted and that only another thing could have otherwise.
 *
 * @param previous the inputs so far
 * @param secrets where they have secrets besides those that are declared to be
 */
export function failuresOf(
  inputs: JsonObject,
  kind: Kind,
  schema: z.ZodType,
  previous: JsonObject | undefined,
  secrets: readonly SecretPath[] = [],
): string[] {
  const { error } = schema.safeParse(inputs);
  const kept = previous === undefined ? [] : keptOf(inputs, previous, kind);
  const issues = (error?.issues ?? []).filter(
    ({ path: [name] }) => inputs[String(name)] === undefined || !kept.includes(String(name)),
  );
  const declared = { properties: kind.inputs, what: "a property of this resource" };
  const failures = issues.flatMap((issue) => explained(inputs, issue, declared, secrets));
  return [...new Set([...failures, ...brokenRules(inputs, kind, kept)])];
}

/** The inputs that cannot be changed without a replacement, and are as they were, or are not given as before. */
const keptOf = (inputs: JsonObject, previous: JsonObject, { inputs: properties }: Kind): string[] =>
  Object.entries(properties)
    .filter(([name, { replaces }]) => replaces && sameJson(inputs[name], previous[name]))
    .map(([name]) => name);

/** What is wrong between several inputs, of those that are known, and not all kept. */
export const brokenRules = (inputs: JsonObject, kind: Kind, kept: readonly string[] = []): string[] =>
  kind.rules
    .filter(({ reads }) => reads.every((path) => isKnown(inputs, path)) && !isAllKept(reads, inputs, kept))
    .map((rule) => rule.failure(inputs, (name) => plain(kind.inputs[name], inputs[name])))
    .filter((failure) => failure !== undefined);

function isAllKept(reads: readonly string[], inputs: JsonObject, kept: readonly string[]): boolean {
  const names = reads.map((path) => String(keysOf(path)[0]));
  return names.every((name) => kept.includes(name)) && names.some((name) => inputs[name] !== undefined);
}

const plain = (property: Property | undefined, value: unknown): unknown =>
  property === undefined ? value : comparable(property, value);

/** What a value is declared to be part of, and what a part of it is called. */
interface DeclaredPart {
  properties: Properties;
  what: string;
}

/** What is wrong with values, in sentences. */
export function explained(
  inputs: JsonObject,
  issue: z.core.$ZodIssue,
  { properties, what }: DeclaredPart,
  secrets: readonly SecretPath[] = [],
): string[] {
  const value = at(inputs, issue.path);
  const name = propertyPath(issue.path);
  const along = propertiesAlong(properties, issue.path);
  const own = along[issue.path.length - 1];
  if (issue.code === "unrecognized_keys") {
    const names = namesAt(properties, issue.path);
    return issue.keys.map((key) => superfluous(key, name, names, own?.expected ?? "", what));
  }
  if (containsUnknown(value)) return [];
  if (value === undefined) return [`\`${name}\` is missing: ${issue.message}`];
  const secret =
    along.some(({ secret, mayHoldSecrets }) => secret || mayHoldSecrets) ||
    (own !== undefined && hasSecret({ own })) ||
    secrets.some((path) => path.slice(0, issue.path.length).every((key, depth) => key === issue.path[depth]));
  return [
    `\`${name}\` is ${secret ? `not usable (its value${typeIn(issue, value)} is a secret and not shown)` : show(value)}: ${issue.message}`,
  ];
}

/** What type a value is of that may not be shown, where it is of the wrong one. */
function typeIn({ code }: z.core.$ZodIssue, value: unknown): string {
  if (code !== "invalid_type") return "";
  return `, ${Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`},`;
}

/** What is wrong with a key of what has a name, and is `what` as a rule; of alternatives, the names are those of each. */
function superfluous(key: string, name: string, names: readonly string[], expected: string, what: string): string {
  const prefix = name === "" ? "" : `${name}.`;
  if (names.includes(key)) return `\`${prefix}${key}\` does not go with the rest: ${expected}`.trimEnd();
  const near = meant(key, names);
  const advice = near === undefined ? "Check its spelling." : `Did you mean \`${prefix}${near}\`?`;
  return `\`${prefix}${key}\` is not ${what}. ${advice}`;
}

const LONGEST_VALUE = 120;

function show(value: unknown): string {
  const isNone = typeof value === "number" && !Number.isFinite(value);
  // Of what is cut off, a part could not be told to be one.
  const text = redact((isNone ? undefined : JSON.stringify(value)) ?? String(value), secretsIn(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

export function isKnown(inputs: JsonObject, path: string): boolean {
  const keys = path.split(".");
  const hidden = keys.some((_, depth) => at(inputs, keys.slice(0, depth)) === UNKNOWN);
  return !hidden && !containsUnknown(at(inputs, keys));
}
