import { OK } from "../http/success";
import type { CallOptions, Transport } from "../http/transport";
import { one } from "./ports";
import { missingPort } from "./refusals";

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
export async function enable(transport: Transport, port: number | "all", options: CallOptions = {}): Promise<void> {
  const operation = `turn on SSL analyzing on ${port === "all" ? "all proxy ports" : `proxy port ${port}`}`;
  if (port !== "all") {
    await transport.json(
      { operation, method: "GET", path: `/api/proxies/${port}`, onRefusal: missingPort, ...options },
      one,
    );
  }
  await transport.send(
    {
      operation,
      method: "POST",
      path: "/api/enable_ssl",
      body: port === "all" ? {} : { port },
      timeout: ENABLE_SECONDS,
      ...options,
    },
    OK,
  );
}
