import { z } from "zod";
import { snakeCase } from "../base/case";
import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { canonicalAddress } from "../declaration/address";
import type { CallOptions } from "../http/call";
import { declared } from "../http/declared";
import { json, type Operation } from "../http/operation";
import { type GeneralSettings, generalSettings } from "../model/generalSettings";
import { MANAGER_LOG_LEVELS, type ManagerLogLevel } from "../model/managerLogLevels";
import { CHANGES_ADDRESSES } from "./locks";

// The manager checks nothing that it is given, so a setting may hold anything: one that makes no sense counts as not set. The
// answer carries a zone's password and the account's token: only what is declared is kept of it.
const shape = declared(generalSettings, { nonsense: "absent" });

const address = z.string().transform((given, context) => {
  const canonical = canonicalAddress(given);
  if (canonical !== undefined) return canonical;
  context.addIssue(`${JSON.stringify(given)} is neither an IPv4 address of four octets nor a CIDR block`);
  return z.NEVER;
});
const addressList = z.array(address).readonly().optional();
const count = (least: number) =>
  z.int(`expected a whole number from ${least} on`).min(least, `expected a whole number from ${least} on`).optional();
const webhook = z
  .string()
  .regex(/^(https?:\/\/\S+)?$/, 'expected an http or https URL, or ""')
  .optional();

const changeShape = z.strictObject({
  zone: z.string().min(1, "expected a zone's name").optional(),
  wwwWhitelistIps: addressList,
  whitelistIps: addressList,
  logs: count(0),
  log: z.enum(MANAGER_LOG_LEVELS, `expected one of ${MANAGER_LOG_LEVELS.join(", ")}`).optional(),
  harLimit: count(-1),
  debug: z.enum(["full", "none"], "expected full or none").optional(),
  lpmAuth: z.string().optional(),
  requestStats: z.boolean().optional(),
  syncConfig: z.boolean().optional(),
  socketInactivityTimeout: count(1),
  bwLimitWebhookUrl: webhook,
  bwThWebhookUrl: webhook,
  // In the service's own spelling. Never read back: it holds the storage's keys.
  logsSettings: z.record(z.string(), z.unknown()).readonly().optional(),
});

// Written out, because a program that loads this type would load all types of zod with that of the shape.
/** The settings that can be changed; those left out stay. `""` for no webhook, `{ disable: true }` for no delivery of logs. */
export interface SettingsChange {
  /** The zone of ports that name none. */
  zone?: string | undefined;
  /** The whole list of addresses that may use the manager's UI and API, and every port: IPv4 addresses and CIDR blocks. */
  wwwWhitelistIps?: readonly string[] | undefined;
  /** The whole list of addresses that may use every port: IPv4 addresses and CIDR blocks. */
  whitelistIps?: readonly string[] | undefined;
  /** How many requests the manager remembers; 0 for no more. */
  logs?: number | undefined;
  /** How much the manager writes to its log. */
  log?: ManagerLogLevel | undefined;
  /** How many bytes of a response's body it remembers; 0 for all, -1 for none. */
  harLimit?: number | undefined;
  /** Whether responses through the ports say how they came about. */
  debug?: "full" | "none" | undefined;
  lpmAuth?: string | undefined;
  /** Whether the manager keeps statistics of requests. */
  requestStats?: boolean | undefined;
  /** Whether the configuration is kept in the vendor's cloud. */
  syncConfig?: boolean | undefined;
  /** Milliseconds after which an idle connection is closed. */
  socketInactivityTimeout?: number | undefined;
  /** Where a cloud manager tells that a port has used up its bandwidth; `""` for nowhere. */
  bwLimitWebhookUrl?: string | undefined;
  /** Where a cloud manager tells that a port has used up a part of its bandwidth; `""` for nowhere. */
  bwThWebhookUrl?: string | undefined;
  /**
   * Where a cloud manager delivers its logs to, in the service's own spelling; `{ disable: true }` for nowhere. Never read
   * back: it holds the storage's keys. Secret.
   */
  logsSettings?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Reads the general settings. `GET /api/settings`.
 *
 * @example
 * const { wwwWhitelistIps } = await client.settings.get();
 */
export const get = (options?: CallOptions): Operation<GeneralSettings> =>
  json(shape, {
    operation: "read the Proxy Manager's settings",
    request: "GET /api/settings",
    ...options,
  });

/**
 * Changes the settings given and leaves the others. The manager takes any value and ignores what it does not know, so the
 * change is checked here; only whether the zone exists is not. `PUT /api/settings`.
 *
 * @returns the settings after the change
 * @throws {ArgumentError} for a setting that cannot be changed, or a value that makes no sense
 *
 * @example
 * await client.settings.update({ log: "info", logs: 5000 });
 */
export const update = (change: SettingsChange, options?: CallOptions): Operation<GeneralSettings> =>
  json(shape, {
    operation: "change the Proxy Manager's settings",
    request: "PUT /api/settings",
    lock: CHANGES_ADDRESSES,
    body: toService(change),
    secretParts: [change.logsSettings, change.bwLimitWebhookUrl, change.bwThWebhookUrl],
    ...options,
  });

/** Replaces the whole list of addresses that may use the UI and API. `PUT /api/settings`. */
export const setWwwWhitelistIps = (ips: string[], options?: CallOptions): Operation<void> =>
  json(
    shape.transform(() => {}),
    {
      operation: "replace the list of addresses that may use the Proxy Manager's UI",
      request: "PUT /api/settings",
      lock: CHANGES_ADDRESSES,
      body: { www_whitelist_ips: ips },
      ...options,
    },
  );

function toService(change: SettingsChange): JsonObject {
  const result = changeShape.safeParse(change);
  if (!result.success) {
    const issues = result.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`,
    );
    throw new ArgumentError(`Cannot change the Proxy Manager's settings: ${issues.join("; ")}.`);
  }
  return Object.fromEntries(Object.entries(result.data).map(([name, value]) => [snakeCase(name), value]));
}
