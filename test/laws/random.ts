import fc from "fast-check";
import { claim } from "./claim";
import { TROUBLES } from "./faults";
import type { Sample } from "./sample";
import { onScene, type Scene } from "./scene";
import { SERVICES, strike, type Target } from "./trouble";

/** Something that is done, and what happens to one of its requests. */
interface Act {
  what: "up" | "refresh" | "replace" | "destroy";
  /** Which of the sample's changes the program has, if any. */
  change: string | undefined;
  service: Target["service"];
  index: number;
  trouble: string | undefined;
}

const MOST_ACTS = 5;

/** Acts in an order that a seed decides. */
export function sequences(sample: Sample): fc.Arbitrary<Act[]> {
  const act: fc.Arbitrary<Act> = fc.record({
    what: fc.constantFrom("up", "up", "up", "refresh", "replace", "destroy"),
    change: fc.constantFrom(undefined, undefined, ...Object.keys(sample.changes)),
    service: fc.constantFrom(...SERVICES),
    index: fc.nat({ max: 5 }),
    trouble: fc.constantFrom(undefined, ...TROUBLES.map(({ name }) => name)),
  });
  return fc.array(act, { minLength: 1, maxLength: MOST_ACTS });
}

/** Whatever was done and happened: what a person does anyway leads to what is declared, and no more was paid than was had. */
export async function outlives(sample: Sample, acts: readonly Act[]): Promise<void> {
  await onScene(sample, async (scene) => {
    for (const act of acts) {
      await perform(act, scene);
      for (const { outputs } of scene.engine.state) scene.leftOf(outputs);
      if (scene.mayNotKnow(act.trouble ?? "")) return;
    }
    await recovers(sample, scene);
  });
}

async function recovers(sample: Sample, scene: Scene): Promise<void> {
  let wanted = await scene.program(staysWhenDestroyed(sample) ? { adopt: true } : {});
  let { errors } = await scene.engine.up(wanted);
  if (errors.length > 0 && scene.mayNotKnow("later")) return;
  if (errors.some((words) => words.includes("`adopt: true`")) && scene.awaitsDeletion) {
    wanted = await scene.program({ adopt: true });
    ({ errors } = await scene.engine.up(wanted));
  }
  // The look that was to confirm a deletion may have failed: then the state has what is gone.
  if (errors.some((words) => words.includes("Run `pulumi refresh`"))) {
    await scene.engine.refresh();
    ({ errors } = await scene.engine.up(wanted));
  }
  claim("errors of up", errors, []);
  await scene.settles(wanted);
  await scene.ends();
}

/** What a destruction leaves is there when it is declared anew. */
const staysWhenDestroyed = ({ leaves, foreign }: Sample): boolean =>
  leaves !== undefined && foreign?.adoptable === true;

async function perform({ what, change, service, index, trouble }: Act, scene: Scene): Promise<void> {
  const { engine } = scene;
  const program = await scene.program(change === undefined ? {} : scene.changed(change));
  const met = TROUBLES.find(({ name }) => name === trouble);
  if (met !== undefined) strike(scene, { service, index }, met);
  if (what === "refresh") await engine.refresh();
  else if (what === "destroy") await engine.destroy();
  else await engine.up(program, what === "replace" ? ["it"] : []);
  scene.calmDown();
  await scene.passes(met?.lasts ?? 0);
}
