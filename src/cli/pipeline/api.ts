import { setTimeout as pause } from "node:timers/promises";
import { BrightDataError } from "../../base/errors";
import { isObject, type JsonObject } from "../../base/json";
import { isLoopback } from "../../base/loopback";
import { VERSION } from "../../base/version";
import { retryAfterSeconds } from "../../http/retry";

export class ForgeError extends BrightDataError {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PATCH" | "PUT";

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 60;
const TIMEOUT_MS = 30_000;
const PAGE = 100;

export class Api {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #remedy: string;

  /** @param remedy what to do where it refuses the token */
  constructor(url: string, headers: Readonly<Record<string, string>>, remedy: string) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = { "user-agent": `pulumi-brightdata/${VERSION}`, accept: "application/json", ...headers };
    this.#remedy = remedy;
  }

  /** @throws {ForgeError} unless the answer is an object */
  async ask(method: Method, path: string, body?: JsonObject): Promise<JsonObject> {
    return this.#object(method, path, body, method !== "POST");
  }

  /** A POST that only reads, as all queries of GraphQL are. */
  async query(path: string, body: JsonObject): Promise<JsonObject> {
    return this.#object("POST", path, body, true);
  }

  async #object(method: Method, path: string, body: JsonObject | undefined, isRepeatable: boolean) {
    const { json } = await this.#send(method, path, body, isRepeatable);
    if (isObject(json)) return json;
    throw new ForgeError(`${method} ${path} was answered with something that is no object.`);
  }

  /** All entries of a list, page by page, as long as they are wanted. */
  async *list(path: string): AsyncGenerator<JsonObject> {
    for (let page = 1; ; page += 1) {
      const { json } = await this.#send("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`);
      if (!Array.isArray(json)) throw new ForgeError(`GET ${path} was answered with something that is no list.`);
      yield* json.filter(isObject);
      if (json.length < PAGE) return;
    }
  }

  /** What may be done twice is tried again when the forge fails or is busy. */
  async #send(method: Method, path: string, body?: JsonObject, isRepeatable = true): Promise<{ json: unknown }> {
    for (let number = 1; ; number += 1) {
      const found = await this.#try(method, path, body);
      if (!("problem" in found)) return found;
      if (!found.mayPass || !(isRepeatable || found.isBusy) || number === TRIES) throw found.problem;
      await pause(1_000 * Math.min(found.seconds ?? 2 ** (number - 1), LONGEST_WAIT_SECONDS));
    }
  }

  async #try(method: Method, path: string, body: JsonObject | undefined) {
    const { fetch, Agent, EnvHttpProxyAgent } = await import("undici");
    const url = new URL(path.startsWith("http") ? path : `${this.#url}${path}`);
    const dispatcher = isLoopback(url.hostname) ? new Agent() : new EnvHttpProxyAgent();
    const context = `${method} ${url.origin}${url.pathname}`;
    try {
      const response = await fetch(url, {
        method,
        dispatcher,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { ...this.#headers, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const { headers } = response;
      const reset = Number(headers.get("x-ratelimit-reset")) - Date.now() / 1_000;
      const isSpent = headers.get("x-ratelimit-remaining") === "0";
      // Without the one, GitHub says by the others that there were too many requests.
      const retryAfter = headers.get("retry-after") ?? (isSpent ? String(Math.max(0, Math.ceil(reset))) : undefined);
      return response.ok
        ? { json: parsed(text) }
        : this.#refusal(context, { status: response.status, text, retryAfter });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const words = cause instanceof Error ? cause.message : String(cause);
      const problem = new ForgeError(`${context} failed: ${words}`);
      return { problem, mayPass: true, isBusy: false, seconds: undefined };
    } finally {
      await dispatcher.close();
    }
  }

  #refusal(
    context: string,
    { status, text, retryAfter }: { status: number; text: string; retryAfter: string | undefined },
  ) {
    const seconds = retryAfterSeconds(retryAfter, new Date());
    // GitHub has the status 403 for too many requests, too.
    const isBusy = status === 429 || (status === 403 && seconds !== undefined);
    const advice = [401, 403, 404].includes(status) ? ` ${this.#remedy}` : "";
    const problem = new ForgeError(`${context} was answered with ${status}: ${wordsIn(text)}${advice}`, status);
    return { problem, mayPass: status >= 500 || isBusy, isBusy, seconds };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a value is refused, in GitHub's forms. */
export function reasonIn(error: unknown): string {
  if (!isObject(error)) return String(error);
  const { message, resource, field, code } = error;
  return typeof message === "string" ? message : [resource, field, code].filter(Boolean).join(" ");
}

const LONGEST_WORDS = 300;

function wordsIn(text: string): string {
  const json = parsed(text);
  const { message, error, errors } = isObject(json) ? json : {};
  const reasons = (Array.isArray(errors) ? errors : []).map(reasonIn);
  const said = reasons.length === 0 ? (message ?? error) : [message, reasons.join("; ")].join(": ");
  const found = typeof said === "string" ? said : said === undefined ? "no reason given" : JSON.stringify(said);
  return `${found.slice(0, LONGEST_WORDS).replace(/[.\s]+$/, "")}.`;
}
