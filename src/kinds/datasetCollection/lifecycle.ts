import { ArgumentError, BrightDataError, NotFoundError, PermissionError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { canonicalJson } from "../../declaration/values";
import { createOnce, leftBehind, UnknownOutcomeError } from "../../lifecycle/creation";
import { job } from "../../lifecycle/job";
import type { Run } from "../../lifecycle/lifecycle";
import type { SnapshotFilter, SnapshotSummary } from "../../model/snapshot";
import { CollectionFailedError, DatasetNotFoundError } from "../../remote/collectionErrors";
import type { NewCollection } from "../../remote/collections";
import { SnapshotInputMissingError, SnapshotNotFoundError, SnapshotNotRunningError } from "../../remote/snapshotErrors";
import { areInputsIn } from "./collectedInputs";
import { datasetCollection } from "./declaration";

const DAY_MS = 86_400_000;

// The most that the service lists at once.
const LONGEST_LIST = 5000;

type Inputs = InputsOf<typeof datasetCollection>;

const ENDS = { well: "ready", badly: ["failed", "canceled", "cancelled", "error"] };

/** Triggered once, and waited for. */
export const datasetCollectionLifecycle = job(datasetCollection, {
  handle: "snapshotId",
  ends: ENDS,
  noun: "a collection",
  title: (id) => `the collection of snapshot ${JSON.stringify(id)}`,

  announce({ datasetId, inputs }) {
    const dataset = typeof datasetId === "string" ? `dataset ${JSON.stringify(datasetId)}` : "a dataset";
    const howMany = Array.isArray(inputs) ? ` for ${inputs.length} input${inputs.length === 1 ? "" : "s"}` : "";
    return `the update will trigger a collection of ${dataset}${howMany}, which costs money for every record.`;
  },

  /** One at a time of the same inputs: they can be told apart by what there was before. */
  async start(inputs, asked, run) {
    const { datasetId } = inputs;
    const key = `collections/${datasetId}/${canonicalJson(inputs.inputs)}`;
    return run.context.alone(key, () => trigger(inputs, asked, run));
  },

  async look(id, declared, run) {
    run.context.collections.add(id);
    const options = { signal: run.deadline.signal };
    const { status, errorMessage, datasetId } = await run.context.remote.snapshots.progress(id, options);
    if (datasetId !== undefined && datasetId !== declared.datasetId) {
      throw new ArgumentError(
        `Snapshot ${JSON.stringify(id)} is one of dataset ${JSON.stringify(datasetId)}, and not of ${JSON.stringify(declared.datasetId)}.`,
      );
    }
    if (status !== ENDS.well) return { status, errorMessage };
    return { status, records: await size(id, declared.datasetId, run) };
  },

  failure(id, { status, errorMessage }) {
    const context = {
      service: "remote",
      operation: `collect snapshot ${JSON.stringify(id)}`,
      method: "GET",
      url: `/datasets/v3/progress/${id}`,
    } as const;
    const words = errorMessage ?? `its status is ${JSON.stringify(status)}`;
    const failed = new CollectionFailedError(context, words);
    return new BrightDataError(
      `${failed.message} Nothing is collected again by itself: change a value of \`triggers\` to trigger another collection, which costs money again.`,
      { cause: failed },
    );
  },

  async cancel(id, { datasetId }, run) {
    const isOver = () => hasEnded(id, datasetId, run);
    if (await isOver()) return;
    try {
      await run.context.remote.collections.cancel(id, { signal: run.deadline.signal });
    } catch (error) {
      const mayBeOver = error instanceof SnapshotNotRunningError || error instanceof SnapshotNotFoundError;
      if (!mayBeOver || !(await isOver())) throw error;
    }
    const title = `the collection of snapshot ${JSON.stringify(id)}`;
    await run.deadline.poll(`waiting for ${title} to be canceled`, async () => (await isOver()) || undefined);
  },
});

/** What is sent: not how it is waited for, and when it is done. */
function collectionOf(inputs: Inputs): NewCollection {
  const { inputs: input, wait, pollInterval, triggers, snapshotId, timeouts, ...options } = inputs;
  return { ...options, input };
}

const GO_ON =
  "Give its id as `snapshotId` to take it up, or change a value of `triggers` to trigger another one. A `pulumi up` without a change looks for it again, and triggers another one, which costs money again, where it finds none.";

/** Triggers a collection, once, and returns the id of its snapshot. */
async function trigger(inputs: Inputs, asked: string, run: Run): Promise<string> {
  const { collections, remote } = run.context;
  const { datasetId } = inputs;
  const title = `a collection of dataset ${JSON.stringify(datasetId)}`;
  // From yesterday on: the clocks need not agree.
  const fromDate = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const before = await idsSince(fromDate, datasetId, run, run.deadline.signal).catch(notPermitted);
  const others = new Set<string>();
  let possible: string[] = [];
  const creation = {
    title,
    facts: { asked, fromDate, before: before && [...before, ...collections] },
    isSame: (facts: JsonObject) => facts.asked === asked,
    async look(facts: JsonObject, signal: AbortSignal) {
      const ids = await idsSince(facts.fromDate as string, datasetId, run, signal);
      if (!Array.isArray(facts.before)) {
        throw new UnknownOutcomeError(
          `What had been collected of dataset ${JSON.stringify(datasetId)} before is not known.`,
        );
      }
      const known = new Set([...facts.before, ...collections, ...others]);
      const since = ids.filter((id) => !known.has(id));
      const { same, unclear, different } = await byInputs(since, inputs.inputs, run, signal);
      for (const id of different) others.add(id);
      possible = [...same, ...unclear];
      if (unclear.length === 0) return same;
      throw new UnknownOutcomeError(`The service does not say what ${unclear.join(", ")} was collected from.`);
    },
    async send(signal: AbortSignal) {
      return [await remote.collections.trigger(collectionOf(inputs), { signal })];
    },
    remedy: "Look for it in the control panel.",
    advice: leftBehind(title, "Look for it in the control panel."),
  };
  try {
    const [id] = await createOnce(creation, run);
    return id as string;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    const candidates =
      possible.length === 0 ? "" : ` It may be one of those that have begun since: ${possible.join(", ")}.`;
    throw new UnknownOutcomeError(`${error.message}${candidates} ${GO_ON}`, { cause: error });
  }
}

/** The collections of a dataset that the API triggered since a day. */
async function idsSince(fromDate: string, datasetId: string, run: Run, signal: AbortSignal): Promise<string[]> {
  try {
    const listed = await listAll({ datasetId, triggerType: "API", fromDate }, run, signal);
    return listed.map(({ snapshotId }) => snapshotId);
  } catch (error) {
    // The service's way of saying that there are none.
    if (error instanceof SnapshotNotFoundError || error instanceof DatasetNotFoundError) return [];
    throw error;
  }
}

async function listAll(filter: SnapshotFilter, run: Run, signal: AbortSignal): Promise<SnapshotSummary[]> {
  const found: SnapshotSummary[] = [];
  for (;;) {
    const page = { ...filter, skip: found.length, limit: LONGEST_LIST };
    const listed = await run.context.remote.snapshots.list(page, { signal });
    found.push(...listed);
    if (listed.length < LONGEST_LIST) return found;
  }
}

// A token may be allowed to collect but not to list: then the list has no say.
function notPermitted(error: unknown): undefined {
  if (!(error instanceof PermissionError)) throw error;
}

/** Which of the snapshots were collected from the inputs, and of which the service does not tell. */
async function byInputs(
  ids: readonly string[],
  inputs: readonly JsonObject[],
  run: Run,
  signal: AbortSignal,
): Promise<{ same: string[]; unclear: string[]; different: string[] }> {
  const found = { same: [] as string[], unclear: [] as string[], different: [] as string[] };
  for (const id of ids) {
    const file = await run.context.remote.snapshots.input(id, { signal }).catch(notKept);
    const isSame = file === undefined ? undefined : areInputsIn(file, inputs);
    const group = isSame === undefined ? "unclear" : isSame ? "same" : "different";
    found[group].push(id);
  }
  return found;
}

function notKept(error: unknown): undefined {
  if (!(error instanceof SnapshotInputMissingError || error instanceof NotFoundError)) throw error;
}

/** Whether a collection is certainly not going on. One that the service says it does not know is so when no list has it. */
async function hasEnded(id: string, datasetId: string, run: Run): Promise<boolean> {
  const { signal } = run.deadline;
  const isEnd = (status: string) => [ENDS.well, ...ENDS.badly].includes(status);
  try {
    return isEnd((await run.context.remote.snapshots.progress(id, { signal })).status);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const listed = await listAll({ datasetId }, run, signal).catch(() => {
      throw error;
    });
    const found = listed.find(({ snapshotId }) => snapshotId === id);
    return found === undefined || isEnd(found.status);
  }
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
