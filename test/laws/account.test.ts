// What an account has stays what it is when another account's token is given, as in the wrong shell.
import { test } from "vitest";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { claim, claimMatch } from "./claim";
import { titled } from "./sample";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";
import { changes, worldOf } from "./world";

const REFUSED = /another account than that of the token .* Nothing was done/;

const ofAccounts = Object.entries(SAMPLES).flatMap(([kind, samples]) => {
  const { service, read } = LIFECYCLES[kind] ?? {};
  return service === "remote" && read !== undefined
    ? samples.map((sample) => [titled(kind, sample), sample] as const)
    : [];
});

test.each(ofAccounts)("another account's token is refused for %s", (_, sample) =>
  onScene(sample, async (scene) => {
    const { engine } = scene;
    const program = await scene.program();
    await scene.up(program);
    const present = worldOf(scene.simulator);
    await scene.withAnotherToken(async (other) => {
      const theirs = worldOf(other);
      const { outputs } = scene.entry;
      claimMatch("errors of refresh", (await engine.refresh()).errors.join(), REFUSED);
      for (const change of Object.keys(sample.changes)) {
        if (sample.changes[change]?.replaces) continue;
        const changed = await scene.program(scene.changed(change));
        const { errors, steps } = await engine.up(changed);
        if (steps.length > 0) claimMatch(`errors of up with ${change}`, errors.join(), REFUSED);
      }
      claimMatch("errors of destroy", (await engine.destroy()).errors.join(), REFUSED);
      claim("outputs", scene.entry.outputs, outputs);
      claim("what was touched elsewhere", changes(theirs, worldOf(other)), []);
    });
    claim("what was touched", changes(present, worldOf(scene.simulator)), []);
    await scene.isCalm(program);
    await scene.ends();
  }),
);
