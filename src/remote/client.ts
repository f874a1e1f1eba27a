import { ConfigurationError, originOf, type Refusal } from "../base/errors";
import { budgetFile, RateBudget } from "../http/budget";
import type { ServiceClock } from "../http/clock";
import { Log } from "../http/log";
import { type Noun, noun } from "../http/noun";
import { Transport } from "../http/transport";
import { refusePlainHttp } from "../settings/address";
import type { ConnectedSettings } from "../settings/connections";
import { SETTINGS } from "../settings/definitions";
import { type Credential, howToSet, inEnvironment, OLDER_IN_STATE, waysToSet } from "../settings/setting";
import { refuseNamelessZone } from "./guard";
import { remedyFor } from "./remedies";

/** The settings that the remote client uses. */
export type RemoteClientSettings = Pick<
  ConnectedSettings,
  | "apiToken"
  | "baseUrl"
  | "baseUrlSetting"
  | "requestTimeout"
  | "retries"
  | "requestsPerMinute"
  | "logLevel"
  | "provider"
  | "asksOnce"
>;

// The service bars an address after 25 answers with 429 within five minutes, until its support lifts the bar. As many
// requests as are under way may all meet one.
const MOST_REFUSALS = 10;
const AT_ONCE = 8;

/**
 * Client of the remote account, zone and dataset service: a noun each, a function for each operation.
 *
 * @example
 * const client = new RemoteClient(readSettings(() => undefined));
 * await client.zones.get("web");
 */
export class RemoteClient {
  /** Zones: create, read, list, enable and disable, delete. */
  readonly zones: Noun<typeof import("./zones")>;
  /** Passwords of a zone. */
  readonly passwords: Noun<typeof import("./passwords")>;
  /** Client addresses and target domains that zones may or may not be used by and for. */
  readonly access: Noun<typeof import("./access")>;
  /** Proxy IPs and gIPs of zones. */
  readonly ips: Noun<typeof import("./ips")>;
  /** Where zones can have static IPs, and how many. */
  readonly availability: Noun<typeof import("./availability")>;
  /** The account: its state, its balance, the state of the networks. */
  readonly account: Noun<typeof import("./account")>;
  /** Bandwidth and cost. */
  readonly usage: Noun<typeof import("./usage")>;
  /** Collections of datasets: trigger, cancel, run again. */
  readonly collections: Noun<typeof import("./collections")>;
  /** Snapshots, which collections make. */
  readonly snapshots: Noun<typeof import("./snapshots")>;
  /** Deliveries of snapshots to storages. */
  readonly deliveries: Noun<typeof import("./deliveries")>;
  /** Runs of collectors. */
  readonly collector: Noun<typeof import("./collector")>;
  /** @internal */
  readonly clock: ServiceClock;

  /** @throws {ConfigurationError} without a token, or with one that would travel in clear */
  constructor(settings: RemoteClientSettings) {
    const { apiToken, provider } = settings;
    if (apiToken === undefined) {
      const service =
        provider === undefined
          ? ""
          : ` One in the environment is only used for the service that ${SETTINGS.baseUrl.environment}, or its default, leads to.`;
      throw new ConfigurationError(
        `There is no Bright Data API token. ${howToSet(SETTINGS.apiToken, provider)}${service}`,
      );
    }
    const urlSetting = settings.baseUrlSetting ?? SETTINGS.baseUrl;
    refusePlainHttp(settings.baseUrl, "the API token", urlSetting, provider);
    const transport = new Transport({
      service: "remote",
      baseUrl: settings.baseUrl,
      urlSetting: waysToSet(urlSetting, provider),
      token: apiToken.value,
      requestTimeout: settings.requestTimeout,
      retries: settings.retries,
      requestsPerMinute: settings.requestsPerMinute,
      log: new Log(settings.logLevel),
      asksOnce: settings.asksOnce,
      atOnce: AT_ONCE,
      budget: new RateBudget(MOST_REFUSALS, budgetFile(originOf(settings.baseUrl))),
      inspect: refuseNamelessZone,
      remedy: (refusal) => remedy(refusal, apiToken, provider),
    });
    this.clock = transport.clock;
    this.zones = noun(transport, () => import("./zones.js"));
    this.passwords = noun(transport, () => import("./passwords.js"));
    this.access = noun(transport, () => import("./access.js"));
    this.ips = noun(transport, () => import("./ips.js"));
    this.availability = noun(transport, () => import("./availability.js"));
    this.account = noun(transport, () => import("./account.js"));
    this.usage = noun(transport, () => import("./usage.js"));
    this.collections = noun(transport, () => import("./collections.js"));
    this.snapshots = noun(transport, () => import("./snapshots.js"));
    this.deliveries = noun(transport, () => import("./deliveries.js"));
    this.collector = noun(transport, () => import("./collector.js"));
  }
}

function remedy(refusal: Refusal, token: Credential, provider: string | undefined): string | undefined {
  switch (refusal.status) {
    case 401:
      return refusedToken(token, provider);
    case 403:
      return `The token from ${token.source} may not do this: it needs the Admin or Ops role and the permission for this action (control panel, Account settings, Users and API keys).`;
    default:
      return remedyFor(refusal);
  }
}

function refusedToken({ source, setting }: Credential, provider: string | undefined): string {
  const came = `The token came from ${source}`;
  if (provider !== undefined) {
    return `${came}. ${howToSet(setting, provider, source)} A refresh or destroy uses what the state has of the provider, which may be older than the program: \`pulumi up\` renews it, and \`--run-program\` uses what the program says.`;
  }
  if (source.startsWith(inEnvironment(setting))) {
    return `${came}, which comes before the stack's configuration. Correct that variable, or unset it to use brightdata:${setting.key} of the stack's configuration.`;
  }
  return `${came}. ${howToSet(setting)} ${OLDER_IN_STATE}`;
}
