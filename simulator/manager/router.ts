import { type Answer, decoded, isDecodable, text } from "../service";
import { Crash } from "./crash";
import type { ApiVersion, Route, Routes } from "./route";

/** What answers a request, and the values of the `:name` segments of its path. */
export interface Match extends Route {
  params: Record<string, string>;
}

interface CompiledRoute extends Route {
  method: string;
  pattern: RegExp;
}

/** Finds the route of a path as Express does: capitals do not matter, nor does a slash at the end. */
export class Router {
  readonly #routes: CompiledRoute[];

  constructor(routes: Routes, version: ApiVersion) {
    this.#routes = Object.entries(routes).flatMap(([line, given]) => {
      const route: Route = typeof given === "function" ? { answer: given } : given;
      const [method = "", path = ""] = line.split(" ");
      const pattern = new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`, "i");
      return (route.only ?? version) === version ? [{ ...route, method, pattern }] : [];
    });
  }

  find(method: string, path: string): Match | undefined {
    const matching = this.#routes.flatMap((route) => {
      const found = route.pattern.exec(path);
      return found === null ? [] : [{ ...route, params: { ...found.groups } }];
    });
    const broken = matching.flatMap(({ params }) => Object.values(params)).find((segment) => !isDecodable(segment));
    if (broken !== undefined) return failing(`Failed to decode param '${broken}'`);
    if (method === "OPTIONS") {
      const methods = new Set(matching.map((route) => route.method));
      return matching.length === 0 ? undefined : { params: {}, answer: () => allowed([...methods]) };
    }
    const wanted = method === "HEAD" ? "GET" : method;
    const match = matching.find((route) => route.method === wanted);
    return match && { ...match, params: decoded(match.params) };
  }
}

/** The answer to OPTIONS. */
export const allowed = (methods: readonly string[]): Answer => {
  const list = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(",");
  const answer = text(list);
  return { ...answer, headers: { ...answer.headers, allow: list } };
};

const failing = (message: string): Match => ({
  params: {},
  answer: () => {
    throw new Crash(message);
  },
});
