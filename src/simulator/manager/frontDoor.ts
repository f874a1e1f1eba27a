import { type Handler, NEVER, type SimulatedRequest, type SimulatedResponse, text } from "../service";
import { pageCookie, refuseCaller, refuseToken } from "./access";
import { Crash } from "./crash";
import { receiveZones } from "./login";
import { RateLimiter } from "./rateLimiter";
import { parseBody } from "./requestBody";
import type { Answer, ApiCall, ApiVersion, Routes } from "./route";
import { allowed, isDecodable, Router } from "./router";
import type { ManagerState } from "./state";

/** The paths of each version; a second slash after them is taken for one. */
const MOUNTS: Readonly<Record<ApiVersion, RegExp>> = { v1: /^\/api\/?(?=\/|$)/i, v2: /^\/api\/v2\/?(?=\/|$)/i };

/** What every request passes on its way to an operation: body, token, rate limits, and who may call. */
export class FrontDoor {
  readonly #state: ManagerState;
  readonly #usual: RateLimiter;
  readonly #scarce: RateLimiter;
  readonly #routers: Readonly<Record<ApiVersion, Router>>;

  constructor(state: ManagerState, routes: Routes) {
    const { perMinute = 2000, scarcePerHour = 5 } = state.options.rateLimit ?? {};
    const now = (): number => state.clock().getTime();
    this.#state = state;
    this.#usual = new RateLimiter(perMinute, 60, "60 seconds", now);
    this.#scarce = new RateLimiter(scarcePerHour, 3600, "60 minutes", now);
    this.#routers = { v1: new Router(routes, "v1"), v2: new Router(routes, "v2") };
  }

  /** Forgets what was counted, as a restart does. */
  reset(): void {
    this.#usual.reset();
    this.#scarce.reset();
  }

  /** The second version's paths are within the first's, which gets what the second does not know. */
  readonly handle: Handler = (request) => {
    const body = parseBody(request);
    if (body === undefined) return SERVER_ERROR;
    const call = callOf(request, body);
    const inFirst = (): Answer => this.#inVersion("v1", request, call, () => this.#outside(request));
    return this.#inVersion("v2", request, call, inFirst);
  };

  /** The numbers of ports that the request would take. */
  claims(request: SimulatedRequest): number[] {
    const body = parseBody(request);
    for (const version of ["v2", "v1"] as const) {
      const path = pathWithin(version, request);
      const match = path === undefined ? undefined : this.#routers[version].find(request.method, path);
      if (match?.claims === undefined || body === undefined) continue;
      return match.claims(this.#state, { ...callOf(request, body), params: match.params });
    }
    return [];
  }

  #inVersion(version: ApiVersion, request: SimulatedRequest, call: ApiCall, otherwise: () => Answer): Answer {
    const path = pathWithin(version, request);
    if (path === undefined) return otherwise();
    const match = this.#routers[version].find(request.method, path);
    return this.#guarded(version, request, path, match?.scarce ?? false, () =>
      match === undefined ? otherwise() : match.answer(this.#state, { ...call, params: match.params }),
    );
  }

  /** Answers what is no operation: the manager's page for every GET, wherever it goes, and 404 for the rest. */
  #outside(request: SimulatedRequest): Answer {
    const { method, path } = request;
    if (!isDecodable(path)) return SERVER_ERROR;
    if (method === "OPTIONS") return allowed(["GET"]);
    return method === "GET" || method === "HEAD" ? this.#page(request) : notFound(request);
  }

  #guarded(
    version: ApiVersion,
    request: SimulatedRequest,
    path: string,
    scarce: boolean,
    answer: () => Answer,
  ): Answer {
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
      refuseCaller(this.#state, request, path) ??
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

function pathWithin(version: ApiVersion, { path }: SimulatedRequest): string | undefined {
  const mount = MOUNTS[version].exec(path);
  return mount === null ? undefined : path.slice(mount[0].length) || "/";
}

const callOf = ({ query, headers }: SimulatedRequest, body: ApiCall["body"]): ApiCall => ({
  params: {},
  query,
  headers,
  body,
});

const SERVER_ERROR = text("Server Error", 500);

function notFound({ method, path }: SimulatedRequest): SimulatedResponse {
  const lines = [
    "<!DOCTYPE html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    "<title>Error</title>",
    "</head>",
    "<body>",
    `<pre>Cannot ${method} ${shownPath(path)}</pre>`,
    "</body>",
    "</html>",
    "",
  ];
  return text(lines.join("\n"), 404);
}

const shownPath = (path: string): string =>
  path
    .replace(/[<>"`{}]/g, encodeURIComponent)
    .replaceAll("&", "&amp;")
    .replaceAll("'", "&#39;");

function uncrashed(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Crash) return text(`Server error: ${error.message}`, 500);
    throw error;
  }
}
