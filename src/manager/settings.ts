import { z } from "zod";
import type { CallOptions, Transport } from "../http/transport";

const addresses = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);

// The answer carries a zone's password and the account's token: only what is named here is kept of it.
const shape = z.object({
  customer: z.string().nullish(),
  zone: z.string().nullish(),
  www_whitelist_ips: addresses,
  whitelist_ips: addresses,
  fixed_whitelist_ips: addresses,
});

/** The general settings that this package uses; credentials are left out. */
export interface GeneralSettings {
  customer?: string;
  /** The zone of ports that name none. */
  zone?: string;
  /** Addresses that may use the manager's UI and API, and every port. */
  wwwWhitelistIps: string[];
  /** Addresses that may use every port. */
  whitelistIps: string[];
  /** `wwwWhitelistIps` and the addresses of the manager's command line, which cannot be taken away. */
  fixedWhitelistIps: string[];
}

/** Reads the general settings. `GET /api/settings`. */
export async function get(transport: Transport, options: CallOptions = {}): Promise<GeneralSettings> {
  const answer = await transport.json(
    { operation: "read the Proxy Manager's settings", method: "GET", path: "/api/settings", ...options },
    shape,
  );
  return {
    ...(answer.customer ? { customer: answer.customer } : {}),
    ...(answer.zone ? { zone: answer.zone } : {}),
    wwwWhitelistIps: answer.www_whitelist_ips,
    whitelistIps: answer.whitelist_ips,
    fixedWhitelistIps: answer.fixed_whitelist_ips,
  };
}

/** Replaces the whole list of addresses that may use the UI and API. `PUT /api/settings`. */
export async function setWwwWhitelistIps(
  transport: Transport,
  ips: string[],
  options: CallOptions = {},
): Promise<void> {
  await transport.send({
    operation: "replace the list of addresses that may use the Proxy Manager's UI",
    method: "PUT",
    path: "/api/settings",
    body: { www_whitelist_ips: ips },
    ...options,
  });
}
