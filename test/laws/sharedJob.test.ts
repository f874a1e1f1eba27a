// What a service goes on with by itself, and two resources of a program have: one may start it, and another take it up.
import { describe, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { claim, claimMatch } from "./claim";
import type { Declaration } from "./engine";
import { declared, type Sample } from "./sample";
import { SAMPLES } from "./samples";
import { NOTHING, onScene, type Scene } from "./scene";

const RUNNING = Array.from({ length: 500 }, () => "running");

const COLLECTION: Sample = {
  ...(SAMPLES.DatasetCollection?.[0] as Sample),
  simulator: { remote: { snapshotStates: RUNNING } },
};

const ARGS = { datasetId: "gd_simulated", inputs: [{ url: "https://example.com/1" }], wait: false };

const program = (resources: Record<string, JsonObject>): Promise<Declaration[]> =>
  Promise.all(Object.entries(resources).map(([name, args]) => declared(COLLECTION, name, { ...ARGS, ...args })));

const statusOf = ({ simulator }: Scene, id: unknown): string | undefined =>
  simulator.account.snapshots.get(String(id))?.status;

const isKept = (scene: Scene, id: unknown, since: number) =>
  claimMatch(
    "words",
    scene.engine.words.slice(since).join(),
    new RegExp(`DatasetCollection ${String(id)} belongs to another resource of this program now, and is kept`),
  );

describe.each(["started", "took up"])("a collection that one resource %s and another took up", (how) => {
  /** Runs a task on a program with both resources. */
  const withBoth = (
    task: (scene: Scene, id: string, both: { first: JsonObject; second: JsonObject }) => Promise<void>,
  ): Promise<void> =>
    onScene(COLLECTION, async (scene) => {
      await scene.up(await program({ first: {} }));
      const id = scene.entry.id;
      if (how === "took up") scene.engine.state = [];
      const both = { first: how === "started" ? {} : { snapshotId: id }, second: { snapshotId: id } };
      await scene.up(await program(both));
      scene.hasPaid(1);
      await task(scene, id, both);
    });

  test.each(["first", "second"] as const)("goes on when the %s is removed", (gone) =>
    withBoth(async (scene, id, both) => {
      const { [gone]: _, ...left } = both;
      const since = scene.engine.words.length;
      await scene.up(await program(left));
      isKept(scene, id, since);
      claim("status", statusOf(scene, id), "running");
      claim("preview", await scene.engine.preview(await program(left)), NOTHING);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      claim("status", statusOf(scene, id), "canceled");
    }),
  );

  test.each(["first", "second"] as const)("goes on when the %s has another one", (other) =>
    withBoth(async (scene, id, both) => {
      const { snapshotId: _, ...args } = both[other];
      await scene.up(await program({ ...both, [other]: { ...args, triggers: ["2"] } }));
      claim("status", statusOf(scene, id), "running");
      claim("status of the other one", statusOf(scene, scene.engine.entry(other)?.id), "running");
    }),
  );

  test("goes on when another resource takes it up in place of both", () =>
    withBoth(async (scene, id) => {
      await scene.up(await program({ third: { snapshotId: id } }));
      claim("status", statusOf(scene, id), "running");
    }));

  test("is canceled when both are removed", () =>
    withBoth(async (scene, id) => {
      await scene.up([]);
      claim("status", statusOf(scene, id), "canceled");
    }));
});

test("a delivery that another resource has taken up is not called an open one when the first is removed", () =>
  onScene(SAMPLES.SnapshotDelivery?.[0] as Sample, async (scene) => {
    const [first] = await scene.program({ wait: false }, "first");
    await scene.up([first]);
    const { id } = scene.entry;
    const [second] = await scene.program({ wait: false, deliveryId: id }, "second");
    await scene.up([first, second]);
    const since = scene.engine.words.length;
    await scene.up([second]);
    claimMatch("words", scene.engine.words.slice(since).join(), /SnapshotDelivery \w+ belongs to another resource/);
  }));

test("a collection that its own replacement takes up goes on, also where that is made after it is deleted", () =>
  onScene(COLLECTION, async (scene) => {
    await scene.up(await program({ one: {} }));
    const { id } = scene.entry;
    const anew = await program({ one: { snapshotId: id, triggers: ["2"] } });
    await scene.up(anew.map((each) => ({ ...each, options: { deleteBeforeReplace: true } })));
    scene.hasPaid(1);
    claim("status", statusOf(scene, id), "running");
  }));
