import type * as pulumi from "@pulumi/pulumi";
import { BrightDataResource, isResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link PortSessionRefresh}. A change of any but `timeouts` refreshes the session again. */
export interface PortSessionRefreshArgs {
  /** Number of the port. */
  port: pulumi.Input<number>;
  /**
   * Values of any kind. A change of any of them does it again.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default { create: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: gives a port of the local Proxy Manager another session, and with it other IPs, when the resource is created, and
 * again when an argument or a trigger changes. Destroying the resource does nothing.
 *
 * `POST /api/refresh_sessions/{PORT}`.
 *
 * @example
 * new brightdata.PortSessionRefresh("daily", { port: port.port, triggers: [new Date().toISOString().slice(0, 10)] });
 */
export class PortSessionRefresh extends BrightDataResource {
  /** @internal */
  static readonly __pulumiType = typeOf("PortSessionRefresh");

  declare readonly port: pulumi.Output<number>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Id of the new session, such as `24000_3`; none for a port with `rotateSession`, which takes a new one each time. */
  declare readonly sessionId: pulumi.Output<string | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when there is no such port
   */
  constructor(name: string, args: PortSessionRefreshArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "PortSessionRefresh",
      name,
      args,
      { port: args.port, triggers: args.triggers, timeouts: args.timeouts, sessionId: undefined },
      {},
      options,
    );
  }

  /** Whether a value is such an action, even of another copy of this package. */
  static override isInstance(value: unknown): value is PortSessionRefresh {
    return isResource(value, PortSessionRefresh.__pulumiType);
  }
}
