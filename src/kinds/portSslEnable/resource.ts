import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link PortSslEnable}. A change of any but `timeouts` does it again. */
export interface PortSslEnableArgs {
  /** Number of the port. @default all ports that there are then, but the drop-in port */
  port?: pulumi.Input<number>;
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 150 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: turns on SSL analysing on one port of the local Proxy Manager, or on all that there are, when the resource is
 * created, and again when an argument or a trigger changes. Destroying the resource turns nothing off. A port that is declared
 * has its `ssl` argument for this, which can be taken back.
 *
 * `POST /api/enable_ssl`.
 *
 * @example
 * new brightdata.PortSslEnable("analyse", { triggers: ["2026-05"] });
 */
export class PortSslEnable extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("PortSslEnable");

  declare readonly port: pulumi.Output<number | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when there is no such port
   */
  constructor(name: string, args: PortSslEnableArgs = {}, options?: pulumi.CustomResourceOptions) {
    super(
      "PortSslEnable",
      name,
      args,
      { port: args.port, triggers: args.triggers, timeouts: args.timeouts },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is PortSslEnable {
    return isResource(value, PortSslEnable.__pulumiType);
  }
}
