import { z } from "zod";
import { MUCH_DATA_BYTES } from "../http/bounded";
import type { CallOptions } from "../http/call";
import { readJson } from "../http/json";
import { json, type Operation } from "../http/operation";
import { field } from "../http/optional";

// The manager puts its configuration file into the answer as text. What cannot be read must not pass for "no key": whoever
// finds none generates one.
const configShape = field(
  "config",
  z.preprocess(
    (config) => (typeof config === "string" ? readJson(config).value : config),
    z.object({ _defaults: z.object({ token_auth: z.string().nullish() }).nullish() }),
  ),
).transform(({ _defaults }) => _defaults?.token_auth || undefined);

/**
 * Reads the current key of the manager's API without replacing it. Secret. `GET /api/config`.
 *
 * @returns `undefined` when no key was ever generated
 */
export const current = (options?: CallOptions): Operation<string | undefined> =>
  json(configShape, {
    operation: "read the Proxy Manager's API key",
    request: "GET /api/config",
    mostBytes: MUCH_DATA_BYTES,
    ...options,
  });

/**
 * Generates a new key: the one before it is dead at once, for everybody. Five an hour. Secret. `GET /api/gen_token`.
 */
export const generate = (options?: CallOptions): Operation<string> =>
  json(field("token", z.string().min(1)), {
    operation: "generate an API key of the Proxy Manager",
    request: "GET /api/gen_token",
    repeatable: false,
    countedApart: true,
    ...options,
  });
