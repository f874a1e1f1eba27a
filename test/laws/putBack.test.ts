// What ManagerSettings puts back, when it is not known, or nowhere recorded, what became of an update.
import { test } from "vitest";
import type { Fault } from "../../simulator";
import { claim, claimMatch } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene, type Scene } from "./scene";
import { worldOf } from "./world";

const CHANGE = { method: "PUT", path: "/api/settings" };
const LOST: Readonly<Record<string, Fault>> = {
  "and not carried out": { ...CHANGE, kind: "respond", status: 500 },
  "and carried out": { ...CHANGE, kind: "respond-after", status: 500 },
};

const samples = SAMPLES.ManagerSettings as Sample[];
const onPremise = samples.find(({ variant }) => variant === undefined) as Sample;
const inCloud = samples.find(({ variant }) => variant === "in the cloud") as Sample;

const DELIVERY = { logsSettings: { type: "s3", bucket: "third-bucket" } };
const WITHOUT = { logsSettings: undefined };

/** An update that fails: what becomes of each of its requests is not known. */
async function fails(scene: Scene, fault: Fault, change: object): Promise<void> {
  scene.simulator.manager.service.faults.add({ ...fault, times: Number.POSITIVE_INFINITY });
  const { errors } = await scene.engine.up(await scene.program({ ...change }));
  claim("number of errors of up", errors.length, 1);
  scene.calmDown();
}

const isDelivered = (scene: Scene, where: unknown) =>
  claim("the delivery of logs", worldOf(scene.simulator)["setting logs_settings"], where);

for (const sample of samples) {
  for (const name of Object.keys(sample.changes)) {
    const title = `${sample.variant ?? "on premise"}, ${name}`;

    test(`an update that was killed and gone back: ${title}`, () =>
      onScene(sample, (scene) => scene.goesBackFromKilled(name)));

    test(`an update that was killed and run again: ${title}`, () =>
      onScene(sample, async (scene) => {
        await scene.up(await scene.program());
        const changed = await scene.program(scene.changed(name));
        await scene.engine.killedUp(changed);
        await scene.up(changed);
        await scene.isCalm(changed);
        await scene.ends();
      }));
  }
}

test("an update that was killed is remembered until the manager takes another one", () =>
  onScene(onPremise, async (scene) => {
    const program = await scene.program();
    await scene.up(program);
    await scene.engine.killedUp(await scene.program({ log: "debug" }));
    for (const fault of [{ kind: "respond", status: 403 } as const, { kind: "reset" } as const]) {
      scene.simulator.manager.service.faults.add({ ...fault, times: Number.POSITIVE_INFINITY });
      claim("number of errors of up", (await scene.engine.up(program)).errors.length, 1);
      claim("number of errors of destroy", (await scene.engine.destroy()).errors.length, 1);
      scene.calmDown();
    }
    await scene.ends();
  }));

test("a creation that was killed is remembered until the manager takes another one", () =>
  onScene(onPremise, async (scene) => {
    await scene.engine.killedUp(await scene.program());
    for (const fault of [{ kind: "respond", status: 403 } as const, { kind: "reset" } as const]) {
      scene.simulator.manager.service.faults.add({ ...fault, times: Number.POSITIVE_INFINITY });
      claim("number of errors of up", (await scene.engine.up(await scene.program())).errors.length, 1);
      scene.calmDown();
    }
    await scene.up(await scene.program());
    await scene.ends();
  }));

for (const [outcome, fault] of Object.entries(LOST)) {
  for (const isRefreshed of [false, true]) {
    const title = `${outcome}${isRefreshed ? ", and refreshed" : ""}`;
    const refreshed = async (scene: Scene) => {
      if (isRefreshed) claim("errors of refresh", (await scene.engine.refresh()).errors, []);
    };

    test(`a delivery of logs whose answer is lost is turned off when it is taken out of the program: ${title}`, () =>
      onScene(inCloud, async (scene) => {
        const program = await scene.program(WITHOUT);
        await scene.up(program);
        await fails(scene, fault, {});
        await refreshed(scene);
        await scene.up(program);
        isDelivered(scene, undefined);
        await scene.isCalm(program);
        await scene.ends();
      }));

    test(`a delivery of logs whose answer is lost is turned off with the resource: ${title}`, () =>
      onScene(inCloud, async (scene) => {
        await fails(scene, fault, {});
        await refreshed(scene);
        await scene.ends();
      }));

    test(`a delivery of logs whose answer is lost is sent again: ${title}`, () =>
      onScene(inCloud, async (scene) => {
        const program = await scene.program();
        await scene.up(program);
        await fails(scene, fault, DELIVERY);
        await refreshed(scene);
        await scene.up(program);
        isDelivered(scene, scene.args.logsSettings);
        await scene.isCalm(program);
        await scene.ends();
      }));

    test(`a delivery of logs whose answer is lost is turned off after all: ${title}`, () =>
      onScene(inCloud, async (scene) => {
        await scene.up(await scene.program());
        await fails(scene, fault, WITHOUT);
        await refreshed(scene);
        const program = await scene.program(WITHOUT);
        await scene.up(program);
        isDelivered(scene, undefined);
        await scene.isCalm(program);
        await scene.ends();
      }));
  }

  test(`a delivery of logs whose answer is lost is there again when it was the resource that should go: ${outcome}`, () =>
    onScene(inCloud, async (scene) => {
      const program = await scene.program();
      await scene.up(program);
      scene.simulator.manager.service.faults.add({ ...fault, times: Number.POSITIVE_INFINITY });
      claim("number of errors of destroy", (await scene.engine.destroy()).errors.length, 1);
      scene.calmDown();
      await scene.settles(program);
      isDelivered(scene, scene.args.logsSettings);
      await scene.ends();
    }));
}

test("a delivery of logs whose answer is lost is left to the resource that declares it by now", () =>
  onScene(inCloud, async (scene) => {
    const own = { logs: undefined, log: "debug" };
    const [first] = await scene.program({ ...own, ...WITHOUT });
    await scene.up([first]);
    await fails(scene, LOST["and carried out"] as Fault, own);
    const [other] = await scene.program({ ...DELIVERY, logs: undefined }, "that");
    await scene.up([other, first]);
    isDelivered(scene, DELIVERY.logsSettings);
    await scene.up([other]);
    isDelivered(scene, DELIVERY.logsSettings);
    await scene.ends();
  }));

test("a delivery of logs whose answer is lost needs no turning off where the manager delivers none", () =>
  onScene(onPremise, async (scene) => {
    await fails(scene, LOST["and not carried out"] as Fault, DELIVERY);
    claimMatch("errors of up", (await scene.engine.up(await scene.program(DELIVERY))).errors.join(), /Available only/);
    await scene.up(await scene.program());
    await scene.isCalm(await scene.program());
    await scene.ends();
  }));

test("what is another resource's by now is not put back after an update that was killed", () =>
  onScene(onPremise, async (scene) => {
    const [first] = await scene.program();
    await scene.up([first]);
    await scene.engine.killedUp(await scene.program({ log: "debug" }));
    const [other] = await scene.program({ ...nothing(scene), log: "info" }, "that");
    await scene.up([other, first]);
    claim("log", worldOf(scene.simulator)["setting log"], "info");
    await scene.up([other]);
    claim("log", worldOf(scene.simulator)["setting log"], "info");
    claim("errors of destroy", (await scene.engine.destroy()).errors, []);
  }));

const nothing = ({ args }: Scene) => Object.fromEntries(Object.keys(args).map((name) => [name, undefined]));
