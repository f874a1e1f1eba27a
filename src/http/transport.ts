import type { ZodType, z } from "zod";
import { counted } from "../base/counted";
import {
  BrightDataError,
  ConnectionError,
  type Refusal,
  type RequestContext,
  RequestError,
  ResponseFormatError,
  type Service,
  ServiceError,
  TimeoutError,
} from "../base/errors";
import { once } from "../base/once";
import { DEFAULT_MOST_BYTES, textOf, tooLong } from "./bounded";
import { brokenBy } from "./broken";
import { RateBudget } from "./budget";
import { type Call, changes, isRepeatable, requested } from "./call";
import { ServiceClock } from "./clock";
import { calledOff, isCalledOff, secondsLeft, waitEnd } from "./end";
import { readJson } from "./json";
import type { Log } from "./log";
import { misfits, readAs } from "./misfit";
import { redact, secretsIn, textsIn } from "./redact";
import { refusalError, saysError, serviceWords } from "./refusal";
import { type Head, isAccepted, mark, type Reply, retryAfter, type StreamReply } from "./reply";
import { nextTry, untilNext } from "./retry";
import { isPage, type Success } from "./success";
import { Throttle } from "./throttle";
import { type Windows, windowsOf } from "./windows";
import { type Length, Wire } from "./wire";

export interface TransportOptions {
  service: Service;
  /** Scheme, host and, where there is one, a path prefix. */
  baseUrl: string;
  /** What the setting with the base URL is called, for errors. Default: the service's own. */
  urlSetting?: string;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Seconds that one try may take; of a stream, until its head comes, and between what then comes. */
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
  /** Whether each question is asked once, in one read as a whole, and its answer kept: what is read is taken to stay as it is. */
  asksOnce?: boolean | undefined;
  /** Looks at a request as it is about to leave, its body as serialised; throws to keep it from leaving. */
  inspect?: (call: Call, body: string | undefined) => void;
  /** What to do about a refusal, by status; the callers of single operations know more and say it themselves. */
  remedy?: (refusal: Refusal) => string | undefined;
}

const AT_ONCE = 32;

