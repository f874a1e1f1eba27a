import type { Call, CallOptions } from "../http/call";
import { meaning } from "../http/meaning";
import type { Operation } from "../http/operation";
import { OK } from "../http/success";
import { one } from "./ports";
import { MISSING_PORT } from "./refusals";

// Ports are changed one after another.
const ENABLE_SECONDS = 120;

/**
 * Turns on the analyzing of SSL connections, on one port or on all but the drop-in port. A single port is read first: of one
 * that does not exist the manager says that all is well. It does not answer at all when it fails.
 * `GET /api/proxies/{PORT}`, `POST /api/enable_ssl`.
 *
 * @param port its number; `"all"` for all of them
 * @throws {NotFoundError} when there is no such port
 *
 * @example
 * await client.ssl.enable(24000);
 */
export const enable =
  (port: number | "all", options?: CallOptions): Operation<void> =>
  async (transport) => {
    const operation = `turn on SSL analyzing on ${port === "all" ? "all proxy ports" : `proxy port ${port}`}`;
    if (port !== "all") {
      const onRefusal = meaning(MISSING_PORT);
      await transport.json({ operation, request: `GET /api/proxies/${port}`, onRefusal, ...options }, one);
    }
    const body = port === "all" ? {} : { port };
    const call: Call = { operation, request: "POST /api/enable_ssl", body, leastTimeout: ENABLE_SECONDS, ...options };
    await transport.send(call, OK);
  };
