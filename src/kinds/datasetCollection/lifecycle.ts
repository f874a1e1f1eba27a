import { unless } from "../../base/cause";
import { counted } from "../../base/counted";
import { DAY_MS } from "../../base/day";
import { ArgumentError, BrightDataError, NotFoundError, PermissionError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { canonicalJson } from "../../declaration/values";
import { createOnce, leftBehind, single, UnknownOutcomeError } from "../../lifecycle/creation";
import { isAsked, job } from "../../lifecycle/job";
import type { Step } from "../../lifecycle/lifecycle";
import { ENDED_BADLY, type SnapshotFilter, type SnapshotSummary } from "../../model/snapshot";
import { CollectionFailedError, DatasetNotFoundError } from "../../remote/collectionErrors";
import { SnapshotInputMissingError, SnapshotNotFoundError, SnapshotNotRunningError } from "../../remote/snapshotErrors";
import { LONGEST_LIST, lineOf } from "../../remote/snapshotList";
import { areInputsIn } from "./collectedInputs";
import { datasetCollection } from "./declaration";

/**
 * How long a collection may take to begin; it may go on for hours. What may have begun before is looked for no longer after a
 * kill, either.
 */
const BEGINNING_SECONDS = 300;

type Inputs = InputsOf<typeof datasetCollection>;

const ENDS = { well: "ready", badly: ENDED_BADLY };

export const datasetCollectionLifecycle = job(datasetCollection, {
  handle: "snapshotId",
  ends: ENDS,
  isCanceled: true,
  noun: "a collection",
  title: (id) => `the collection of snapshot ${JSON.stringify(id)}`,

  announce({ datasetId, inputs }) {
    const dataset = typeof datasetId === "string" ? `dataset ${JSON.stringify(datasetId)}` : "a dataset";
    const howMany = Array.isArray(inputs) ? ` for ${counted(inputs.length, "input")}` : "";
    return `the update will trigger a collection of ${dataset}${howMany}, which costs money for every record.`;
  },

  /** One at a time of the same inputs: they can be told apart by what there was before. */
  async start(inputs, asked, step) {
    const { datasetId } = inputs;
    const key = `collections/${datasetId}/${canonicalJson(inputs.inputs)}`;
    return step.context.alone(key, () => trigger(inputs, asked, step), step.deadline);
  },

  async look(id, declared, step) {
    step.context.collections.add(id);
    const { status, errorMessage: words, datasetId } = await step.context.remote.snapshots.progress(id, step.deadline);
    if (datasetId !== undefined && datasetId !== declared.datasetId) {
      throw new ArgumentError(
        `Snapshot ${JSON.stringify(id)} is one of dataset ${JSON.stringify(datasetId)}, and not of ${JSON.stringify(declared.datasetId)}.`,
      );
    }
    if (status !== ENDS.well) return { status, errorMessage: (words && step.hide?.(words)) ?? words };
    return { status, records: await size(id, declared.datasetId, step) };
  },

  failure(id, { status, errorMessage }) {
    const [operation, url] = [`collect snapshot ${JSON.stringify(id)}`, `/datasets/v3/progress/${id}`];
    const words = errorMessage ?? `its status is ${JSON.stringify(status)}`;
    const failed = new CollectionFailedError({ service: "remote", operation, method: "GET", url }, words);
    return new BrightDataError(
      `${failed.message} Nothing is collected again by itself: change a value of \`triggers\` to trigger another collection, which costs money again.`,
      { cause: failed },
    );
  },

  async cancel(id, { datasetId }, step) {
    const isOver = () => hasEnded(id, datasetId, step);
    if (await isOver()) return;
    try {
      await step.context.remote.collections.cancel(id, step.deadline);
    } catch (error) {
      // What is not running any more may take a moment until it has ended: its snapshot is built.
      const isEnding = error instanceof SnapshotNotRunningError;
      if (!isEnding && !(error instanceof SnapshotNotFoundError && (await isOver()))) throw error;
    }
    const waiting = `waiting for the collection of snapshot ${JSON.stringify(id)} to be canceled`;
    await step.deadline.poll(waiting, async () => (await isOver()) || undefined);
  },
});

async function trigger(inputs: Inputs, asked: string, step: Step): Promise<string> {
  const { collections, remote } = step.context;
  // What is sent says nothing of how it is waited for, and when it is done.
  const { inputs: input, wait, pollInterval, triggers, snapshotId, timeouts, ...options } = inputs;
  const title = `a collection of dataset ${JSON.stringify(inputs.datasetId)}`;
  // From yesterday on: where no answer has told what time it is there, the clocks need not agree.
  const fromDate = new Date((remote.clock.now ?? Date.now()) - DAY_MS).toISOString().slice(0, 10);
  // A token may be allowed to collect but not to list: then the list has no say.
  const listed = await listedSince(fromDate, inputs, step).catch(unless(PermissionError));
  const before = listed?.map(({ snapshotId }) => snapshotId);
  const seen: SeenCollections = { different: new Set(), possible: [] };
  const creation = {
    title,
    facts: { asked, fromDate, before: before && [...before, ...collections] },
    seconds: BEGINNING_SECONDS,
    isSame: (facts: JsonObject) => isAsked(facts.asked, asked),
    dated: { of: ({ created }: BegunCollection) => created, now: () => remote.clock.now },
    look: (facts: JsonObject, signal: AbortSignal) => observe(facts, seen, inputs, step, signal),
    async send(signal: AbortSignal): Promise<BegunCollection[]> {
      return [{ snapshotId: await remote.collections.trigger({ ...options, input }, { signal }) }];
    },
    remedy: "Look for it in the control panel.",
    advice: leftBehind(title, "Look for it in the control panel."),
  };
  try {
    const { snapshotId: id } = single(await createOnce<BegunCollection>(creation, step));
    // Before it is waited for: another one of the same inputs may begin meanwhile.
    if (step.me !== undefined) step.context.claims.made(step.me, [thingOf(id)]);
    return id;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    const candidates =
      seen.possible.length === 0 ? "" : ` It may be one of those that have begun since: ${seen.possible.join(", ")}.`;
    throw new UnknownOutcomeError(
      `${error.message}${candidates} Give its id as \`snapshotId\` to take it up, or change a value of \`triggers\` to trigger another one. A \`pulumi up\` without a change looks for it again, and triggers another one, which costs money again, where it finds none.`,
      { cause: error },
    );
  }
}

const thingOf = (id: string): string => `${datasetCollection.name} ${id}`;

type BegunCollection = Pick<SnapshotSummary, "snapshotId" | "created">;

interface SeenCollections {
  /** Of other inputs. */
  different: Set<string>;
  /** Those that may be the one, at the latest look. */
  possible: string[];
}

/** The collections of the inputs that have begun since the facts were noted. */
async function observe(
  facts: JsonObject,
  seen: SeenCollections,
  inputs: Inputs,
  step: Step,
  signal: AbortSignal,
): Promise<BegunCollection[]> {
  const listed = await listedSince(String(facts.fromDate), inputs, step, signal);
  if (!Array.isArray(facts.before)) {
    throw new UnknownOutcomeError(
      `What had been collected of dataset ${JSON.stringify(inputs.datasetId)} before is not known.`,
    );
  }
  const known = new Set([...facts.before, ...step.context.collections, ...seen.different]);
  const same: BegunCollection[] = [];
  const unclear: string[] = [];
  for (const each of listed) {
    const { snapshotId: id } = each;
    if (known.has(id) || step.context.claims.isAnothers(thingOf(id), step.me)) continue;
    const input = step.context.remote.snapshots.input(id, { signal });
    const file = await input.catch(unless(SnapshotInputMissingError, NotFoundError));
    const isSame = file === undefined ? undefined : areInputsIn(file, inputs.inputs);
    if (isSame === false) seen.different.add(id);
    else if (isSame) same.push(each);
    else unclear.push(id);
  }
  seen.possible = [...same.map(({ snapshotId }) => snapshotId), ...unclear];
  if (unclear.length === 0) return same;
  throw new UnknownOutcomeError(`The service does not say what ${unclear.join(", ")} was collected from.`);
}

async function listedSince(fromDate: string, { datasetId }: Inputs, step: Step, signal?: AbortSignal) {
  const listing = listAll({ datasetId, triggerType: "API", fromDate }, step, signal);
  // The service's way of saying that there are none.
  return (await listing.catch(unless(SnapshotNotFoundError, DatasetNotFoundError))) ?? [];
}

async function listAll(filter: SnapshotFilter, { context, deadline }: Step, signal = deadline.signal) {
  const found: SnapshotSummary[] = [];
  for (;;) {
    const page = { ...filter, skip: found.length, limit: LONGEST_LIST };
    const listed = await context.remote.snapshots.list(page, { signal });
    found.push(...listed);
    if (listed.length < LONGEST_LIST) return found;
  }
}

/** Whether a collection is certainly not going on. One that the service says it does not know is so when no list has it. */
async function hasEnded(id: string, datasetId: string, step: Step): Promise<boolean> {
  const isEnd = (status: string) => [ENDS.well, ...ENDS.badly].includes(status);
  try {
    return isEnd((await step.context.remote.snapshots.progress(id, step.deadline)).status);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const listed = await listAll({ datasetId }, step).catch((refused: unknown) => {
      if (saysNone(refused)) return [];
      throw error;
    });
    const found = listed.find(({ snapshotId }) => snapshotId === id);
    return found === undefined || isEnd(found.status);
  }
}

/** The list's way of saying that it has none; another 404 is no list. */
const saysNone = (refused: unknown): boolean =>
  refused instanceof SnapshotNotFoundError && /^snapshot not found/i.test(refused.serviceMessage);

/** The number of records; only the list has it. A collection that has ended well does not fail for want of it. */
async function size(snapshotId: string, datasetId: string, { context, deadline }: Step): Promise<number | undefined> {
  const line = lineOf(context.remote, { datasetId, snapshotId }, deadline);
  return (await line.catch(unless(BrightDataError)))?.size;
}
