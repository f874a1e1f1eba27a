import { isObject } from "../base/json";
import { any, choice, count, list, named, object, text, type ValueOf, variants } from "../declaration/property";
import type { Rule } from "../declaration/rules";
import { url } from "../declaration/url";

const bucket = text({ says: "Name of the bucket.", required: true });

const folderInBucket = text({ says: "Folder in the bucket.", defaultSays: "the bucket itself" });

const googleCredentials = object(
  {
    clientEmail: text({
      says: "Email address of the service account.",
      required: true,
      example: "deliver@my-project.iam.gserviceaccount.com",
    }),
    privateKey: text({ says: "Private key of the service account, in PEM format.", required: true }),
  },
  {
    named: "GoogleCredentials",
    says: "A service account of Google Cloud.",
    expected: "expected an object with `clientEmail` and `privateKey`.",
    required: true,
  },
);

const pubSub = named(
  "PubSubTarget",
  "A topic of Google Pub/Sub. The service's documentation spells its type in both ways.",
  {
    topicId: text({ says: "Id of the topic.", required: true }),
    attributes: list(any({}), { says: "Attributes of the messages, in the form that the service documents for them." }),
    credentials: googleCredentials,
  },
);

const account = text({ says: "Name of the storage account.", required: true });

/** A storage that a snapshot can be delivered to. */
export const deliveryTarget = variants(
  "type",
  {
    webhook: named("WebhookTarget", "A URL that receives the records by `POST`.", {
      endpoint: url({ says: "The URL.", required: true, example: "https://example.com/hook" }),
    }),
    build: named("BuildTarget", "The URL of one of Bright Data's own builds.", {
      endpoint: url({ says: "The URL.", required: true }),
    }),
    email: named("EmailTarget", "A mailbox.", {
      address: text({
        says: "Email address.",
        required: true,
        must: [{ pattern: /^[^\s@]+@[^\s@]+$/, expected: "expected an email address." }],
        example: "data@example.com",
      }),
    }),
    s3: named("S3Target", "A bucket of Amazon S3, or of a service that is compatible with it.", {
      bucket,
      region: text({ says: "Region of the bucket.", defaultSays: "left to the service", example: "eu-central-1" }),
      directory: folderInBucket,
      endpointUrl: url({
        says: "URL of an S3-compatible service other than Amazon's; only with keys.",
        defaultSays: "Amazon S3",
      }),
      credentials: choice(
        [
          named("AwsKeys", "Keys of an AWS account.", {
            awsAccessKey: text({ says: "Id of the access key.", required: true, service: "aws-access-key" }),
            awsSecretKey: text({ says: "Secret access key.", required: true, service: "aws-secret-key" }),
          }),
          named("AwsRole", "A role in an AWS account that the service may assume.", {
            roleArn: text({
              says: "ARN of the role.",
              required: true,
              example: "arn:aws:iam::123456789012:role/deliver",
            }),
            externalId: text({ says: "External id that the trust policy of the role asks for.", required: true }),
          }),
        ],
        {
          says: "Keys of an AWS account, or a role in it.",
          expected: "expected an object with `awsAccessKey` and `awsSecretKey`, or with `roleArn` and `externalId`.",
          required: true,
        },
      ),
    }),
    gcs: named("GcsTarget", "A bucket of Google Cloud Storage.", {
      bucket,
      directory: folderInBucket,
      credentials: googleCredentials,
    }),
    gcp_pubsub: pubSub,
    gcs_pubsub: pubSub,
    azure: named("AzureTarget", "A container of Azure Blob Storage.", {
      container: text({
        says: "Name of the container: at least 3 of the characters `a`–`z`, `0`–`9` and single hyphens between them.",
        required: true,
        must: [
          {
            pattern: /^(?=.{3})[a-z0-9](-?[a-z0-9])*$/,
            expected: "expected at least 3 of the characters a-z, 0-9 and single hyphens between them.",
          },
        ],
      }),
      directory: text({ says: "Folder in the container.", defaultSays: "the container itself" }),
      credentials: choice(
        [
          named("AzureKey", "A key of an Azure storage account.", {
            account,
            key: text({ says: "Key of the storage account.", required: true }),
          }),
          named("AzureSas", "A shared access signature of an Azure storage account.", {
            account,
            sasToken: text({ says: "The signature.", required: true }),
          }),
        ],
        {
          says: "A key of the storage account, or a shared access signature.",
          expected: "expected an object with `account` and either `key` or `sasToken`.",
          required: true,
        },
      ),
    }),
    snowflake: named("SnowflakeTarget", "A stage of Snowflake.", {
      database: text({ says: "Name of the database.", required: true }),
      schema: text({ says: "Name of the schema.", required: true }),
      stage: text({ says: "Name of the stage.", required: true }),
      role: text({ says: "Role to use.", required: true }),
      warehouse: text({ says: "Name of the warehouse.", required: true }),
      credentials: object(
        {
          account: text({ says: "Identifier of the account.", required: true }),
          user: text({ says: "Name of the user.", required: true }),
          password: text({ says: "Password of the user.", required: true }),
        },
        {
          named: "SnowflakeCredentials",
          says: "A user of Snowflake.",
          expected: "expected an object with `account`, `user` and `password`.",
          required: true,
        },
      ),
    }),
    sftp: named("SftpTarget", "A folder on an SFTP server.", {
      path: text({ says: "Name of the host.", required: true, example: "sftp.example.com" }),
      port: count({
        says: "Port of the host.",
        least: 1,
        most: 65_535,
        expected: "expected the number of a port.",
        defaultSays: "left to the service",
      }),
      directory: text({ says: "Folder on the host.", defaultSays: "the user's own" }),
      credentials: object(
        {
          username: text({ says: "Name of the user.", required: true }),
          password: text({ says: "Password of the user." }),
          sshKey: text({ says: "Private key of the user." }),
          passphrase: text({ says: "Passphrase of the private key." }),
        },
        {
          named: "SftpCredentials",
          says: "A user of an SFTP server, with a password or a private key.",
          expected: "expected an object with `username`, and `password` or `sshKey`.",
          required: true,
        },
      ),
    }),
    ali_oss: named("AliOssTarget", "A bucket of Alibaba Cloud Object Storage Service.", {
      bucket,
      region: text({ says: "Region of the bucket.", required: true, example: "oss-eu-central-1" }),
      directory: folderInBucket,
      credentials: object(
        {
          accessKey: text({ says: "Id of the access key.", required: true, service: "access-key" }),
          secretKey: text({ says: "Secret of the access key.", required: true, service: "secret-key" }),
        },
        {
          named: "AliOssCredentials",
          says: "Keys of an Alibaba Cloud account.",
          expected: "expected an object with `accessKey` and `secretKey`.",
          required: true,
        },
      ),
    }),
  },
  {
    named: "DeliveryTarget",
    says: "The storage to deliver to, with the credentials for it. `type` decides what else there is.",
    required: true,
    secret: true,
  },
);

export type DeliveryTarget = ValueOf<typeof deliveryTarget>;

/** Another service than Amazon's does not know the roles of Amazon. */
export const endpointNeedsKeys: Rule = {
  reads: ["target.endpointUrl", "target.credentials"],
  failure: ({ target }) =>
    isObject(target) &&
    target.endpointUrl !== undefined &&
    isObject(target.credentials) &&
    target.credentials.roleArn !== undefined
      ? "`target.endpointUrl` cannot go with a role: give `awsAccessKey` and `awsSecretKey`, or leave it out."
      : undefined,
};
