import type * as pulumi from "@pulumi/pulumi";

/** Seconds that the operations on a resource may take; the engine's `customTimeouts` do not reach dynamic resources. */
export interface TimeoutsArgs {
  create?: pulumi.Input<number>;
  read?: pulumi.Input<number>;
  update?: pulumi.Input<number>;
  delete?: pulumi.Input<number>;
}

/** Seconds that the operations on a resource may take. */
export interface Timeouts {
  create?: number;
  read?: number;
  update?: number;
  delete?: number;
}
