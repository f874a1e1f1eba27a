import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link BannedIp}. */
export interface BannedIpArgs {
  /**
   * IPv4 address, or the 33 characters by which the service hides one. A change makes a new ban.
   *
   * @example "203.0.113.7"
   */
  ip: pulumi.Input<string>;
  /**
   * Host that the IP is not used for, in lower case. A change makes a new ban.
   *
   * @default every host
   * @example "example.com"
   */
  domain?: pulumi.Input<string>;
  /** Number of the one port that does not use the IP. Changed in place. @default every port, see {@link ports} */
  port?: pulumi.Input<number>;
  /**
   * Numbers of the ports that do not use the IP. Changed in place.
   *
   * @default every port that listens at the creation, the drop-in port included; not those that come later
   */
  ports?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * Milliseconds that the ban lasts from its creation on, at most 2147483647 (nearly 25 days). A change makes it begin again.
   *
   * @default no end
   */
  durationMs?: pulumi.Input<number>;
  /** Whether a ban that has run out begins again with the next update after a refresh. @default false */
  renew?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An IP that ports of the local Proxy Manager do not use. The manager keeps bans in memory: after its restart they are gone,
 * and the next update after a refresh puts them back.
 *
 * `POST /api/proxies/{PORT}/banip`, `GET /api/banlist/{PORT}?full=true` and `POST /api/proxies/{PORT}/unbanip`.
 *
 * @example
 * new brightdata.BannedIp("blocked", { ip: "203.0.113.7", domain: "example.com", port: port.port });
 */
export class BannedIp extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("BannedIp");

  declare readonly ip: pulumi.Output<string>;
  declare readonly domain: pulumi.Output<string | undefined>;
  declare readonly port: pulumi.Output<number | undefined>;
  /** The ports that the ban is for. */
  declare readonly ports: pulumi.Output<number[]>;
  declare readonly durationMs: pulumi.Output<number | undefined>;
  declare readonly renew: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** When the ban ends, ISO 8601; where several ports have it, the last of them. */
  declare readonly until: pulumi.Output<string | undefined>;
  /** `true` when the ban has run out; as of the last refresh. */
  declare readonly expired: pulumi.Output<boolean | undefined>;
  /** The ports that the last refresh found without the ban; the next update puts it back there. */
  declare readonly missingOn: pulumi.Output<number[] | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when a port does not exist
   */
  constructor(name: string, args: BannedIpArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "BannedIp",
      name,
      args,
      {
        ip: args.ip,
        domain: args.domain,
        port: args.port,
        ports: args.ports,
        durationMs: args.durationMs,
        renew: args.renew,
        timeouts: args.timeouts,
        until: undefined,
        expired: undefined,
        missingOn: undefined,
      },
      { isNamed: true },
      options,
    );
  }

  /**
   * Looks up a ban that exists, on whatever ports, without managing it.
   *
   * @param name logical name in the program
   * @param id the IP, and the host where the ban is for one, such as `203.0.113.7` or `203.0.113.7/example.com`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): BannedIp {
    return new BannedIp(name, {} as BannedIpArgs, lookUp(id, options));
  }

  /** Whether a value is such a ban, even of another copy of this package. */
  static override isInstance(value: unknown): value is BannedIp {
    return isResource(value, BannedIp.__pulumiType);
  }
}
