import {
  type Answer,
  type Handler,
  isDecodable,
  NEVER,
  type SimulatedRequest,
  type SimulatedResponse,
  text,
} from "../service";
import { pageCookie, refuseCaller, refuseToken } from "./access";
import { Crash } from "./crash";
import { expressed, HELMET, NOT_FOUND } from "./expressHeaders";
import { receiveZones } from "./login";
import { RateLimiter } from "./rateLimiter";
import { parseBody } from "./requestBody";
import type { ApiVersion, Routes } from "./route";
import { allowed, type Match, Router } from "./router";
import type { ManagerState } from "./state";

/** The paths of each version; a second slash after them is taken for one. */
const MOUNTS: Readonly<Record<ApiVersion, RegExp>> = { v1: /^\/api\/?(?=\/|$)/i, v2: /^\/api\/v2\/?(?=\/|$)/i };

const VERSIONS = ["v1", "v2"] as const;

/** The part of a path within a version, and what answers it there. */
interface Arrival {
  version: ApiVersion;
  path: string;
  match: Match | undefined;
}

/** What every request passes on its way to a route: body, token, rate limits, and who may call. */
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

  readonly handle: Handler = async (request) => expressed(await this.#answered(request));

  #answered(request: SimulatedRequest): Answer | Promise<Answer> {
    const body = parseBody(request);
    if (body === undefined) return SERVER_ERROR;
    let answer = (): Answer | Promise<Answer> => this.#outside(request);
    for (const arrival of this.#arrivals(request)) {
      const { match } = arrival;
      const otherwise = answer;
      const called = (): Answer | Promise<Answer> =>
        match?.answer(this.#state, { ...request, params: match.params, body }) ?? otherwise();
      answer = () => this.#guarded(request, arrival, called);
    }
    return answer();
  }

  /** The numbers of ports that the request would take. */
  claims(request: SimulatedRequest): number[] {
    const body = parseBody(request);
    const { match } = this.#arrivals(request).findLast((arrival) => arrival.match?.claims !== undefined) ?? {};
    if (body === undefined) return [];
    return match?.claims?.(this.#state, { ...request, params: match.params, body }) ?? [];
  }

  /** The second version's paths are within the first's, which gets what the second does not know. */
  #arrivals({ method, path }: SimulatedRequest): Arrival[] {
    return VERSIONS.flatMap((version) => {
      const mount = MOUNTS[version].exec(path);
      if (mount === null) return [];
      const within = path.slice(mount[0].length) || "/";
      return [{ version, path: within, match: this.#routers[version].find(method, within) }];
    });
  }

  /** Answers what no route does: the manager's page for every GET, wherever it goes, and 404 for the rest. */
  #outside(request: SimulatedRequest): Answer {
    const { method, path } = request;
    if (!isDecodable(path)) return SERVER_ERROR;
    if (method === "OPTIONS") return allowed(["GET"]);
    if (method !== "GET" && method !== "HEAD") return notFound(request);
    if (/^\/ssl\/?$/i.test(path)) return { status: 200, headers: CERTIFICATE, body: this.#state.certificates.pem };
    if (path === "/index.html") return { status: 200, headers: FILE_HEADERS, body: PAGE };
    return {
      status: 200,
      headers: { ...PAGE_HEADERS, ...pageCookie(this.#state, request) },
      body: PAGE,
    };
  }

  async #guarded(
    request: SimulatedRequest,
    { version, path, match }: Arrival,
    answer: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    receiveZones(this.#state);
    const unauthorised = version === "v2" ? refuseToken(this.#state, request) : undefined;
    if (unauthorised !== undefined) return unauthorised;

    const kind = `${request.remoteAddress} ${request.method} ${request.path}?${request.query}`;
    const taken: RateLimiter[] = [];
    let headers: Record<string, string> = {
      ...HELMET,
      ...(version === "v1" ? { deprecation: "true", sunset: "01-Nov-23 23:59:59" } : {}),
    };
    const limited = (limiter: RateLimiter): SimulatedResponse | undefined => {
      const { headers: rates, refusal } = limiter.take(kind);
      taken.push(limiter);
      headers = { ...headers, ...rates };
      return refusal;
    };
    const result =
      limited(this.#usual) ??
      refuseCaller(this.#state, request, path) ??
      (match?.scarce ? limited(this.#scarce) : undefined) ??
      (await uncrashed(this.#state, request, answer));
    if (result === NEVER) return NEVER;
    if (result.status >= 400) for (const limiter of taken) limiter.giveBack(kind);
    return { ...result, headers: { ...headers, ...result.headers } };
  }
}

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Proxy Manager</title></head><body><div id="react_root"></div></body></html>`;

const CERTIFICATE = { "content-type": "application/x-x509-ca-cert", "content-disposition": "filename=luminati.crt" };

/** Of the page as one of the manager's files, with the cookie that every answer sets. */
const FILE_HEADERS = { "content-type": "text/html; charset=UTF-8", "cache-control": "public, max-age=0" };

const PAGE_HEADERS = {
  "content-type": "text/html; charset=UTF-8",
  "cache-control": "private, no-cache, no-store, must-revalidate",
  expires: "-1",
  pragma: "no-cache",
};

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
  const answer = text(lines.join("\n"), 404);
  return { ...answer, headers: { ...answer.headers, ...NOT_FOUND } };
}

const shownPath = (path: string): string =>
  path
    .replace(/[<>"`{}]/g, encodeURIComponent)
    .replaceAll("&", "&amp;")
    .replaceAll("'", "&#39;");

async function uncrashed(
  state: ManagerState,
  { method, path, query }: SimulatedRequest,
  answer: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    state.log(
      "WEBAPI",
      `API error: ${method} ${path}${query.size > 0 ? `?${query}` : ""} Error: ${error.message}`,
      "ERROR",
    );
    return text(`Server error: ${error.message}`, 500);
  }
}
