// A ban of every port, beside a ban of one of them.
import { test } from "vitest";
import { claim } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";
import { worldOf } from "./world";

const sample = SAMPLES.BannedIp?.[0] as Sample;
const BAN = { ip: "203.0.113.7", domain: "", ends: false };
const EVERY = { ports: undefined, port: undefined };

for (const refreshes of [false, true]) {
  const title = refreshes ? "after a refresh" : "at once";
  test(`a ban of every port stays on one where another was made first in an update, and went again: ${title}`, () =>
    onScene(sample, async (scene) => {
      const [every] = await scene.program(EVERY);
      await scene.up([every]);
      const [one] = await scene.program({ ports: undefined, port: 24_000 }, "one");
      // The new one is made before the engine tells of the other.
      await scene.up([one, every]);
      if (refreshes) await scene.engine.refresh();
      claim("preview", (await scene.engine.preview([one, every])).steps, []);
      await scene.up([every]);
      claim("bans", (worldOf(scene.simulator)["bans 24000"] as unknown[]).at(-1), BAN);
      await scene.engine.refresh();
      claim("preview", (await scene.engine.preview([every])).steps, []);
    }));
}
