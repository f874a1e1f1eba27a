import { z } from "zod";
import type { CallOptions } from "../http/call";
import { camel } from "../http/camel";
import { declared } from "../http/declared";
import { json, type Operation } from "../http/operation";
import { field, optional } from "../http/optional";
import { type Balance, balance as balanceOf } from "../model/balance";

/** What the service says of the account that the token belongs to. */
export interface AccountStatus {
  /** `active`, or why the account cannot be used. */
  status: string;
  /** The customer's id, such as `hl_1a2b3c4d`. */
  customer: string;
  /** Whether the zone asked about could be used just now. It says nothing about the token: without a zone it is false. */
  canMakeRequests?: boolean;
  /** Why it could not, such as `zone_not_found`. */
  authFailReason?: string;
  /** The address that the service sees this machine under. */
  ip?: string;
}

/** The networks whose state can be asked for: all, residential, datacenter or mobile. */
export type Network = "all" | "res" | "dc" | "mobile";

const statusShape: z.ZodType<AccountStatus> = camel({
  status: z.string(),
  customer: z.string(),
  can_make_requests: optional(z.boolean()),
  auth_fail_reason: optional(z.string()),
  ip: optional(z.string()),
});

/**
 * Reads the account's state and its customer id. `GET /status?zone=`.
 *
 * @param about a zone to ask about as well
 */
export const status = (about: { zone?: string | undefined } = {}, options?: CallOptions): Operation<AccountStatus> =>
  json(statusShape, {
    operation: "read the account's status",
    request: "GET /status",
    query: { zone: about.zone },
    ...options,
  });

/**
 * Reads the account's balance, in US dollars. `GET /customer/balance`.
 *
 * @throws {PermissionError} when the token may not see it
 */
export const balance = (options?: CallOptions): Operation<Balance> =>
  json(declared(balanceOf), {
    operation: "read the account's balance",
    request: "GET /customer/balance",
    ...options,
  });

/** Tells whether a network works. `GET /network_status/{network}`. */
export const networkStatus = (network: Network = "all", options?: CallOptions): Operation<boolean> =>
  json(field("status", z.boolean()), {
    operation: `read the state of the network ${JSON.stringify(network)}`,
    request: `GET /network_status/${encodeURIComponent(network)}`,
    ...options,
  });
