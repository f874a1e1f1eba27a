import { isObject } from "./call";
import { invalid } from "./datasetCalls";

/** What a kind of storage must and may be told. */
interface StorageKind {
  required: readonly string[];
  optional: readonly string[];
  /** Sets of credentials, any one of which will do. Absent: the kind takes none. */
  credentials?: readonly (readonly string[])[];
  /** Credentials that may come with a set. */
  extraCredentials?: readonly string[];
}

const GOOGLE = [["client_email", "private_key"]];
const PUBSUB: StorageKind = { required: ["topic_id"], optional: ["attributes"], credentials: GOOGLE };

const STORAGE_KINDS: ReadonlyMap<unknown, StorageKind> = new Map(
  Object.entries<StorageKind>({
    webhook: { required: ["endpoint"], optional: [] },
    build: { required: ["endpoint"], optional: [] },
    email: { required: ["address"], optional: [] },
    s3: {
      required: ["bucket"],
      optional: ["region", "directory", "endpoint_url"],
      credentials: [
        ["aws-access-key", "aws-secret-key"],
        ["role_arn", "external_id"],
      ],
    },
    gcs: { required: ["bucket"], optional: ["directory"], credentials: GOOGLE },
    // Both spellings occur.
    gcp_pubsub: PUBSUB,
    gcs_pubsub: PUBSUB,
    azure: {
      required: ["container"],
      optional: ["directory"],
      credentials: [
        ["account", "key"],
        ["account", "sas_token"],
      ],
    },
    snowflake: {
      required: ["database", "schema", "stage", "role", "warehouse"],
      optional: [],
      credentials: [["account", "user", "password"]],
    },
    sftp: {
      required: ["path"],
      optional: ["port", "directory"],
      credentials: [["username"]],
      extraCredentials: ["password", "ssh_key", "passphrase"],
    },
    ali_oss: { required: ["bucket", "region"], optional: ["directory"], credentials: [["access-key", "secret-key"]] },
  }),
);

const EXTENSIONS = ["json", "jsonl", "ndjson", "csv", "xlsx", "parquet"];

/** A storage to deliver to, with the name its files get. */
export interface SimulatedStorage {
  type: string;
  template: string;
  extension: string;
}

/** Reads the `deliver` object of a delivery. */
export function readStorage(deliver: Record<string, unknown>): SimulatedStorage {
  const { type, filename } = deliver;
  const kind = STORAGE_KINDS.get(type);
  if (kind === undefined) throw invalid(`"deliver.type" must be one of ${[...STORAGE_KINDS.keys()].join(", ")}`);
  const { template, extension } = isObject(filename) ? filename : {};
  const errors = [
    ...missing(deliver, ["filename", ...kind.required]).map((field) => `"deliver.${field}" is required`),
    ...credentialErrors(kind, deliver.credentials),
    ...unknownFields(deliver, kind).map((field) => `"deliver.${field}" is not allowed`),
  ];
  if (typeof template !== "string" || template === "") errors.push('"deliver.filename.template" is required');
  if (typeof extension !== "string" || !EXTENSIONS.includes(extension))
    errors.push(`"deliver.filename.extension" must be one of ${EXTENSIONS.join(", ")}`);
  if (errors.length > 0) throw invalid(...errors);
  return { type: String(type), template: String(template), extension: String(extension) };
}

function credentialErrors({ credentials: sets, extraCredentials = [] }: StorageKind, given: unknown): string[] {
  if (sets === undefined) return [];
  if (!isObject(given)) return ['"deliver.credentials" is required'];
  const set = sets.find((fields) => missing(given, fields).length === 0);
  if (set === undefined)
    return [`"deliver.credentials" must have ${sets.map((fields) => fields.join(" and ")).join(", or ")}`];
  return Object.keys(given)
    .filter((field) => !set.includes(field) && !extraCredentials.includes(field))
    .map((field) => `"deliver.credentials.${field}" is not allowed`);
}

const missing = (given: Record<string, unknown>, fields: readonly string[]): string[] =>
  fields.filter((field) => given[field] === undefined || given[field] === "");

function unknownFields(deliver: Record<string, unknown>, kind: StorageKind): string[] {
  const known = ["type", "filename", ...kind.required, ...kind.optional];
  if (kind.credentials !== undefined) known.push("credentials");
  return Object.keys(deliver).filter((field) => !known.includes(field));
}
