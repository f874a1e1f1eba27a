import type * as pulumi from "@pulumi/pulumi";
import { isResource, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ZoneIpRefresh}: exactly one of `ips`, `vips` and `all` says what is refreshed. */
export interface ZoneIpRefreshArgs {
  /** Name of the zone. A change refreshes the new zone's IPs. */
  zone: pulumi.Input<string>;
  /** Proxy IPs of the zone, which has a `static` plan. A change alone refreshes nothing. */
  ips?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * gIPs of the zone, which has a residential plan. A change alone refreshes nothing.
   *
   * @example ["tr_9121_07_antalya_10"]
   */
  vips?: pulumi.Input<pulumi.Input<string>[]>;
  /** All that the zone has. A change alone refreshes nothing. */
  all?: pulumi.Input<true>;
  /**
   * Country of the new IPs, two letters in lower case. A change alone refreshes nothing.
   *
   * @default the old ones'
   * @example "us"
   */
  country?: pulumi.Input<string>;
  /**
   * City of the new IPs, as the service writes it. A change alone refreshes nothing.
   *
   * @example "us-chicago"
   */
  countryCity?: pulumi.Input<string>;
  /**
   * Values whose change refreshes again. Each time costs money.
   *
   * @example ["2026-01"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 120, read: 60, update: 60, delete: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * Replaces IPs of a zone by new ones: once when the resource is created, and again when a trigger changes. It costs money
 * for each IP, each time.
 *
 * `POST /zone/ips/refresh` of the remote service.
 *
 * @example
 * new brightdata.ZoneIpRefresh("monthly", { zone: zone.name, all: true, triggers: ["2026-01"] });
 */
export class ZoneIpRefresh extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ZoneIpRefresh");

  declare readonly zone: pulumi.Output<string>;
  declare readonly ips: pulumi.Output<string[] | undefined>;
  declare readonly vips: pulumi.Output<string[] | undefined>;
  declare readonly all: pulumi.Output<true | undefined>;
  declare readonly country: pulumi.Output<string | undefined>;
  declare readonly countryCity: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Whether the service has refreshed proxy IPs (`ips`) or gIPs (`gips`). */
  declare readonly kind: pulumi.Output<"ips" | "gips">;
  /** The zone's IPs, or its gIPs, before the refresh; absent where the service did not tell. */
  declare readonly previousIps: pulumi.Output<string[] | undefined>;
  /** The zone's IPs, or its gIPs, after the refresh. */
  declare readonly currentIps: pulumi.Output<string[]>;
  /** Those among them that are new. */
  declare readonly newIps: pulumi.Output<string[]>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the zone does not have such an IP, or when nobody knows whether the refresh was done
   */
  constructor(name: string, args: ZoneIpRefreshArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "ZoneIpRefresh",
      name,
      args,
      {
        zone: args.zone,
        ips: args.ips,
        vips: args.vips,
        all: args.all,
        country: args.country,
        countryCity: args.countryCity,
        triggers: args.triggers,
        timeouts: args.timeouts,
        kind: undefined,
        previousIps: undefined,
        currentIps: undefined,
        newIps: undefined,
      },
      {},
      options,
    );
  }

  /** Whether a value is such a resource, even of another copy of this package. */
  static override isInstance(value: unknown): value is ZoneIpRefresh {
    return isResource(value, ZoneIpRefresh.__pulumiType);
  }
}
