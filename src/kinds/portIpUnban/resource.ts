import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link PortIpUnban}. A change of any but `timeouts` lifts bans again. */
export interface PortIpUnbanArgs {
  /** Number of the port. */
  port: pulumi.Input<number>;
  /**
   * The IP whose ban is lifted.
   *
   * @default all bans of the port
   */
  ip?: pulumi.Input<string>;
  /**
   * Host of the ban, where it is for one; needs `ip`.
   *
   * @default the ban for every host
   */
  domain?: pulumi.Input<string>;
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/** A ban that was lifted. */
export interface LiftedBan {
  ip: string;
  /** The host that the ban was for; every host when absent. */
  domain?: string;
  /** When it would have ended, ISO 8601. */
  until?: string;
}

/**
 * An action: lifts bans on a port of the local Proxy Manager when the resource is created, and again when an argument or a
 * trigger changes. Destroying the resource does nothing.
 *
 * `POST /api/proxies/{PORT}/unbanip`, `POST /api/proxies/{PORT}/unbanips` and `GET /api/banlist/{PORT}?full=true`.
 *
 * @example
 * new brightdata.PortIpUnban("monthly", { port: port.port, triggers: ["2026-05"] });
 */
export class PortIpUnban extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("PortIpUnban");

  declare readonly port: pulumi.Output<number>;
  declare readonly ip: pulumi.Output<string | undefined>;
  declare readonly domain: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** The bans that were lifted; none where there were none. */
  declare readonly lifted: pulumi.Output<LiftedBan[]>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when there is no such port
   */
  constructor(name: string, args: PortIpUnbanArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "PortIpUnban",
      name,
      args,
      {
        port: args.port,
        ip: args.ip,
        domain: args.domain,
        triggers: args.triggers,
        timeouts: args.timeouts,
        lifted: undefined,
      },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is PortIpUnban {
    return isResource(value, PortIpUnban.__pulumiType);
  }
}
