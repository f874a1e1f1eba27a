import { z } from "zod";
import { BrightDataError, NotFoundError, PermissionError } from "../errors";
import type { JsonObject } from "../http/case";
import { CollectionFailedError } from "../remote/collectionErrors";
import type { NewCollection } from "../remote/collections";
import { SnapshotNotFoundError, SnapshotNotRunningError } from "../remote/snapshotErrors";
import type { SnapshotSummary } from "../remote/snapshots";
import { triggersSchema } from "./action";
import { booleanSchema } from "./check";
import { job, waitingSchemas } from "./job";
import type { Run } from "./lifecycle";
import { isUnsettled, turnsUp } from "./settle";

const DAY_MS = 86_400_000;

// The most that the service lists at once.
const LONGEST_LIST = 5000;

const text = z.string("expected a text.").min(1, "expected a text that is not empty; leave the property out instead.");
const url = z
  .string("expected a URL.")
  .regex(/^https?:\/\/\S+$/, "expected a URL that begins with https:// or http://.");
const limit = z.int("expected a whole number from 1 on.").min(1, "expected a whole number from 1 on.").optional();

const fields = {
  datasetId: text,
  inputs: z
    .array(
      z.record(z.string(), z.unknown(), 'expected an object such as { url: "https://example.com" }.'),
      "expected a list of objects, with the fields that the dataset takes.",
    )
    .min(1, "expected one input or more."),
  inputForm: z.enum(["array", "object"], 'expected "array" or "object".').optional(),
  discoverBy: text.optional(),
  includeErrors: booleanSchema,
  customOutputFields: z
    .array(text, "expected a list of fields' names.")
    .min(1, "expected one field or more; leave the property out for all.")
    .optional(),
  limitPerInput: limit,
  limitMultipleResults: limit,
  notify: z.union([z.boolean(), url], "expected a URL, or true where the dataset takes that.").optional(),
  endpoint: url.optional(),
  format: z.enum(["json", "ndjson", "jsonl", "csv"], 'expected one of "json", "ndjson", "jsonl", "csv".').optional(),
  authHeader: text.optional(),
  uncompressedWebhook: booleanSchema,
  triggers: triggersSchema,
  ...waitingSchemas,
};

const SECRETS = ["authHeader"];

/** A collection of a dataset: triggered once, and waited for. */
export const datasetCollection = job({
  timeouts: { create: 3600, read: 60, update: 3600, delete: 60 },
  secrets: SECRETS,
  checks: {
    schema: z.strictObject(fields),
    properties: { "": Object.keys(fields), timeouts: ["create", "read", "update", "delete"] },
    secrets: SECRETS,
  },
  ends: { well: "ready", badly: ["failed", "canceled", "cancelled", "error"] },
  title: (id) => `the collection of snapshot ${JSON.stringify(id)}`,

  announce({ datasetId, inputs }) {
    const dataset = typeof datasetId === "string" ? `dataset ${JSON.stringify(datasetId)}` : "a dataset";
    const howMany = Array.isArray(inputs) ? ` for ${inputs.length} input${inputs.length === 1 ? "" : "s"}` : "";
    return `the update will trigger a collection of ${dataset}${howMany}, which costs money for every record.`;
  },

  async start(inputs, run) {
    const datasetId = inputs.datasetId as string;
    const { signal } = run.deadline;
    // One at a time, so that what begins between two looks at the list is not another resource's.
    const snapshotId = await run.context.alone(`collections/${datasetId}`, async () => {
      const before = await recent(datasetId, run, signal).catch(notPermitted);
      try {
        return await run.context.remote.collections.trigger(collectionOf(inputs), { signal });
      } catch (error) {
        if (!isUnsettled(error, run)) throw error;
        return theOneBegun(datasetId, before, error as Error, run);
      }
    });
    return { id: snapshotId, outputs: { snapshotId } };
  },

  async look(id, state, run) {
    const { signal } = run.deadline;
    const { status, errorMessage } = await run.context.remote.snapshots.progress(id, { signal });
    if (status !== "ready") return { status, errorMessage };
    return { status, records: await size(id, state.datasetId as string, run) };
  },

  failure(id, { status, errorMessage }) {
    const context = {
      service: "remote",
      operation: `collect snapshot ${JSON.stringify(id)}`,
      method: "GET",
      url: `/datasets/v3/progress/${id}`,
    } as const;
    const words = typeof errorMessage === "string" ? errorMessage : `its status is ${JSON.stringify(status)}`;
    const failed = new CollectionFailedError(context, words);
    return new BrightDataError(
      `${failed.message} Nothing is collected again by itself: change a value of \`triggers\` to trigger another collection, which costs money again.`,
      { cause: failed },
    );
  },

  async cancel(id, _state, run) {
    try {
      await run.context.remote.collections.cancel(id, { signal: run.deadline.signal });
    } catch (error) {
      if (!(error instanceof SnapshotNotRunningError || error instanceof SnapshotNotFoundError)) throw error;
    }
  },
});

