import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, lookUp, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ZoneAccess}. A list that is left out is left alone; one that is declared is the whole list. */
export interface ZoneAccessArgs {
  /** Name of the zone. A change lets go of the old zone's lists and makes the new one's. */
  zone: pulumi.Input<string>;
  /**
   * Client addresses that may use the zone: single ones, ranges `a-b`, networks with a prefix or a netmask; or `any` alone.
   * At least one: with none, a zone is open to everybody. Changed in place.
   *
   * @example ["203.0.113.7", "198.51.100.0/24"]
   */
  allowedIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Client addresses that may not use the zone, written as those of `allowedIps`. Changed in place.
   *
   * @example ["203.0.113.20-203.0.113.29"]
   */
  deniedIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Target domains that the zone may be used for. The service cannot be asked for them: what was sent last is what is known.
   * Changed in place.
   *
   * @example ["example.com"]
   */
  allowedDomains?: pulumi.Input<pulumi.Input<string>[]>;
  /** Target domains that the zone may not be used for; otherwise as `allowedDomains`. Changed in place. */
  deniedDomains?: pulumi.Input<pulumi.Input<string>[]>;
  /** Takes over lists of addresses that have other entries already, instead of failing. @default false */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * Who may use a zone, and for which target domains.
 *
 * `GET`, `POST` and `DELETE` of `/zone/whitelist` and `/zone/blacklist`, and `POST` and `DELETE /zone/domain_perm` of the
 * remote service.
 *
 * @example
 * new brightdata.ZoneAccess("web", { zone: zone.name, allowedIps: ["203.0.113.7"] });
 */
export class ZoneAccess extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ZoneAccess");

  /** Name of the zone; also the resource's id. */
  declare readonly zone: pulumi.Output<string>;
  declare readonly allowedIps: pulumi.Output<string[] | undefined>;
  declare readonly deniedIps: pulumi.Output<string[] | undefined>;
  declare readonly allowedDomains: pulumi.Output<string[] | undefined>;
  declare readonly deniedDomains: pulumi.Output<string[] | undefined>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when a list has entries that are not declared (see {@link ZoneAccessArgs.adopt})
   */
  constructor(name: string, args: ZoneAccessArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "ZoneAccess",
      name,
      args,
      {
        zone: args.zone,
        allowedIps: args.allowedIps,
        deniedIps: args.deniedIps,
        allowedDomains: args.allowedDomains,
        deniedDomains: args.deniedDomains,
        adopt: args.adopt,
        timeouts: args.timeouts,
      },
      {},
      options,
    );
  }

  /**
   * Looks up the addresses that may, and may not, use a zone, without managing them.
   *
   * @param name logical name in the program
   * @param id name of the zone
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ZoneAccess {
    return new ZoneAccess(name, {} as ZoneAccessArgs, lookUp(id, options));
  }

  /** Whether a value is such a resource, even of another copy of this package. */
  static override isInstance(value: unknown): value is ZoneAccess {
    return isResource(value, ZoneAccess.__pulumiType);
  }
}
