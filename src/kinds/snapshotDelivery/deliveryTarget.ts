import type * as pulumi from "@pulumi/pulumi";

/** A URL that gets the records by POST. */
export interface WebhookTargetArgs {
  type: "webhook";
  /** The URL. */
  endpoint: pulumi.Input<string>;
}

/** A URL of one of the vendor's own builds. */
export interface BuildTargetArgs {
  type: "build";
  /** The URL. */
  endpoint: pulumi.Input<string>;
}

/** A mailbox. */
export interface EmailTargetArgs {
  type: "email";
  /** The mail address. */
  address: pulumi.Input<string>;
}

/** Keys of an Amazon account. */
export interface AwsKeysArgs {
  awsAccessKey: pulumi.Input<string>;
  awsSecretKey: pulumi.Input<string>;
}

/** A role in an Amazon account that the service may take on. */
export interface AwsRoleArgs {
  /**
   * ARN of the role.
   *
   * @example "arn:aws:iam::123456789012:role/deliver"
   */
  roleArn: pulumi.Input<string>;
  /** External id that the role's trust policy asks for. */
  externalId: pulumi.Input<string>;
}

/** A bucket of Amazon S3, or of a service that speaks its language. */
export interface S3TargetArgs {
  type: "s3";
  /** Name of the bucket. */
  bucket: pulumi.Input<string>;
  /** Region of the bucket. */
  region?: pulumi.Input<string>;
  /** Folder in the bucket. @default the bucket itself */
  directory?: pulumi.Input<string>;
  /** URL of a service other than Amazon's; with keys only. */
  endpointUrl?: pulumi.Input<string>;
  credentials: pulumi.Input<AwsKeysArgs | AwsRoleArgs>;
}

/** A service account of Google Cloud. */
export interface GoogleCredentialsArgs {
  /** Mail address of the service account. */
  clientEmail: pulumi.Input<string>;
  /** Private key of the service account, PEM. */
  privateKey: pulumi.Input<string>;
}

/** A bucket of Google Cloud Storage. */
export interface GcsTargetArgs {
  type: "gcs";
  /** Name of the bucket. */
  bucket: pulumi.Input<string>;
  /** Folder in the bucket. @default the bucket itself */
  directory?: pulumi.Input<string>;
  credentials: pulumi.Input<GoogleCredentialsArgs>;
}

/** A topic of Google Pub/Sub. */
export interface PubSubTargetArgs {
  /** The service's documents spell it in either way. */
  type: "gcp_pubsub" | "gcs_pubsub";
  /** Id of the topic. */
  topicId: pulumi.Input<string>;
  /** Attributes of the messages, in the form that the service documents for them. */
  attributes?: pulumi.Input<pulumi.Input<unknown>[]>;
  credentials: pulumi.Input<GoogleCredentialsArgs>;
}

/** A key of an Azure storage account. */
export interface AzureKeyArgs {
  /** Name of the storage account. */
  account: pulumi.Input<string>;
  key: pulumi.Input<string>;
}

/** A shared access signature of an Azure storage account. */
export interface AzureSasArgs {
  /** Name of the storage account. */
  account: pulumi.Input<string>;
  sasToken: pulumi.Input<string>;
}

/** A container of Azure Blob Storage. */
export interface AzureTargetArgs {
  type: "azure";
  /** Name of the container: at least 3 of the characters a–z, 0–9 and single hyphens between them. */
  container: pulumi.Input<string>;
  /** Folder in the container. @default the container itself */
  directory?: pulumi.Input<string>;
  credentials: pulumi.Input<AzureKeyArgs | AzureSasArgs>;
}

/** A user of Snowflake. */
export interface SnowflakeCredentialsArgs {
  /** Identifier of the account. */
  account: pulumi.Input<string>;
  user: pulumi.Input<string>;
  password: pulumi.Input<string>;
}

/** A stage of Snowflake. */
export interface SnowflakeTargetArgs {
  type: "snowflake";
  database: pulumi.Input<string>;
  schema: pulumi.Input<string>;
  stage: pulumi.Input<string>;
  role: pulumi.Input<string>;
  warehouse: pulumi.Input<string>;
  credentials: pulumi.Input<SnowflakeCredentialsArgs>;
}

/** A user of an SFTP server, with a password or a key. */
export interface SftpCredentialsArgs {
  username: pulumi.Input<string>;
  password?: pulumi.Input<string>;
  /** Private key. */
  sshKey?: pulumi.Input<string>;
  /** What the private key is encrypted with. */
  passphrase?: pulumi.Input<string>;
}

/** A folder that is reached by SFTP. */
export interface SftpTargetArgs {
  type: "sftp";
  /** Name of the host. */
  path: pulumi.Input<string>;
  /** Port of the host. @default the service's */
  port?: pulumi.Input<number>;
  /** Folder on the host. @default the user's own */
  directory?: pulumi.Input<string>;
  credentials: pulumi.Input<SftpCredentialsArgs>;
}

/** Keys of an Alibaba Cloud account. */
export interface AliOssCredentialsArgs {
  accessKey: pulumi.Input<string>;
  secretKey: pulumi.Input<string>;
}

/** A bucket of Alibaba Cloud's Object Storage. */
export interface AliOssTargetArgs {
  type: "ali_oss";
  /** Name of the bucket. */
  bucket: pulumi.Input<string>;
  /** Region of the bucket. */
  region: pulumi.Input<string>;
  /** Folder in the bucket. @default the bucket itself */
  directory?: pulumi.Input<string>;
  credentials: pulumi.Input<AliOssCredentialsArgs>;
}

/** Where a snapshot can be delivered to; `type` tells the kinds apart. */
export type DeliveryTargetArgs =
  | WebhookTargetArgs
  | BuildTargetArgs
  | EmailTargetArgs
  | S3TargetArgs
  | GcsTargetArgs
  | PubSubTargetArgs
  | AzureTargetArgs
  | SnowflakeTargetArgs
  | SftpTargetArgs
  | AliOssTargetArgs;
