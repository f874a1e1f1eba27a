import { snakeCase } from "../http/case";
import { isObject, type JsonObject } from "../json";

/** A URL that gets the data by POST. */
export interface WebhookStorage {
  type: "webhook";
  endpoint: string;
}

/** A URL of the vendor's own builds that gets the data. */
export interface BuildStorage {
  type: "build";
  endpoint: string;
}

/** A mailbox. */
export interface EmailStorage {
  type: "email";
  address: string;
}

/** A bucket of Amazon S3, or of a service that speaks its language. */
export type S3Storage = {
  type: "s3";
  bucket: string;
  region?: string | undefined;
  directory?: string | undefined;
} & (
  | {
      /** Secret. */
      credentials: { awsAccessKey: string; awsSecretKey: string };
      /** Address of a service other than Amazon's. */
      endpointUrl?: string | undefined;
    }
  | {
      /** A role that the service may take on. */
      credentials: { roleArn: string; externalId: string };
      endpointUrl?: never;
    }
);

/** A service account of Google Cloud. Secret. */
export interface GoogleCredentials {
  clientEmail: string;
  privateKey: string;
}

/** A bucket of Google Cloud Storage. */
export interface GcsStorage {
  type: "gcs";
  bucket: string;
  directory?: string | undefined;
  credentials: GoogleCredentials;
}

/** A topic of Google Pub/Sub. The service's documents spell the type in either way. */
export interface PubSubStorage {
  type: "gcp_pubsub" | "gcs_pubsub";
  topicId: string;
  /** Attributes of the messages, in the form that the service documents for them. */
  attributes?: readonly unknown[] | undefined;
  credentials: GoogleCredentials;
}

/** A container of Azure Blob Storage. */
export interface AzureStorage {
  type: "azure";
  container: string;
  directory?: string | undefined;
  /** Secret. */
  credentials: { account: string; key: string } | { account: string; sasToken: string };
}

/** A stage of Snowflake. */
export interface SnowflakeStorage {
  type: "snowflake";
  database: string;
  schema: string;
  stage: string;
  role: string;
  warehouse: string;
  /** Secret. */
  credentials: { account: string; user: string; password: string };
}

/** A folder that is reached by SFTP. */
export interface SftpStorage {
  type: "sftp";
  /** Name of the host. */
  path: string;
  port?: number | undefined;
  directory?: string | undefined;
  /** Secret. */
  credentials: {
    username: string;
    password?: string | undefined;
    sshKey?: string | undefined;
    passphrase?: string | undefined;
  };
}

/** A bucket of Alibaba Cloud's Object Storage. */
export interface AliOssStorage {
  type: "ali_oss";
  bucket: string;
  region: string;
  directory?: string | undefined;
  /** Secret. */
  credentials: { accessKey: string; secretKey: string };
}

/** Where a snapshot can be delivered to. */
export type Storage =
  | WebhookStorage
  | BuildStorage
  | EmailStorage
  | S3Storage
  | GcsStorage
  | PubSubStorage
  | AzureStorage
  | SnowflakeStorage
  | SftpStorage
  | AliOssStorage;

// Written with hyphens, all other fields with underscores.
const HYPHENATED: Readonly<Record<string, string>> = {
  awsAccessKey: "aws-access-key",
  awsSecretKey: "aws-secret-key",
  accessKey: "access-key",
  secretKey: "secret-key",
};

/** The storage in the service's spelling. */
export const toServiceStorage = (storage: Storage): JsonObject => inServiceSpelling({ ...storage });

const inServiceSpelling = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      HYPHENATED[name] ?? snakeCase(name),
      isObject(value) ? inServiceSpelling(value) : value,
    ]),
  );
