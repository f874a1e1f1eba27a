import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ManagerRestart}. */
export interface ManagerRestartArgs {
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 120 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: restarts the local Proxy Manager when the resource is created, and again when a trigger changes, and waits until
 * it is back: about seven seconds. Connections through its ports are cut; sessions and banned IPs are lost. Destroying the
 * resource does nothing.
 *
 * `POST /api/restart` and `GET /api/version`.
 *
 * @example
 * new brightdata.ManagerRestart("restart", { triggers: [upgrade.version] });
 */
export class ManagerRestart extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ManagerRestart");

  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** The version that runs since. */
  declare readonly version: pulumi.Output<string>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the manager does not come back in time
   */
  constructor(name: string, args: ManagerRestartArgs = {}, options?: pulumi.CustomResourceOptions) {
    super(
      "ManagerRestart",
      name,
      args,
      { triggers: args.triggers, timeouts: args.timeouts, version: undefined },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is ManagerRestart {
    return isResource(value, ManagerRestart.__pulumiType);
  }
}
