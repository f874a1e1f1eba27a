// A ban that an update was to put on other ports, or to give another end, when the process was killed.
import { test } from "vitest";
import { claim } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";
import { worldOf } from "./world";

const sample = SAMPLES.BannedIp?.[0] as Sample;
const BAN = { ip: "203.0.113.7", domain: "", ends: false };

for (const [name, { replaces }] of Object.entries(sample.changes)) {
  if (replaces) continue;

  test(`an update that was killed and gone back: ${name}`, () =>
    onScene(sample, (scene) => scene.goesBackFromKilled(name)));
}

test("an update that was killed leaves a ban that is another resource's by now", () =>
  onScene(sample, async (scene) => {
    const [first] = await scene.program();
    await scene.up([first]);
    await scene.engine.killedUp(await scene.program({ ports: [24_000, 24_001, 24_002] }));
    const [other] = await scene.program({ ports: [24_002] }, "that");
    await scene.up([other, first]);
    claim("bans", worldOf(scene.simulator)["bans 24002"], [BAN]);
    await scene.up([other]);
    claim("bans", worldOf(scene.simulator)["bans 24002"], [BAN]);
    await scene.ends();
  }));

test("an update that was killed and then one that is refused after the ban was lifted elsewhere is gone back from", () =>
  onScene(sample, async (scene) => {
    const program = await scene.program();
    await scene.up(program);
    scene.simulator.manager.service.faults.add({ path: "/api/proxies/24002/banip", kind: "respond", status: 403 });
    const { errors } = await scene.engine.up(await scene.program({ ports: [24_002] }));
    claim("number of errors of up", errors.length, 1);
    scene.calmDown();
    await scene.up(program);
    await scene.isCalm(program);
    await scene.ends();
  }));

test("a creation that was killed leaves no ban on the ports that it is not for any more", () =>
  onScene(sample, async (scene) => {
    await scene.engine.killedUp(await scene.program());
    const program = await scene.program({ ports: [24_001] });
    await scene.up(program);
    await scene.isCalm(program);
    await scene.ends();
  }));
