import { expect, test, vi } from "vitest";
import { ServerError } from "../../../src/base/errors";
import { managerUpgradeLifecycle as managerUpgrade } from "../../../src/kinds/managerUpgrade/lifecycle";
import { cancellableDeadline, changes, count, failure, stage } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("ManagerUpgrade asks first, and installs nothing where nothing is newer", async () => {
  const scene = await stage();
  expect(await managerUpgrade.create({}, scene.step())).toEqual({
    id: "1.570.247",
    state: { upgraded: false, version: "1.570.247" },
  });
  expect(changes(scene)).toEqual([]);
});

test("ManagerUpgrade installs what is newer, once", async () => {
  const scene = await stage({ manager: { latestVersion: "1.600.0" } });
  expect((await managerUpgrade.create({}, scene.step())).state).toEqual({ upgraded: true, version: "1.600.0" });
  expect(scene.manager.state.installedVersion).toBe("1.600.0");
  expect(changes(scene)).toEqual(["POST /api/upgrade"]);
});

test("ManagerUpgrade fails when the manager cannot ask, or cannot install", async () => {
  const scene = await stage({ manager: { latestVersion: "1.600.0" } });
  scene.manager.state.upgradeError = "npm ERR! no rights";
  const refused = await failure(managerUpgrade.create({}, scene.step()));
  expect(refused).toBeInstanceOf(ServerError);
  expect(refused.message).toContain("npm ERR! no rights");
  scene.manager.state.vendorReachable = false;
  expect((await failure(managerUpgrade.create({}, scene.step()))).message).toMatch(/network of the machine.*on\.$/);
});

test("ManagerUpgrade says what is not known when its answer is lost, or the update is cancelled, and can be run again", async () => {
  const scene = await stage({ manager: { latestVersion: "1.600.0" } });
  const unknown = /Whether a version was installed is not known\./;
  scene.manager.service.faults.add({ path: "/api/upgrade", kind: "reset-after" });
  expect((await failure(managerUpgrade.create({}, scene.step()))).message).toMatch(unknown);
  scene.manager.service.faults.add({ path: "/api/upgrade", kind: "hang" });
  const { deadline, cancel } = cancellableDeadline();
  const journal = new MemoryJournal();
  const upgraded = failure(managerUpgrade.create({}, { ...scene.step(deadline), journal }));
  await vi.waitUntil(() => count(scene, "POST /api/upgrade") === 2);
  cancel();
  const { message } = await upgraded;
  expect(message).toMatch(/^The update was cancelled, waiting for the Proxy Manager to install/);
  expect(message).toMatch(unknown);
  const said: string[] = [];
  const next = { ...scene.step(), journal: new MemoryJournal(journal), say: (words: string) => said.push(words) };
  expect((await managerUpgrade.create({}, next)).state.version).toBe("1.600.0");
  expect(said[0]).toContain("may have installed a version of the Proxy Manager already");
});

test("ManagerUpgrade is forgotten when the manager refuses", async () => {
  const scene = await stage({ manager: { latestVersion: "1.600.0" } });
  scene.manager.state.upgradeError = "npm ERR! no rights";
  const journal = new MemoryJournal();
  await failure(managerUpgrade.create({}, { ...scene.step(), journal }));
  expect(journal.noted).toBeUndefined();
});
