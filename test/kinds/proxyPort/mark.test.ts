import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { pause } from "../../../src/http/pause";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { proxyPortsLifecycle as proxyPorts } from "../../../src/kinds/proxyPorts/lifecycle";
import type { Step } from "../../../src/lifecycle/lifecycle";
import { changes, declaredIn, failure, forgetRequests, MARK, notebook, type Stage } from "../../lifecycle/harness";
import { foreign, INPUTS, record, scenery } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

/** A resource that knows who it is, in a process that remembers nothing. */
const own = (scene: Stage): Step => ({
  ...scene.step(),
  context: scene.anotherContext(),
  me: { mark: MARK },
  journal: notebook(),
});

/** The manager has lost its configuration, or is that of another machine, where somebody has made the same port. */
async function lose(scene: Stage, fields: JsonObject = {}): Promise<void> {
  scene.manager.state.records.length = 0;
  scene.manager.state.running.clear();
  await foreign(scene, { port: 24_500, zone: "web", country: "de", ...fields });
}

/** What a port can bear that is not the resource's. */
const STRANGERS: JsonObject[] = [{}, { pulumi_id: "by hand" }, { pulumi_id: "m.another" }];

const KEPT =
  "port 24500 is not the one that this resource had: it does not bear its mark. It is kept; if it is not needed, delete it in the manager.";

describe("a port that was created with a mark", () => {
  async function made() {
    const scene = await scenery();
    const { id, state } = await proxyPort.create(INPUTS, own(scene));
    forgetRequests(scene);
    return { scene, id, state };
  }

  test("has a state that says so, and keeps it", async () => {
    const { scene, id, state } = await made();
    expect(record(scene)?.pulumi_id).toBe(MARK);
    expect(state.marked).toBe(true);
    expect(await proxyPort.read(id, INPUTS, own(scene), state)).toMatchObject({ marked: true });
    const inputs = { ...INPUTS, country: "us" };
    const updated = await proxyPort.update(id, state, declaredIn(INPUTS), inputs, own(scene));
    expect(updated).toMatchObject({ marked: true, country: "us" });
  });

  test("is known by it, until it is gone or another's", async () => {
    const { scene, id, state } = await made();
    expect(await proxyPort.isMarked?.(id, state, own(scene))).toBe(true);
    await lose(scene);
    expect(await proxyPort.isMarked?.(id, state, own(scene))).toBe(false);
    scene.manager.state.records.length = 0;
    expect(await proxyPort.isMarked?.(id, state, own(scene))).toBe(false);
    expect(changes(scene)).toEqual([]);
  });

  test.each(STRANGERS)("is not one that bears %j", async (fields) => {
    const { scene, id, state } = await made();
    await lose(scene, fields);
    const there = { ...record(scene) };
    const read = { ...own(scene), say: vi.fn() };
    expect(await proxyPort.read(id, INPUTS, read, state)).toBeUndefined();
    expect(read.say.mock.calls).toEqual([[KEPT]]);
    const inputs = { ...INPUTS, country: "us" };
    const refused = await failure(proxyPort.update(id, state, declaredIn(INPUTS), inputs, own(scene)));
    expect(refused.message).toContain("Proxy port 24500 is not the one that this resource has made");
    const say = vi.fn();
    const step = { ...own(scene), say };
    await proxyPort.delete(id, state, step);
    expect(say.mock.calls).toEqual([["port 24500 is another program's by now, and is kept."]]);
    expect([...step.context.claims.standing]).toEqual(["port 24500"]);
    expect(changes(scene)).toEqual([]);
    expect(record(scene)).toEqual(there);
  });

  test.each([
    [proxyPort, INPUTS],
    [proxyPorts, { ports: { a: INPUTS } }],
  ])(
    "is deleted once where its number is another's by the time that a lost answer is noticed: %#",
    async (kind, inputs) => {
      const scene = await scenery();
      const { id, state } = await kind.create(inputs as never, own(scene));
      scene.manager.service.faults.add({ path: "/api/proxies/delete", kind: "reset-after" });
      vi.mocked(pause).mockImplementationOnce(() => foreign(scene, { port: 24_500, zone: "web" }));
      const step = { ...own(scene), context: scene.anotherContext({ BRIGHTDATA_RETRIES: "3" }), say: vi.fn() };
      await kind.delete(id, state, step);
      expect(changes(scene)).toEqual([]);
      expect(record(scene)).toMatchObject({ port: 24_500 });
      expect(step.say.mock.calls).toEqual([["port 24500 is another program's by now, and is kept."]]);
      expect([...step.context.claims.standing]).toEqual(["port 24500"]);
    },
  );

  test("is gone without a word where its number is another resource's of the program", async () => {
    const { scene, id, state } = await made();
    await lose(scene);
    const step = { ...own(scene), say: vi.fn() };
    step.context.claims.recorded("m.another", ["port 24500"]);
    expect(await proxyPort.read(id, INPUTS, step, state)).toBeUndefined();
    expect(step.say).not.toHaveBeenCalled();
  });

  test("is gone without a word where there is none of its number", async () => {
    const { scene, id, state } = await made();
    scene.manager.state.records.length = 0;
    const step = { ...own(scene), say: vi.fn() };
    expect(await proxyPort.read(id, INPUTS, step, state)).toBeUndefined();
    expect(step.say).not.toHaveBeenCalled();
  });

  test("is looked for by itself before a deletion where the list misses it", async () => {
    const { scene, id, state } = await made();
    await lose(scene);
    const step = own(scene);
    step.context.ports.drop(24_500);
    await proxyPort.delete(id, state, step);
    expect(changes(scene)).toEqual([]);
  });
});

