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
} from "../errors";
import { isObject } from "./case";

const LONGEST_MESSAGE = 500;

/** The error class that a status stands for. */
export function refusalError(context: RequestContext, refusal: Refusal): ServiceError {
  switch (refusal.status) {
    case 400:
    case 422:
      return new InvalidRequestError(context, refusal);
    case 401:
      return new AuthenticationError(context, refusal);
    case 403:
      return new PermissionError(context, refusal);
    case 404:
      return new NotFoundError(context, refusal);
    case 409:
      return new AlreadyExistsError(context, refusal);
    case 429:
      return new RateLimitError(context, refusal);
    default:
      return refusal.status >= 500 ? new ServerError(context, refusal) : new ServiceError(context, refusal);
  }
}

/**
 * The service's own words in an error's body. The remote service has no uniform shape: text, `{error}`,
 * `{error: {code, message}}`, `{status, message}`, `{validation_errors}`; the manager says `{errors: [{msg, field}]}`,
 * text, or an HTML page.
 */
export function serviceWords(body: string): { message: string; code?: string } {
  const { message, code } = wordsOf(body);
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return code === undefined ? { message: short } : { message: short, code };
}

function wordsOf(body: string): { message: string; code?: string } {
  const trimmed = body.trim();
  if (trimmed.startsWith("<")) return { message: htmlText(trimmed) };
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { message: trimmed };
  }
  if (typeof value === "string") return { message: value };
  if (!isObject(value)) return { message: trimmed };
  const { error } = value;
  if (isObject(error)) {
    const code = typeof error.code === "string" ? { code: error.code } : {};
    const parts = [error.message, error.action, alternatives(error.alternatives), error.docs];
    return { message: spoken(parts) || JSON.stringify(error), ...code };
  }
  const list = value.errors ?? value.validation_errors;
  if (Array.isArray(list)) return { message: list.map(entryText).join("; ") };
  return { message: spoken([error, value.error_message, value.message]) || trimmed };
}

function entryText(entry: unknown): string {
  if (!isObject(entry)) return String(entry);
  const words = spoken([entry.msg, entry.message, entry.error]) || JSON.stringify(entry);
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
  const marked = /<pre>([\s\S]*?)<\/pre>/i.exec(html) ?? /<title>([\s\S]*?)<\/title>/i.exec(html);
  return `an HTML page${marked?.[1] === undefined ? "" : ` (${marked[1].replace(/<[^>]*>/g, " ").trim()})`}`;
}
