import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link WhitelistIp}. */
export interface WhitelistIpArgs {
  /**
   * IPv4 address or CIDR block of four octets. A block is named by its first address: `10.20.30.77/16` is `10.20.0.0/16`. A
   * change makes a new entry.
   *
   * @example "203.0.113.7"
   */
  ip: pulumi.Input<string>;
  /**
   * The list: `ui` (who may use the manager's UI and API, and every port with it; `PUT /api/whitelist_ip`) or `ports` (who
   * may use every port; `PUT /api/wip`). A change makes a new entry. An address cannot be on both.
   *
   * @default "ui"
   */
  list?: pulumi.Input<"ui" | "ports">;
  /** Must be true for `0.0.0.0/0`, which lets the whole internet in. @default false */
  allowAny?: pulumi.Input<boolean>;
  /**
   * Key of the manager's API, which the `ports` list wants. Secret.
   *
   * @default `brightdata:managerApiKey` / `BRIGHTDATA_MANAGER_API_KEY`; else the manager's current key, which is read and
   *   not replaced; a new one is generated only when there is none
   */
  apiKey?: pulumi.Input<string>;
  /** Takes over an entry that exists already, instead of failing. @default false */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An address that may use the local Proxy Manager or its ports.
 *
 * @example
 * new brightdata.WhitelistIp("office", { ip: "203.0.113.0/28", list: "ports" });
 */
export class WhitelistIp extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("WhitelistIp");

  /** The address or block in its one form. */
  declare readonly ip: pulumi.Output<string>;
  declare readonly list: pulumi.Output<"ui" | "ports">;
  declare readonly allowAny: pulumi.Output<boolean | undefined>;
  /** The key that was declared. Secret. */
  declare readonly apiKey: pulumi.Output<string | undefined>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /**
   * The first address of a block, which a manager before 1.643 may have put on the list in its place; only until the next
   * update, which puts that right.
   */
  declare readonly firstAddress: pulumi.Output<string | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the address stands on a list already (see {@link WhitelistIpArgs.adopt})
   */
  constructor(name: string, args: WhitelistIpArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "WhitelistIp",
      name,
      args,
      {
        ip: args.ip,
        list: args.list,
        allowAny: args.allowAny,
        apiKey: secret(args.apiKey),
        adopt: args.adopt,
        timeouts: args.timeouts,
        firstAddress: undefined,
      },
      { secretOutputs: ["apiKey"], isNamed: true },
      options,
    );
  }

  /**
   * Looks up an entry that exists, without managing it.
   *
   * @param name logical name in the program
   * @param id list and address, such as `ui/203.0.113.7`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): WhitelistIp {
    return new WhitelistIp(name, {} as WhitelistIpArgs, lookUp(id, options));
  }

  /** Whether a value is such an entry, even of another copy of this package. */
  static override isInstance(value: unknown): value is WhitelistIp {
    return isResource(value, WhitelistIp.__pulumiType);
  }
}
