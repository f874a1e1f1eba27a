import type { Readable } from "node:stream";

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

/** What a refusal says of when to ask again. Without the first header, GitHub says it by the others. */
export function retryAfter(reply: Head): string | undefined {
  const reset = Number(header(reply, "x-ratelimit-reset")) - Date.now() / 1000;
  const isSpent = header(reply, "x-ratelimit-remaining") === "0";
  return header(reply, "retry-after") ?? (isSpent ? String(Math.max(0, Math.ceil(reset))) : undefined);
}

function header(reply: Head, name: string): string | undefined {
  const value = reply.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
