import type * as pulumi from "@pulumi/pulumi";
import { isResource, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";

/**
 * Arguments of a {@link DatasetCollection}. A change of any but `snapshotId`, `wait`, `pollInterval` and `timeouts` triggers
 * another collection.
 */
export interface DatasetCollectionArgs {
  /**
   * Id of the dataset.
   *
   * @example "gd_l1vikfnt1wgvvqz95w"
   */
  datasetId: pulumi.Input<string>;
  /**
   * What to collect, or what to discover by: one object or more, with the fields that the dataset takes.
   *
   * @example [{ url: "https://example.com/products/1" }]
   */
  inputs: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<unknown>>>[]>;
  /**
   * How the inputs are sent: as an array, or as the field `input` of an object. The service documents the one and its own
   * clients use the other.
   *
   * @default "array"
   */
  inputForm?: pulumi.Input<"array" | "object">;
  /**
   * Discovers new pages instead of collecting the given ones: by `keyword`, `category_url` and others, as the dataset has
   * them. Sends `type=discover_new` with it.
   *
   * @default none: the inputs themselves are collected
   */
  discoverBy?: pulumi.Input<string>;
  /** Whether the snapshot also tells which inputs failed. @default the service's */
  includeErrors?: pulumi.Input<boolean>;
  /**
   * The fields to collect.
   *
   * @default all
   * @example ["url", "about.updated_on"]
   */
  customOutputFields?: pulumi.Input<pulumi.Input<string>[]>;
  /** The most records for one input, from 1 on; when discovering. @default no limit */
  limitPerInput?: pulumi.Input<number>;
  /** The most records of all, from 1 on; when discovering. @default no limit */
  limitMultipleResults?: pulumi.Input<number>;
  /** URL that is told when the collection has ended. Some datasets take `true`. @default nobody is told */
  notify?: pulumi.Input<string | boolean>;
  /** URL of a webhook that the records are sent to. @default they are kept with the service */
  endpoint?: pulumi.Input<string>;
  /** Format for the webhook. @default the service's */
  format?: pulumi.Input<"json" | "ndjson" | "jsonl" | "csv">;
  /** Sent to the webhook as `Authorization`. Secret. */
  authHeader?: pulumi.Input<string>;
  /** Whether the webhook gets the records as they are, not compressed by gzip. @default false */
  uncompressedWebhook?: pulumi.Input<boolean>;
  /** Whether the update waits for the end of the collection, and fails if that is a bad one. @default true */
  wait?: pulumi.Input<boolean>;
  /** Seconds between two looks at the progress, from 1 to 3600. @default 10 */
  pollInterval?: pulumi.Input<number>;
  /**
   * Values of any kind. A change of any of them triggers another collection.
   *
   * @example ["2026-05"]
   */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /**
   * Id of a collection that there is, to be taken up in the place of one that is triggered: it is waited for, and belongs to
   * this resource. As long as it is given, nothing is triggered.
   *
   * @default none: a collection is triggered
   * @example "s_m4x7enmven8djfqak"
   */
  snapshotId?: pulumi.Input<string>;
  /** Seconds that the operations may take. @default { create: 3600, update: 3600, delete: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * An action: collects a dataset when the resource is created, and again when an argument or a trigger changes. **Each
 * collection costs money.** A preview, a refresh and an update without a change collect nothing.
 *
 * `POST /datasets/v3/trigger`, `GET /datasets/v3/progress/{snapshot_id}`, `GET /datasets/v3/snapshots`,
 * `GET /datasets/v3/snapshot/{snapshot_id}/input` and `POST /datasets/v3/snapshot/{snapshot_id}/cancel` of the remote service.
 *
 * @example
 * const collection = new brightdata.DatasetCollection("products", {
 *   datasetId: "gd_l1vikfnt1wgvvqz95w",
 *   inputs: [{ url: "https://example.com/products/1" }],
 *   triggers: ["2026-05"],
 * });
 * export const snapshotId = collection.snapshotId;
 */
export class DatasetCollection extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("DatasetCollection");

  declare readonly datasetId: pulumi.Output<string>;
  declare readonly inputs: pulumi.Output<Record<string, unknown>[]>;
  declare readonly inputForm: pulumi.Output<"array" | "object" | undefined>;
  declare readonly discoverBy: pulumi.Output<string | undefined>;
  declare readonly includeErrors: pulumi.Output<boolean | undefined>;
  declare readonly customOutputFields: pulumi.Output<string[] | undefined>;
  declare readonly limitPerInput: pulumi.Output<number | undefined>;
  declare readonly limitMultipleResults: pulumi.Output<number | undefined>;
  declare readonly notify: pulumi.Output<string | boolean | undefined>;
  declare readonly endpoint: pulumi.Output<string | undefined>;
  declare readonly format: pulumi.Output<string | undefined>;
  /** Secret. */
  declare readonly authHeader: pulumi.Output<string | undefined>;
  declare readonly uncompressedWebhook: pulumi.Output<boolean | undefined>;
  declare readonly wait: pulumi.Output<boolean | undefined>;
  declare readonly pollInterval: pulumi.Output<number | undefined>;
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Id of the snapshot that holds the records; also the resource's id. */
  declare readonly snapshotId: pulumi.Output<string>;
  /** `ready`; when the update does not wait, what the service last said, such as `starting` or `running`. */
  declare readonly status: pulumi.Output<string>;
  /** Number of records; absent when the update does not wait, and where the service does not say. */
  declare readonly records: pulumi.Output<number | undefined>;
  /** Why the collection failed. */
  declare readonly errorMessage: pulumi.Output<string | undefined>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the service refuses to collect, when the collection fails, or when it takes longer
   *   than the timeout: the snapshot is kept then, and the next update goes on waiting for it; also when it cannot be told
   *   what became of the request: nothing is kept then, and the error says how to go on
   */
  constructor(name: string, args: DatasetCollectionArgs, options?: pulumi.CustomResourceOptions) {
    super(
      "DatasetCollection",
      name,
      args,
      {
        datasetId: args.datasetId,
        inputs: args.inputs,
        inputForm: args.inputForm,
        discoverBy: args.discoverBy,
        includeErrors: args.includeErrors,
        customOutputFields: args.customOutputFields,
        limitPerInput: args.limitPerInput,
        limitMultipleResults: args.limitMultipleResults,
        notify: args.notify,
        endpoint: args.endpoint,
        format: args.format,
        authHeader: secret(args.authHeader),
        uncompressedWebhook: args.uncompressedWebhook,
        wait: args.wait,
        pollInterval: args.pollInterval,
        triggers: args.triggers,
        timeouts: args.timeouts,
        snapshotId: args.snapshotId,
        status: undefined,
        records: undefined,
        errorMessage: undefined,
      },
      { secretOutputs: ["authHeader"] },
      options,
    );
  }

  /** Whether a value is such a collection, even of another copy of this package. */
  static override isInstance(value: unknown): value is DatasetCollection {
    return isResource(value, DatasetCollection.__pulumiType);
  }
}
