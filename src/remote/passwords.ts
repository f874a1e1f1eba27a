import { z } from "zod";
import { ANYTHING } from "../http/success";
import type { CallOptions, Transport } from "../http/transport";
import { someOf } from "./names";

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

/**
 * Adds passwords to a zone; the old ones stay. `POST /zone/add_password`.
 *
 * @throws {InvalidRequestError} for a zone or a password that the service does not take
 */
export async function add(
  transport: Transport,
  zone: string,
  passwords: readonly string[],
  options: CallOptions = {},
): Promise<void> {
  await transport.send(
    {
      operation: `add passwords to zone ${JSON.stringify(zone)}`,
      method: "POST",
      path: "/zone/add_password",
      body: { zone, password: someOf(passwords, "the passwords") },
      secretParts: passwords,
      ...options,
    },
    ANYTHING,
  );
}

/**
 * Removes passwords from a zone, which must keep one. `POST /zone/remove_password`.
 *
 * @throws {InvalidRequestError} when none would remain, or for one that the zone does not have
 */
export async function remove(
  transport: Transport,
  zone: string,
  passwords: readonly string[],
  options: CallOptions = {},
): Promise<void> {
  await transport.send(
    {
      operation: `remove passwords from zone ${JSON.stringify(zone)}`,
      method: "POST",
      path: "/zone/remove_password",
      body: { zone, password: someOf(passwords, "the passwords") },
      secretParts: passwords,
      ...options,
    },
    ANYTHING,
  );
}
