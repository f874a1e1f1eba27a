import type * as pulumi from "@pulumi/pulumi";
import { isResource, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";
import type { DeliveredFile } from "../../remote/deliveries";
import type { DeliveryTargetArgs } from "./deliveryTarget";

/** Name and format of the delivered files. */
export interface DeliveryFilenameArgs {
  /**
   * The name without its extension. The service replaces its own placeholders in it, such as `{[snapshot_id]}`.
   *
   * @example "products-{[snapshot_id]}"
   */
  template: pulumi.Input<string>;
  /** The format: `json`, `jsonl`, `ndjson`, `csv`, `xlsx` or `parquet`. */
  extension: pulumi.Input<"json" | "jsonl" | "ndjson" | "csv" | "xlsx" | "parquet">;
}

/**
 * Arguments of a {@link SnapshotDelivery}. A change of any but `deliveryId`, `wait`, `pollInterval` and `timeouts` delivers once
 * more.
 */
export interface SnapshotDeliveryArgs {
  /**
   * Id of a snapshot that is ready, such as {@link DatasetCollection.snapshotId}.
   *
   * @example "s_m4x7enmven8djfqak"
   */
  snapshotId: pulumi.Input<string>;
  /** Where to deliver to, with the credentials for it. Secret as a whole. */
  target: pulumi.Input<DeliveryTargetArgs>;
  /** Name and format of the files. */
  filename: pulumi.Input<DeliveryFilenameArgs>;
  /** Whether the files are compressed by gzip. @default false */
  compress?: pulumi.Input<boolean>;
  /**
   * Records a file; the service has a minimum, 1000 as far as is known.
   *
   * @default all in one file
   */
  batchSize?: pulumi.Input<number>;
  /** URL that is told when the delivery has ended. @default nobody is told */
  notify?: pulumi.Input<string>;
  /** Whether the update waits for the end of the delivery, and fails if that is a bad one. @default true */
  wait?: pulumi.Input<boolean>;
  /** Seconds between two looks at the delivery, from 1 to 3600. @default 10 */
  pollInterval?: pulumi.Input<number>;
  /** Values of any kind. A change of any of them delivers once more. */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /**
   * Id of a delivery that there is, to be taken up in the place of one that is started: it is waited for. As long as it is
   * given, nothing is delivered.
   *
   * @default none: the snapshot is delivered
   * @example "dl_m4x7enmven8djfqak"
   */
  deliveryId?: pulumi.Input<string>;
  /** Seconds that the operations may take. @default { create: 1800, update: 1800, delete: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: delivers a snapshot to a storage when the resource is created, and again when an argument or a trigger changes.
 * A preview, a refresh and an update without a change deliver nothing; destroying the resource leaves the files where they
 * are.
 *
 * `POST /datasets/v3/deliver/{snapshot_id}` and `GET /datasets/v3/delivery/{delivery_id}` of the remote service.
 *
 * @example
 * new brightdata.SnapshotDelivery("products", {
 *   snapshotId: collection.snapshotId,
 *   target: { type: "s3", bucket: "my-bucket", credentials: { roleArn: "arn:aws:iam::123456789012:role/deliver", externalId: "hl_1" } },
 *   filename: { template: "products", extension: "ndjson" },
 * });
 */
export class SnapshotDelivery extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("SnapshotDelivery");

  declare readonly snapshotId: pulumi.Output<string>;
  /** Secret. */
  declare readonly target: pulumi.Output<pulumi.Unwrap<DeliveryTargetArgs>>;
  declare readonly filename: pulumi.Output<pulumi.Unwrap<DeliveryFilenameArgs>>;
  declare readonly compress: pulumi.Output<boolean | undefined>;
  declare readonly batchSize: pulumi.Output<number | undefined>;
  declare readonly notify: pulumi.Output<string | undefined>;
  declare readonly wait: pulumi.Output<boolean | undefined>;
  declare readonly pollInterval: pulumi.Output<number | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Id of the delivery; also the resource's id. Absent when it is not known whether one has begun. */
  declare readonly deliveryId: pulumi.Output<string>;
  /** `done`; when the update does not wait, what the service last said; `outcome unknown` when the answer was lost. */
  declare readonly status: pulumi.Output<string>;
  /** The files that have been delivered, each with its `filename` and where known the time `deliveredAt`, ISO 8601. */
  declare readonly files: pulumi.Output<DeliveredFile[]>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the snapshot is not ready, expired or empty, when the service refuses the target,
   *   when the delivery fails, or when it takes longer than the timeout: it is kept then, and the next update goes on waiting;
   *   also when it cannot be told whether it has begun: that is kept, too, and nothing is delivered again by itself
   */
  constructor(name: string, args: SnapshotDeliveryArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "SnapshotDelivery",
      name,
      args,
      {
        snapshotId: args.snapshotId,
        target: secret(args.target),
        filename: args.filename,
        compress: args.compress,
        batchSize: args.batchSize,
        notify: args.notify,
        wait: args.wait,
        pollInterval: args.pollInterval,
        triggers: args.triggers,
        timeouts: args.timeouts,
        deliveryId: args.deliveryId,
        status: undefined,
        files: undefined,
      },
      { secretOutputs: ["target"] },
      options,
    );
  }

  /** Whether a value is such a delivery, even of another copy of this package. */
  static override isInstance(value: unknown): value is SnapshotDelivery {
    return isResource(value, SnapshotDelivery.__pulumiType);
  }
}
