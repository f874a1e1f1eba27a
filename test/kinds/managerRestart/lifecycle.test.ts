import { expect, test, vi } from "vitest";
import { ConnectionError, PermissionError } from "../../../src/base/errors";
import { managerRestartLifecycle as managerRestart } from "../../../src/kinds/managerRestart/lifecycle";
import { managerUpgradeLifecycle as managerUpgrade } from "../../../src/kinds/managerUpgrade/lifecycle";
import { cancellableDeadline, controlledDeadline, count, failure, stage } from "../../lifecycle/harness";
import { pause } from "../../lifecycle/instantPause";
import { MemoryJournal } from "../../lifecycle/memoryJournal";
import { withPort } from "../portStage";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("ManagerRestart waits until another process answers, and tells its version", async () => {
  const scene = await withPort({ manager: { latestVersion: "1.600.0", restartMs: 50 } });
  await managerUpgrade.create({}, scene.step());
  await scene.context.manager.bans.add(24_000, { ip: "203.0.113.7" });
  expect((await managerRestart.create({}, scene.step())).state).toEqual({ version: "1.600.0" });
  expect(count(scene, "POST /api/restart")).toBe(1);
  expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
});

test("ManagerRestart finds a manager that restarts by itself, as a daemon does after an upgrade, and restarts it then", async () => {
  const scene = await withPort({ manager: { restartMs: 50 } });
  await scene.context.manager.process.restart({ wait: 0 });
  await vi.waitUntil(() => !scene.manager.service.isListening);
  expect((await managerRestart.create({}, scene.step())).state).toEqual({ version: "1.570.247" });
  expect(count(scene, "POST /api/restart")).toBe(2);
});

test("ManagerRestart waits for a manager that starts behind a proxy, which answers in its place", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({
    path: "/api/version",
    kind: "respond",
    status: 502,
    body: "no upstream",
    times: 12,
  });
  expect((await managerRestart.create({}, scene.step())).state).toEqual({ version: "1.570.247" });
  expect(count(scene, "POST /api/restart")).toBe(1);
});

test("ManagerRestart is not asked for again where a proxy answers for a manager that went before it could", async () => {
  const scene = await withPort();
  scene.manager.service.faults.add({ path: "/api/restart", kind: "respond-after", status: 502, body: "no upstream" });
  await managerRestart.create({}, scene.step());
  expect(count(scene, "POST /api/restart")).toBe(1);
});

test("ManagerRestart of a manager that stays down was not sent, and is not noted any more", async () => {
  const scene = await stage();
  await scene.manager.close();
  const { deadline, cancel } = cancellableDeadline();
  const journal = new MemoryJournal();
  const before = pause.mock.calls.length;
  const restarted = failure(managerRestart.create({}, { ...scene.step(deadline), journal }));
  await vi.waitUntil(() => pause.mock.calls.length > before + 20);
  cancel();
  const error = await restarted;
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toMatch(/^Could not restart the Proxy Manager: .* cannot be reached/);
  expect(error.message).not.toContain("It may have restarted");
  expect(journal.noted).toBeUndefined();
});

test("ManagerRestart whose answer is lost waits just the same, and is not asked for again", async () => {
  const scene = await withPort();
  await scene.context.manager.bans.add(24_000, { ip: "203.0.113.7" });
  scene.manager.service.faults.add({ path: "/api/restart", kind: "reset-after" });
  await managerRestart.create({}, scene.step());
  expect(count(scene, "POST /api/restart")).toBe(1);
  expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
});

test("ManagerRestart gives up in time, and says which argument allows more", async () => {
  const scene = await stage({ manager: { restartMs: 3_600_000 } });
  const { deadline, expire } = controlledDeadline();
  const restarted = failure(managerRestart.create({}, scene.step(deadline)));
  await vi.waitUntil(() => count(scene, "POST /api/restart") === 1);
  expire();
  expect((await restarted).message).toBe(
    "Gave up after 60 s, waiting for the Proxy Manager to be back from its restart. Allow more time with `timeouts.create` (in seconds). It may have restarted, or not come back: the next `pulumi up` restarts it once more.",
  );
});

test("ManagerRestart ends at once when the update is cancelled", async () => {
  const scene = await stage({ manager: { restartMs: 3_600_000 } });
  const { deadline, cancel } = cancellableDeadline();
  const restarted = failure(managerRestart.create({}, scene.step(deadline)));
  await vi.waitUntil(() => count(scene, "POST /api/restart") === 1);
  cancel();
  expect((await restarted).message).toMatch(/^The update was cancelled, waiting for .*It may have restarted/);
});

test("ManagerRestart that the manager refuses is not noted any more, and is not said to have happened", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  scene.manager.service.faults.add({ path: "/api/restart", kind: "respond", status: 403, body: "no" });
  const error = await failure(managerRestart.create({}, { ...scene.step(), journal }));
  expect(error).toBeInstanceOf(PermissionError);
  expect(error.message).not.toContain("It may have restarted");
  expect(journal.noted).toBeUndefined();
  scene.manager.service.faults.add({ path: "/api/restart", kind: "respond", status: 403, body: "no" });
  expect(await failure(managerRestart.create({}, scene.step()))).toBeInstanceOf(PermissionError);
});

test("ManagerRestart makes all that was known of the manager be asked for again", async () => {
  const scene = await withPort();
  const look = () => scene.context.bans(24_000).get(new AbortController().signal);
  await scene.context.manager.bans.add(24_000, { ip: "203.0.113.7" });
  expect(await look()).toHaveLength(1);
  await managerRestart.create({}, scene.step());
  expect(await look()).toEqual([]);
});

test("ManagerRestart that a killed update may have done already says so", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const said: string[] = [];
  const say = (words: string) => said.push(words);
  await managerRestart.create({}, { ...scene.step(), journal, say });
  expect(said).toEqual([]);
  const next = { ...scene.step(), journal: new MemoryJournal(journal), say };
  await managerRestart.create({}, next);
  expect(said).toEqual([
    "an update that was cut short may have restarted the Proxy Manager already: it is restarted once more.",
  ]);
});
