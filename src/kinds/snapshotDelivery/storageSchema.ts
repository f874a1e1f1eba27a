import { z } from "zod";
import type { Rule } from "../../lifecycle/oldCheck";
import { at } from "../../lifecycle/paths";
import type { Storage } from "../../remote/storage";

const text = z.string("expected a text.").min(1, "expected a text that is not empty.");
const url = z
  .string("expected a URL.")
  .regex(/^https?:\/\/\S+$/, "expected a URL that begins with https:// or http://.");
const directory = text.optional();

const google = z.strictObject(
  { clientEmail: text, privateKey: text },
  "expected an object with `clientEmail` and `privateKey`.",
);
const pubSub = { topicId: text, attributes: z.array(z.unknown(), "expected a list.").optional(), credentials: google };

/** The fields of each kind of storage, without the `type` that tells them apart. */
const KINDS = {
  webhook: { endpoint: url },
  build: { endpoint: url },
  email: { address: text.regex(/^[^\s@]+@[^\s@]+$/, "expected a mail address.") },
  s3: {
    bucket: text,
    region: text.optional(),
    directory,
    endpointUrl: url.optional(),
    credentials: z.union(
      [z.strictObject({ awsAccessKey: text, awsSecretKey: text }), z.strictObject({ roleArn: text, externalId: text })],
      "expected an object with `awsAccessKey` and `awsSecretKey`, or with `roleArn` and `externalId`.",
    ),
  },
  gcs: { bucket: text, directory, credentials: google },
  gcp_pubsub: pubSub,
  gcs_pubsub: pubSub,
  azure: {
    container: text
      .min(3, "expected at least 3 characters.")
      .regex(/^[a-z0-9](-?[a-z0-9])*$/, "expected the characters a-z, 0-9 and single hyphens between them."),
    directory,
    credentials: z.union(
      [z.strictObject({ account: text, key: text }), z.strictObject({ account: text, sasToken: text })],
      "expected an object with `account` and either `key` or `sasToken`.",
    ),
  },
  snowflake: {
    database: text,
    schema: text,
    stage: text,
    role: text,
    warehouse: text,
    credentials: z.strictObject(
      { account: text, user: text, password: text },
      "expected an object with `account`, `user` and `password`.",
    ),
  },
  sftp: {
    path: text,
    port: z
      .int("expected the number of a port.")
      .min(1, "expected the number of a port.")
      .max(65_535, "expected the number of a port.")
      .optional(),
    directory,
    credentials: z.strictObject(
      { username: text, password: text.optional(), sshKey: text.optional(), passphrase: text.optional() },
      "expected an object with `username`, and `password` or `sshKey`.",
    ),
  },
  ali_oss: {
    bucket: text,
    region: text,
    directory,
    credentials: z.strictObject(
      { accessKey: text, secretKey: text },
      "expected an object with `accessKey` and `secretKey`.",
    ),
  },
} satisfies Record<Storage["type"], z.ZodRawShape>;

const kind = <Type extends keyof typeof KINDS>(type: Type) => z.strictObject({ type: z.literal(type), ...KINDS[type] });

/** A storage to deliver to. */
export const storageSchema = z.discriminatedUnion(
  "type",
  [
    kind("webhook"),
    kind("build"),
    kind("email"),
    kind("s3"),
    kind("gcs"),
    kind("gcp_pubsub"),
    kind("gcs_pubsub"),
    kind("azure"),
    kind("snowflake"),
    kind("sftp"),
    kind("ali_oss"),
  ],
  `expected an object with a \`type\`, one of ${Object.keys(KINDS)
    .map((type) => JSON.stringify(type))
    .join(", ")}.`,
);

/** Names of the properties that any kind of storage has. */
export const STORAGE_PROPERTIES = ["type", ...new Set(Object.values(KINDS).flatMap((shape) => Object.keys(shape)))];

/** Names of the credentials that a storage with one set of them has. */
export const CREDENTIAL_PROPERTIES = [
  ...Object.keys(google.shape),
  ...Object.keys(KINDS.snowflake.credentials.shape),
  ...Object.keys(KINDS.sftp.credentials.shape),
  ...Object.keys(KINDS.ali_oss.credentials.shape),
];

/** What the service takes with keys only: another service does not know the roles of Amazon. */
export const endpointNeedsKeys = (property: string): Rule => ({
  reads: [`${property}.type`, `${property}.endpointUrl`, `${property}.credentials`],
  failure: (inputs) =>
    at(inputs, `${property}.endpointUrl`) !== undefined && at(inputs, `${property}.credentials.roleArn`) !== undefined
      ? `\`${property}.endpointUrl\` cannot go with a role: give \`awsAccessKey\` and \`awsSecretKey\`, or leave it out.`
      : undefined,
});
