import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ZoneIps}. */
export interface ZoneIpsArgs {
  /** Name of the zone. A change adds IPs to the new zone, then gives those of the old one back. */
  zone: pulumi.Input<string>;
  /**
   * How many IPs, from 0 on, beyond those that the zone is made with. Each costs money. Changed in place: more are added, or
   * the surplus given back, the newest first.
   */
  count: pulumi.Input<number>;
  /**
   * `ips` (proxy IPs of a zone with a `static` plan) or `gips` (gIPs of a residential one, which can be taken over and given
   * back but not added: with `adopt` only). A change makes a new resource.
   *
   * @default "ips"
   */
  kind?: pulumi.Input<"ips" | "gips">;
  /**
   * Country of the IPs, two letters in lower case. A change adds new IPs, then gives the old ones back; with `adopt` the other
   * way round.
   *
   * @default the zone's
   * @example "us"
   */
  country?: pulumi.Input<string>;
  /**
   * City of the IPs, as the service writes it. A change adds new IPs, then gives the old ones back; with `adopt` the other way
   * round.
   *
   * @example "us-chicago"
   */
  countryCity?: pulumi.Input<string>;
  /**
   * Takes over IPs that the zone has already, where `country` and `countryCity` allow, before any is added. They are given back
   * with the resource. For at most one such resource of a zone.
   *
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default { create: 120, read: 60, update: 120, delete: 120 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * Proxy IPs of a zone, beyond those that the zone is made with. It owns the IPs that it has added, and no others.
 *
 * `GET`, `POST` and `DELETE /zone/ips`, `GET /zone/route_vips` and `DELETE /zone/vips` of the remote service.
 *
 * @example
 * const more = new brightdata.ZoneIps("more", { zone: zone.name, count: 5, country: "us" });
 * export const ips = more.ips;
 */
export class ZoneIps extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ZoneIps");

  declare readonly zone: pulumi.Output<string>;
  /** How many of its IPs the zone has. */
  declare readonly count: pulumi.Output<number>;
  declare readonly kind: pulumi.Output<"ips" | "gips" | undefined>;
  declare readonly country: pulumi.Output<string | undefined>;
  declare readonly countryCity: pulumi.Output<string | undefined>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** The IPs that the resource owns, or the names of the gIPs. */
  declare readonly ips: pulumi.Output<string[]>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the zone can have no IPs of its own, or the service has not so many
   */
  constructor(name: string, args: ZoneIpsArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "ZoneIps",
      name,
      args,
      {
        zone: args.zone,
        count: args.count,
        kind: args.kind,
        country: args.country,
        countryCity: args.countryCity,
        adopt: args.adopt,
        timeouts: args.timeouts,
        ips: undefined,
      },
      {},
      options,
    );
  }

  /**
   * Looks up all the IPs of a zone, without managing them.
   *
   * @param name logical name in the program
   * @param id zone and kind, such as `web/ips` or `web/gips`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ZoneIps {
    return new ZoneIps(name, {} as ZoneIpsArgs, lookUp(id, options));
  }

  /** Whether a value is such a resource, even of another copy of this package. */
  static override isInstance(value: unknown): value is ZoneIps {
    return isResource(value, ZoneIps.__pulumiType);
  }
}
