import { snakeCase } from "../case";
import { propertiesAlong } from "../declaration/paths";
import type {
  AliOssTarget,
  AzureTarget,
  BuildTarget,
  DeliveryTarget,
  EmailTarget,
  GcsTarget,
  PubSubTarget,
  S3Target,
  SftpTarget,
  SnowflakeTarget,
  WebhookTarget,
} from "../generated/resources/snapshotDelivery";
import { isObject, type JsonObject } from "../json";
import { deliveryTarget } from "../kinds/snapshotDelivery/targets";

/** What may be sent: lists may be read-only, and `undefined` is as good as the absence of what is optional. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { [Name in keyof T]: Sent<T[Name]> | (Partial<Pick<T, Name>> extends Pick<T, Name> ? undefined : never) }
    : T;

export type { GoogleCredentials } from "../generated/resources/snapshotDelivery";

/** Where a snapshot can be delivered to, with the credentials for it, which are secrets. */
export type Storage = Sent<DeliveryTarget>;

/** A URL that gets the data by POST. */
export type WebhookStorage = Sent<WebhookTarget>;

/** A URL of the vendor's own builds that gets the data. */
export type BuildStorage = Sent<BuildTarget>;

/** A mailbox. */
export type EmailStorage = Sent<EmailTarget>;

/** A bucket of Amazon S3, or of a service that is compatible with it. An `endpointUrl` goes with keys only. */
export type S3Storage = Sent<S3Target>;

/** A bucket of Google Cloud Storage. */
export type GcsStorage = Sent<GcsTarget>;

/** A topic of Google Pub/Sub. The service's documents spell the type in either way. */
export type PubSubStorage = Sent<PubSubTarget>;

/** A container of Azure Blob Storage. */
export type AzureStorage = Sent<AzureTarget>;

/** A stage of Snowflake. */
export type SnowflakeStorage = Sent<SnowflakeTarget>;

/** A folder that is reached by SFTP. */
export type SftpStorage = Sent<SftpTarget>;

/** A bucket of Alibaba Cloud's Object Storage. */
export type AliOssStorage = Sent<AliOssTarget>;

/** The storage in the service's spelling. */
export const toServiceStorage = (storage: Storage): JsonObject => inServiceSpelling({ ...storage }, []);

const inServiceSpelling = (fields: JsonObject, within: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const path = [...within, name];
      const declared = propertiesAlong({ storage: deliveryTarget }, ["storage", ...path]).at(-1);
      return [declared?.service ?? snakeCase(name), isObject(value) ? inServiceSpelling(value, path) : value];
    }),
  );
