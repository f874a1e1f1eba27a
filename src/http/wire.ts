import type { Dispatcher } from "undici";
import { isLoopback } from "../base/loopback";
import { VERSION } from "../base/version";
import type { Call } from "./call";
import { inWordsOfProxy, requireProxies } from "./proxy";
import type { StreamReply } from "./reply";
import type { request } from "./undici";

interface Dispatchers {
  request: typeof request;
  short: Dispatcher;
  long: Dispatcher;
}

/** For an answer that is read at once, or for a stream, which keeps a connection for as long as it is read. */
export type Length = "short" | "long";

interface SentRequest {
  method: string;
  /** JSON. */
  body: string | undefined;
  token: string | undefined;
  headers: Call["headers"];
  signal: AbortSignal;
}

/** The connections to one service: so many for answers that are read at once, and as many as there are streams. */
export class Wire {
  readonly #url: string;
  readonly #atOnce: number;
  readonly #silence: number;
  #opened: Promise<Dispatchers> | undefined;

  /** @param silence how many seconds a stream may have nothing more to say */
  constructor(url: string, atOnce: number, silence: number) {
    this.#url = url;
    this.#atOnce = atOnce;
    this.#silence = silence;
  }

  async send(url: URL, { method, body, token, headers, signal }: SentRequest, length: Length): Promise<StreamReply> {
    const { request, [length]: dispatcher } = await this.#connections();
    const answer = await request(url, {
      method,
      dispatcher,
      signal,
      headersTimeout: 0,
      // The time limit of a try covers what is read at once, and may be longer than the library's.
      bodyTimeout: length === "short" ? 0 : this.#silence * 1000,
      headers: {
        accept: "application/json, text/plain;q=0.9, */*;q=0.5",
        "user-agent": `pulumi-brightdata/${VERSION} (node ${process.versions.node})`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => {
      throw inWordsOfProxy(error, url);
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  /** A proxy named in the environment is used, except on the way to this machine. */
  #connections(): Promise<Dispatchers> {
    this.#opened ??= import("./undici.js").then(({ Agent, EnvHttpProxyAgent, request }) => {
      const isHere = isLoopback(new URL(this.#url).hostname);
      if (!isHere) requireProxies();
      const Pools = isHere ? Agent : EnvHttpProxyAgent;
      return { request, short: new Pools({ connections: this.#atOnce }), long: new Pools() };
    });
    return this.#opened;
  }
}
