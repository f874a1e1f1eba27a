import { z } from "zod";
import type { CallOptions, Transport } from "../http/transport";

/** Whether the manager is logged in to an account. Logged out it knows no zones. `GET /api/mode`. */
export async function isLoggedIn(transport: Transport, options: CallOptions = {}): Promise<boolean> {
  const { logged_in } = await transport.json(
    { operation: "ask whether the Proxy Manager is logged in", method: "GET", path: "/api/mode", ...options },
    z.looseObject({ logged_in: z.boolean() }),
  );
  return logged_in;
}
