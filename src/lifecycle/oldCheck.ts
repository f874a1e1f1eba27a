import { type ZodType, z } from "zod";
import type { JsonObject } from "../json";
import { editDistance } from "../nearest";
import { containsUnknown } from "./diff";
import { UNKNOWN } from "./lifecycle";
import { at } from "./paths";

/** A rule between several inputs. */
export interface Rule {
  /** Paths of what it reads: it is applied when all of that is known. */
  reads: readonly string[];
  /** What is wrong, if anything is. */
  failure(inputs: JsonObject): string | undefined;
}

/** How the inputs of a kind are checked. */
export interface Checks {
  schema: ZodType;
  /** The names of the properties, by the path of the object they stand in (`""` for the inputs themselves). */
  properties: Record<string, readonly string[]>;
  rules?: readonly Rule[];
  /** Inputs whose values are never shown. */
  secrets?: readonly string[];
}

/** The names of a kind's inputs. */
export const inputNames = ({ properties }: Checks): readonly string[] => properties[""] ?? [];

/** Checks inputs and says everything that is wrong with them. Values that are not known yet are never complained about. */
export function failuresOf(inputs: JsonObject, checks: Checks): string[] {
  const result = checks.schema.safeParse(inputs);
  const failures = (result.success ? [] : result.error.issues).flatMap((issue) => explain(inputs, issue, checks));
  const broken = (checks.rules ?? [])
    .filter(({ reads }) => reads.every((path) => isKnown(inputs, path)))
    .map((rule) => rule.failure(inputs))
    .filter((failure) => failure !== undefined);
  return [...new Set([...failures, ...broken])];
}

function explain(inputs: JsonObject, issue: z.core.$ZodIssue, checks: Checks): string[] {
  const value = at(inputs, issue.path);
  const name = issue.path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
  if (issue.code === "unrecognized_keys") {
    const prefix = name === "" ? "" : `${name}.`;
    return issue.keys.map((key) => {
      const near = nearest(key, checks.properties[name] ?? []);
      const advice = near === undefined ? "Check its spelling." : `Did you mean \`${prefix}${near}\`?`;
      return `\`${prefix}${key}\` is not a property of this resource. ${advice}`;
    });
  }
  if (containsUnknown(value)) return [];
  if (value === undefined) return [`\`${name}\` is missing: ${issue.message}`];
  const secret = checks.secrets?.includes(String(issue.path[0]));
  return [
    `\`${name}\` is ${secret ? "not usable (its value is a secret and not shown)" : show(value)}: ${issue.message}`,
  ];
}

const FARTHEST_GUESS = 2;

/** The name that was probably meant: another spelling of it, or one with at most two slips. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replaceAll("_", "").toLowerCase();
  const distances = known.map((candidate) => ({ candidate, slips: editDistance(plain(name), plain(candidate)) }));
  const best = distances.sort((a, b) => a.slips - b.slips)[0];
  return best !== undefined && best.slips <= FARTHEST_GUESS ? best.candidate : undefined;
}

const LONGEST_VALUE = 120;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function isKnown(inputs: JsonObject, path: string): boolean {
  const keys = path.split(".");
  const hidden = keys.some((_, depth) => at(inputs, keys.slice(0, depth)) === UNKNOWN);
  return !hidden && !containsUnknown(at(inputs, keys));
}

/** Seconds for each operation. */
export const timeoutsSchema = z
  .strictObject(
    Object.fromEntries(
      ["create", "read", "update", "delete"].map((operation) => [
        operation,
        z
          .number("expected seconds, from 1 to 86400.")
          .min(1, "expected at least 1 second.")
          .max(86_400, "expected at most 86400 seconds (a day).")
          .optional(),
      ]),
    ),
    "expected an object such as { create: 120 }, in seconds.",
  )
  .optional();

/** A property that is not a boolean is told so. */
export const booleanSchema = z.boolean("expected true or false.").optional();
