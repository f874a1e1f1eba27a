import { z } from "zod";
import { BrightDataError } from "../errors";
import type { NewDelivery } from "../remote/deliveries";
import { DeliveryFailedError } from "../remote/deliveryErrors";
import type { Storage } from "../remote/storage";
import { triggersSchema } from "./action";
import { booleanSchema } from "./check";
import { job, waitingSchemas } from "./job";
import { isUnsettled } from "./settle";
import { CREDENTIAL_PROPERTIES, endpointNeedsKeys, STORAGE_PROPERTIES, storageSchema } from "./storageSchema";

const EXTENSIONS = ["json", "jsonl", "ndjson", "csv", "xlsx", "parquet"] as const;

const text = z.string("expected a text.").min(1, "expected a text that is not empty.");

const filename = {
  template: text,
  extension: z.enum(EXTENSIONS, `expected one of ${EXTENSIONS.map((name) => JSON.stringify(name)).join(", ")}.`),
};

const fields = {
  snapshotId: text.regex(/^(?!snap_)/, "expected the snapshot of a collection, whose id begins with `s_`."),
  target: storageSchema,
  filename: z.strictObject(filename, "expected an object with `template` and `extension`."),
  compress: booleanSchema,
  batchSize: z
    .int("expected a whole number of records.")
    .min(1, "expected a whole number of records, from 1 on.")
    .optional(),
  notify: z
    .string("expected a URL.")
    .regex(/^https?:\/\/\S+$/, "expected a URL that begins with https:// or http://.")
    .optional(),
  triggers: triggersSchema,
  ...waitingSchemas,
};

const SECRETS = ["target"];

/** A delivery of a snapshot to a storage: started once, and waited for. */
export const snapshotDelivery = job({
  timeouts: { create: 1800, read: 60, update: 1800, delete: 60 },
  secrets: SECRETS,
  checks: {
    schema: z.strictObject(fields),
    properties: {
      "": Object.keys(fields),
      target: STORAGE_PROPERTIES,
      "target.credentials": CREDENTIAL_PROPERTIES,
      filename: Object.keys(filename),
      timeouts: ["create", "read", "update", "delete"],
    },
    rules: [endpointNeedsKeys("target")],
    secrets: SECRETS,
  },
  ends: { well: "done", badly: ["failed", "canceled", "cancelled"] },
  title: (id) => `delivery ${JSON.stringify(id)}`,

  announce({ snapshotId }) {
    const snapshot = typeof snapshotId === "string" ? `snapshot ${JSON.stringify(snapshotId)}` : "a snapshot";
    return `the update will deliver ${snapshot} to a storage, which may cost money with the service and with the storage.`;
  },

  async start(inputs, run) {
    const { snapshotId, target, filename, compress, batchSize, notify } = inputs;
    const delivery = { storage: target as Storage, filename, compress, batchSize, notify } as NewDelivery;
    const options = { signal: run.deadline.signal };
    try {
      const deliveryId = await run.context.remote.deliveries.deliver(snapshotId as string, delivery, options);
      return { id: deliveryId, outputs: { deliveryId } };
    } catch (error) {
      if (!isUnsettled(error, run) || error instanceof DeliveryFailedError) throw error;
      const { template, extension } = delivery.filename;
      throw new BrightDataError(
        `${(error as Error).message} Whether the delivery has begun cannot be found out: the service does not list deliveries. Look in the storage for files such as ${JSON.stringify(`${template}.${extension}`)} and in the control panel before you run again: that delivers once more.`,
        { cause: error },
      );
    }
  },

  async look(id, _state, run) {
    const options = { signal: run.deadline.signal };
    const { status, files } = await run.context.remote.deliveries.status(id, options);
    return { status, files };
  },

  failure: (id, { status }) =>
    new BrightDataError(
      `Delivery ${JSON.stringify(id)} has not been carried out: its status is ${JSON.stringify(status)}. Check the storage, its credentials and what has arrived there. Nothing is delivered again by itself: correct \`target\`, or change a value of \`triggers\`.`,
    ),
});
