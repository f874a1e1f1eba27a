import { z } from "zod";
import { ArgumentError } from "../base/errors";
import { declared } from "../http/declared";
import { OK } from "../http/success";
import type { CallOptions, Transport } from "../http/transport";
import { managerUser, type User } from "../model/managerUser";
import { loggedOut } from "./refusals";

const listShape = z.array(declared(managerUser.properties));

/**
 * Lists the users of the manager's account. None while the manager is logged out, and none when it cannot reach its vendor.
 * Secret. `GET /api/lpm_users`.
 */
export async function list(transport: Transport, options: CallOptions = {}): Promise<User[]> {
  return transport.json(
    { operation: "list the Proxy Manager's users", method: "GET", path: "/api/lpm_users", ...options },
    listShape,
  );
}

/**
 * Adds a user to the manager's account; the vendor makes up the password. `POST /api/lpm_user`.
 *
 * @throws {ArgumentError} for what is not one email address
 * @throws {InvalidRequestError} when the manager is not logged in
 *
 * @example
 * await client.users.add("ops@example.com");
 */
export async function add(transport: Transport, email: string, options: CallOptions = {}): Promise<void> {
  // The vendor takes several at once, separated by commas.
  if (!/^[^\s,@]+@[^\s,@]+$/.test(email)) {
    throw new ArgumentError(
      `${JSON.stringify(email)} is not an email address: expected one, such as "ops@example.com".`,
    );
  }
  await transport.send(
    {
      operation: `add user ${email}`,
      method: "POST",
      path: "/api/lpm_user",
      body: { email },
      onRefusal: loggedOut,
      ...options,
    },
    OK,
  );
}
