import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ManagerUpgrade}. */
export interface ManagerUpgradeArgs {
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 900 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: installs the newest version of the local Proxy Manager when the resource is created, and again when a trigger
 * changes; nothing where the newest runs already. The new version runs from the manager's next start on: see
 * {@link ManagerRestart}. Destroying the resource does nothing.
 *
 * `GET /api/last_version` and `POST /api/upgrade`.
 *
 * @example
 * const upgrade = new brightdata.ManagerUpgrade("upgrade", { triggers: ["2026-05"] });
 * new brightdata.ManagerRestart("restart", { triggers: [upgrade.version] });
 */
export class ManagerUpgrade extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ManagerUpgrade");

  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Whether a newer version was installed. */
  declare readonly upgraded: pulumi.Output<boolean>;
  /** The newest version. */
  declare readonly version: pulumi.Output<string>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the manager cannot reach its vendor, or cannot install the version
   */
  constructor(name: string, args: ManagerUpgradeArgs = {}, options?: pulumi.CustomResourceOptions) {
    super(
      "ManagerUpgrade",
      name,
      args,
      { triggers: args.triggers, timeouts: args.timeouts, upgraded: undefined, version: undefined },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is ManagerUpgrade {
    return isResource(value, ManagerUpgrade.__pulumiType);
  }
}
