// What stands on a thing that is made anew, and what a thing's mark says where its number is another's by now.
import { describe, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { claim, claimMatch } from "./claim";
import { type Declaration, Engine } from "./engine";
import { declared, type Sample } from "./sample";
import { SAMPLES } from "./samples";
import { NOTHING, onScene, type Scene } from "./scene";
import { dynamicProvider, machine } from "./served";
import { plain } from "./wire";
import { worldOf } from "./world";

const sampleOf = (kind: string, variant = 0): Sample => SAMPLES[kind]?.[variant] as Sample;

const PORT = sampleOf("ProxyPort");
const BAN = sampleOf("BannedIp");
const ACCESS = sampleOf("ZoneAccess");
const ZONE = sampleOf("Zone");

const ZONE_ARGS = { name: "fixed", plan: { type: "static", ipsType: "shared", country: "us" } };

async function program(...resources: [Sample, string, JsonObject][]): Promise<Declaration[]> {
  const made: Declaration[] = [];
  for (const [sample, name, args] of resources) made.push(await declared(sample, name, args));
  return made;
}

const bansOn = ({ simulator }: Scene, port: number): unknown => worldOf(simulator)[`bans ${port}`];

describe("a ban on a port that is replaced", () => {
  const of = (iface?: string) =>
    program(
      [PORT, "port", { port: 24_700, zone: "web", ...(iface === undefined ? {} : { iface }) }],
      [BAN, "ban", { ip: "192.0.2.1", ports: [24_700] }],
    );

  test.each(["forced", "changed"])("is there again with the same update: %s", (how) =>
    onScene(PORT, async (scene) => {
      await scene.up(await of());
      const before = bansOn(scene, 24_700);
      const changed = how === "forced" ? await of() : await of("127.0.0.1");
      claim("errors of up", (await scene.engine.up(changed, how === "forced" ? ["port"] : [])).errors, []);
      claim("bans", bansOn(scene, 24_700), before);
      claim("preview", await scene.engine.preview(changed), NOTHING);
    }),
  );
});

test("the access to a zone that is replaced under its name is not opened before the zone goes, which may be refused", () =>
  onScene(ZONE, async (scene) => {
    const { engine, simulator } = scene;
    const of = (country: string) =>
      program(
        [ZONE, "zone", { ...ZONE_ARGS, plan: { ...ZONE_ARGS.plan, country } }],
        [ACCESS, "access", { zone: "fixed", allowedIps: ["203.0.113.8"] }],
      );
    await scene.up(await of("us"));
    const [zone] = await of("de");
    const { inputs, outputs, id } = engine.entry("zone") ?? {};
    const access = engine.entry("access");
    if (zone === undefined || inputs === undefined || outputs === undefined || access === undefined)
      throw new Error("no state");
    // The engine compares the zone, and deletes what depends on it before the zone itself.
    const process = engine.process();
    const handlers = await process.handlers(zone.properties);
    const checked = await machine.time.until(handlers.check(inputs, zone.properties));
    const news = plain({ ...checked.inputs, __provider: zone.properties.__provider });
    const { replaces } = await machine.time.until(handlers.diff(String(id), outputs, news));
    claim("whether the zone is replaced", replaces.length > 0, true);
    await machine.time.until((await process.handlers(access.outputs)).delete(access.id, access.outputs));
    process.end();
    claim("allowed", worldOf(simulator)["allowed fixed"], ["203.0.113.8"]);
  }));

test.each(["destroyed", "refreshed"])(
  "a port whose number another stack has got since is left alone when it is %s",
  (then) =>
    onScene(PORT, async (scene) => {
      const { engine, simulator } = scene;
      await scene.up(await program([PORT, "a", { port: 24_700, zone: "web", country: "us" }]));
      // The manager loses its configuration.
      await scene.meanwhile(PORT.vanish?.(simulator, scene.entry.outputs));
      const theirs = new Engine(dynamicProvider, engine.config);
      const other = await program([PORT, "b", { port: 24_700, zone: "shop", country: "de" }]);
      claim("errors of up", (await theirs.up(other)).errors, []);
      const found = worldOf(simulator)["port 24700"];
      if (then === "destroyed") claim("errors of destroy", (await engine.destroy()).errors, []);
      else {
        claim("errors of refresh", (await engine.refresh()).errors, []);
        claim("state", engine.state, []);
        const again = await program([PORT, "a", { port: 24_700, zone: "web", country: "us" }]);
        claimMatch("errors of up", (await engine.up(again)).errors.join(), /Port 24700 is in use/);
      }
      claim("port", worldOf(simulator)["port 24700"], found);
    }),
);
