import { list, named, object, text, type ValueOf } from "../declaration/property";

/** What the files of a delivery are called. */
export const deliveryFilename = object(
  {
    template: text({
      says: "The name without its extension. The service replaces its own placeholders in it, such as `{[snapshot_id]}`.",
      required: true,
      example: "products-{[snapshot_id]}",
    }),
    extension: text({
      says: "The format.",
      required: true,
      oneOf: ["json", "jsonl", "ndjson", "csv", "xlsx", "parquet"],
    }),
  },
  {
    named: "DeliveryFilename",
    says: "Name and format of the files.",
    expected: "expected an object with `template` and `extension`.",
    required: true,
  },
);

export type DeliveryFilename = ValueOf<typeof deliveryFilename>;

/** The files of a delivery. */
export const deliveredFiles = list(
  named("DeliveredFile", "A file that has been delivered.", {
    filename: text({ says: "Name of the file.", required: true }),
    deliveredAt: text({ says: "When it was delivered, ISO 8601; absent where the service does not say." }),
  }),
  { says: "The files that have been delivered.", required: true },
);

export type DeliveredFiles = ValueOf<typeof deliveredFiles>;
