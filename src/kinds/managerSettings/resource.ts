import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";

/**
 * Arguments of a {@link ManagerSettings}. All are changed in place. A setting that is left out is left alone; one that is taken
 * away becomes what it was before it was declared.
 */
export interface ManagerSettingsArgs {
  /** The zone of ports that name none. Must exist. */
  zone?: pulumi.Input<string>;
  /**
   * All addresses that may use the manager's UI and API, and every port with it: IPv4 addresses and CIDR blocks of four
   * octets. Exclude {@link WhitelistIp}s on the `ui` list: each would undo the other.
   *
   * @example ["203.0.113.7"]
   */
  wwwWhitelistIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * All addresses that may use every port: IPv4 addresses and CIDR blocks of four octets. Exclude {@link WhitelistIp}s on the
   * `ports` list: each would undo the other.
   *
   * @example ["10.20.0.0/16"]
   */
  whitelistIps?: pulumi.Input<pulumi.Input<string>[]>;
  /** How many requests the manager remembers; 0 for none. The manager's default is 1000. */
  logs?: pulumi.Input<number>;
  /** How much the manager writes to its log. The manager's default is `notice`. */
  log?: pulumi.Input<"error" | "warn" | "notice" | "info" | "debug">;
  /** How many bytes of a request's and response's body the manager remembers; -1 for none. Its default is 1024. */
  harLimit?: pulumi.Input<number>;
  /** Whether responses through the ports say how they came about. The manager's default is `none`. */
  debug?: pulumi.Input<"full" | "none">;
  /** Whether responses through the ports carry the credentials that were used. The manager's default is `none`. */
  lpmAuth?: pulumi.Input<"full" | "none">;
  /** Whether the manager keeps statistics of requests; turning it off clears them. The manager's default is true. */
  requestStats?: pulumi.Input<boolean>;
  /**
   * Whether the configuration is kept in the vendor's cloud. When it is turned on, the manager takes over what the cloud has:
   * **ports that the cloud does not have are lost.** The manager's default is false.
   */
  syncConfig?: pulumi.Input<boolean>;
  /** Milliseconds after which an idle connection is closed. The manager's default is 120000. */
  socketInactivityTimeout?: pulumi.Input<number>;
  /** URL that a cloud manager tells when a port has used up its bandwidth. */
  bwLimitWebhookUrl?: pulumi.Input<string>;
  /** URL that a cloud manager tells when a port has used up a part of its bandwidth. */
  bwThWebhookUrl?: pulumi.Input<string>;
  /**
   * Where a cloud manager delivers its logs to, in the service's own spelling; other managers refuse it. It is not read back,
   * for it holds credentials; taken away, it is turned off. Secret.
   */
  logsSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Must be true for `0.0.0.0/0` on a list, which lets the whole internet in. @default false */
  allowAny?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * The general settings of the local Proxy Manager, as far as they are declared. One for each manager. Destroying it puts back
 * what was there before.
 *
 * `GET /api/settings` and `PUT /api/settings`.
 *
 * @example
 * new brightdata.ManagerSettings("manager", { logs: 5000, log: "info", whitelistIps: ["10.20.0.0/16"] });
 */
export class ManagerSettings extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ManagerSettings");

  declare readonly zone: pulumi.Output<string | undefined>;
  declare readonly wwwWhitelistIps: pulumi.Output<string[] | undefined>;
  declare readonly whitelistIps: pulumi.Output<string[] | undefined>;
  declare readonly logs: pulumi.Output<number | undefined>;
  declare readonly log: pulumi.Output<string | undefined>;
  declare readonly harLimit: pulumi.Output<number | undefined>;
  declare readonly debug: pulumi.Output<string | undefined>;
  declare readonly lpmAuth: pulumi.Output<string | undefined>;
  declare readonly requestStats: pulumi.Output<boolean | undefined>;
  declare readonly syncConfig: pulumi.Output<boolean | undefined>;
  declare readonly socketInactivityTimeout: pulumi.Output<number | undefined>;
  declare readonly bwLimitWebhookUrl: pulumi.Output<string | undefined>;
  declare readonly bwThWebhookUrl: pulumi.Output<string | undefined>;
  /** What was declared. Secret. */
  declare readonly logsSettings: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly allowAny: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** What the declared settings were before they were declared: what they become when that ends. */
  declare readonly previous: pulumi.Output<Record<string, unknown> | undefined>;

  /** @param name logical name of the resource */
  constructor(name: string, args: ManagerSettingsArgs = {}, options?: pulumi.CustomResourceOptions) {
    super(
      "ManagerSettings",
      name,
      args,
      {
        zone: args.zone,
        wwwWhitelistIps: args.wwwWhitelistIps,
        whitelistIps: args.whitelistIps,
        logs: args.logs,
        log: args.log,
        harLimit: args.harLimit,
        debug: args.debug,
        lpmAuth: args.lpmAuth,
        requestStats: args.requestStats,
        syncConfig: args.syncConfig,
        socketInactivityTimeout: args.socketInactivityTimeout,
        bwLimitWebhookUrl: args.bwLimitWebhookUrl,
        bwThWebhookUrl: args.bwThWebhookUrl,
        logsSettings: secret(args.logsSettings),
        allowAny: args.allowAny,
        timeouts: args.timeouts,
        previous: undefined,
      },
      { secretOutputs: ["logsSettings"], isNamed: true },
      options,
    );
  }

  /**
   * Looks the settings up, without managing them.
   *
   * @param name logical name in the program
   * @param id always `settings`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ManagerSettings {
    return new ManagerSettings(name, {}, lookUp(id, options));
  }

  /** Whether a value is such a resource, even of another copy of this package. */
  static override isInstance(value: unknown): value is ManagerSettings {
    return isResource(value, ManagerSettings.__pulumiType);
  }
}
