import { z } from "zod";
import { snakeCase } from "../base/case";
import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { canonicalAddress } from "../declaration/address";
import { present } from "../http/optional";
import type { CallOptions, Transport } from "../http/transport";
import { MANAGER_LOG_LEVELS, type ManagerLogLevel } from "../model/managerLogLevels";

/**
 * The general settings, without the credentials: a zone's password, the account's token, the ports' API key, and the keys of
 * the storage that a cloud manager delivers its logs to.
 */
export interface GeneralSettings {
  customer?: string;
  accountId?: string;
  customerId?: string;
  /** The name under which somebody is logged in. */
  username?: string;
  /** The zone of ports that name none. */
  zone?: string;
  /** Addresses that may use the manager's UI and API, and every port. */
  wwwWhitelistIps: string[];
  /** Addresses that may use every port. */
  whitelistIps: string[];
  /** `wwwWhitelistIps` and the addresses of the manager's command line, which cannot be taken away. */
  fixedWhitelistIps: string[];
  /** Addresses that a port has refused since the manager's start. */
  pendingIps?: string[];
  /** Addresses that the UI and API have refused since the manager's start. */
  pendingWwwIps?: string[];
  /** Whether changes are not written to the configuration file, and so do not survive a restart. */
  readOnly?: boolean;
  /** Path of the configuration file, on the manager's machine. */
  config?: string;
  /** What a status check requests through a port. */
  testUrl?: string;
  mailDomain?: string;
  /** How many requests the manager remembers; 0 for none. */
  logs?: number;
  /** How much the manager writes to its log; one of {@link MANAGER_LOG_LEVELS}, though it takes anything. */
  log?: string;
  /** How many bytes of a request's and response's body it remembers; -1 for none. */
  harLimit?: number;
  /** Whether responses through the ports say how they came about: `full` or `none`. */
  debug?: string;
  lpmAuth?: string;
  /** Whether the manager keeps statistics of requests. */
  requestStats?: boolean;
  /** Whether there is the drop-in port. */
  dropin?: boolean;
  /** Whether this is a manager in the vendor's cloud. */
  zagent?: boolean;
  avServer?: boolean;
  reseller?: boolean;
  /** Whether the configuration is kept in the vendor's cloud. */
  syncConfig?: boolean;
  askSyncConfig?: boolean;
  cacheReport?: number[];
  /** Bytes. */
  cacheLimit?: number;
  /** Host name of the customer's manager in the vendor's cloud. */
  cloudUrlAddress?: string;
  /** Port of the vendor's proxies. */
  proxyPort?: number;
  /** Where a cloud manager tells that a port has used up its bandwidth. */
  bwLimitWebhookUrl?: string;
  /** Where a cloud manager tells that a port has used up a part of its bandwidth. */
  bwThWebhookUrl?: string;
  useCustomCert?: boolean;
  /** Milliseconds after which an idle connection is closed. */
  socketInactivityTimeout?: number;
  newUi?: boolean;
  shouldSanitize?: boolean;
}

/** The settings that can be changed; those left out stay. */
export interface SettingsChange {
  /** The zone of ports that name none. */
  zone?: string | undefined;
  /** The whole list of addresses that may use the manager's UI and API, and every port: IPv4 addresses and CIDR blocks. */
  wwwWhitelistIps?: readonly string[] | undefined;
  /** The whole list of addresses that may use every port: IPv4 addresses and CIDR blocks. */
  whitelistIps?: readonly string[] | undefined;
  /** How many requests the manager remembers; 0 for none. */
  logs?: number | undefined;
  /** How much the manager writes to its log. */
  log?: ManagerLogLevel | undefined;
  /** How many bytes of a request's and response's body it remembers; -1 for none. */
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

// The manager checks nothing that it is given, so a setting may hold anything: one that makes no sense counts as not set,
// for it must not stand in the way of the others.
const sensible = <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined);
const text = sensible(z.string().min(1));
const number = sensible(z.number());
const flag = sensible(z.boolean());
const strings = sensible(z.array(z.string()));
const addresses = z.array(z.string());

