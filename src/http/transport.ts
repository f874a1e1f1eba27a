import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import type { Dispatcher, request } from "undici";
import type { ZodType, z } from "zod";
import { codeOf } from "../base/cause";
import {
  BrightDataError,
  ConnectionError,
  originOf,
  type Refusal,
  type RequestContext,
  RequestError,
  ResponseFormatError,
  type Service,
  ServiceError,
  TimeoutError,
} from "../base/errors";
import { isLoopback } from "../base/loopback";
import { VERSION } from "../base/version";
import { bounded, DEFAULT_MOST_BYTES, tooLong } from "./bounded";
import { RateBudget } from "./budget";
import { ServiceClock } from "./clock";
import { secondsLeft } from "./end";
import { readJson } from "./json";
import type { Log } from "./log";
import { misfits } from "./misfit";
import { pause } from "./pause";
import { redact, secretsIn, textsIn } from "./redact";
import { refusalError, serviceWords } from "./refusal";
import { nextTry, retryAfterSeconds } from "./retry";
import { isPage, type Success } from "./success";
import { Throttle } from "./throttle";
import { Windows } from "./windows";

/** What every operation of a client takes besides its own arguments. */
export interface CallOptions {
  /** Ends the call, the waiting between tries included. */
  signal?: AbortSignal | undefined;
  /** Texts that the call's errors must not show, besides those that the client knows to be secret. */
  secrets?: readonly string[] | undefined;
}

export interface TransportOptions {
  service: Service;
  /** Scheme, host and, where there is one, a path prefix. */
  baseUrl: string;
  /** What the setting with the base URL is called, for errors. Default: the service's own. */
  urlSetting?: string;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Seconds that one try may take. */
  requestTimeout: number;
  /** How often a request that may be sent again is sent again. */
  retries: number;
  /** 0 for no limit. */
  requestsPerMinute: number;
  log: Log;
  /** What the service's 429s leave for further requests. Default: each costs a pause, and only a long one closes the service. */
  budget?: RateBudget;
  /** How many requests of one route the service takes in one of the windows that it counts them in. Default: it does not. */
  perWindow?: number;
  /** How many requests may run at the same time. Default 32. */
  atOnce?: number;
  /** Looks at a request as it is about to leave, its body as serialised; throws to keep it from leaving. */
  inspect?: (call: Call, body: string | undefined) => void;
  /** What to do about a refusal, by status; the callers of single operations know more and say it themselves. */
  remedy?: (refusal: Refusal) => string | undefined;
}

/** One request of one operation. */
export interface Call extends CallOptions {
  /** The operation in words that complete "Could not …", such as `create zone "web"`. */
  operation: string;
  /** The method, and the path below the base URL; its parts are percent-encoded by the caller. */
  request: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** The parts of the request that are secret under whatever key: no text in them is in an error. */
  secretParts?: unknown;
  /** Whether sending it twice does no more than sending it once. Default: everything but POST. */
  repeatable?: boolean;
  /** Seconds that one try may take, where the operation is known to be slow. */
  timeout?: number;
  /** The most bytes that are read of the answer. Default: 16 MiB. */
  mostBytes?: number;
  /** Whether the service counts these requests apart from all others: then a 429 of them holds nothing else back. */
  countedApart?: true;
  /** Whether 202 is an answer of its own. Otherwise it is a refusal: nothing has been done yet. */
  mayBePending?: true;
  /** Turns a refusal that the operation knows into an error of its own; `undefined` leaves it as it is. */
  onRefusal?: (refusal: Refusal, context: RequestContext) => ServiceError | undefined;
}

/** The method and the path of a call. */
export function requested({ request }: Call): { method: string; path: string } {
  const end = request.indexOf(" ");
  return { method: request.slice(0, end), path: request.slice(end + 1) };
}

/** A whole answer. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** An answer whose body is still to be read. The reader must consume or destroy the body. */
export interface StreamReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

interface Connections {
  request: typeof request;
  /** For answers that are read at once. */
  short: Dispatcher;
  /** For streams, which keep a connection for as long as they are read: as many as there are of them. */
  long: Dispatcher;
}

const AT_ONCE = 32;

