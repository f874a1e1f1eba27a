import * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** A user of the Proxy Manager's account. */
export interface ManagerUserDescription {
  email: string;
  /** What the user authenticates to the ports with; absent where the manager does not know it. Secret. */
  password?: pulumi.Output<string>;
}

/** Users of the Proxy Manager's account. */
export interface GetManagerUsersResult {
  /** None while the manager is logged out. */
  users: ManagerUserDescription[];
}

/**
 * Lists the users of the Proxy Manager's account. `GET /api/lpm_users`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { users } = await brightdata.getManagerUsers();
 * const password = users.find(({ email }) => email === "ops@example.com")?.password;
 */
export async function getManagerUsers(options: CallOptions = {}): Promise<GetManagerUsersResult> {
  const users = await managerClient().users.list(options);
  return {
    users: users.map(({ email, password }) => ({
      email,
      ...(password === undefined ? {} : { password: pulumi.secret(password) }),
    })),
  };
}

/** {@link getManagerUsers} as an output. The whole result is secret. */
export const getManagerUsersOutput = (): pulumi.Output<pulumi.Unwrap<GetManagerUsersResult>> =>
  pulumi.secret(whenKnown({}, async () => ({ users: await managerClient().users.list() })));
