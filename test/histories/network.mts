import { Chance } from "./chance.mts";
import type { Time } from "./time.mts";

type Listener = (request: object, response: object) => void;

interface Options {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: Body;
}

const failure = (code: string, words: string): Error => Object.assign(new Error(words), { code });

const LONGEST_MS = 50;

/** Looks at a request. */
export interface Watcher {
  /** It arrives; whether it is let through. */
  arrived(): boolean;
  /** It has been carried out, and its answer is on its way. */
  done(): void;
}

/** Connections in memory: servers as `node:http` makes them, and a client as `undici` is one. */
export class Network {
  readonly #servers = new Map<number, Listener>();
  readonly #time: Time;
  #chance = new Chance(0);
  #port = 0;
  /** Told when a request has been carried out. */
  watch: () => void = () => {};

  constructor(time: Time) {
    this.#time = time;
  }

  restart(chance: Chance): void {
    this.#chance = chance;
    this.#port = 40_000;
    this.#servers.clear();
    this.watch = () => {};
  }

  /** `node:http`, as much as the simulator uses of it. */
  get http(): object {
    return {
      createServer: (listener: Listener) => {
        let own = 0;
        return {
          once: () => {},
          closeAllConnections: () => {},
          address: () => ({ port: own }),
          listen: (port: number, _host: string, ready: () => void) => {
            own = port || ++this.#port;
            this.#servers.set(own, listener);
            ready();
          },
          close: (closed: () => void) => {
            this.#servers.delete(own);
            closed();
          },
        };
      },
    };
  }

  /**
   * What the package loads of `undici`, by the names of its modules.
   *
   * @param ownerNow whom a request belongs to: none is answered when that is gone
   * @param watcherOf what looks at each of its requests
   */
  undici(ownerNow: () => object, watcherOf: () => Watcher): Record<string, unknown> {
    const request = this.client(ownerNow, watcherOf);
    class Agent {
      request({ origin, path, ...options }: Options & { origin: string; path: string }): Promise<Answer> {
        return request(new URL(path, origin), options);
      }
    }
    return {
      "undici/lib/dispatcher/agent.js": Agent,
      "undici/lib/dispatcher/env-http-proxy-agent.js": Agent,
      "undici/lib/dispatcher/dispatcher.js": Agent,
      "undici/lib/api/index.js": {},
    };
  }

  /** What sends requests. The parameters are those of `undici`. */
  client(ownerNow: () => object, watcherOf: () => Watcher): (url: URL, options: Options) => Promise<Answer> {
    return (url, options) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        const owner = ownerNow();
        // A process that is gone may go on for a moment here, where it cannot: nothing leaves it.
        if (this.#time.isGone(owner)) return;
        if (signal?.aborted) return reject(signal.reason);
        const exchange = new Exchange(resolve, reject);
        signal?.addEventListener("abort", () => exchange.fail(signal.reason as Error), { once: true });
        const watcher = watcherOf();
        const delay = () => 1 + this.#chance.below(LONGEST_MS);
        const [there, back] = [delay(), delay()];
        const arrive = () => {
          const listener = this.#servers.get(Number(url.port));
          if (listener === undefined) return exchange.fail(failure("ECONNREFUSED", `connect ECONNREFUSED ${url.host}`));
          if (!watcher.arrived()) return;
          const answered = (report: () => void) => {
            this.watch();
            watcher.done();
            this.#time.set(owner, report, back);
          };
          listener(
            new Incoming(url, options, () => answered(() => exchange.reset())),
            new Response(exchange, answered),
          );
        };
        this.#time.set(this, arrive, there);
      });
  }
}

/** A request that waits for its answer, or an answer that waits for the rest of it. */
class Exchange {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  #body: Body | undefined;

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(statusCode: number, headers: Record<string, string>): void {
    this.#body = new Body();
    this.#resolve({ statusCode, headers, body: this.#body });
  }

  send(piece: Buffer): void {
    this.#body?.push(piece);
  }

  end(): void {
    this.#body?.end();
  }

  fail(error: Error): void {
    if (this.#body === undefined) this.#reject(error);
    else this.#body.end(error);
  }

  reset(): void {
    this.fail(failure("ECONNRESET", "read ECONNRESET"));
  }
}

/** The body of an answer as it comes. */
class Body {
  readonly #pieces: Buffer[] = [];
  #isEnded = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#wake();
  }

  end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#wake();
  }

  on(): this {
    return this;
  }

  destroy(): this {
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** What a server sees of a request. */
class Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly socket: object;
  readonly #body: string | undefined;

  constructor(url: URL, { method, headers, body }: Options, reset: () => void) {
    this.method = method;
    this.url = url.pathname + url.search;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    this.headers = { ...headers, host: url.host, ...length };
    this.socket = { remoteAddress: "127.0.0.1", resetAndDestroy: reset };
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    if (this.#body !== undefined) yield Buffer.from(this.#body);
  }
}

/** What a server answers by. Its pieces arrive in the order in which they were written. */
class Response {
  headersSent = false;
  destroyed = false;
  readonly #exchange: Exchange;
  readonly #answered: (report: () => void) => void;

  constructor(exchange: Exchange, answered: (report: () => void) => void) {
    this.#exchange = exchange;
    this.#answered = answered;
  }

  writeHead(status: number, headers: Record<string, string> = {}): void {
    this.headersSent = true;
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.#answered(() => this.#exchange.begin(status, lower));
  }

  write(piece: string | Buffer, written?: () => void): boolean {
    this.#answered(() => this.#exchange.send(Buffer.from(piece)));
    written?.();
    return true;
  }

  end(piece?: string | Buffer): void {
    this.#answered(() => {
      if (piece !== undefined) this.#exchange.send(Buffer.from(piece));
      this.#exchange.end();
    });
  }

  destroy(): void {
    this.destroyed = true;
    this.#answered(() => this.#exchange.fail(failure("UND_ERR_SOCKET", "other side closed")));
  }
}