const MOST_MISFITS = 3;

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
  readonly #wire: Wire;
  readonly #answers = new Map<string, Promise<Reply>>();
  /** Whether the service has answered so far; `false` once it was tried in vain, again and again. */
  #isThere: boolean | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { baseUrl, atOnce = AT_ONCE, requestsPerMinute: perMinute, budget = new RateBudget() } = options;
    this.#wire = new Wire(baseUrl, atOnce, options.requestTimeout);
    this.#throttle = new Throttle({ atOnce, perMinute, budget });
    this.#windows = windowsOf(options);
  }

  /**
   * Sends `call` and reads the answer as JSON of the given shape, which is what a success looks like. One that has an `error` instead
   * is a refusal, whatever its status.
   *
   * @internal for programs, whose compiler would read all the types of zod
   */
  async json<S extends ZodType>(call: Call, shape: S): Promise<z.output<S>> {
    const reply = await this.#whole(call);
    try {
      return this.read(call, reply, shape);
    } catch (error) {
      throw isPending(call, reply) || saysError(reply.text) ? this.refusal(call, reply) : error;
    }
  }

  /** Reads an answer as JSON of the given shape. @internal */
  read<S extends ZodType>(call: Call, reply: Reply, shape: S, keeps?: "digits"): z.output<S> {
    if (isPage(reply.text)) throw this.#unusable(call, "an HTML page instead of JSON");
    const json = readJson(reply.text, keeps);
    if (json.problem !== undefined) throw this.#unusable(call, json.problem);
    const result = readAs(shape, json.value);
    if (result.success) return result.data;
    const parts = misfits(result.error.issues, json.value).slice(0, MOST_MISFITS);
    throw this.#unusable(call, `JSON of another shape (${this.#hider(call)(parts.join("; "))})`);
  }

  /** Sends `call` and returns the answer when it is a success by its status and by its looks. */
  async send(call: Call, success: Success): Promise<Reply> {
    const reply = await this.#whole(call);
    const isRefusal = !success.mayHaveError && saysError(reply.text);
    if (isPending(call, reply) || isRefusal) throw this.refusal(call, reply);
    if (isPage(reply.text)) throw this.#unusable(call, `an HTML page where ${success.expected} was expected`);
    const body = reply.text.trim();
    if (success.fits(body, reply.status)) return reply;
    const found =
      body === "" ? `an empty answer with status ${reply.status}` : `${counted(body.length, "character")} of text`;
    throw this.#unusable(call, `${found} where ${success.expected} was expected`);
  }

  /** Sends `call` and returns the answer with its body unread. The time allowed covers the answer's head only. */
  async stream(call: Call): Promise<StreamReply> {
    return this.#repeat(call, async (signal) => {
      const reply = await this.#dispatch(call, signal, "long");
      if (!isAccepted(reply) || isPending(call, reply)) {
        throw this.refusal(call, { ...reply, text: (await textOf(reply.body, call.mostBytes))?.words ?? "" });
      }
      return reply;
    });
  }

  #whole(call: Call): Promise<Reply> {
    if (this.#options.asksOnce !== true || changes(call)) return this.#ask(call);
    // Who asks first may stop waiting for what others wait for, too.
    return once(this.#answers, this.#route(call), () => this.#ask({ ...call, signal: undefined }));
  }

  #ask(call: Call): Promise<Reply> {
    return this.#repeat(call, async (signal) => {
      const { status, headers, body } = await this.#dispatch(call, signal, "short");
      const text = await textOf(body, call.mostBytes);
      const reply = { status, headers, text: text?.words ?? "" };
      if (!isAccepted(reply)) throw this.refusal(call, reply);
      if (text === undefined) throw this.#unusable(call, tooLong(call.mostBytes ?? DEFAULT_MOST_BYTES));
      // A name with a broken character in it would be another name.
      if (!text.isUtf8) throw this.#unusable(call, "text that is not UTF-8");
      return reply;
    });
  }

  #unusable(call: Call, problem: string): ResponseFormatError {
    return new ResponseFormatError(this.context(call), problem);
  }

  async #repeat<T>(call: Call, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, countedApart = false } = call;
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
      const left = { isAborted: waitEnd(signal)?.aborted === true, secondsLeft: secondsLeft(signal) };
      const next = nextTry(
        { ...tried, number, retries, repeatable: isRepeatable(call), countedApart, heldSeconds, ...left },
        Math.random(),
      );
      if (next === "spent" && error instanceof ConnectionError && error.settled) this.#isThere ??= false;
      if (typeof next === "string") throw error;
      this.#log(call, "info", `${call.operation}: try ${number} failed, again in ${next.seconds.toFixed(1)} s`);
      await untilNext(next, call, error);
    }
  }

  async #try<T>(
    call: Call,
    attempt: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ result: T } | { error: unknown; isSent: boolean }> {
    const { signal, countedApart, lock } = call;
    let isSent = false;
    const send = () => {
      isSent = true;
      return this.#timed(call, attempt);
    };
    try {
      const ticket = { context: this.context(call), signal, changes: changes(call), countedApart, lock };
      const paced = () => this.#throttle.run(ticket, send);
      const result = await (this.#windows?.run(this.#route(call), waitEnd(signal), paced) ?? paced());
      this.#isThere = true;
      return { result };
    } catch (error) {
      if (error instanceof ServiceError) this.#isThere = true;
      return { error: !isSent && isCalledOff(signal) ? calledOff(this.context(call), error) : error, isSent };
    }
  }

  async #timed<T>(call: Call, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const seconds = call.timeout ?? Math.max(call.leastTimeout ?? 0, this.#options.requestTimeout);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), seconds * 1000);
    const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
    const started = performance.now();
    const { method, url } = this.context(call);
    const log = (outcome: string) => {
      const ms = Math.round(performance.now() - started);
      this.#log(call, "debug", `${method} ${url} ${outcome} ${ms} ms`);
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
      throw this.connectionError(call, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #log({ secrets = [] }: Call, level: "info" | "debug", words: string): void {
    this.#options.log.line(level, secrets.length === 0 ? words : redact(words, secrets));
  }

  async #dispatch(call: Call, signal: AbortSignal, length: Length): Promise<StreamReply> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    this.#options.inspect?.(call, body);
    const { token } = this.#options;
    const { method } = requested(call);
    const reply = await this.#wire.send(
      this.#url(call),
      { method, body, token, headers: call.headers, signal },
      length,
    );
    this.#windows?.learn(this.#route(call), reply.headers.ratelimit);
    this.clock.learn(reply.headers.date);
    return reply;
  }

  /** What the service counts requests by. */
  #route(call: Call): string {
    return `${requested(call).method} ${this.#url(call).href}`;
  }

  /** The error that an answer is, whatever its status. @internal */
  refusal(call: Call, reply: Reply): ServiceError {
    const hide = this.#hider(call);
    const words = serviceWords(reply.text, hide);
    const marked = serviceWords(mark(reply) ?? "", hide);
    // Beside a 2xx the body is what a success would have.
    const said = words.message === "" || (reply.status < 300 && marked.message !== "") ? marked : words;
    const seconds = retryAfter(reply, this.clock.now ?? Date.now());
    const refusal: Refusal = { status: reply.status, ...said, ...(seconds !== undefined && { retryAfter: seconds }) };
    const context = this.context(call);
    const own = call.onRefusal?.(refusal, context);
    if (own !== undefined) return own;
    const remedy = this.#options.remedy?.(refusal);
    return refusalError(context, remedy === undefined ? refusal : { ...refusal, remedy });
  }

  /** @param where it broke, if that was while the answer's body was read. @internal */
  connectionError(call: Call, error: unknown, where?: string): ConnectionError {
    const { code, words, cause } = brokenBy(error, this.#options.requestTimeout);
    const detail = this.#hider(call)(where === undefined ? words : `${where}: ${words}`);
    return new ConnectionError(this.context(call), code, detail, cause === undefined ? {} : { cause });
  }

  #hider(call: Call): (words: string) => string {
    const secrets = [
      this.#options.token ?? "",
      ...secretsIn([call.body, call.headers, call.query]),
      ...textsIn(call.secretParts),
      ...(call.secrets ?? []),
    ];
    return (words) => redact(words, secrets);
  }

  /** What a call's errors say of it, for those that an operation finds in an answer by itself. */
  context(call: Call): RequestContext {
    const { method, path } = requested(call);
    const { service, baseUrl, urlSetting } = this.#options;
    return {
      service,
      operation: call.operation,
      method,
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
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
}

const isSettled = (error: unknown): boolean => error instanceof RequestError && error.settled;

const isPending = (call: Call, reply: Head): boolean => reply.status === 202 && !call.mayBePending;