// The answer carries a zone's password and the account's token: only what is named here is kept of it.
const shape = z
  .object({
    customer: text,
    account_id: text,
    customer_id: text,
    username: text,
    zone: text,
    www_whitelist_ips: addresses,
    whitelist_ips: addresses,
    fixed_whitelist_ips: addresses,
    pending_ips: strings,
    pending_www_ips: strings,
    read_only: flag,
    config: text,
    test_url: text,
    mail_domain: text,
    logs: number,
    log: text,
    har_limit: number,
    debug: text,
    lpm_auth: text,
    request_stats: flag,
    dropin: flag,
    zagent: flag,
    av_server: flag,
    reseller: flag,
    sync_config: flag,
    ask_sync_config: flag,
    cache_report: sensible(z.array(z.number())),
    cache_limit: number,
    cloud_url_address: text,
    proxy_port: number,
    bw_limit_webhook_url: text,
    bw_th_webhook_url: text,
    use_custom_cert: flag,
    socket_inactivity_timeout: number,
    new_ui: flag,
    should_sanitize: flag,
  })
  .transform(
    (answer): GeneralSettings =>
      present({
        customer: answer.customer,
        accountId: answer.account_id,
        customerId: answer.customer_id,
        username: answer.username,
        zone: answer.zone,
        wwwWhitelistIps: answer.www_whitelist_ips,
        whitelistIps: answer.whitelist_ips,
        fixedWhitelistIps: answer.fixed_whitelist_ips,
        pendingIps: answer.pending_ips,
        pendingWwwIps: answer.pending_www_ips,
        readOnly: answer.read_only,
        config: answer.config,
        testUrl: answer.test_url,
        mailDomain: answer.mail_domain,
        logs: answer.logs,
        log: answer.log,
        harLimit: answer.har_limit,
        debug: answer.debug,
        lpmAuth: answer.lpm_auth,
        requestStats: answer.request_stats,
        dropin: answer.dropin,
        zagent: answer.zagent,
        avServer: answer.av_server,
        reseller: answer.reseller,
        syncConfig: answer.sync_config,
        askSyncConfig: answer.ask_sync_config,
        cacheReport: answer.cache_report,
        cacheLimit: answer.cache_limit,
        cloudUrlAddress: answer.cloud_url_address,
        proxyPort: answer.proxy_port,
        bwLimitWebhookUrl: answer.bw_limit_webhook_url,
        bwThWebhookUrl: answer.bw_th_webhook_url,
        useCustomCert: answer.use_custom_cert,
        socketInactivityTimeout: answer.socket_inactivity_timeout,
        newUi: answer.new_ui,
        shouldSanitize: answer.should_sanitize,
      }),
  );

const address = z.string().transform((given, context) => {
  const canonical = canonicalAddress(given);
  if (canonical !== undefined) return canonical;
  context.addIssue(`${JSON.stringify(given)} is neither an IPv4 address of four octets nor a CIDR block`);
  return z.NEVER;
});
const addressList = z.array(address).optional();
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
  logsSettings: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads the general settings. `GET /api/settings`.
 *
 * @example
 * const { wwwWhitelistIps } = await client.settings.get();
 */
export async function get(transport: Transport, options: CallOptions = {}): Promise<GeneralSettings> {
  return transport.json(
    { operation: "read the Proxy Manager's settings", method: "GET", path: "/api/settings", ...options },
    shape,
  );
}

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
export async function update(
  transport: Transport,
  change: SettingsChange,
  options: CallOptions = {},
): Promise<GeneralSettings> {
  return transport.json(
    {
      operation: "change the Proxy Manager's settings",
      method: "PUT",
      path: "/api/settings",
      body: toService(change),
      secretParts: change.logsSettings,
      ...options,
    },
    shape,
  );
}

/** Replaces the whole list of addresses that may use the UI and API. `PUT /api/settings`. */
export async function setWwwWhitelistIps(
  transport: Transport,
  ips: string[],
  options: CallOptions = {},
): Promise<void> {
  await transport.json(
    {
      operation: "replace the list of addresses that may use the Proxy Manager's UI",
      method: "PUT",
      path: "/api/settings",
      body: { www_whitelist_ips: ips },
      ...options,
    },
    shape,
  );
}

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
