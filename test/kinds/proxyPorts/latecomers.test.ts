import { expect, onTestFinished, test, vi } from "vitest";
import { proxyPortsLifecycle as proxyPorts } from "../../../src/kinds/proxyPorts/lifecycle";
import { count, declaredIn, MARK, notebook, type Stage, stage } from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const BEGAN = Date.parse("2026-01-01T00:00:00.000Z");
const LIST = "GET /api/proxies";

/** Goes on when the manager has been asked for its list several times more. */
async function looked(scene: Stage): Promise<void> {
  const before = count(scene, LIST);
  await vi.waitFor(() => expect(count(scene, LIST)).toBeGreaterThan(before + 3), { interval: 1 });
}

/** Creates a set of two ports without numbers, one of which a killed update may have begun 80 seconds ago, of 90. */
async function resumed() {
  const scene = await stage();
  scene.account.addZone("web", { type: "static" });
  vi.useFakeTimers({ now: BEGAN, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const journal = notebook({ mark: MARK });
  Object.assign(journal.unfinished ?? {}, { until: new Date(BEGAN + 90_000).toISOString() });
  const inputs = { defaults: { zone: "web" }, ports: { a: {}, b: {} } };
  const creation = proxyPorts.create(inputs, { ...scene.step(), journal });
  await looked(scene);
  vi.setSystemTime(BEGAN + 80_000);
  await looked(scene);
  expect(count(scene, "POST /api/proxies")).toBe(0);
  return { scene, creation };
}

const numbers = ({ manager }: Stage) =>
  manager.state.records.flatMap(({ proxy_type, port }) => (proxy_type ? port : []));

test("ports of a set may come until the time of what a killed update began is over", async () => {
  const { scene, creation } = await resumed();
  for (const key of ["a", "b"]) await scene.context.manager.ports.create({ zone: "web", pulumiId: `${MARK}/${key}` });
  const { state } = await creation;
  expect(Object.values(state.ports ?? {}).map(({ port }) => port)).toEqual(numbers(scene));
  expect(numbers(scene)).toHaveLength(2);
});

test("ports of a set that have not come by then are made", async () => {
  const { scene, creation } = await resumed();
  vi.setSystemTime(BEGAN + 90_000);
  const { state } = await creation;
  expect(Object.keys(state.ports ?? {})).toEqual(["a", "b"]);
  expect(numbers(scene)).toHaveLength(2);
});

test("ports of a set without numbers are not waited for where a killed update had begun numbered ones alone", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static" });
  await scene.context.manager.ports.create({ zone: "web", port: 24_101, pulumiId: `${MARK}/c` });
  const journal = notebook({ mark: MARK, isNumbered: true });
  Object.assign(journal.unfinished ?? {}, { until: new Date(Date.now() + 90_000).toISOString() });
  const inputs = { defaults: { zone: "web" }, ports: { a: {}, b: { port: 24_100 }, c: { port: 24_101 } } };
  const { state } = await proxyPorts.create(inputs, { ...scene.step(), journal });
  expect(Object.keys(state.ports ?? {})).toEqual(["a", "b", "c"]);
  expect(numbers(scene)).toHaveLength(3);
  expect(count(scene, "POST /api/proxies")).toBe(3);
});

/** A set of two ports without numbers that an update of long ago has made, and no state has. */
async function unrecorded(items = 2) {
  const scene = await stage();
  scene.account.addZone("web", { type: "static" });
  for (const key of ["a", "b"]) await scene.context.manager.ports.create({ zone: "web", pulumiId: `${MARK}/${key}` });
  const journal = notebook({ mark: MARK });
  Object.assign(journal.unfinished ?? {}, { until: new Date(Date.now() - 90_000).toISOString() });
  const shorten = { method: "GET", path: "/api/proxies", kind: "shorten", items } as const;
  scene.manager.service.faults.add(shorten);
  return { scene, step: { ...scene.step(), journal } };
}

test("ports of a set that one list lacks are not made again", async () => {
  const { scene, step } = await unrecorded();
  const inputs = { defaults: { zone: "web" }, ports: { a: {}, b: {} } };
  const { state } = await proxyPorts.create(inputs, step);
  expect(Object.values(state.ports ?? {}).map(({ port }) => port)).toEqual(numbers(scene));
  expect(numbers(scene)).toHaveLength(2);
});

test("ports of a set that one list lacks are deleted with it", async () => {
  const { scene, step } = await unrecorded();
  await proxyPorts.delete("set", { defaults: { zone: "web" }, ports: {} }, step);
  expect(numbers(scene)).toEqual([]);
});

test.each([
  ["a", 2, "is not made again because one list lacks it"],
  ["gone", 3, "is made where two lists lack it, without waiting"],
])("a port that the state knows by its mark alone (%s, %s in all) %s", async (key, all) => {
  const {
    scene,
    step: { journal: _, ...step },
  } = await unrecorded(0);
  const inputs = { defaults: { zone: "web" }, ports: { [key]: {} } };
  const state = { defaults: { zone: "web" }, ports: { [key]: { mark: `${MARK}/${key}` } } };
  const updated = await proxyPorts.update("set", state, declaredIn(inputs), inputs, step);
  const made = Object.values(updated.ports ?? {}).map(({ port }) => port);
  expect(made).toEqual(key === "a" ? numbers(scene).slice(0, 1) : numbers(scene).slice(-1));
  expect(numbers(scene)).toHaveLength(all);
});
