import { z } from "zod";
import type { CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { field } from "../http/optional";

// Without its vendor at its start, the manager does not know, and says nothing.
const loggedIn = z.union([field("logged_in", z.boolean()), z.strictObject({}).transform(() => false)]);

/** Whether the manager is logged in to an account. Logged out it knows no zones. `GET /api/mode`. */
export const isLoggedIn = (options?: CallOptions): Operation<boolean> =>
  json(loggedIn, {
    operation: "ask whether the Proxy Manager is logged in",
    request: "GET /api/mode",
    ...options,
  });
