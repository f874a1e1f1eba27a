import { z } from "zod";
import { ArgumentError } from "../base/errors";
import type { CallOptions } from "../http/call";
import { declared } from "../http/declared";
import { meaning } from "../http/meaning";
import { json, type Operation, send } from "../http/operation";
import { OK } from "../http/success";
import { managerUser, type User } from "../model/managerUser";
import { LOGGED_OUT } from "./refusals";

/**
 * Lists the users of the manager's account. None while the manager is logged out, and none when it cannot reach its vendor.
 * Secret. `GET /api/lpm_users`.
 */
export const list = (options?: CallOptions): Operation<User[]> =>
  json(z.array(declared(managerUser.properties)), {
    operation: "list the Proxy Manager's users",
    request: "GET /api/lpm_users",
    ...options,
  });

/**
 * Adds a user to the manager's account; the vendor makes up the password. `POST /api/lpm_user`.
 *
 * @throws {ArgumentError} for what is not one email address
 * @throws {InvalidRequestError} when the manager is not logged in
 *
 * @example
 * await client.users.add("ops@example.com");
 */
export const add = (email: string, options?: CallOptions): Operation<void> => {
  // The vendor takes several at once, separated by commas.
  if (!/^[^\s,@]+@[^\s,@]+$/.test(email)) {
    throw new ArgumentError(
      `${JSON.stringify(email)} is not an email address: expected one, such as "ops@example.com".`,
    );
  }
  return send(OK, {
    operation: `add user ${email}`,
    request: "POST /api/lpm_user",
    body: { email },
    onRefusal: meaning(LOGGED_OUT),
    ...options,
  });
};
