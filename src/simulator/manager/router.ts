import { text } from "../service";
import { type Answer, Crash, type Operation } from "./operation";

/** What answers a request, and the values of the `:name` segments of its path. */
export interface Match extends Pick<Operation, "scarce" | "claims" | "answer"> {
  params: Record<string, string>;
}

/** Finds the operation of a path as Express does: capitals do not matter, nor does a slash at the end. */
export class Router {
  readonly #routes: { operation: Operation; pattern: RegExp }[];

  constructor(operations: readonly Operation[]) {
    this.#routes = operations.map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`, "i"),
    }));
  }

  find(method: string, path: string): Match | undefined {
    const matching = this.#routes.flatMap(({ operation, pattern }) => {
      const found = pattern.exec(path);
      return found === null ? [] : [{ operation, segments: { ...found.groups } }];
    });
    const broken = matching.flatMap(({ segments }) => Object.values(segments)).find((segment) => !isDecodable(segment));
    if (broken !== undefined) return failing(`Failed to decode param '${broken}'`);
    if (method === "OPTIONS") {
      return matching.length === 0 ? undefined : { params: {}, answer: () => allowed(methodsOf(matching)) };
    }
    const wanted = method === "HEAD" ? "GET" : method;
    const match = matching.find(({ operation }) => operation.method === wanted);
    return match && { ...match.operation, params: decoded(match.segments) };
  }
}

/** The answer to OPTIONS. */
export const allowed = (methods: readonly string[]): Answer => {
  const list = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(",");
  const answer = text(list);
  return { ...answer, headers: { ...answer.headers, allow: list } };
};

export function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

const failing = (message: string): Match => ({
  params: {},
  answer: () => {
    throw new Crash(message);
  },
});

const methodsOf = (matching: readonly { operation: Operation }[]): string[] => [
  ...new Set(matching.map(({ operation }) => operation.method)),
];

const decoded = (segments: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(segments).map(([name, segment]) => [name, decodeURIComponent(segment)]));
