import { z } from "zod";
import { readJson } from "../http/json";
import type { CallOptions, Transport } from "../http/transport";

// The manager puts its configuration file into the answer as text. What cannot be read must not pass for "no key": whoever
// finds none generates one.
const configShape = z.object({
  config: z.preprocess(
    (config) => (typeof config === "string" ? readJson(config).value : config),
    z.object({ _defaults: z.object({ token_auth: z.string().nullish() }).nullish() }),
  ),
});
const keyShape = z.object({ token: z.string().min(1) });

/**
 * Reads the current key of the manager's API without replacing it. Secret. `GET /api/config`.
 *
 * @returns `undefined` when no key was ever generated
 */
export async function current(transport: Transport, options: CallOptions = {}): Promise<string | undefined> {
  const { config } = await transport.json(
    { operation: "read the Proxy Manager's API key", method: "GET", path: "/api/config", ...options },
    configShape,
  );
  return config._defaults?.token_auth || undefined;
}

/**
 * Generates a new key: the one before it is dead at once, for everybody. Five an hour. Secret. `GET /api/gen_token`.
 */
export async function generate(transport: Transport, options: CallOptions = {}): Promise<string> {
  const { token } = await transport.json(
    {
      operation: "generate an API key of the Proxy Manager",
      method: "GET",
      path: "/api/gen_token",
      repeatable: false,
      countedApart: true,
      ...options,
    },
    keyShape,
  );
  return token;
}
