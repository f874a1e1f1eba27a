import type { Readable } from "node:stream";
import { retryAfterSeconds } from "./retry";

export interface Head {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

export interface Reply extends Head {
  text: string;
}

/** An answer whose body is still to be read. The reader must consume or destroy the body. */
export interface StreamReply extends Head {
  body: Readable;
}

export const isAccepted = (reply: Head): boolean => reply.status < 300 && mark(reply) === undefined;

/** The header by which the remote service marks some failures, even beside a 2xx status. */
export const mark = (reply: Head): string | undefined =>
  header(reply, "x-brd-error") ?? header(reply, "x-luminati-error");

/**
 * What a refusal says of when to ask again, in seconds. Without the first header, GitHub says it by the others.
 *
 * @param now by the clock of the service, in milliseconds since 1970
 */
export function retryAfter(reply: Head, now: number): number | undefined {
  const asked = retryAfterSeconds(header(reply, "retry-after"), new Date(now));
  const reset = Number(header(reply, "x-ratelimit-reset"));
  if (asked !== undefined || header(reply, "x-ratelimit-remaining") !== "0" || Number.isNaN(reset)) return asked;
  return Math.max(0, reset < SMALLEST_MOMENT ? reset : Math.ceil(reset - now / 1000));
}

// In seconds since 1970. Less than this are the seconds until then.
const SMALLEST_MOMENT = 1e9;

function header(reply: Head, name: string): string | undefined {
  const value = reply.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
