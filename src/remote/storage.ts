import { snakeCase } from "../base/case";
import { isObject, type JsonObject } from "../base/json";
import { propertiesAlong } from "../declaration/paths";
import type { Sent } from "../declaration/property";
import { type DeliveryTarget, deliveryTarget } from "../model/deliveryTarget";

/** Where a snapshot can be delivered to, with the credentials for it, which are secrets. */
export type Storage = Sent<DeliveryTarget>;

type StorageOf<Type extends Storage["type"]> = Extract<Storage, { type: Type }>;

/** A URL that gets the data by POST. */
export type WebhookStorage = StorageOf<"webhook">;

/** A URL of the vendor's own builds that gets the data. */
export type BuildStorage = StorageOf<"build">;

/** A mailbox. */
export type EmailStorage = StorageOf<"email">;

/** A bucket of Amazon S3, or of a service that is compatible with it. An `endpointUrl` goes with keys only. */
export type S3Storage = StorageOf<"s3">;

/** A bucket of Google Cloud Storage. */
export type GcsStorage = StorageOf<"gcs">;

/** A topic of Google Pub/Sub. The service's documents spell the type in either way. */
export type PubSubStorage = StorageOf<"gcp_pubsub" | "gcs_pubsub">;

/** A container of Azure Blob Storage. */
export type AzureStorage = StorageOf<"azure">;

/** A stage of Snowflake. */
export type SnowflakeStorage = StorageOf<"snowflake">;

/** A folder that is reached by SFTP. */
export type SftpStorage = StorageOf<"sftp">;

/** A bucket of Alibaba Cloud's Object Storage. */
export type AliOssStorage = StorageOf<"ali_oss">;

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
