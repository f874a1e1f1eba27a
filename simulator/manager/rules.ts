import { type Fields, isFields } from "./fields";

/** When a rule is looked at. */
export type Phase = "before_send" | "after_hdr" | "after_body" | "timeout";

/** A rule of a port, as the manager keeps it. */
export interface Rule extends Fields {
  /** What fails where a rule has none is the request. */
  action?: Fields;
  type: Phase;
}

/** What a rule's conditions are about. */
export interface Subject {
  url: string;
  /** How long the answer has taken. */
  tookMs?: number;
  status?: number;
  body?: string;
}

const EARLY_ACTIONS = "retry_same retry retry_port null_response timeout_response bypass_proxy cache direct".split(" ");
const EARLY_TRIGGERS = ["url", "min_conn_time", "min_req_time"];

/** The rules of a port, those that send again last. One with a `trigger_code` of its own is left out: it is a program. */
export function rulesOf({ rules }: Fields): Rule[] {
  const rank = ({ action }: Rule): number => (action?.retry ? 1 : action?.retry_port ? 2 : 0);
  return (Array.isArray(rules) ? rules : [])
    .filter((rule) => isFields(rule) && !(rule.type && rule.trigger_code) && rule.active !== false)
    .map((rule: Fields) => ({ ...rule, type: phaseOf(rule) }) as Rule)
    .sort((a, b) => rank(a) - rank(b));
}

function phaseOf(rule: Fields): Phase {
  const isEarly =
    EARLY_ACTIONS.includes(String(rule.action_type)) && EARLY_TRIGGERS.includes(String(rule.trigger_type));
  if (isEarly) return rule.min_req_time || rule.min_conn_time ? "timeout" : "before_send";
  if (rule.status || rule.max_req_time || rule.min_req_time) return "after_hdr";
  return rule.body ? "after_body" : "before_send";
}

export function applies(rule: Rule, { url, tookMs = 0, status, body }: Subject): boolean {
  const { min_req_time: least = 0, max_req_time: most = Number.POSITIVE_INFINITY } = rule;
  if (rule.type === "after_hdr" && !(Number(least) <= tookMs && tookMs <= Number(most))) return false;
  if (rule.type === "after_hdr" && rule.status && !matches(rule.status, String(status))) return false;
  if (rule.type === "after_body" && !matches(rule.body, body ?? "")) return false;
  return matches(rule.url, url);
}

/**
 * What the manager throws when it looks at a rule before a request is sent, which is not after it has matched.
 *
 * @param isMet whether its conditions are met
 */
export function breakdownOf({ action, url, type }: Rule, isMet: boolean): string | undefined {
  const isEarly = type === "before_send" || type === "timeout";
  if (isEarly && !isMet) {
    try {
      new RegExp(String(url || ""));
    } catch (error) {
      return (error as Error).message;
    }
  }
  if (action !== undefined) return undefined;
  return `Cannot read properties of undefined (reading '${isEarly && isMet ? "malware" : "cache"}')`;
}

function matches(expression: unknown, text: string): boolean {
  // The manager puts it into a program, between backticks.
  if (/`|\$\{/.test(String(expression))) return false;
  try {
    return new RegExp(String(expression ?? "")).test(text);
  } catch {
    return false;
  }
}

/** How long an answer has to take until a rule no longer waits for it, in milliseconds. */
export const timeOf = ({ min_req_time, min_conn_time }: Fields): number => Number(min_req_time || min_conn_time);

/** How often the action sends a request again. */
export function retriesOf(action: Fields): number {
  if (action.retries) return Number(action.retries);
  if (action.retry_port) return 20;
  return Math.min(Number(action.retry) || 0, 3);
}
