import { z } from "zod";
import { NotFoundError } from "../base/errors";
import type { Call, CallOptions } from "../http/call";
import { meaning } from "../http/meaning";
import type { Operation } from "../http/operation";
import { optional, orElse, present } from "../http/optional";
import { ANYTHING } from "../http/success";
import type { PortStatus } from "../model/port";
import { MISSING_PORT, PORT_REMEDY, UNSAID_PORT } from "./refusals";

export interface StatusOptions extends CallOptions {
  /** Send a request through the port now, instead of telling what the last one came to. It counts as traffic. */
  force?: boolean;
}

// The request through the port may take 20 s, and is waited for by whoever asks meanwhile.
const STATUS_SECONDS = 60;

const UNKNOWN_PORT = "Unknown proxy";

const sessionShape = z.object({ session_id: z.string() });

const detail = z.object({ msg: z.string(), field: optional(z.string()) });
const statusShape = z.object({ status: z.string(), status_details: orElse(z.array(detail), []) });

/**
 * Gives a port another session, and with it other IPs. `POST /api/refresh_sessions/{PORT}`.
 *
 * @returns the new session's id, such as `24000_3`; `undefined` for a port that takes another session of its own accord
 * @throws {NotFoundError} when there is no such port
 */
export const refresh =
  (port: number, options?: CallOptions): Operation<string | undefined> =>
  async (transport) => {
    const call: Call = {
      operation: `refresh the session of proxy port ${port}`,
      request: `POST /api/refresh_sessions/${port}`,
      // Of an unknown port the manager says nothing but 400.
      onRefusal: meaning({ statuses: [400], says: /^$/, ...UNSAID_PORT }, MISSING_PORT),
      ...options,
    };
    const reply = await transport.send(call, ANYTHING);
    return reply.status === 204 ? undefined : transport.read(call, reply, sessionShape).session_id;
  };

/**
 * Tells whether requests come through a port. Until it knows, and with `force`, the manager sends one through it, which takes
 * up to 20 s; with `force`, that is not repeated of its own accord. `GET /api/proxy_status/{PORT}`.
 *
 * @throws {NotFoundError} when there is no such port
 *
 * @example
 * const { ok, status } = await client.sessions.status(24000, { force: true });
 */
export const status =
  (port: number, options: StatusOptions = {}): Operation<PortStatus> =>
  async (transport) => {
    const { force = false, ...rest } = options;
    const call: Call = {
      operation: `read the status of proxy port ${port}`,
      request: `GET /api/proxy_status/${port}`,
      query: { force: force || undefined },
      repeatable: !force,
      leastTimeout: STATUS_SECONDS,
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
      details: status_details.map(({ msg, field }) => present({ message: msg, field })),
    };
  };
