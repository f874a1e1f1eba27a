import type * as pulumi from "@pulumi/pulumi";
import { isResource, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ZonePassword}. */
export interface ZonePasswordArgs {
  /** Name of the zone. A change makes a new password. */
  zone: pulumi.Input<string>;
  /**
   * The password, of printable ASCII characters without blanks. Secret. A change removes the old one, then adds the new one; with
   * the resource option `deleteBeforeReplace: false` the other way round.
   *
   * @default 16 random characters of a–z and 0–9, kept until the resource is replaced
   */
  password?: pulumi.Input<string>;
  /**
   * Values whose change makes a new password: it is generated and added, then the old one removed. Not with `password`.
   *
   * @example ["2026-01"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Takes over a given `password` that the zone has already, instead of failing. @default false */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * A password of a zone, beside those that it has. The proxies accept any of them, so a generated one is exchanged without a
 * moment in which none is good.
 *
 * `GET /zone/passwords`, `POST /zone/add_password` and `POST /zone/remove_password` of the remote service.
 *
 * @example
 * const password = new brightdata.ZonePassword("scraper", { zone: zone.name, triggers: ["2026-01"] });
 * export const secret = password.password;
 */
export class ZonePassword extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ZonePassword");

  declare readonly zone: pulumi.Output<string>;
  /** The password, given or generated. Secret. */
  declare readonly password: pulumi.Output<string>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the zone has that password already (see {@link ZonePasswordArgs.adopt}), and at its
   *   deletion when it is the zone's only one
   */
  constructor(name: string, args: ZonePasswordArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "ZonePassword",
      name,
      args,
      {
        zone: args.zone,
        password: secret(args.password),
        triggers: args.triggers,
        adopt: args.adopt,
        timeouts: args.timeouts,
      },
      { secretOutputs: ["password"] },
      options,
    );
  }

  /** Whether a value is such a resource, even of another copy of this package. */
  static override isInstance(value: unknown): value is ZonePassword {
    return isResource(value, ZonePassword.__pulumiType);
  }
}
