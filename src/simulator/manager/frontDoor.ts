import { type Handler, NEVER, type SimulatedRequest, type SimulatedResponse, text } from "../service";
import { pageCookie, refuseCaller, refuseToken } from "./access";
import { receiveZones } from "./login";
import { type Answer, type ApiVersion, Crash, type Operation } from "./operation";
import { RateLimiter } from "./rateLimiter";
import type { ManagerState } from "./state";

export const API_PREFIXES: Readonly<Record<ApiVersion, string>> = { v1: "/api", v2: "/api/v2" };

const BODY_LIMIT = 2 * 1024 * 1024;

/** What every request passes on its way to an operation: body, token, rate limits, and who may call. */
export class FrontDoor {
  readonly #state: ManagerState;
  readonly #usual: RateLimiter;
  readonly #scarce: RateLimiter;

  constructor(state: ManagerState) {
    const { perMinute = 2000, scarcePerHour = 5 } = state.options.rateLimit ?? {};
    const now = (): number => state.clock().getTime();
    this.#state = state;
    this.#usual = new RateLimiter(perMinute, 60, "60 seconds", now);
    this.#scarce = new RateLimiter(scarcePerHour, 3600, "60 minutes", now);
  }

  /** Forgets what was counted, as a restart does. */
  reset(): void {
    this.#usual.reset();
    this.#scarce.reset();
  }

  /** The handler of an operation in one version of the API. */
  handler(version: ApiVersion, operation: Operation): Handler {
    return (request) => {
      const body = parseBody(request);
      if (body === undefined) return text("Server Error", 500);
      const { params, query, headers } = request;
      return this.#guarded(version, request, operation.scarce ?? false, () =>
        operation.answer({ params, query, headers, body }),
      );
    };
  }

  /** Answers what is no operation: the manager's page for every GET, wherever it goes, and 404 for the rest. */
  readonly fallback: Handler = (request) => {
    if (parseBody(request) === undefined) return text("Server Error", 500);
    const page = (): SimulatedResponse =>
      request.method === "GET" || request.method === "HEAD" ? this.#page(request) : notFound(request);
    // The second version's paths are within the first's, which gets what the second does not know.
    const inFirst = (): Answer => this.#guarded("v1", request, false, page);
    if (isUnder(API_PREFIXES.v2, request.path)) return this.#guarded("v2", request, false, inFirst);
    return isUnder(API_PREFIXES.v1, request.path) ? inFirst() : page();
  };

  #guarded(version: ApiVersion, request: SimulatedRequest, scarce: boolean, answer: () => Answer): Answer {
    receiveZones(this.#state);
    const unauthorised = version === "v2" ? refuseToken(this.#state, request) : undefined;
    if (unauthorised !== undefined) return unauthorised;

    const kind = `${request.remoteAddress} ${request.method} ${request.path}?${request.query}`;
    const taken: RateLimiter[] = [];
    let headers: Record<string, string> = version === "v1" ? { deprecation: "true", sunset: "01-Nov-23 23:59:59" } : {};
    const limited = (limiter: RateLimiter): SimulatedResponse | undefined => {
      const { headers: rates, refusal } = limiter.take(kind);
      taken.push(limiter);
      headers = { ...headers, ...rates };
      return refusal;
    };
    const result =
      limited(this.#usual) ??
      refuseCaller(this.#state, request, request.path.slice(API_PREFIXES[version].length)) ??
      (scarce ? limited(this.#scarce) : undefined) ??
      uncrashed(answer);
    if (result === NEVER) return NEVER;
    if (result.status >= 400) for (const limiter of taken) limiter.giveBack(kind);
    return { ...result, headers: { ...headers, ...result.headers } };
  }

  #page(request: SimulatedRequest): SimulatedResponse {
    return {
      status: 200,
      headers: { "content-type": "text/html; charset=UTF-8", ...pageCookie(this.#state, request) },
      body: PAGE,
    };
  }
}

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Proxy Manager</title></head><body><div id="react_root"></div></body></html>`;

const isUnder = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

function notFound({ method, path }: SimulatedRequest): SimulatedResponse {
  const lines = [
    "<!DOCTYPE html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    "<title>Error</title>",
    "</head>",
    "<body>",
    `<pre>Cannot ${method} ${path.replace(/[<>&"']/g, encodeURIComponent)}</pre>`,
    "</body>",
    "</html>",
    "",
  ];
  return text(lines.join("\n"), 404);
}

/** @returns `undefined` for a body that Express cannot parse */
function parseBody({ headers, text: body }: SimulatedRequest): Record<string, unknown> | undefined {
  if (body.length > BODY_LIMIT) return undefined;
  const type = headers["content-type"]?.split(";")[0]?.trim();
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(body));
  if (type !== "application/json" || body === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function uncrashed(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Crash) return text(`Server error: ${error.message}`, 500);
    throw error;
  }
}
