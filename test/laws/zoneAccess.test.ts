// What holds of the lists of a zone beyond what holds of every kind.
import { describe, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { claim, claimMatch } from "./claim";
import type { Declaration } from "./engine";
import { declared, type Sample } from "./sample";
import { SAMPLES } from "./samples";
import { NOTHING, onScene, type Scene } from "./scene";
import { changes, worldOf } from "./world";

const ACCESS = SAMPLES.ZoneAccess?.[0] as Sample;

const FOREIGN = "198.51.100.77";
const REFUSED = /has (allowed|denied) client addresses that `\w+` does not declare: 198\.51\.100\.77\..* `adopt: true`/;

/** A list of zone `web`, such as `allowed`. */
const onList = ({ simulator }: Scene, name: string): unknown => worldOf(simulator)[`${name} web`];

/** Somebody else puts an address on the lists of zone `web`. */
function placeForeign({ simulator }: Scene): void {
  const zone = simulator.account.zone("web");
  if (zone === undefined) throw new Error("there is no zone web");
  zone.ips = [...zone.ips.filter((ip) => ip !== "any"), FOREIGN];
  zone.deniedIps.push(FOREIGN);
}

/** The program with one resource for zone `web`, which declares these lists and no others. */
const listing = async (lists: JsonObject): Promise<[Declaration]> => [
  await declared(ACCESS, "it", { zone: "web", ...lists }),
];

/** The error of an update that is refused, and touches nothing. */
async function isRefused(scene: Scene, program: readonly Declaration[]): Promise<void> {
  const before = worldOf(scene.simulator);
  claimMatch("errors of up", (await scene.engine.up(program)).errors.join(), REFUSED);
  claim("what was touched", changes(before, worldOf(scene.simulator)), []);
}

test.each(["gone back", "destroyed"])(
  "a domain that the service refuses, beside another change, is not in the way when it is %s",
  (then) =>
    onScene(ACCESS, async (scene) => {
      const program = await scene.program();
      await scene.up(program);
      const { faults } = scene.simulator.remote.service;
      for (const method of ["POST", "DELETE"]) {
        const times = Number.POSITIVE_INFINITY;
        faults.add({
          method,
          path: "/zone/domain_perm",
          containing: "bad_domain",
          kind: "respond",
          status: 400,
          times,
        });
      }
      const bad = { allowedIps: ["203.0.113.8"], allowedDomains: ["example.com", "bad_domain"] };
      for (const _ of ["refused", "refused again"]) {
        claimMatch(
          "errors of up",
          (await scene.engine.up(await scene.program(bad))).errors.join(),
          /domain_perm answered 400/,
        );
      }
      if (then === "gone back") {
        await scene.up(program);
        await scene.isCalm(program);
      }
      claim("domains in the state", scene.entry.outputs.allowedDomains, ["example.com"]);
      await scene.ends();
    }),
);

test("a list that an update declares for the first time is left to somebody else who keeps it, until the program takes it over", () =>
  onScene(ACCESS, async (scene) => {
    placeForeign(scene);
    await scene.up(await listing({ allowedDomains: ["example.com"] }));
    await isRefused(scene, await listing({ allowedDomains: ["example.com"], deniedIps: ["198.51.100.1"] }));
    await isRefused(scene, await listing({ allowedIps: ["203.0.113.7"] }));
    const adopting = await listing({ allowedIps: ["203.0.113.7"], adopt: true });
    await scene.up(adopting);
    claim("allowed", onList(scene, "allowed"), ["203.0.113.7"]);
    claim("denied", onList(scene, "denied"), [FOREIGN]);
    claim("preview", await scene.engine.preview(adopting), NOTHING);
    claim("errors of destroy", (await scene.engine.destroy()).errors, []);
  }));

test("a list that an update declares for the first time is the resource's own after an update of it that was killed", () =>
  onScene(ACCESS, async (scene) => {
    const before = { allowedIps: ["203.0.113.7"] };
    await scene.up(await listing(before));
    const both = await listing({ ...before, deniedIps: ["198.51.100.1"] });
    await scene.engine.killedUp(both);
    await scene.up(both);
    await scene.isCalm(both);
    await scene.ends();
  }));

/** What the file says, and what the program does then. */
async function imported(scene: Scene, file: JsonObject, args: JsonObject): Promise<[Declaration]> {
  const [{ properties }] = await listing(file);
  const entry = { name: "it", id: "web", inputs: properties, outputs: properties };
  claim("import", await scene.engine.import([entry]), NOTHING);
  return listing(args);
}

const allowing = (...allowedIps: string[]) => ({ allowedIps });

test.each<[string, JsonObject]>([
  ["a part of the list", allowing("203.0.113.7")],
  ["another list", { allowedDomains: ["example.com"] }],
])("an import file that names %s leaves the rest of the list to somebody else", (_, file) =>
  onScene(ACCESS, async (scene) => {
    placeForeign(scene);
    const args = allowing("203.0.113.7");
    await isRefused(scene, await imported(scene, file, args));
    await scene.up(await listing({ ...args, adopt: true }));
    claim("allowed", onList(scene, "allowed"), ["203.0.113.7"]);
    claim("errors of destroy", (await scene.engine.destroy()).errors, []);
  }),
);

test("an import file that names the whole list says that it is the program's", () =>
  onScene(ACCESS, async (scene) => {
    placeForeign(scene);
    const program = await imported(scene, allowing("203.0.113.7", FOREIGN), allowing("203.0.113.7"));
    await scene.up(program);
    claim("allowed", onList(scene, "allowed"), ["203.0.113.7"]);
    claim("denied", onList(scene, "denied"), [FOREIGN]);
    claim("preview", await scene.engine.preview(program), NOTHING);
  }));

test("an import file that names more than there is has the rest restored", () =>
  onScene(ACCESS, async (scene) => {
    const args = allowing("203.0.113.7", "203.0.113.8");
    const program = await imported(scene, args, args);
    await scene.up(program);
    await scene.isCalm(program);
    await scene.ends();
  }));

test("an import file that names a part of the list is read by a refresh: the preview then shows what goes", () =>
  onScene(ACCESS, async (scene) => {
    placeForeign(scene);
    const args = allowing("203.0.113.7");
    const program = await imported(scene, args, args);
    claim("refresh", await scene.engine.refresh(), { steps: ["change it"], errors: [] });
    claim("allowed in the state", scene.entry.outputs.allowedIps, [FOREIGN]);
    claim("preview", await scene.engine.preview(program), { steps: ["update it"], errors: [] });
    await scene.up(program);
    claim("allowed", onList(scene, "allowed"), ["203.0.113.7"]);
  }));

describe("a list that moves from one resource to another", () => {
  const before = {
    a: { allowedIps: ["203.0.113.7"], deniedIps: ["198.51.100.1"] },
    b: { allowedDomains: ["example.com"] },
  };
  const after = {
    a: { deniedIps: ["198.51.100.1"] },
    b: { allowedDomains: ["example.com"], allowedIps: ["203.0.113.7"] },
  };

  const program = (args: Record<string, JsonObject>, order: string): Promise<Declaration[]> => {
    const all = Object.entries(args).map(([name, lists]) => declared(ACCESS, name, { zone: "web", ...lists }));
    return Promise.all(order.endsWith("backwards") ? all.reverse() : all);
  };

  const up = async ({ engine }: Scene, args: Record<string, JsonObject>, order: string): Promise<string[]> => {
    const all = await program(args, order);
    const { errors } = await (order.startsWith("at once") ? engine.upTogether(all, "at once") : engine.up(all));
    return errors;
  };

  /** Whether the zone was open to everybody at any time; what an update may do is announced, whatever others declare. */
  const wasOpened = ({ engine }: Scene): boolean => engine.words.some((words) => words.includes("any more: everybody"));

  test.each(["in turn", "in turn, backwards", "at once", "at once, backwards"])("as it is has one owner, %s", (order) =>
    onScene(ACCESS, async (scene) => {
      claim("errors of up", await up(scene, before, order), []);
      const present = worldOf(scene.simulator);
      for (const args of [after, before]) {
        claim("errors of up", await up(scene, args, order), []);
        claim("what was touched", changes(present, worldOf(scene.simulator)), []);
        claim("preview", await scene.engine.preview(await program(args, order)), NOTHING);
      }
      // What is updated before the other is checked cannot know that the list is wanted again.
      if (order.startsWith("at once")) claim("whether the zone was open", wasOpened(scene), false);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      scene.isEmpty();
    }),
  );

  test.each(["in turn, backwards", "at once", "at once, backwards"])("and changes has to be taken over, %s", (order) =>
    onScene(ACCESS, async (scene) => {
      claim("errors of up", await up(scene, before, order), []);
      const present = worldOf(scene.simulator);
      const changed = { ...after, b: { ...after.b, allowedIps: ["203.0.113.8"] } };
      const errors = await up(scene, changed, order);
      claimMatch("errors of up", errors.join(), /does not declare: 203\.0\.113\.7\..* `adopt: true`/);
      claim("what was touched", changes(present, worldOf(scene.simulator)), []);
      claim("errors of up", await up(scene, { ...changed, b: { ...changed.b, adopt: true } }, order), []);
      claim("allowed", onList(scene, "allowed"), ["203.0.113.8"]);
      claim("whether the zone was open", wasOpened(scene), false);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      scene.isEmpty();
    }),
  );
});
