import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link PortIpRefresh}. Exactly one of `ip` and `vip` is needed. */
export interface PortIpRefreshArgs {
  /** Number of the port. */
  port: pulumi.Input<number>;
  /** The IP that is replaced, of the port's zone. A change replaces the new one. @example "203.0.113.7" */
  ip?: pulumi.Input<string>;
  /** The gIP that is replaced, of the port's zone. A change replaces the new one. */
  vip?: pulumi.Input<string>;
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 300, update: 300 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: has an IP or gIP of a port replaced when the resource is created, and again when an argument or a trigger changes.
 * **Each costs money** (the zone's refresh cost). A preview, a refresh and an update without a change replace nothing, and a
 * request whose answer was lost is never sent again. Destroying the resource does nothing.
 *
 * `POST /api/refresh_ip/{PORT}`, with `GET /api/allocated_ips` or `GET /api/allocated_vips` before and after.
 *
 * @example
 * const fresh = new brightdata.PortIpRefresh("fresh", { port: 24000, ip: "203.0.113.7" });
 * export const ip = fresh.newIp;
 */
export class PortIpRefresh extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("PortIpRefresh");

  declare readonly port: pulumi.Output<number>;
  declare readonly ip: pulumi.Output<string | undefined>;
  declare readonly vip: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** The port's zone. */
  declare readonly zone: pulumi.Output<string>;
  /** The IP that came in place of `ip`. */
  declare readonly newIp: pulumi.Output<string | undefined>;
  /** The gIP that came in place of `vip`. */
  declare readonly newVip: pulumi.Output<string | undefined>;
  /** What the zone had before; only while it is not known whether the IP was replaced. */
  declare readonly allocatedBefore: pulumi.Output<string[] | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when there is no such port, when its zone does not have the IP, or when the vendor refuses
   */
  constructor(name: string, args: PortIpRefreshArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "PortIpRefresh",
      name,
      args,
      {
        port: args.port,
        ip: args.ip,
        vip: args.vip,
        triggers: args.triggers,
        timeouts: args.timeouts,
        zone: undefined,
        newIp: undefined,
        newVip: undefined,
        allocatedBefore: undefined,
      },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is PortIpRefresh {
    return isResource(value, PortIpRefresh.__pulumiType);
  }
}
