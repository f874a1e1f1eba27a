import * as pulumi from "@pulumi/pulumi";
import type { Port as PortArgs } from "./ports";

/** A resource of the provider in bench/native. Its output stands beside its inputs, as ProxyPort's does. */
export class Port extends pulumi.CustomResource {
  declare readonly listenPort: pulumi.Output<number>;

  constructor(name: string, args: PortArgs) {
    super("noop:index:Port", name, { ...args, listenPort: undefined });
  }
}