test("a port of which the state does not say what it bears shows no difference, and its state learns it", async () => {
  const scene = await scenery();
  const { id, state } = await proxyPort.create(INPUTS, own(scene));
  const { marked: _, ...former } = state;
  expect(proxyPort.diff(former, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
  expect(await proxyPort.read(id, INPUTS, own(scene), former)).toEqual(state);
  const timeouts = { ...INPUTS, timeouts: { read: 5 } };
  expect(await proxyPort.update(id, former, declaredIn(INPUTS), timeouts, own(scene))).toMatchObject({
    marked: true,
  });
});

test("a port of which the state does not say what it bears is the one of its number without a mark", async () => {
  const scene = await scenery();
  await lose(scene);
  const adopted = { ...INPUTS, adopt: true };
  const { id, state } = await proxyPort.create(adopted, own(scene));
  expect(state.marked).toBeUndefined();
  expect(await proxyPort.read(id, adopted, own(scene), state)).toMatchObject({ port: 24_500 });
  await proxyPort.delete(id, state, own(scene));
  expect(record(scene)).toBeUndefined();
});

test("a port that was taken over with a mark is not one without a mark", async () => {
  const scene = await scenery();
  await lose(scene, { pulumi_id: "m.another" });
  const adopted = { ...INPUTS, adopt: true };
  const { id, state } = await proxyPort.create(adopted, own(scene));
  expect(state).toMatchObject({ bears: "m.another" });
  expect(await proxyPort.read(id, adopted, own(scene), state)).toMatchObject({ bears: "m.another" });
  await lose(scene);
  expect(await proxyPort.read(id, adopted, own(scene), state)).toBeUndefined();
});

test("a port that bears its place, as earlier versions have marked it, is its own wherever the resource goes", async () => {
  const scene = await scenery();
  await lose(scene, { pulumi_id: "place-1" });
  const here = { ...own(scene), me: { mark: "d.derived", place: "place" } };
  const read = (await proxyPort.read("24500", INPUTS, here, INPUTS)) as JsonObject;
  expect(read.marked).toBeUndefined();
  const elsewhere = { ...own(scene), me: { mark: "d.derived", place: "another" } };
  expect(await proxyPort.read("24500", INPUTS, elsewhere, read)).toBeDefined();
});

describe("a set of ports", () => {
  const inputs = {
    defaults: { zone: "web" },
    ports: { a: { port: 24_500 }, b: { port: 24_501 }, c: { port: 24_502 } },
  };
  const keys = (state: JsonObject) => Object.keys(state.ports as JsonObject);

  async function made() {
    const scene = await scenery();
    await foreign(scene, { port: 24_502, zone: "web" });
    const { id, state } = await proxyPorts.create({ ...inputs, adopt: true } as never, own(scene));
    forgetRequests(scene);
    return { scene, id, state };
  }

  test("says of which it knows the mark, and learns it of the others", async () => {
    const { scene, id, state } = await made();
    expect(state).toMatchObject({ marked: true, unmarked: ["c"] });
    const read = (from: JsonObject) => proxyPorts.read(id, inputs as never, own(scene), from as never);
    expect(await read(state)).toMatchObject({ marked: true, unmarked: ["c"] });
    const { marked: _, unmarked: __, ...former } = state;
    expect(proxyPorts.diff(former, declaredIn(inputs), inputs).changed).toEqual([]);
    expect(await read(former)).toMatchObject({ marked: true, unmarked: ["c"] });
    const more = { ...inputs, ports: { ...inputs.ports, d: { port: 24_503 } } };
    expect(await proxyPorts.update(id, former as never, declaredIn(inputs), more as never, own(scene))).toMatchObject({
      marked: true,
      unmarked: ["a", "b", "c"],
    });
  });

  test("leaves alone what somebody has made by hand where the manager has lost its ports", async () => {
    const { scene, id, state } = await made();
    scene.manager.state.records.length = 0;
    scene.manager.state.running.clear();
    for (const port of [24_500, 24_501, 24_502]) await foreign(scene, { port, zone: "web", country: "de" });
    const says = { ...own(scene), say: vi.fn() };
    const read = (await proxyPorts.read(id, inputs as never, says, state)) as JsonObject;
    expect(keys(read)).toEqual(["c"]);
    const kept =
      "ports 24500-24501 are not those that this resource had: they do not bear its mark. They are kept; if they are not needed, delete them in the manager.";
    expect(says.say.mock.calls).toEqual([[kept]]);
    await proxyPorts.delete(id, state, says);
    expect(says.say.mock.calls).toEqual([[kept], [kept]]);
    expect(scene.manager.state.records.map(({ port }) => port)).toEqual([24_500, 24_501]);
    expect(changes(scene)).toEqual(["POST /api/proxies/delete"]);
  });

  test("refuses to change what somebody has made by hand", async () => {
    const { scene, id, state } = await made();
    await lose(scene);
    const more = { ...inputs, ports: { ...inputs.ports, a: { port: 24_500, country: "us" } } };
    await failure(proxyPorts.update(id, state, declaredIn(inputs), more as never, own(scene)));
    expect(record(scene)?.country).toBe("de");
  });
});
