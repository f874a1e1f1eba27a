import type { Refusal, RequestContext, ServiceError } from "../base/errors";
import type { CallLock } from "./limiter";

/** What every operation of a client takes besides its own arguments. */
export interface CallOptions {
  /** Ends the call, the waiting between tries included. */
  signal?: AbortSignal | undefined;
  /** Texts that the call's errors and lines of the log must not show, besides those that the client knows to be secret. */
  secrets?: readonly string[] | undefined;
  /** Asked before each repetition: where it must not be, or nobody can tell, the call ends as its last try did. @internal */
  mayRepeat?: (() => Promise<boolean>) | undefined;
}

export interface Call extends CallOptions {
  /** The operation in words that complete "Could not …", such as `create zone "web"`. */
  operation: string;
  /** The method, and the path below the base URL; its parts are percent-encoded by the caller. */
  request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** The parts of the request that are secret under whatever key: no text in them is in an error. */
  secretParts?: unknown;
  /** Whether sending it twice does no more than sending it once. Default: everything but POST. */
  repeatable?: boolean;
  /** Seconds that one try may take, where less than for others is enough. */
  timeout?: number;
  /** Seconds that one try may take at least, where the operation is known to be slow. */
  leastTimeout?: number;
  /** The most bytes that are read of the answer. Default: 16 MiB. */
  mostBytes?: number;
  /** Whether the service counts these requests apart from all others: then a 429 of them holds nothing else back. */
  countedApart?: true;
  /** What the service must not be asked for at the same time. */
  lock?: CallLock;
  /** Whether 202 is an answer of its own. Otherwise it is a refusal: nothing has been done yet. */
  mayBePending?: true;
  /** Turns a refusal that the operation knows into an error of its own; `undefined` leaves it as it is. */
  onRefusal?: (refusal: Refusal, context: RequestContext) => ServiceError | undefined;
}

/** Whether sending a call twice does no more than sending it once. */
export const isRepeatable = (call: Call): boolean => call.repeatable ?? requested(call).method !== "POST";

/** Whether it may change something. */
export const changes = (call: Call): boolean => requested(call).method !== "GET" || !isRepeatable(call);

/** The method and the path of a call. */
export function requested({ request }: Call): { method: string; path: string } {
  const end = request.indexOf(" ");
  return { method: request.slice(0, end), path: request.slice(end + 1) };
}
