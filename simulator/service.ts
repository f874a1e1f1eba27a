import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { type Fault, FaultPlan } from "./fault";

/** A request as a simulated service sees it. */
export interface SimulatedRequest {
  method: string;
  /** Path as it was sent, without the query string; percent-decoded by segment in {@link params} only. */
  path: string;
  query: URLSearchParams;
  /** Values of the `:name` segments of the route that matched. */
  params: Record<string, string>;
  headers: Record<string, string | undefined>;
  /** The body as it was sent, empty when there was none. */
  bytes: Buffer;
  /** The body read as UTF-8. */
  text: string;
  remoteAddress: string;
}

/** What a simulated service answers. An async iterable body is sent chunked. */
export interface SimulatedResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer | AsyncIterable<string | Buffer>;
}

/** Returned by a handler whose real counterpart never answers. */
export const NEVER = Symbol("never answers");

export type Answer = SimulatedResponse | typeof NEVER;

export type Handler = (request: SimulatedRequest) => Answer | Promise<Answer>;

/** One line of a service's request log, oldest first. */
export interface LoggedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  /** Parsed JSON where the body was JSON, else the text. */
  body: unknown;
  /** `0` when the connection was cut or never answered. */
  status: number;
}

interface Route {
  method: string;
  segments: string[];
  handler: Handler;
}

export const LOOPBACK = "127.0.0.1";

/** Paths under this prefix steer the simulator. They need no token, are not logged and meet no fault. */
export const CONTROL_PREFIX = "/__simulator";

/** Where a program on this machine finds what listens on that host. */
export function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** A JSON answer, as Express sends it. */
export const json = (body: unknown, status = 200): SimulatedResponse => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
});

/** A text answer with the given content type (Express says `text/html` for a plain string). */
export const text = (body: string, status = 200, type = "text/html; charset=utf-8"): SimulatedResponse => ({
  status,
  headers: { "content-type": type },
  body,
});

/**
 * A real HTTP server on loopback with routes, a request log and a plan of faults. The services are built on it; it knows
 * nothing of what they answer.
 */
export class SimulatedService {
  readonly faults = new FaultPlan();
  readonly requests: LoggedRequest[] = [];
  readonly #routes: Route[] = [];
  readonly #fallback: Handler;
  readonly #gate: ((request: SimulatedRequest) => SimulatedResponse | undefined) | undefined;
  readonly #clock: (() => Date) | undefined;
  #server: Server | undefined;
  #host = LOOPBACK;
  /** Services that share its address, each with what tells that a request is theirs. */
  readonly #guests: { guest: SimulatedService; isTheirs: (request: SimulatedRequest) => boolean }[] = [];
  #landlord: SimulatedService | undefined;

  /**
   * @param fallback answers what no route matches
   * @param gate runs before the routes; what it returns is sent instead (a token check, say)
   */
  /** @param clock what its answers are dated by. Default: the machine's */
  constructor(
    fallback: Handler,
    gate?: (request: SimulatedRequest) => SimulatedResponse | undefined,
    clock?: () => Date,
  ) {
    this.#fallback = fallback;
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Adds a route. `pattern` is a path with `:name` segments; the first route added that matches wins. */
  route(method: string, pattern: string, handler: Handler): this {
    this.#routes.push({ method, segments: pattern.split("/"), handler });
    return this;
  }

  /** Adds a route that steers the simulator, under {@link CONTROL_PREFIX}. */
  control(method: string, pattern: string, handler: Handler): this {
    return this.route(method, CONTROL_PREFIX + pattern, handler);
  }

  /** Listens; port `0` takes a free one. */
  async listen(port = 0, host = LOOPBACK): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    this.#server = server;
    this.#host = host;
  }

  /** Has another service answer at the address of this one, which does not listen by itself then. */
  share(guest: SimulatedService, isTheirs: (request: SimulatedRequest) => boolean): void {
    this.#guests.push({ guest, isTheirs });
    guest.#landlord = this;
  }

  get isListening(): boolean {
    return this.#server !== undefined || this.#landlord?.isListening === true;
  }

  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  get url(): string {
    if (this.#landlord !== undefined) return this.#landlord.url;
    const address = this.#server?.address();
    if (typeof address !== "object" || address === null) throw new Error("The simulated service is not listening.");
    return urlOf(this.#host, address.port);
  }

  /** Forgets the requests, and the faults that are still to strike. */
  reset(): void {
    this.requests.length = 0;
    this.faults.clear();
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(incoming);
      const { guest: meant = this } = this.#guests.find(({ isTheirs }) => isTheirs(request)) ?? {};
      if (isControl(request)) await meant.#steer(request, response);
      else await meant.#serveLogged(request, incoming, response);
    } catch (error) {
      // Past the head there is no other way left to tell the client that the answer is broken.
      if (response.headersSent) response.destroy();
      else await send(response, text(`Simulator error: ${String(error)}`, 500));
    }
  }

  async #steer(request: SimulatedRequest, response: ServerResponse): Promise<void> {
    const answer = await this.#routed(request);
    if (answer !== NEVER) await send(response, answer);
  }

