import { isObject } from "../base/json";
import { EXPRESSIONS } from "../declaration/values";

const FIRST_DIGIT = /^\d(?=.*\D)/s;
const GROUPED = /^\(\?:(\d.*)\)$/s;

/**
 * Rules as they keep their meaning: an update makes a number of every text that begins with a digit, and `5`, where `5..` was sent,
 * matches all that has a 5 in it.
 */
export const toServiceRules = (rules: unknown): unknown =>
  withExpressions(rules, (text) => (FIRST_DIGIT.test(text) ? `(?:${text})` : text));

/** Rules as {@link toServiceRules} was given them. */
export const fromServiceRules = (rules: unknown): unknown =>
  withExpressions(rules, (text) => GROUPED.exec(text)?.[1] ?? text);

function withExpressions(rules: unknown, change: (text: string) => string): unknown {
  if (!Array.isArray(rules)) return rules;
  const changed = ([key, value]: [string, unknown]) =>
    EXPRESSIONS.has(key) && typeof value === "string" ? [key, change(value)] : [key, value];
  return rules.map((rule) => (isObject(rule) ? Object.fromEntries(Object.entries(rule).map(changed)) : rule));
}
