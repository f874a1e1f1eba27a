import { isObject } from "./call";
import { invalid, isAddress } from "./datasetCalls";

/** What a kind of storage must and may (`?`) be told, and the sets of credentials of which it takes one. */
interface StorageKind {
  fields: string;
  credentials?: readonly string[];
}

const GOOGLE = ["client_email private_key"];
const PUBSUB: StorageKind = { fields: "topic_id attributes?", credentials: GOOGLE };

const STORAGE_KINDS: ReadonlyMap<unknown, StorageKind> = new Map(
  Object.entries<StorageKind>({
    webhook: { fields: "endpoint" },
    build: { fields: "endpoint" },
    email: { fields: "address" },
    s3: {
      fields: "bucket region? directory? endpoint_url?",
      credentials: ["aws-access-key aws-secret-key", "role_arn external_id"],
    },
    gcs: { fields: "bucket directory?", credentials: GOOGLE },
    // Both spellings occur.
    gcp_pubsub: PUBSUB,
    gcs_pubsub: PUBSUB,
    azure: { fields: "container directory?", credentials: ["account key", "account sas_token"] },
    snowflake: { fields: "database schema stage role warehouse", credentials: ["account user password"] },
    sftp: { fields: "path port? directory?", credentials: ["username password? ssh_key? passphrase?"] },
    ali_oss: { fields: "bucket region directory?", credentials: ["access-key secret-key"] },
  }),
);

/** What the text of a field must look like, whatever the kind of storage. */
const FORMS: Readonly<Record<string, (written: string) => boolean>> = {
  endpoint: isAddress,
  endpoint_url: isAddress,
  container: (name) => name.length >= 3 && /^[a-z0-9](-?[a-z0-9])*$/.test(name),
};

const EXTENSIONS = ["json", "jsonl", "ndjson", "csv", "xlsx", "parquet"];

/** A storage to deliver to, with the name its files get. */
export interface SimulatedStorage {
  type: string;
  template: string;
  extension: string;
}

export function readStorage(deliver: Record<string, unknown>): SimulatedStorage {
  const { type, filename } = deliver;
  const kind = STORAGE_KINDS.get(type);
  if (kind === undefined) throw invalid(`"deliver.type" must be one of ${[...STORAGE_KINDS.keys()].join(", ")}`);
  const { template, extension } = isObject(filename) ? filename : {};
  const known = `type filename ${kind.fields} ${kind.credentials === undefined ? "" : "credentials?"}`;
  const errors = [
    ...missing(deliver, `filename ${kind.fields}`).map((field) => `"deliver.${field}" is required`),
    ...credentialErrors(kind, deliver.credentials),
    ...unknown(deliver, known).map((field) => `"deliver.${field}" is not allowed`),
    ...Object.keys(FORMS)
      .filter((field) => deliver[field] && !FORMS[field]?.(String(deliver[field])))
      .map((field) => `"deliver.${field}" must be valid`),
  ];
  if (typeof template !== "string" || template === "") errors.push('"deliver.filename.template" is required');
  if (typeof extension !== "string" || !EXTENSIONS.includes(extension))
    errors.push(`"deliver.filename.extension" must be one of ${EXTENSIONS.join(", ")}`);
  if (errors.length > 0) throw invalid(...errors);
  return { type: String(type), template: String(template), extension: String(extension) };
}

function credentialErrors({ credentials: sets }: StorageKind, given: unknown): string[] {
  if (sets === undefined) return [];
  if (!isObject(given)) return ['"deliver.credentials" is required'];
  const set = sets.find((fields) => missing(given, fields).length === 0);
  if (set !== undefined) return unknown(given, set).map((field) => `"deliver.credentials.${field}" is not allowed`);
  const wanted = sets.map((fields) => fields.replace(/ \S+\?/g, "").replaceAll(" ", " and "));
  return [`"deliver.credentials" must have ${wanted.join(", or ")}`];
}

const missing = (given: Record<string, unknown>, fields: string): string[] =>
  fields.split(" ").filter((field) => !field.endsWith("?") && (given[field] === undefined || given[field] === ""));

const unknown = (given: Record<string, unknown>, fields: string): string[] => {
  const known = fields.replaceAll("?", "").split(" ");
  return Object.keys(given).filter((field) => !known.includes(field));
};
