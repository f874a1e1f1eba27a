import type { JsonObject } from "../../src/base/json";
import { PROVIDER_NAME } from "../../src/settings/settings";
import { claim, claimMatch } from "./claim";
import { OUTAGE_MS } from "./faults";
import type { Change, Sample } from "./sample";
import { NOTHING, type Scene } from "./scene";
import { UNKNOWN_VALUE } from "./wire";
import { changes, worldOf } from "./world";

/** What holds of every kind. */
export interface Law {
  name: string;
  /** Whether there is something to it for a sample. Default: always. */
  concerns?(sample: Sample): boolean;
  /** The cases of the law on a sample; one without a name when absent. */
  cases?(sample: Sample): string[];
  hold(scene: Scene, name: string): Promise<void>;
}

const requests = ({ simulator }: Scene): number =>
  simulator.remote.service.requests.length + simulator.manager.service.requests.length;

const writes = ({ simulator }: Scene): number =>
  [simulator.remote, simulator.manager]
    .flatMap(({ service }) => service.requests)
    .filter(({ method, path }) => method !== "GET" && !path.includes("banlist")).length;

const steps = (...names: string[]) => ({ steps: names, errors: [] });

/** What of the outputs an import file has to say beside what the program does. */
const idsOf = (outputs: JsonObject, { known = [] }: Sample): JsonObject =>
  Object.fromEntries(known.map((name) => [name, outputs[name]]));

const adopting = { adopt: true };

const isReversible = (change: Change | undefined): boolean =>
  change !== undefined && change.replaces !== true && change.final !== true;

/** What a killed update has made stands where the program wants something else, and the person is told so. */
const IN_THE_WAY = /exists already|is in use by|stands on the/;

const replacing = (changes: Sample["changes"]): string[] =>
  Object.keys(changes).filter((name) => changes[name]?.replaces === true);

const pairs = (some: readonly string[], others: readonly string[]): string[] =>
  some.flatMap((one) => others.map((other) => `${one} | ${other}`));

const isAdoptable = ({ foreign }: Sample): boolean => foreign?.adoptable === true;

