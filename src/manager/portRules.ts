import { isObject } from "../base/json";
import { FORMATS } from "../declaration/formats";
import { EXPRESSIONS, withMeaning } from "../declaration/values";

const GROUPED = /^\(\?:(.*)\)$/s;

/** Rules whose expressions keep their meaning. */
export const toServiceRules = (rules: unknown): unknown => withExpressions(rules, withMeaning);

/** Rules as {@link toServiceRules} was given them. */
export const fromServiceRules = (rules: unknown): unknown => withExpressions(rules, ungrouped);

// Parentheses at both ends may be those of two groups: what is between them is no expression then.
function ungrouped(expression: unknown): unknown {
  const inner = GROUPED.exec(String(expression))?.[1];
  return inner !== undefined && withMeaning(inner) === expression && FORMATS.expression(inner) ? inner : expression;
}

function withExpressions(rules: unknown, change: (expression: unknown) => unknown): unknown {
  if (!Array.isArray(rules)) return rules;
  const changed = ([key, value]: [string, unknown]) => [key, EXPRESSIONS.has(key) ? change(value) : value];
  return rules.map((rule) => (isObject(rule) ? Object.fromEntries(Object.entries(rule).map(changed)) : rule));
}
