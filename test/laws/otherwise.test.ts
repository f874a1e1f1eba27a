// A creation that a process was killed in, and then another one in its place: what the first has made is not what the second is
// to make.
import { test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { claim, claimMatch } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene, type Scene } from "./scene";
import { changes, worldOf } from "./world";

const sampleOf = (kind: string, variant?: string): Sample =>
  SAMPLES[kind]?.find((sample) => sample.variant === variant) as Sample;

/** The sample's creation, killed; then that with the change. What this did to everything but what the first touched. */
async function killedAndThen(scene: Scene, change: JsonObject) {
  await scene.engine.killedUp(await scene.program());
  const before = worldOf(scene.simulator);
  const { errors } = await scene.engine.up(await scene.program(change));
  return { before, errors };
}

test("IPs that were added to one zone are not those of another, whose own are left alone", () =>
  onScene(sampleOf("ZoneIps", "added"), async (scene) => {
    const { before, errors } = await killedAndThen(scene, { zone: "shop" });
    claim("errors of up", errors, []);
    scene.hasPaid(2);
    claimMatch("words", scene.engine.words.join(), /may have added 2 IPs to zone web, which cost money/);
    claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    claim("what was touched", changes(before, worldOf(scene.simulator)), []);
  }));

test.each(["web", "shop"])("a refresh of IPs is not that of others, in zone %s", (zone) =>
  onScene(sampleOf("ZoneIpRefresh"), async (scene) => {
    await scene.engine.killedUp(await scene.program());
    const [, stale] = worldOf(scene.simulator)[`ips ${zone}`] as string[];
    await scene.up(await scene.program({ zone, all: undefined, ips: [stale] }));
    const present = worldOf(scene.simulator)[`ips ${zone}`] as string[];
    claim("whether the IP is there yet", present.includes(stale as string), false);
    claim("IPs now", scene.entry.outputs.currentIps, present);
    claimMatch(
      "words",
      scene.engine.words.join(),
      /Whether an update .* has refreshed IPs of zone web, .* is not known/,
    );
  }),
);

test.each(["web", "shop"])("a password that was added is not another, which zone %s has from somebody else", (zone) =>
  onScene(sampleOf("ZonePassword", "given"), async (scene) => {
    scene.simulator.account.zone(zone)?.password.push("Foreign-Secret-9");
    const { before, errors } = await killedAndThen(scene, { zone, password: "Foreign-Secret-9" });
    claimMatch("errors of up", errors.join(), /has that password already/);
    claimMatch("words", scene.engine.words.join(), /may have added a password to zone web/);
    claim("what was touched", changes(before, worldOf(scene.simulator)), []);
  }),
);
