import type { z } from "zod";
import { isObject } from "../base/json";

type ZodIssue = z.core.$ZodIssue;
type KeyPath = readonly PropertyKey[];

const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "a boolean",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

/** More items of a list are not looked at before it is known that these are as they are to be. */
const FIRST = 1000;

/** An answer read as of a shape: all that is wrong with millions of items would take more memory than there is. */
export function readAs<S extends z.ZodType>(shape: S, answer: unknown): z.ZodSafeParseResult<z.output<S>> {
  const beginning = beginningOf(answer);
  if (beginning === answer) return shape.safeParse(answer);
  const first = shape.safeParse(beginning);
  return first.success ? shape.safeParse(answer) : first;
}

/** A value with the first items of its lists; itself where they have no more. */
function beginningOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.slice(0, FIRST).map(beginningOf);
    return value.length === items.length && items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, part]) => [key, beginningOf(part)] as const);
  return fields.every(([key, part]) => part === value[key]) ? value : Object.fromEntries(fields);
}

/** What is wrong with an answer, a sentence for each part of it; without its values, which may be secret. */
export function misfits(issues: readonly ZodIssue[], answer: unknown): string[] {
  return [...new Set(issues.flatMap((issue) => sentences(issue, [], answer)))];
}

function sentences(issue: ZodIssue, within: KeyPath, answer: unknown): string[] {
  const path = [...within, ...issue.path];
  if (issue.code === "invalid_union") {
    // Of several forms, the one that the answer has but for some of its parts.
    const meant = issue.errors.find((issues) => issues.length > 0 && issues.every((inner) => inner.path.length > 0));
    if (meant !== undefined) return meant.flatMap((inner) => sentences(inner, path, answer));
  }
  const place = path.length === 0 ? "the answer" : `\`${path.join(".")}\``;
  const kinds = [...new Set(expected(issue))];
  if (kinds.length === 0) return [`${place} holds what cannot be used`];
  return [`${place}: expected ${kinds.join(" or ")}, but it is ${kind(valueAt(path, answer))}`];
}

function expected(issue: ZodIssue): string[] {
  switch (issue.code) {
    case "invalid_type":
      return [KINDS[issue.expected] ?? issue.expected];
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value));
    case "invalid_union":
      return issue.errors.flatMap((issues) => issues.flatMap(expected));
    default:
      return [];
  }
}

function kind(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return KINDS[typeof value] ?? typeof value;
}

const valueAt = (path: KeyPath, answer: unknown): unknown =>
  path.reduce<unknown>(
    (value, key) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    answer,
  );
