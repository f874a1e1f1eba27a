import { describe, expect, test, vi } from "vitest";
import type { FaultKind } from "../../../simulator/fault";
import { ConnectionError, ResponseFormatError } from "../../../src/base/errors";
import { pause } from "../../../src/http/pause";
import { isAnother } from "../../../src/kinds/zone/another";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { cancelledBy, changes, count, declaredIn, failure, type Stage, stage } from "../../lifecycle/harness";
import { created, INPUTS } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

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

describe("a zone whose deletion has lost its answer", () => {
  async function losing(retries: number, kind: FaultKind) {
    const scene = await stage({}, { BRIGHTDATA_RETRIES: String(retries) });
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "DELETE", path: "/zone", kind });
    return { scene, state };
  }

  test("is asked for again where it is the same", async () => {
    const { scene, state } = await losing(1, "reset");
    await zone.delete("web", state, scene.step());
    expect(names(scene)).toEqual([]);
    expect(count(scene, "DELETE /zone")).toBe(2);
  });

  test("is kept where somebody has made another under its name since", async () => {
    const { scene, state } = await losing(3, "reset-after");
    vi.mocked(pause).mockImplementationOnce(async () => {
      scene.account.addZone("web", { type: "static" });
      Object.assign(scene.account.zone("web") ?? {}, { created: LATER });
    });
    const step = { ...scene.step(), say: vi.fn() };
    await zone.delete("web", state, step);
    expect(names(scene)).toEqual(["web"]);
    expect(count(scene, "DELETE /zone")).toBe(1);
    expect(step.say.mock.calls.join()).toContain("Zone web is not the one that this resource had");
    expect([...step.context.claims.standing]).toEqual(["zone web"]);
  });

  test.each([503, 429])("fails as that did where nobody can tell then whose it is: %i", async (status) => {
    const { scene, state } = await losing(1, "reset");
    const headers = { "retry-after": "0.01" };
    const refused = { method: "GET", path: "/zone", kind: "respond", status, headers } as const;
    scene.remote.service.faults.add({ ...refused, after: 1, times: 9 });
    const error = await failure(zone.delete("web", state, scene.step()));
    expect(error).toMatchObject({ name: "ConnectionError", operation: 'delete zone "web"', settled: false });
    expect(count(scene, "DELETE /zone")).toBe(1);
  });

  test("fails as that did where the update is cancelled", async () => {
    const { scene, state } = await losing(3, "reset");
    const step = scene.step(cancelledBy(scene.remote.service, "DELETE /zone"));
    expect(await failure(zone.delete("web", state, step))).toMatchObject({ name: "ConnectionError", settled: false });
    expect(count(scene, "DELETE /zone")).toBe(1);
  });

  test("is done where the zone is gone, without a look at the list for its name", async () => {
    const { scene, state } = await losing(0, "reset-after");
    await zone.delete("web", state, scene.step());
    await zone.delete("web", state, scene.step());
    expect(count(scene, "DELETE /zone")).toBe(2);
    expect(count(scene, "GET /zone/get_all_zones")).toBe(4);
  });

  test("is not asked for again without retries", async () => {
    const { scene, state } = await losing(0, "reset");
    expect(await failure(zone.delete("web", state, scene.step()))).toBeInstanceOf(ConnectionError);
    expect(count(scene, "DELETE /zone")).toBe(1);
  });
});

test("a deletion is sent again when the service wants it to be", async () => {
  const scene = await stage({}, { BRIGHTDATA_RETRIES: "1" });
  const state = await created(scene);
  const headers = { "retry-after": "7" };
  scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 503, headers });
  vi.mocked(pause).mockClear();
  await zone.delete("web", state, scene.step());
  expect(vi.mocked(pause).mock.calls[0]?.[0]).toBe(7000);
  expect(names(scene)).toEqual([]);
  expect(count(scene, "DELETE /zone")).toBe(2);
});

test("a deletion whose answer is a web page is not sent again", async () => {
  const scene = await stage({}, { BRIGHTDATA_RETRIES: "3" });
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 200, body: "<html></html>", times: 9 });
  expect(await failure(zone.delete("web", state, scene.step()))).toBeInstanceOf(ResponseFormatError);
  expect(count(scene, "DELETE /zone")).toBe(1);
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

test("a zone that somebody has made anew with another plan is not taken over, as the next update would replace it", async () => {
  const { scene, state } = await remade();
  Object.assign(scene.account.zone("web")?.plan ?? {}, { country: "de" });
  const inputs = { ...INPUTS, disabled: true, adopt: true };
  const error = await failure(zone.update("web", state, declaredIn(INPUTS), inputs, scene.step()));
  expect(error.message).toContain('Zone "web" exists already, but differs in what cannot be changed in place:');
  expect(error.message).toContain('`plan.country` is "de" and not "us"');
  expect(changes(scene)).toEqual([]);
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
