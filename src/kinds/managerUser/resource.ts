import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** Arguments of a {@link ManagerUser}. */
export interface ManagerUserArgs {
  /**
   * Email address of the user. A change makes a new user, and leaves the old one.
   *
   * @example "ops@example.com"
   */
  email: pulumi.Input<string>;
  /** Takes over a user who exists already, instead of failing. @default false */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default 60 each */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * A user of the account who may use the ports of its Proxy Managers. **Destroying the resource leaves the user:** the manager
 * has no way to remove one.
 *
 * `POST /api/lpm_user` and `GET /api/lpm_users`.
 *
 * @example
 * const user = new brightdata.ManagerUser("ops", { email: "ops@example.com" });
 * new brightdata.ProxyPort("ops", { zone: "web", user: user.email, userPassword: user.password });
 */
export class ManagerUser extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ManagerUser");

  declare readonly email: pulumi.Output<string>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** What the user authenticates to the ports with; the service makes it up. Secret. */
  declare readonly password: pulumi.Output<string>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the user exists already (see {@link ManagerUserArgs.adopt}), or when the manager is
   *   not logged in
   */
  constructor(name: string, args: ManagerUserArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "ManagerUser",
      name,
      args,
      { email: args.email, adopt: args.adopt, timeouts: args.timeouts, password: undefined },
      { secretOutputs: ["password"], isNamed: true },
      options,
    );
  }

  /**
   * Looks up a user who exists, without managing them.
   *
   * @param name logical name in the program
   * @param id the user's email address
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ManagerUser {
    return new ManagerUser(name, {} as ManagerUserArgs, lookUp(id, options));
  }

  /** Whether a value is such a user, even of another copy of this package. */
  static override isInstance(value: unknown): value is ManagerUser {
    return isResource(value, ManagerUser.__pulumiType);
  }
}