const MOST_MISFITS = 3;

/** A name with a broken character in it would be another name. */
const NOT_UTF8 = "text that is not UTF-8";

/**
 * Sends the requests of one service: one place for time limits, repetition, rate, errors and the hiding of secrets.
 *
 * A request is sent again when that can do no harm: when it never left this machine, when the service refused it with 429,
 * or when it is repeatable and the connection broke, time ran out or the service answered 5xx. Redirects are not followed: a
 * DELETE whose body gets lost on the way would be a different request.
 */
export class Transport {
  /** What time it is at the service. @internal */
  readonly clock = new ServiceClock();
  readonly #options: TransportOptions;
  readonly #throttle: Throttle;
  readonly #windows: Windows | undefined;
  #opened: Promise<Connections> | undefined;
  /** Whether the service has answered so far; `false` once it was tried in vain, again and again. */
  #isThere: boolean | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { atOnce = AT_ONCE, requestsPerMinute: perMinute, budget = new RateBudget() } = options;
    this.#throttle = new Throttle({ atOnce, perMinute, budget });
    this.#windows = windowsOf(options);
  }

  /**
   * Sends `call` and reads the answer as JSON of the given shape, which is what a success looks like.
   *
   * @internal for programs, whose compiler would read all the types of zod
   */
  async json<S extends ZodType>(call: Call, shape: S): Promise<z.output<S>> {
    const reply = await this.#whole(call);
    try {
      return this.read(call, reply, shape);
    } catch (error) {
      throw isPending(call, reply) ? this.#refusal(call, reply) : error;
    }
  }

  /** Reads an answer as JSON of the given shape. @internal */
  read<S extends ZodType>(call: Call, reply: Reply, shape: S): z.output<S> {
    if (isPage(reply.text)) throw this.#unusable(call, "an HTML page instead of JSON");
    const json = readJson(reply.text);
    if (json.problem !== undefined) throw this.#unusable(call, json.problem);
    const result = shape.safeParse(json.value);
    if (result.success) return result.data;
    const parts = misfits(result.error.issues, json.value).slice(0, MOST_MISFITS);
    throw this.#unusable(call, `JSON of another shape (${this.#hider(call)(parts.join("; "))})`);
  }

  /** Sends `call` and returns the answer when it is a success by its status and by its looks. */
  async send(call: Call, success: Success): Promise<Reply> {
    const reply = await this.#whole(call);
    if (isPending(call, reply)) throw this.#refusal(call, reply);
    if (isPage(reply.text)) throw this.#unusable(call, `an HTML page where ${success.expected} was expected`);
    const body = reply.text.trim();
    if (success.fits(body, reply.status)) return reply;
    const found = body === "" ? `an empty answer with status ${reply.status}` : `${body.length} characters of text`;
    throw this.#unusable(call, `${found} where ${success.expected} was expected`);
  }

  /** Sends `call` and returns the answer with its body unread. The time allowed covers the answer's head only. */
  async stream(call: Call): Promise<StreamReply> {
    return this.#repeat(call, async (signal) => {
      const reply = await this.#dispatch(call, signal, "long");
      if (!isAccepted(reply) || isPending(call, reply)) {
        throw this.#refusal(call, { ...reply, text: (await this.#text(call, reply.body))?.words ?? "" });
      }
      return reply;
    });
  }

  #whole(call: Call): Promise<Reply> {
    return this.#repeat(call, async (signal) => {
      // The time limit covers the body, and may be longer than the library's.
      const { status, headers, body } = await this.#dispatch(call, signal, "short", { bodyTimeout: 0 });
      const text = await this.#text(call, body);
      const reply = { status, headers, text: text?.words ?? "" };
      if (!isAccepted(reply)) throw this.#refusal(call, reply);
      if (text === undefined) throw this.#unusable(call, tooLong(call.mostBytes ?? DEFAULT_MOST_BYTES));
      if (!text.isUtf8) throw this.#unusable(call, NOT_UTF8);
      return reply;
    });
  }

  /** The body as a text; `undefined` when there is more of it than is read, which ends the connection. */
  async #text(call: Call, body: StreamReply["body"]): Promise<{ words: string; isUtf8: boolean } | undefined> {
    const excess = new RangeError();
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of bounded(body, call.mostBytes ?? DEFAULT_MOST_BYTES, () => excess)) pieces.push(piece);
    } catch (error) {
      if (error === excess) return undefined;
      throw error;
    } finally {
      body.on("error", () => {}).destroy();
    }
    const whole = Buffer.concat(pieces);
    return { words: new TextDecoder().decode(whole), isUtf8: isUtf8(whole) };
  }

  #unusable(call: Call, problem: string): ResponseFormatError {
    return new ResponseFormatError(this.context(call), problem);
  }

  async #repeat<T>(call: Call, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, repeatable = requested(call).method !== "POST", countedApart = false } = call;
    let isLost = false;
    for (let number = 1; ; number++) {
      const tried = await this.#try(call, attempt);
      if ("result" in tried) return tried.result;
      const { error } = tried;
      // What is certain of this try is not of one before whose answer was lost.
      if (isLost && error instanceof RequestError) Object.assign(error, { settled: false });
      isLost ||= !isSettled(error);
      // Of a machine that is down each request would find that out at length, and keep the engine from others that are not.
      const retries = this.#isThere === false ? 0 : this.#options.retries;
      const { heldSeconds } = this.#throttle;
      const left = { isAborted: signal?.aborted === true, secondsLeft: secondsLeft(signal) };
      const next = nextTry(
        { ...tried, number, retries, repeatable, countedApart, heldSeconds, ...left },
        Math.random(),
      );
      if (next === "spent" && error instanceof ConnectionError && error.settled) this.#isThere ??= false;
      if (typeof next === "string") throw error;
      this.#options.log.line("info", `${call.operation}: try ${number} failed, again in ${next.seconds.toFixed(1)} s`);
      // The throttle lets nothing through while the service is held back.
      if (!next.isHeld) await pause(next.seconds * 1000, signal);
    }
  }

  async #try<T>(
    call: Call,
    attempt: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ result: T } | { error: unknown; isSent: boolean }> {
    const { signal, countedApart } = call;
    let isSent = false;
    const send = () => {
      isSent = true;
      return this.#timed(call, attempt);
    };
    try {
      const ticket = { context: this.context(call), signal, countedApart };
      const result = await this.#inWindow(call, () => this.#throttle.run(ticket, send));
      this.#isThere = true;
      return { result };
    } catch (error) {
      if (error instanceof ServiceError) this.#isThere = true;
      return { error, isSent };
    }
  }

  async #timed<T>(call: Call, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const seconds = call.timeout ?? this.#options.requestTimeout;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), seconds * 1000);
    const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
    const started = performance.now();
    const { method, url } = this.context(call);
    const log = (outcome: string) => {
      const ms = Math.round(performance.now() - started);
      this.#options.log.line("debug", `${method} ${url} ${outcome} ${ms} ms`);
    };
    try {
      const result = await attempt(signal);
      log("ok");
      return result;
    } catch (error) {
      log(error instanceof BrightDataError ? `failed (${error.name})` : "failed");
      if (error instanceof BrightDataError) throw error;
      if (call.signal?.aborted) throw call.signal.reason;
      if (timeout.signal.aborted) throw new TimeoutError(this.context(call), seconds, undefined, { cause: error });
      throw this.#connectionError(call, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #dispatch(
    call: Call,
    signal: AbortSignal,
    length: "short" | "long",
    limits: { bodyTimeout?: number } = {},
  ): Promise<StreamReply> {
    const serialised = call.body === undefined ? undefined : JSON.stringify(call.body);
    this.#options.inspect?.(call, serialised);
    const { request, [length]: dispatcher } = await this.#connections();
    const { statusCode, headers, body } = await request(this.#url(call), {
      method: requested(call).method,
      dispatcher,
      signal,
      headersTimeout: 0,
      ...limits,
      headers: {
        accept: "application/json, text/plain;q=0.9, */*;q=0.5",
        "user-agent": `pulumi-brightdata/${VERSION} (node ${process.versions.node})`,
        ...(this.#options.token === undefined ? {} : { authorization: `Bearer ${this.#options.token}` }),
        ...(serialised === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(serialised === undefined ? {} : { body: serialised }),
    });
    this.#windows?.learn(this.#route(call), headers.ratelimit);
    this.clock.learn(headers.date);
    return { status: statusCode, headers, body };
  }

  #inWindow<T>(call: Call, send: () => Promise<T>): Promise<T> {
    return this.#windows === undefined ? send() : this.#windows.run(this.#route(call), call.signal, send);
  }

  /** What the service counts requests by. */
  #route(call: Call): string {
    return `${requested(call).method} ${this.#url(call).href}`;
  }

  /** A proxy named in the environment is used, except on the way to this machine. */
  #connections(): Promise<Connections> {
    this.#opened ??= import("undici").then(({ Agent, EnvHttpProxyAgent, request }) => {
      const { baseUrl, atOnce = AT_ONCE } = this.#options;
      const Pools = isLoopback(new URL(baseUrl).hostname) ? Agent : EnvHttpProxyAgent;
      return { request, short: new Pools({ connections: atOnce }), long: new Pools() };
    });
    return this.#opened;
  }

  #refusal(call: Call, reply: Reply): ServiceError {
    const hide = this.#hider(call);
    const words = serviceWords(reply.text, hide);
    const marked = serviceWords(mark(reply) ?? "", hide);
    // Beside a 2xx the body is what a success would have.
    const said = words.message === "" || (reply.status < 300 && marked.message !== "") ? marked : words;
    const retryAfter = retryAfterSeconds(header(reply, "retry-after"), new Date());
    const refusal: Refusal = {
      status: reply.status,
      ...said,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
    const context = this.context(call);
    const own = call.onRefusal?.(refusal, context);
    if (own !== undefined) return own;
    const remedy = this.#options.remedy?.(refusal);
    return refusalError(context, remedy === undefined ? refusal : { ...refusal, remedy });
  }

  #connectionError(call: Call, error: unknown): ConnectionError {
    const { message, name, cause } = error instanceof Error ? error : new Error(String(error));
    const code = codeOf(error) ?? codeOf(cause) ?? "UNKNOWN";
    const detail = this.#hider(call)(message || code);
    // The parser's error holds the bytes that it could not read.
    const options = name === "HTTPParserError" ? {} : { cause: error };
    return new ConnectionError(this.context(call), code, detail, options);
  }

  #hider(call: Call): (words: string) => string {
    const { token } = this.#options;
    const secrets = [
      ...(token === undefined ? [] : [token]),
      ...secretsIn([call.body, call.headers, call.query]),
      ...textsIn(call.secretParts),
      ...(call.secrets ?? []),
    ];
    return (words) => redact(words, secrets);
  }

  /** What a call's errors say of it, for those that an operation finds in an answer by itself. */
  context(call: Call): RequestContext {
    const { method, path } = requested(call);
    const { service, urlSetting } = this.#options;
    return {
      service,
      operation: call.operation,
      method,
      url: `${this.#base()}${path}`,
      ...(urlSetting === undefined ? {} : { urlSetting }),
    };
  }

  #url(call: Call): URL {
    const url = new URL(this.context(call).url);
    for (const [key, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    return url;
  }

  #base(): string {
    return this.#options.baseUrl.replace(/\/+$/, "");
  }
}

function windowsOf({ perWindow, baseUrl, log }: TransportOptions): Windows | undefined {
  if (perWindow === undefined) return undefined;
  const reached = `${originOf(baseUrl)} accepts no more requests of this kind in this minute`;
  return new Windows(perWindow, (seconds) => log.line("warn", `${reached}: waiting ${seconds} s.`));
}

const isSettled = (error: unknown): boolean => error instanceof RequestError && error.settled;

type Head = Pick<Reply, "status" | "headers">;

const isAccepted = (reply: Head): boolean => reply.status < 300 && mark(reply) === undefined;

const isPending = (call: Call, reply: Head): boolean => reply.status === 202 && !call.mayBePending;

/** The header by which the remote service marks some failures, even beside a 2xx status. */
const mark = (reply: Head): string | undefined => header(reply, "x-brd-error") ?? header(reply, "x-luminati-error");

function header(reply: Head, name: string): string | undefined {
  const value = reply.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