  async #serveLogged(request: SimulatedRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry: LoggedRequest = {
      method: request.method,
      path: request.path,
      query: Object.fromEntries(request.query),
      headers: request.headers,
      body: parsed(request.text),
      status: 0,
    };
    this.requests.push(entry);
    const fault = this.faults.take(request);
    if (fault?.delayMs !== undefined) await passed(fault.delayMs);
    const { kind } = fault ?? {};
    const spared = kind === "respond" || kind === "hang" || kind === "reset";
    const answer = spared ? NEVER : await (this.#gate?.(request) ?? this.#routed(request));
    if (kind === "reset" || kind === "reset-after") {
      incoming.socket.resetAndDestroy();
      return;
    }
    const sent = kind === "hang-after" ? NEVER : answerUnder(fault, answer);
    if (sent === NEVER) return;
    entry.status = sent.status;
    const date = this.#clock === undefined ? {} : { date: this.#clock().toUTCString() };
    await send(response, { ...sent, headers: { ...date, ...sent.headers } }, fault);
  }

  async #routed(request: SimulatedRequest): Promise<Answer> {
    for (const route of this.#routes) {
      const params = answers(route, request.method) ? match(route.segments, request.path) : undefined;
      if (params === undefined) continue;
      const broken = Object.values(params).find((segment) => !isDecodable(segment));
      if (broken !== undefined) return text(`Failed to decode param '${broken}'`, 400);
      return route.handler({ ...request, params: decoded(params) });
    }
    return isControl(request)
      ? text("The simulator has no such control.\n", 404, "text/plain")
      : this.#fallback(request);
  }
}

const isControl = (request: SimulatedRequest): boolean => request.path.startsWith(`${CONTROL_PREFIX}/`);

/** Whoever answers `GET` answers `HEAD`, and the server leaves the body out. */
const answers = (route: Route, method: string): boolean =>
  route.method === method || (route.method === "GET" && method === "HEAD");

/** What is sent where the service answers this and the fault strikes. */
function answerUnder(fault: Fault | undefined, answer: Answer): Answer {
  if (fault?.kind === "respond" || fault?.kind === "respond-after")
    return {
      status: fault.status ?? 500,
      headers: { "content-type": "text/plain", ...fault.headers },
      body: fault.body ?? "",
    };
  if (answer === NEVER || fault === undefined) return answer;
  const changed = { ...answer, headers: { ...answer.headers, ...fault.headers } };
  if (fault.kind === "shorten") return { ...changed, body: shortened(answer.body ?? "", fault.items ?? 0) };
  return fault.kind === "drip" ? { ...changed, body: dripping(answer.body ?? "", fault.dripMs ?? 100) } : changed;
}

/** JSON with a shorter list: itself, or the first list in it. What has none stays as it is. */
function shortened(
  body: NonNullable<SimulatedResponse["body"]>,
  items: number,
): NonNullable<SimulatedResponse["body"]> {
  if (typeof body !== "string") return body;
  const value = parsed(body);
  if (Array.isArray(value)) return JSON.stringify(value.slice(0, items));
  if (typeof value !== "object" || value === null) return body;
  const [name, list] = Object.entries(value).find(([, each]) => Array.isArray(each)) ?? [];
  return name === undefined ? body : JSON.stringify({ ...value, [name]: (list as unknown[]).slice(0, items) });
}

async function* dripping(body: NonNullable<SimulatedResponse["body"]>, dripMs: number): AsyncGenerator<Buffer> {
  for await (const chunk of typeof body === "string" || Buffer.isBuffer(body) ? [body] : body) {
    for (const byte of Buffer.from(chunk)) {
      yield Buffer.of(byte);
      await passed(dripMs);
    }
  }
}

/** Resolves when the time has passed. It keeps no process alive whose service is closed. */
export const passed = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return {
    method: incoming.method ?? "GET",
    ...targetOf(incoming.url ?? "/"),
    params: {},
    headers: incoming.headers as Record<string, string | undefined>,
    bytes,
    text: bytes.toString("utf8"),
    // IPv4 has another form where IPv6 is listened for as well.
    remoteAddress: (incoming.socket.remoteAddress ?? "").replace("::ffff:", ""),
  };
}

/** Not resolved as a URL is: that would take dot segments away, and read a host after two slashes. */
function targetOf(target: string): Pick<SimulatedRequest, "path" | "query"> {
  const [path = "", ...search] = target.replace(/^https?:\/\/[^/?]*|#.*/gi, "").split("?");
  return { path: path || "/", query: new URLSearchParams(search.join("?")) };
}

function match(segments: string[], path: string): Record<string, string> | undefined {
  const given = path.split("/");
  if (given.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith(":")) params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

export function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

export const decoded = (segments: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(segments).map(([name, segment]) => [name, decodeURIComponent(segment)]));

async function send(response: ServerResponse, answer: SimulatedResponse, fault?: Fault): Promise<void> {
  const { status, headers, body = "" } = answer;
  if (typeof body !== "string" && !Buffer.isBuffer(body)) {
    response.writeHead(status, headers);
    await sendStream(response, body, fault);
    return;
  }
  const bytes = Buffer.from(body);
  const bodiless = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(bodiless ? {} : { "content-length": String(bytes.length) }) });
  if (fault?.kind === "truncate") sendHalf(response, bytes);
  else response.end(bodiless ? undefined : bytes);
}

async function sendStream(
  response: ServerResponse,
  body: AsyncIterable<string | Buffer>,
  fault: Fault | undefined,
): Promise<void> {
  for await (const chunk of body) {
    if (response.destroyed) return;
    if (fault?.kind === "truncate") return sendHalf(response, Buffer.from(chunk));
    if (!response.write(chunk)) await drained(response);
    // A client that is faster than the records are made would have this process to itself.
    await turn();
  }
  response.end();
}

function sendHalf(response: ServerResponse, bytes: Buffer): void {
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** Resolves when the response takes more again, or never will because it is closed. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });

/** The value of a JSON text; any other text as it is. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
