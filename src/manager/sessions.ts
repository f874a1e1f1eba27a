import { z } from "zod";
import { NotFoundError, type Refusal, type RequestContext } from "../base/errors";
import { optional, present } from "../http/optional";
import { ANYTHING } from "../http/success";
import type { Call, CallOptions, Transport } from "../http/transport";
import type { PortStatus } from "../model/port";
import { missingPort, PORT_REMEDY } from "./refusals";

export interface StatusOptions extends CallOptions {
  /** Send a request through the port now, instead of telling what the last one came to. It counts as traffic. */
  force?: boolean;
}

// The request through the port may take 20 s, and is waited for by whoever asks meanwhile.
const STATUS_SECONDS = 60;

const UNKNOWN_PORT = "Unknown proxy";

const sessionShape = z.object({ session_id: z.string() });

const statusShape = z.object({
  status: z.string(),
  status_details: optional(z.array(z.object({ msg: z.string(), field: optional(z.string()) }))),
});

/**
 * Gives a port another session, and with it other IPs. `POST /api/refresh_sessions/{PORT}`.
 *
 * @returns the new session's id, such as `24000_3`; `undefined` for a port that takes another session of its own accord
 * @throws {NotFoundError} when there is no such port
 */
export async function refresh(
  transport: Transport,
  port: number,
  options: CallOptions = {},
): Promise<string | undefined> {
  const call: Call = {
    operation: `refresh the session of proxy port ${port}`,
    method: "POST",
    path: `/api/refresh_sessions/${port}`,
    onRefusal: noSession,
    ...options,
  };
  const reply = await transport.send(call, ANYTHING);
  return reply.status === 204 ? undefined : transport.read(call, reply, sessionShape).session_id;
}

/**
 * Tells whether requests come through a port. The first time, and with `force`, the manager sends one through it, which takes
 * up to 20 s. `GET /api/proxy_status/{PORT}`.
 *
 * @throws {NotFoundError} when there is no such port
 *
 * @example
 * const { ok, status } = await client.sessions.status(24000, { force: true });
 */
export async function status(transport: Transport, port: number, options: StatusOptions = {}): Promise<PortStatus> {
  const { force = false, ...rest } = options;
  const call: Call = {
    operation: `read the status of proxy port ${port}`,
    method: "GET",
    path: `/api/proxy_status/${port}`,
    query: { force: force || undefined },
    timeout: STATUS_SECONDS,
    ...rest,
  };
  const { status: words, status_details } = await transport.json(call, statusShape);
  // Beside a 200.
  if (words === UNKNOWN_PORT) {
    throw new NotFoundError(transport.context(call), { status: 200, message: words, remedy: PORT_REMEDY });
  }
  return {
    ok: words === "ok",
    status: words,
    details: (status_details ?? []).map(({ msg, field }) => present({ message: msg, field })),
  };
}

// Of an unknown port the manager says nothing but 400.
const noSession = (refusal: Refusal, context: RequestContext) =>
  refusal.status === 400 && refusal.message === ""
    ? new NotFoundError(context, { ...refusal, message: "There is no such port.", remedy: PORT_REMEDY })
    : missingPort(refusal, context);
