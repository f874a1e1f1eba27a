import { expect, test, vi } from "vitest";
import { isAnother } from "../../../src/kinds/zone/another";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { changes, declaredIn, failure, type Stage, stage } from "../../lifecycle/harness";
import { created, INPUTS } from "./setup";

const LATER = "2031-04-05T06:07:08.000Z";

test.each([
  ["2026-11-23T10:00:00.789Z", "2026-11-23T10:00:00Z", false],
  ["2026-11-23T10:00:00Z", "2026-11-23T11:00:00.500+01:00", false],
  ["2026-11-23T10:00:00Z", "2026-11-22T10:00:00Z", false],
  ["2026-11-23T10:00:00Z", "2026-11-23", false],
  ["2026-11-23T10:00:00Z", undefined, false],
  ["2026-11-23", "2026-11-24", false],
  ["2026-11-23T10:00:00Z", "2026-11-23T10:00:01Z", true],
])("of a zone made at %s, one made at %s is another: %j", (known, live, expected) => {
  expect(isAnother({ created: live }, { created: known })).toBe(expected);
});

/** A zone that somebody has made anew under the name of a resource's. */
async function remade(): Promise<{ scene: Stage; state: Awaited<ReturnType<typeof created>> }> {
  const scene = await stage();
  const state = await created(scene);
  Object.assign(scene.account.zone("web") ?? {}, { created: LATER });
  return { scene, state };
}

const names = ({ account }: Stage) => account.liveZones().map(({ name }) => name);

test("a zone that somebody has made anew is not deleted", async () => {
  const { scene, state } = await remade();
  const say = vi.fn();
  await zone.delete("web", state, { ...scene.step(), say });
  expect(names(scene)).toEqual(["web"]);
  expect(changes(scene)).toEqual([]);
  expect(say.mock.calls).toEqual([
    [
      `Zone web is not the one that this resource had: it was created at ${LATER}, by somebody else. It is kept; if it is not needed, delete it in the control panel.`,
    ],
  ]);
});

test.each([
  ["is kept where somebody has made another under its name since", LATER, ["web"], 1],
  ["is asked for again where it is the same", undefined, [], 2],
])("a zone whose deletion has lost its answer %s", async (_, remadeAt, left, deletions) => {
  const scene = await stage();
  const state = await created(scene);
  const { zones } = scene.context;
  const forget = zones.forget.bind(zones);
  const kind = remadeAt === undefined ? "reset" : "reset-after";
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone", kind });
  vi.spyOn(zones, "forget").mockImplementation(() => {
    forget();
    if (remadeAt === undefined || names(scene).length > 0) return;
    scene.account.addZone("web", { type: "static" });
    Object.assign(scene.account.zone("web") ?? {}, { created: remadeAt });
  });
  await zone.delete("web", state, scene.step());
  expect(names(scene)).toEqual(left);
  expect(scene.remote.service.requests.filter(({ method }) => method === "DELETE")).toHaveLength(deletions);
});

test("a zone that somebody has made anew is gone to a refresh, and found by a look-up", async () => {
  const { scene, state } = await remade();
  const say = vi.fn();
  expect(await zone.read("web", INPUTS, { ...scene.step(), say }, state)).toBeUndefined();
  expect(say.mock.calls.join()).toContain("Zone web is not the one");
  expect(await zone.read("web", undefined, scene.step(), {})).toMatchObject({ created: LATER });
});

test("a zone that somebody has made anew is not changed, unless it is to be taken over", async () => {
  const { scene, state } = await remade();
  const update = (inputs: typeof INPUTS) => zone.update("web", state, declaredIn(INPUTS), inputs, scene.step());
  const error = await failure(update({ ...INPUTS, disabled: true }));
  expect(error.message).toContain('Zone "web" is not the one that this resource has made');
  expect(changes(scene)).toEqual([]);
  expect(await update({ ...INPUTS, disabled: true, adopt: true })).toMatchObject({ created: LATER, disabled: true });
});

test.each([
  ["the state does not know when it was made", (state: object) => ({ ...state, created: undefined })],
  ["the state knows the day alone", (state: object) => ({ ...state, created: "2031-04-05" })],
])("a zone counts as the same where %s", async (_, known) => {
  const { scene, state } = await remade();
  expect(await zone.read("web", INPUTS, scene.step(), known(state))).toMatchObject({ created: LATER });
  await zone.delete("web", known(state), scene.step());
  expect(names(scene)).toEqual([]);
});

test("a zone that one answer alone dates otherwise is the resource's own", async () => {
  const { scene, state } = await remade();
  const body = JSON.stringify({ created: LATER, password: ["p"], ips: [], plan: { type: "static" } });
  Object.assign(scene.account.zone("web") ?? {}, { created: state.created });
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 200, body });
  await zone.delete("web", state, scene.step());
  expect(names(scene)).toEqual([]);
});

test("a zone that the token may not read is deleted", async () => {
  const scene = await stage();
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 403 });
  await zone.delete("web", state, scene.step());
  expect(names(scene)).toEqual([]);
});
