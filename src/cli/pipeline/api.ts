import { z } from "zod";
import { RateLimitError, type Refusal, type RequestContext, ServiceError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { Call } from "../../http/call";
import { Log } from "../../http/log";
import { Transport } from "../../http/transport";
import type { Post } from "./forge";

type Method = "GET" | "POST" | "PATCH" | "PUT";

const PAGE = 100;

const object = z.record(z.string(), z.unknown());

/** Where a forge is, and how it is asked. */
export interface Access {
  readonly url: string;
  /** The variable that the URL is from. */
  readonly variable: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What to do where it refuses the token. */
  readonly remedy: string;
}

/** The API of a forge: JSON over HTTP, with a token. */
export class Api {
  readonly #headers: Record<string, string>;
  readonly #transport: Transport;

  constructor({ url, variable, headers, remedy }: Access) {
    this.#headers = { accept: "application/json", ...headers };
    this.#transport = new Transport({
      service: "remote",
      baseUrl: url,
      urlSetting: variable,
      requestTimeout: 30,
      retries: 3,
      requestsPerMinute: 0,
      log: new Log("off"),
      remedy: ({ status }) => (status === 429 ? LATER : [401, 403, 404].includes(status) ? remedy : undefined),
    });
  }

  /** @param repeatable whether it may be done twice; a POST that only reads may, as all queries of GraphQL do */
  ask(method: Method, path: string, body?: JsonObject, repeatable = method !== "POST"): Promise<JsonObject> {
    return this.#transport.json({ ...this.#call(method, path), body, repeatable }, object);
  }

  /** The same of what there may not be. */
  find(path: string): Promise<JsonObject | undefined> {
    return this.ask("GET", path).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return undefined;
      throw error;
    });
  }

  /** A list, page by page, as long as its entries are wanted; without those that are read as nothing. */
  async *list(
    path: string,
    query: Record<string, string>,
    read: (entry: JsonObject) => Post | undefined,
  ): AsyncGenerator<Post> {
    for (let page = 1; ; page += 1) {
      const call = { ...this.#call("GET", path), query: { ...query, per_page: PAGE, page } };
      const found = await this.#transport.json(call, z.array(object));
      yield* found.flatMap((entry) => read(entry) ?? []);
      if (found.length < PAGE) return;
    }
  }

  #call(method: Method, path: string): Call {
    const request = { operation: "ask the forge", request: `${method} ${path}` as Call["request"] };
    return { ...request, headers: this.#headers, countedApart: true, onRefusal: tooMany };
  }
}

const LATER = "Run the job again later.";

/** GitHub has the status 403 for too many requests, too, and asks to wait a minute where it does not say how long. */
export const tooMany = (refusal: Refusal, context: RequestContext): RateLimitError | undefined =>
  refusal.status === 403 && (refusal.retryAfter !== undefined || /rate limit/i.test(refusal.message))
    ? new RateLimitError(context, { retryAfter: 60, ...refusal, remedy: LATER })
    : undefined;