function collectionOf({ inputs, wait, pollInterval, triggers, timeouts, ...rest }: JsonObject): NewCollection {
  return { ...(rest as Omit<NewCollection, "input">), input: inputs as JsonObject[] };
}

/** The collections of a dataset that the API triggered lately. From yesterday on: the clocks need not agree. */
async function recent(datasetId: string, run: Run, signal: AbortSignal): Promise<SnapshotSummary[]> {
  const fromDate = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const filter = { datasetId, triggerType: "API", fromDate, limit: LONGEST_LIST } as const;
  try {
    return await run.context.remote.snapshots.list(filter, { signal });
  } catch (error) {
    // The service's way of saying that there are none.
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

// A token may be allowed to collect but not to list: then the list has no say.
function notPermitted(error: unknown): undefined {
  if (!(error instanceof PermissionError)) throw error;
}

/**
 * The id of the collection whose triggering was not answered.
 *
 * @param before what there was before; `undefined` where the list may not be read
 * @param lost what became of the answer
 */
async function theOneBegun(
  datasetId: string,
  before: readonly SnapshotSummary[] | undefined,
  lost: Error,
  run: Run,
): Promise<string> {
  const failed = (words: string) => new BrightDataError(`${lost.message} ${words}`, { cause: lost });
  const unclear = () =>
    failed(
      "Whether the collection has begun could not be found out. Look for it in the control panel before you run again: that triggers another one, which costs money again.",
    );
  if (before === undefined) throw unclear();
  const known = new Set(before.map(({ snapshotId }) => snapshotId));
  let begun: string[] = [];
  const look = async (signal: AbortSignal) => {
    const listed = await recent(datasetId, run, signal);
    begun = listed.map(({ snapshotId }) => snapshotId).filter((id) => !known.has(id));
    return begun.length > 0;
  };
  await turnsUp(look).catch(() => {
    throw unclear();
  });
  const [one, ...others] = begun;
  if (one === undefined) {
    throw failed(
      `The list of snapshots shows that no collection of dataset ${JSON.stringify(datasetId)} has begun: run again.`,
    );
  }
  if (others.length === 0) return one;
  throw failed(
    `Several collections of dataset ${JSON.stringify(datasetId)} have begun in the meantime (${begun.join(", ")}), and which of them is this one cannot be told. Look at them in the control panel before you run again: that triggers another one, which costs money again.`,
  );
}

/** The number of records; only the list has it. A collection that has ended well does not fail for want of it. */
async function size(id: string, datasetId: string, run: Run): Promise<number | undefined> {
  const options = { signal: run.deadline.signal };
  try {
    const listed = await run.context.remote.snapshots.list({ datasetId, limit: LONGEST_LIST }, options);
    return listed.find(({ snapshotId }) => snapshotId === id)?.size;
  } catch (error) {
    if (!(error instanceof BrightDataError)) throw error;
    return undefined;
  }
}
