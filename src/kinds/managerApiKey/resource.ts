import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ManagerApiKey}. */
export interface ManagerApiKeyArgs {
  /**
   * Values of any kind. A change of any of them generates a new key: **the one before it is dead at once, for everybody.**
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * The key of the local Proxy Manager's API, of which there is one. It is taken as it is; only where there is none is one
 * generated, and only a changed trigger replaces it. Destroying the resource leaves the key.
 *
 * `GET /api/config` and `GET /api/gen_token` (five times an hour).
 *
 * @example
 * const key = new brightdata.ManagerApiKey("key", { triggers: ["2026-05"] });
 * export const apiKey = key.apiKey;
 */
export class ManagerApiKey extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ManagerApiKey");

  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** The key: sent in `Authorization`, without `Bearer`. Secret. */
  declare readonly apiKey: pulumi.Output<string>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the key may not be read from here, or when five were generated within the hour
   */
  constructor(name: string, args: ManagerApiKeyArgs = {}, options?: pulumi.CustomResourceOptions) {
    super(
      "ManagerApiKey",
      name,
      args,
      { triggers: args.triggers, timeouts: args.timeouts, apiKey: undefined },
      { secretOutputs: ["apiKey"] },
      options,
    );
  }

  /**
   * Looks the key up, without managing it.
   *
   * @param name logical name in the program
   * @param id always `apiKey`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ManagerApiKey {
    return new ManagerApiKey(name, {}, lookUp(id, options));
  }

  /** Whether a value is such a key, even of another copy of this package. */
  static override isInstance(value: unknown): value is ManagerApiKey {
    return isResource(value, ManagerApiKey.__pulumiType);
  }
}
