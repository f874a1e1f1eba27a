import { expect, vi } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { datasetCollectionLifecycle as datasetCollection } from "../../../src/kinds/datasetCollection/lifecycle";
import { PartialFailure, type Step } from "../../../src/lifecycle/lifecycle";
import { controlledDeadline, count, failure, type Stage } from "../../lifecycle/harness";

export const DATASET = "gd_simulated";
export const INPUTS: JsonObject = {
  datasetId: DATASET,
  inputs: [{ url: "https://example.com/1" }, { url: "https://x.org" }],
};
export const ASKED = INPUTS.inputs as JsonObject[];
export const TRIGGER = "POST /datasets/v3/trigger";
export const triggered = (scene: Stage): number => count(scene, TRIGGER);
export const requests = ({ remote }: Stage): string[] =>
  remote.service.requests.map(({ method, path }) => `${method} ${path}`);

/** The first answer about a collection's progress has been read: it is asked for once more. */
export const isWatched = (scene: Stage): Promise<void> =>
  vi.waitFor(() => expect(requests(scene).filter((line) => line.includes("/progress/")).length).toBeGreaterThan(1));

/** A failure that keeps what was begun. */
export async function kept(promise: Promise<unknown>): Promise<PartialFailure> {
  const error = await failure(promise);
  expect(error).toBeInstanceOf(PartialFailure);
  return error as PartialFailure;
}

/** A collection that was triggered, and that the update stopped waiting for. */
export async function unfinished(scene: Stage): Promise<PartialFailure> {
  scene.remote.behaviour.snapshotStates = ["running"];
  const { deadline, expire } = controlledDeadline();
  const error = kept(datasetCollection.create(INPUTS, scene.step(deadline)));
  await isWatched(scene);
  expire();
  return error;
}

/** What a run says, and the run. */
export function heard(scene: Stage, more: Partial<Step> = {}): { said: string[]; step: Step } {
  const said: string[] = [];
  return { said, step: { ...scene.step(), say: (words) => void said.push(words), ...more } };
}

export const only = (scene: Stage) => {
  const [snapshot, ...others] = [...scene.account.snapshots.values()];
  expect(others).toEqual([]);
  if (snapshot === undefined) throw new Error("there is no snapshot");
  return snapshot;
};