export const LAWS: readonly Law[] = [
  {
    name: "preview asks nobody",
    async hold(scene) {
      const before = requests(scene);
      claim("preview", await scene.engine.preview(await scene.program()), steps("create it"));
      claim("requests", requests(scene), before);
    },
  },
  {
    name: "preview with values that are not known yet",
    async hold(scene) {
      const [declaration] = await scene.program();
      const without = (name: string) => [
        { ...declaration, properties: { ...declaration.properties, [name]: UNKNOWN_VALUE } },
      ];
      for (const name of Object.keys(scene.args)) {
        claim(`preview without ${name}`, await scene.engine.preview(without(name)), steps("create it"));
      }
      await scene.up([declaration]);
      for (const name of Object.keys(scene.args)) {
        const { errors } = await scene.engine.preview(without(name));
        claim(`errors of preview without ${name}`, errors, []);
      }
    },
  },
  {
    name: "created, calm, destroyed",
    async hold(scene) {
      const program = await scene.program();
      claim("up", await scene.up(program), steps("create it"));
      await scene.isCalm(program);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "made with a named connection",
    async hold(scene) {
      const program = await scene.named("one");
      claim("up", await scene.up(program), steps("create it"));
      claim("id", scene.entry.id.split("/")[0], "one");
      await scene.isCalm(program);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "its connection gets a name, another one, and none",
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      const { id } = scene.entry;
      const before = writes(scene);
      for (const name of ["one", "two", undefined]) {
        const renamed = name === undefined ? program : await scene.named(name);
        claim("preview", await scene.engine.preview(renamed), steps("update it"));
        claim("up", await scene.up(renamed), steps("update it"));
        claim("errors of refresh", (await scene.engine.refresh()).errors, []);
        claim("id", scene.entry.id, name === undefined ? id : `${name}/${id}`);
        await scene.isCalm(renamed);
      }
      claim("what was sent", writes(scene) - before, 0);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "its connection gets another name, and the former one is not configured any more",
    async hold(scene) {
      const { engine } = scene;
      await scene.up(await scene.named("one"));
      const present = worldOf(scene.simulator);
      const { config } = engine;
      const left = ["brightdata:managers", "brightdata:accounts"].map((key) => {
        return [key, JSON.stringify({ ...JSON.parse(config[key] as string), one: undefined })];
      });
      const later = { ...config, ...Object.fromEntries(left) };
      engine.config = later;
      const renamed = await scene.named("two");
      const lost = /is recorded with the (account|Proxy Manager) "one", which is not configured .* Nothing was done/;
      claimMatch("errors of preview", (await engine.preview(renamed)).errors.join(), lost);
      claimMatch("errors of up", (await engine.up(renamed)).errors.join(), lost);
      claimMatch("errors of refresh", (await engine.refresh()).errors.join(), lost);
      claimMatch("errors of destroy", (await engine.destroy()).errors.join(), lost);
      claim("what was touched", changes(present, worldOf(scene.simulator)), []);
      engine.config = config;
      claim("up", await scene.up(renamed), steps("update it"));
      engine.config = later;
      claim("errors of refresh", (await engine.refresh()).errors, []);
      await scene.isCalm(renamed);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "its provider leads elsewhere",
    cases: () => ["where there is nothing", "where there is one like it"],
    async hold(scene, name) {
      const program = await scene.program();
      await scene.up(program);
      const { outputs } = scene.entry;
      const present = worldOf(scene.simulator);
      await scene.elsewhere(name.endsWith("like it"), async (other) => {
        const theirs = worldOf(other);
        const { errors } = await scene.engine.refresh();
        if (errors.length > 0) {
          const refused = /has moved .* Nothing was done/;
          claimMatch("errors of refresh", errors.join(), refused);
          claimMatch("errors of up", (await scene.engine.up(program)).errors.join(), refused);
          claimMatch("errors of destroy", (await scene.engine.destroy()).errors.join(), refused);
          claim("outputs", scene.entry.outputs, outputs);
        } else {
          // What does something once is with no service.
          claim("errors of destroy", (await scene.engine.destroy()).errors, []);
          claim("state", scene.engine.state, []);
        }
        claim("what was touched elsewhere", changes(theirs, worldOf(other)), []);
      });
      claim("what was touched", changes(present, worldOf(scene.simulator)), []);
      if (scene.engine.state.length === 0) return;
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "its provider leads to the same services",
    cases: () => ["and its state says where they are", "and a refresh comes first", "and its state does not say it"],
    async hold(scene, name) {
      const { engine } = scene;
      const program = await scene.program();
      await scene.up(program);
      const before = writes(scene);
      engine.config = { ...engine.config, [PROVIDER_NAME]: "same" };
      if (name === "and a refresh comes first") {
        claim("errors of refresh", (await engine.refresh()).errors, []);
        await scene.isCalm(program);
        return scene.ends();
      }
      const isTold = name === "and its state says where they are";
      // As an earlier version has written it.
      if (!isTold) delete scene.entry.outputs.__at;
      const { service, read, isMarked } = scene.lifecycle;
      if (isTold || service === "remote" || read === undefined || isMarked !== undefined) {
        claim("up", await scene.up(program), steps("update it"));
        claim("what was sent", writes(scene) - before, 0);
      } else {
        claimMatch("errors of up", (await engine.up(program)).errors.join(), /one like it, but nothing shows/);
        const { [PROVIDER_NAME]: _, ...former } = engine.config;
        engine.config = former;
        claim("errors of refresh", (await engine.refresh()).errors, []);
      }
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "edit",
    concerns: ({ edit }) => edit !== undefined,
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      await scene.meanwhile(scene.sample.edit?.(scene.simulator, scene.entry.outputs));
      claim("refresh", await scene.engine.refresh(), steps("change it"));
      claim("preview", await scene.engine.preview(program), steps("update it"));
      await scene.up(program);
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "gone",
    concerns: ({ vanish }) => vanish !== undefined,
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      await scene.meanwhile(scene.sample.vanish?.(scene.simulator, scene.entry.outputs));
      claim("refresh", await scene.engine.refresh(), steps("forget it"));
      claim("up", await scene.up(program), steps("create it"));
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "gone before it is destroyed",
    concerns: ({ vanish }) => vanish !== undefined,
    async hold(scene) {
      await scene.up(await scene.program());
      await scene.meanwhile(scene.sample.vanish?.(scene.simulator, scene.entry.outputs));
      await scene.ends();
    },
  },
  {
    name: "foreign refused",
    concerns: ({ foreign }) => foreign !== undefined,
    async hold(scene) {
      await scene.placeForeign();
      const before = worldOf(scene.simulator);
      const { errors } = await scene.engine.up(await scene.program());
      claimMatch("errors of up", errors.join(), /adopt|aliases/);
      claim("state", scene.engine.state, []);
      claim("what was touched", changes(before, worldOf(scene.simulator)), []);
    },
  },
  {
    name: "foreign adopted",
    concerns: isAdoptable,
    async hold(scene) {
      await scene.placeForeign();
      const program = await scene.program(adopting);
      await scene.up(program);
      await scene.isCalm(program);
      scene.hasPaid(0);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    },
  },
  {
    name: "changed",
    cases: ({ changes }) => Object.keys(changes),
    async hold(scene, name) {
      const { replaces, final, price } = scene.sample.changes[name] ?? {};
      const program = await scene.program();
      await scene.up(program);
      scene.leftOf(scene.entry.outputs);
      const changed = await scene.program(scene.changed(name));
      const step = replaces ? "replace it" : "update it";
      claim("preview", await scene.engine.preview(changed), steps(step));
      await scene.up(changed);
      await scene.isCalm(changed);
      scene.hasPaid(replaces ? 2 : 1, price);
      if (final === undefined) {
        scene.leftOf(scene.entry.outputs);
        await scene.up(program);
        await scene.isCalm(program);
      }
      await scene.ends();
    },
  },
  {
    name: "changed by an update that fails, and refreshed",
    cases: ({ changes }) => Object.keys(changes).filter((name) => isReversible(changes[name])),
    async hold(scene, name) {
      const programs = [await scene.program(scene.changed(name)), await scene.program()] as const;
      await scene.up(programs[1]);
      for (const succeeding of [0, 1]) {
        for (const program of programs) {
          scene.leftOf(scene.entry.outputs);
          scene.refuseChanges(succeeding);
          await scene.engine.up(program);
          scene.calmDown();
          await scene.passes(OUTAGE_MS);
          await scene.settles(program);
        }
      }
      await scene.ends();
    },
  },
  {
    name: "destroyed after a killed update",
    cases: ({ changes }) => Object.keys(changes).filter((name) => isReversible(changes[name])),
    async hold(scene, name) {
      await scene.up(await scene.program());
      await scene.engine.killedUp(await scene.program(scene.changed(name)));
      await scene.ends();
    },
  },
  {
    name: "gone back after a killed update",
    cases: ({ changes }) => Object.keys(changes).filter((name) => isReversible(changes[name])),
    async hold(scene, name) {
      const program = await scene.program();
      await scene.up(program);
      await scene.engine.killedUp(await scene.program(scene.changed(name)));
      await scene.settles(program);
      await scene.ends();
    },
  },
  {
    name: "renamed with an alias after a killed update",
    cases: ({ changes }) => Object.keys(changes).filter((name) => isReversible(changes[name])),
    async hold(scene, name) {
      await scene.up(await scene.program());
      const change = scene.changed(name);
      await scene.engine.killedUp(await scene.program(change));
      const renamed = await scene.program(change, "that", ["it"]);
      await scene.up(renamed);
      await scene.settles(renamed);
      scene.hasPaid(1, scene.sample.changes[name]?.price);
      await scene.ends();
    },
  },
  {
    name: "replaced after a killed update",
    concerns: ({ price }) => price !== undefined,
    cases: ({ changes }) =>
      pairs(
        Object.keys(changes).filter((name) => isReversible(changes[name])),
        replacing(changes),
      ),
    async hold(scene, name) {
      const [changed = "", replacing = ""] = name.split(" | ");
      await scene.up(await scene.program());
      scene.leftOf(scene.entry.outputs);
      await scene.engine.killedUp(await scene.program(scene.changed(changed)));
      const program = await scene.program(scene.changed(replacing));
      await scene.up(program);
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "a killed creation, and then something else",
    cases: ({ changes }) => replacing(changes),
    async hold(scene, name) {
      await scene.engine.killedUp(await scene.program());
      const { errors } = await scene.engine.up(await scene.program(scene.changed(name)));
      if (errors.length > 0) {
        claimMatch("errors of up", errors.join(), IN_THE_WAY);
        const program = await scene.program();
        await scene.up(program);
        return scene.isCalm(program);
      }
      scene.hasPaid(2);
      scene.isAccountedFor();
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    },
  },
  {
    name: "a creation whose state is not saved, and then the same again",
    async hold(scene) {
      const program = await scene.program();
      await scene.engine.unsavedUp(program);
      await scene.up(program);
      await scene.isCalm(program);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "a killed replacement, and then the same again",
    cases: ({ changes }) => replacing(changes),
    async hold(scene, name) {
      await scene.up(await scene.program());
      scene.leftOf(scene.entry.outputs);
      const changed = await scene.program(scene.changed(name));
      await scene.engine.killedUp(changed);
      await scene.up(changed);
      await scene.isCalm(changed);
      scene.hasPaid(2);
      await scene.ends();
    },
  },
  {
    name: "a killed replacement, and then back",
    cases: ({ changes }) => replacing(changes).filter((name) => changes[name]?.final === undefined),
    async hold(scene, name) {
      const program = await scene.program();
      await scene.up(program);
      scene.leftOf(scene.entry.outputs);
      await scene.engine.killedUp(await scene.program(scene.changed(name)));
      const { errors } = await scene.engine.up(program);
      if (errors.some((text) => IN_THE_WAY.test(text))) return;
      claim("errors of refresh", (await scene.engine.refresh()).errors, []);
      await scene.up(program);
      scene.isAccountedFor();
      claim("preview", await scene.engine.preview(program), NOTHING);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    },
  },
  {
    name: "a killed replacement, and then destroyed",
    cases: ({ changes }) => replacing(changes),
    async hold(scene, name) {
      await scene.up(await scene.program());
      scene.leftOf(scene.entry.outputs);
      await scene.engine.killedUp(await scene.program(scene.changed(name)));
      // What has made room is forgotten without a word to the provider.
      const isAsked = scene.entry.recreated === undefined;
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      if (isAsked) scene.isAccountedFor();
    },
  },
  {
    name: "adopted and changed",
    concerns: isAdoptable,
    cases: ({ changes }) => Object.keys(changes).filter((name) => name !== "adopt"),
    async hold(scene, name) {
      await scene.placeForeign();
      await scene.up(await scene.program(adopting));
      scene.leftOf(scene.entry.outputs);
      const changed = await scene.program({ ...adopting, ...scene.changed(name) });
      await scene.up(changed);
      await scene.isCalm(changed);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    },
  },
  {
    name: "renamed",
    async hold(scene) {
      await scene.up(await scene.program());
      scene.isTakenOver(scene.entry.outputs);
      const renamed = await scene.program({}, "that");
      const { errors } = await scene.engine.up(renamed);
      if (errors.length === 0) {
        await scene.isCalm(renamed);
        return scene.ends();
      }
      claimMatch("errors of up", errors.join(), /aliases/);
      await scene.isCalm(await scene.program());
      if (isAdoptable(scene.sample)) {
        const taken = await scene.program(adopting, "that");
        await scene.up(taken);
        await scene.isCalm(taken);
      }
      await scene.ends();
    },
  },
  {
    name: "renamed with an alias",
    async hold(scene) {
      await scene.up(await scene.program());
      const renamed = await scene.program({}, "that", ["it"]);
      claim("up", await scene.engine.up(renamed), NOTHING);
      await scene.isCalm(renamed);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "renamed and changed",
    concerns: ({ generated }) => generated === undefined,
    cases: ({ changes }) => Object.keys(changes),
    async hold(scene, name) {
      await scene.up(await scene.program());
      scene.isTakenOver(scene.entry.outputs);
      const adopt = isAdoptable(scene.sample) ? adopting : {};
      const renamed = await scene.program({ ...adopt, ...scene.changed(name) }, "that");
      const { errors } = await scene.engine.up(renamed);
      if (errors.length > 0) return scene.isCalm(await scene.program());
      await scene.isCalm(renamed);
      await scene.ends();
    },
  },
  {
    name: "forced replacement",
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      scene.leftOf(scene.entry.outputs);
      claim("errors of up", (await scene.engine.up(program, ["it"])).errors, []);
      await scene.isCalm(program);
      scene.hasPaid(2);
      await scene.ends();
    },
  },
  {
    name: "forced replacement of what was adopted",
    concerns: isAdoptable,
    async hold(scene) {
      await scene.placeForeign();
      const program = await scene.program(adopting);
      await scene.up(program);
      scene.leftOf(scene.entry.outputs);
      claim("errors of up", (await scene.engine.up(program, ["it"])).errors, []);
      await scene.isCalm(program);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
    },
  },
  {
    name: "imported by a file",
    cases: () => ["that says what the program does", "that says all that is known"],
    async hold(scene, name) {
      const program = await scene.program();
      await scene.up(program);
      scene.isTakenOver(scene.entry.outputs);
      const { id, inputs, outputs } = scene.entry;
      scene.engine.state = [];
      const { __declared, ...known } = outputs;
      const written = { ...inputs, ...program[0].properties };
      const file = name.endsWith("does") ? { ...written, ...idsOf(outputs, scene.sample) } : { ...known };
      const imported = { name: "it", id, inputs: written, outputs: file };
      claim("import", await scene.engine.import([imported]), NOTHING);
      claim("errors of refresh", (await scene.engine.refresh()).errors, []);
      const again = await scene.up(program);
      claim(
        "up",
        again.steps.filter((step) => !step.startsWith("update")),
        [],
      );
      await scene.isCalm(program);
      scene.hasPaid(1);
      await scene.ends();
    },
  },
  {
    name: "imported by a file that is out of date",
    concerns: ({ edit }) => edit !== undefined,
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      const { id, inputs, outputs } = scene.entry;
      scene.isTakenOver(outputs);
      await scene.meanwhile(scene.sample.edit?.(scene.simulator, outputs));
      scene.engine.state = [];
      const { __declared, __mark, __inputs, ...known } = outputs;
      claim("import", await scene.engine.import([{ name: "it", id, inputs, outputs: known }]), NOTHING);
      claim("up", await scene.up(program), steps("update it"));
      await scene.isCalm(program);
      await scene.ends();
    },
  },
  {
    name: "nothing is forgotten where all answers are 404",
    async hold(scene) {
      const program = await scene.program();
      await scene.up(program);
      const { remote, manager } = scene.simulator;
      const present = worldOf(scene.simulator);
      for (const { service } of [remote, manager]) {
        service.faults.add({ kind: "respond", status: 404, body: "Not Found", times: Number.POSITIVE_INFINITY });
      }
      await scene.engine.refresh();
      claim("resources after the refresh", scene.engine.state.length, 1);
      const asked = requests(scene);
      const { errors } = await scene.engine.destroy();
      if (requests(scene) > asked) claim("whether destroy failed", errors.length > 0, true);
      for (const { service } of [remote, manager]) service.faults.clear();
      if (errors.length === 0) return;
      claim("what was touched", changes(present, worldOf(scene.simulator)), []);
      await scene.isCalm(program);
      await scene.ends();
    },
  },
];
