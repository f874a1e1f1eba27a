import { z } from "zod";
import { declared } from "../http/declared";
import { optional, present } from "../http/optional";
import type { CallOptions, Transport } from "../http/transport";
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

const statusShape = z.looseObject({
  status: z.string(),
  customer: z.string(),
  can_make_requests: optional(z.boolean()),
  auth_fail_reason: optional(z.string()),
  ip: optional(z.string()),
});

const networkShape = z.looseObject({ status: z.boolean() });

/**
 * Reads the account's state and its customer id. `GET /status?zone=`.
 *
 * @param about a zone to ask about as well
 */
export async function status(
  transport: Transport,
  about: { zone?: string | undefined } = {},
  options: CallOptions = {},
): Promise<AccountStatus> {
  const { status, customer, can_make_requests, auth_fail_reason, ip } = await transport.json(
    {
      operation: "read the account's status",
      method: "GET",
      path: "/status",
      query: { zone: about.zone },
      ...options,
    },
    statusShape,
  );
  return present({
    status,
    customer,
    canMakeRequests: can_make_requests,
    authFailReason: auth_fail_reason,
    ip,
  });
}

/**
 * Reads the account's balance, in US dollars. `GET /customer/balance`.
 *
 * @throws {PermissionError} when the token may not see it
 */
export async function balance(transport: Transport, options: CallOptions = {}): Promise<Balance> {
  return transport.json(
    { operation: "read the account's balance", method: "GET", path: "/customer/balance", ...options },
    declared(balanceOf),
  );
}

/** Tells whether a network works. `GET /network_status/{network}`. */
export async function networkStatus(
  transport: Transport,
  network: Network = "all",
  options: CallOptions = {},
): Promise<boolean> {
  const { status } = await transport.json(
    {
      operation: `read the state of the network ${JSON.stringify(network)}`,
      method: "GET",
      path: `/network_status/${encodeURIComponent(network)}`,
      ...options,
    },
    networkShape,
  );
  return status;
}
