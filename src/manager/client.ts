import { ConfigurationError, type Refusal } from "../base/errors";
import type { ServiceClock } from "../http/clock";
import { Log } from "../http/log";
import { type Noun, noun } from "../http/noun";
import { Transport } from "../http/transport";
import { isVendorsApi, leadsToApi, refusePlainHttp } from "../settings/address";
import type { ConnectedSettings } from "../settings/connections";
import { SETTINGS } from "../settings/definitions";
import { type Credential, type Setting, waysToSet } from "../settings/setting";

/** The settings that the manager's client uses. */
export type ManagerClientSettings = Pick<
  ConnectedSettings,
  | "proxyManagerUrl"
  | "urlSetting"
  | "managerApiKey"
  | "requestTimeout"
  | "retries"
  | "requestsPerMinute"
  | "logLevel"
  | "provider"
  | "asksOnce"
>;

/** The manager counts the requests of each route in windows of a minute. */
const REQUESTS_PER_WINDOW = 2000;

/**
 * Client of the local Proxy Manager: a noun each, a function for each operation.
 *
 * @example
 * const client = new ManagerClient(readSettings(() => undefined));
 * await client.ports.list();
 */
export class ManagerClient {
  /** Base URL of the manager, for messages. */
  readonly url: string;
  /** Proxy ports: create, read, update, delete. */
  readonly ports: Noun<typeof import("./ports")>;
  /** General settings. */
  readonly settings: Noun<typeof import("./settings")>;
  /** The lists of addresses that may use the manager or its ports. */
  readonly allowlists: Noun<typeof import("./allowlists")>;
  /** The key of the manager's API. */
  readonly apiKeys: Noun<typeof import("./apiKeys")>;
  /** Whether the manager is logged in. */
  readonly session: Noun<typeof import("./login")>;
  /** The account's zones, as the manager knows them. */
  readonly zones: Noun<typeof import("./zones")>;
  /** Versions of the manager, and of what it runs on. */
  readonly versions: Noun<typeof import("./versions")>;
  /** The manager's process: upgrade, restart, shutdown. */
  readonly process: Noun<typeof import("./process")>;
  /** Sessions of the ports, and whether requests come through. */
  readonly sessions: Noun<typeof import("./sessions")>;
  /** IPs that ports are not to use. */
  readonly bans: Noun<typeof import("./bans")>;
  /** IPs that the vendor has allocated to zones. */
  readonly ips: Noun<typeof import("./ips")>;
  /** SSL analyzing. */
  readonly ssl: Noun<typeof import("./ssl")>;
  /** The account's users. */
  readonly users: Noun<typeof import("./users")>;
  /** What went through the ports, and the manager's own log. */
  readonly logs: Noun<typeof import("./logs")>;
  /** @internal */
  readonly clock: ServiceClock;

  readonly #apiKey: Credential | undefined;
  readonly #urlSetting: Setting;
  readonly #provider: string | undefined;

  constructor(settings: ManagerClientSettings) {
    this.url = settings.proxyManagerUrl;
    this.#apiKey = settings.managerApiKey;
    this.#urlSetting = settings.urlSetting ?? SETTINGS.proxyManagerUrl;
    this.#provider = settings.provider;
    const transport = new Transport({
      service: "manager",
      baseUrl: settings.proxyManagerUrl,
      urlSetting: waysToSet(this.#urlSetting, this.#provider),
      requestTimeout: settings.requestTimeout,
      retries: settings.retries,
      requestsPerMinute: settings.requestsPerMinute,
      perWindow: REQUESTS_PER_WINDOW,
      log: new Log(settings.logLevel),
      asksOnce: settings.asksOnce,
      inspect: () => this.#refuseVendorsApi(),
      remedy: (refusal) => remedy(refusal, waysToSet(this.#urlSetting, this.#provider)),
    });
    this.clock = transport.clock;
    this.ports = noun(transport, () => import("./ports.js"));
    this.settings = noun(transport, () => import("./settings.js"));
    this.allowlists = noun(transport, () => import("./allowlists.js"));
    this.apiKeys = noun(transport, () => import("./apiKeys.js"));
    this.session = noun(transport, () => import("./login.js"));
    this.zones = noun(transport, () => import("./zones.js"));
    this.versions = noun(transport, () => import("./versions.js"));
    this.process = noun(transport, () => import("./process.js"));
    this.sessions = noun(transport, () => import("./sessions.js"));
    this.bans = noun(transport, () => import("./bans.js"));
    this.ips = noun(transport, () => import("./ips.js"));
    this.ssl = noun(transport, () => import("./ssl.js"));
    this.users = noun(transport, () => import("./users.js"));
    this.logs = noun(transport, () => import("./logs.js"));
  }

  /** The key that was configured, if any. Not a property of the object: printing that must not print the key. */
  get apiKey(): Credential | undefined {
    return this.#apiKey;
  }

  /** @throws {ConfigurationError} when the manager's key would travel in clear */
  refusePlainHttp(): void {
    refusePlainHttp(this.url, "the Proxy Manager's API key", this.#urlSetting, this.#provider);
  }

  #refuseVendorsApi(): void {
    if (isVendorsApi(this.url)) throw new ConfigurationError(leadsToApi(this.url, this.#urlSetting, this.#provider));
  }
}

function remedy(refusal: Refusal, urlSetting: string): string | undefined {
  if (refusal.status === 401)
    return `A Proxy Manager itself asks for no credentials. Check that ${urlSetting} names the right service.`;
  if (refusal.status === 403 && /connection from your ip/i.test(refusal.message)) {
    return "Run this on the manager's own machine, or allow the address that the manager names above (a WhitelistIp on the `ui` list, created from a machine that is allowed).";
  }
  if (refusal.status === 403 && /local_login/.test(refusal.message))
    return "No program can sign in: start the manager without `--local_login`.";
  if (refusal.status === 500 && /no_lpm_f_conn/.test(refusal.message)) {
    return "The manager keeps its configuration in the vendor's cloud (sync_config) and has lost its link there: wait until it is back, or turn sync_config off in its settings.";
  }
  return undefined;
}
