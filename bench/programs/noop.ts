import * as pulumi from "@pulumi/pulumi";
import type { Port as PortArgs, PortSet } from "./ports";

/** A resource of the provider in bench/native. Its output stands beside its inputs, as ProxyPort's does. */
export class Port extends pulumi.CustomResource {
  declare readonly listenPort: pulumi.Output<number>;

  constructor(name: string, args: PortArgs) {
    super("noop:index:Port", name, { ...args, listenPort: undefined });
  }
}

/** All ports in one resource, as ProxyPorts has them. */
export class Ports extends pulumi.CustomResource {
  constructor(name: string, args: PortSet) {
    super("noop:index:Ports", name, args);
  }
}
