import * as pulumi from "@pulumi/pulumi";
import { type Port as PortArgs, ports } from "../ports";

/** A resource of the provider in bench/native. Its output stands beside its inputs, as ProxyPort's does. */
class Port extends pulumi.CustomResource {
  declare readonly listenPort: pulumi.Output<number>;

  constructor(name: string, args: PortArgs) {
    super("noop:index:Port", name, { ...args, listenPort: undefined });
  }
}

for (const port of ports) new Port(`port-${port.port}`, port);
