import * as pulumi from "@pulumi/pulumi";
import { version } from "@pulumi/pulumi/version";
import { ofProcess } from "../base/memory";
import { MARK_KEY } from "../pulumi/keys";
import { type Answering, acknowledge } from "../run/acknowledge";
import { announcedIn } from "./announce";
import { engineAddress } from "./engine";
import { ofRun } from "./ofRun";

/** All that is registered together is acknowledged together. */
const PAUSE_MS = 50;

/**
 * An output that no answer has. The SDK resolves it as known where the engine says that the registration has succeeded, and as
 * unknown where it says that it has failed: with `--continue-on-error`, that may come with an id and with outputs, mark and all,
 * of what was created and could not be saved. SDKs before 3.252 resolve those as if nothing had happened; later ones
 * reject all, and from 3.276 on, all but the id is unknown.
 */
const ABSENT = "__absent";

/** Whether the SDK hands over no outputs of what has failed. */
const tellsFailures = (): boolean => Number(version.split(".")[1]) >= 252;

/**
 * What a class registers besides, so that the SDK hands over what tells whether the state has the resource: of each, it makes an
 * output, which takes a millisecond.
 */
export function awaited(): pulumi.Inputs {
  if (!isAwaited()) return {};
  return { [MARK_KEY]: undefined, ...(tellsFailures() ? {} : { [ABSENT]: undefined }) };
}

/** A program under test has no engine, and so no state. */
const isAwaited = (): boolean => !pulumi.runtime.isDryRun() && engineAddress() !== undefined;

/**
 * Waits for the answer to a resource's registration. The engine gives it once its state has the resource, so that what the
 * provider has begun is history, if the mark in the answer is that of the intent.
 */
export function awaitRecord(resource: pulumi.CustomResource): void {
  const { [MARK_KEY]: mark, [ABSENT]: absent } = resource as pulumi.CustomResource & AwaitedOutputs;
  if (mark === undefined) return;
  pulumi.all([resource.id, mark, ...(absent === undefined ? [] : [absent])]).apply(([id, known]) => {
    // What is not among the targets of the update is answered as well, without an id where it is new.
    if (id && typeof known === "string") isRecorded(known);
  });
}

/** The outputs that {@link awaited} has the SDK make. */
type AwaitedOutputs = Partial<Record<typeof MARK_KEY | typeof ABSENT, pulumi.Output<unknown>>>;

/** The mark in the answer to a resource's registration, as the SDK has it: of what has failed, and in an older state, there is none. */
export async function markOf(resource: pulumi.CustomResource): Promise<string | undefined> {
  const mark = await (resource as { [MARK_KEY]?: { promise(): Promise<unknown> } })[MARK_KEY]?.promise();
  return typeof mark === "string" ? mark : undefined;
}

/** Notes that the engine's state has a mark. */
export function isRecorded(mark: string): void {
  const marks = ofProcess(unacknowledged);
  marks.set(mark, ofRun(answering));
  if (marks.size > 1) return;
  const flush = () => {
    clearTimeout(timer);
    process.off("exit", flush);
    acknowledge(marks, process.cwd());
    marks.clear();
  };
  const timer = setTimeout(flush, PAUSE_MS).unref();
  process.once("exit", flush);
}

const answering = (): Answering => ({ engine: engineAddress(), file: announcedIn() });

/** The marks with which the engine has answered the program since the last look at the intents, and of which run. */
const unacknowledged = () => new Map<string, Answering>();
