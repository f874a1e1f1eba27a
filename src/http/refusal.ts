import {
  AlreadyExistsError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type Refusal,
  type RequestContext,
  ServerError,
  ServiceError,
  urlSetting,
} from "../base/errors";
import { isObject } from "../base/json";
import { readJson } from "./json";

const LONGEST_MESSAGE = 500;
const MOST_COMPLAINTS = 100;
const HTML_PAGE = "an HTML page";

const CLASSES: Readonly<Record<number, typeof ServiceError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  409: AlreadyExistsError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The error that a status stands for. */
export function refusalError(context: RequestContext, refusal: Refusal): ServiceError {
  const { status, message } = refusal;
  const isNotFound = status === 404 && context.service === "remote" && !isAboutThePath(message);
  const Known = CLASSES[status] ?? (status >= 500 ? ServerError : isNotFound ? NotFoundError : undefined);
  if (Known !== undefined) return new Known(context, refusal);
  // At the right address the thing may well be there.
  const isElsewhere = status === 404 || (status >= 300 && status < 400);
  return new ServiceError(context, isElsewhere ? misdirected(context, refusal) : refusal);
}

// A page, nothing, an object without words, or what web servers say of a path that they do not know. The manager has no other
// 404s than those, but for one that its operation knows.
const PATH_WORDS =
  /^(|[{[].*|404\b.*|not found[.!]?|cannot (get|post|put|delete) \/.*|(not found )?((the )?requested )?(page|path|route|url|endpoint|resource)\b.*)$/is;

const isAboutThePath = (message: string): boolean => message.startsWith(HTML_PAGE) || PATH_WORDS.test(message);

const misdirected = (context: RequestContext, refusal: Refusal): Refusal => ({
  remedy: `Check that ${context.urlSetting ?? urlSetting(context.service)} names the right service.`,
  ...refusal,
});

type ServiceWords = Pick<Refusal, "message" | "code" | "state" | "complaints">;

/**
 * The service's own words in an error's body. The remote service has no uniform shape: text, `{error}`,
 * `{error: {code, message}}`, `{status, message}`, `{validation_errors}`; the manager says `{errors: [{msg, field}]}`,
 * text, or an HTML page.
 *
 * @param hide takes the secrets out of a text
 */
export function serviceWords(body: string, hide: (text: string) => string): ServiceWords {
  // Before, because taking a page to pieces could take a secret to pieces; after, because JSON can spell it in many ways.
  const { message, code, state, complaints } = wordsOf(hide(body));
  return {
    message: shortened(hide(message)),
    ...(code === undefined ? {} : { code: hide(code) }),
    ...(state === undefined ? {} : { state }),
    ...(complaints === undefined ? {} : { complaints: complaints.map((words) => shortened(hide(words))) }),
  };
}

/** Whether a body has an `error`, as those of refusals do. */
export function saysError(body: string): boolean {
  const { value } = readJson(body);
  return isObject(value) && (typeof value.error === "string" || isObject(value.error));
}

function shortened(words: string): string {
  if (words.length <= LONGEST_MESSAGE) return words;
  // Not through the middle of a character: gRPC does not transport half of one.
  return `${words.slice(0, LONGEST_MESSAGE).replace(/[\ud800-\udbff]$/, "")}…`;
}

function wordsOf(body: string): ServiceWords {
  const trimmed = body.trim();
  if (trimmed.startsWith("<")) return { message: htmlText(trimmed) };
  const { value } = readJson(trimmed);
  if (typeof value === "string") return { message: value };
  if (!isObject(value)) return { message: trimmed };
  const { error } = value;
  if (isObject(error)) {
    const code = typeof error.code === "string" ? { code: error.code } : {};
    const parts = [error.message, error.action, alternatives(error.alternatives), error.docs];
    return { message: spoken(parts) || JSON.stringify(error), ...code };
  }
  const list = value.errors ?? value.validation_errors;
  if (Array.isArray(list) && list.length > 0) {
    const complaints = list.slice(0, MOST_COMPLAINTS).map(entryText);
    return { message: complaints.join("; "), complaints };
  }
  const state = typeof value.status === "string" ? { state: value.status } : {};
  return { message: spoken([error, value.error_message, value.message]) || trimmed, ...state };
}

function entryText(entry: unknown): string {
  if (!isObject(entry)) return String(entry);
  const words = spoken([entry.msg, entry.message, entry.error]) || spoken([entry.code]) || JSON.stringify(entry);
  return typeof entry.field === "string" ? `${entry.field}: ${words}` : words;
}

function alternatives(value: unknown): string {
  if (!Array.isArray(value)) return "";
  const products = value.map((item) => (isObject(item) && typeof item.product === "string" ? item.product : ""));
  return products.some(Boolean) ? `Alternatives: ${products.filter(Boolean).join(", ")}.` : "";
}

const spoken = (parts: unknown[]): string =>
  parts.filter((part): part is string => typeof part === "string" && part !== "").join(" ");

function htmlText(html: string): string {
  const words = between(html, "pre") ?? between(html, "title");
  return `${HTML_PAGE}${words === undefined ? "" : ` (${words.replace(/<[^<>]*>/g, " ").trim()})`}`;
}

/** One pattern for the whole would look for the end from each beginning: in a page of nothing else, for hours. */
function between(html: string, tag: string): string | undefined {
  const [, words, rest] = html.split(new RegExp(`</?${tag}>`, "i"), 3);
  return rest === undefined ? undefined : words;
}
