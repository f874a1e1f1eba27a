import { z } from "zod";
import type { CallOptions, Transport } from "../http/transport";

const shape = z.looseObject({ passwords: z.array(z.string()) });

/**
 * Lists the passwords of a zone; the proxies accept any of them. Secret. `GET /zone/passwords?zone=`.
 *
 * @throws {InvalidRequestError} 422 when there is no such zone
 */
export async function list(transport: Transport, zone: string, options: CallOptions = {}): Promise<string[]> {
  const { passwords } = await transport.json(
    {
      operation: `read the passwords of zone ${JSON.stringify(zone)}`,
      method: "GET",
      path: "/zone/passwords",
      query: { zone },
      ...options,
    },
    shape,
  );
  return passwords;
}
