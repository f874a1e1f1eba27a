import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { accountOf, locationOf } from "../../src/base/location";
import { begunBefore } from "../../src/lifecycle/creation";
import { CancelledError } from "../../src/lifecycle/deadline";
import { type Journal, type Lifecycle, PartialFailure, type Step, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { type Announcement, Announcer, newStandIn } from "../../src/run/announcements";
import { Operations } from "../../src/run/operations";
import { Unfinished } from "../../src/run/outcome";
import type { Places } from "../../src/run/places";
import { Planning, type Registration } from "../../src/run/planning";
import type { Recorded } from "../../src/run/recorded";
import { Resources } from "../../src/run/resources";
import { Session } from "../../src/run/session";
import { scopeName } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";
import { type Answers, lifecycle } from "../dynamic/adapterSetup";
import { count, failure, stage } from "../lifecycle/harness";
import { around } from "./surroundings";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));

const ADDRESS = "127.0.0.1:45678";
const MANAGER = "http://127.0.0.1:22999";

const things = ({ things: named }: JsonObject): string[] => (Array.isArray(named) ? named.map(String) : []);

/** A kind whose resources have the things that they name, and can do without some of them. */
const SET: Answers = {
  holdings: (_id, values) => ({ has: things(values), standsOn: values.on === undefined ? [] : [String(values.on)] }),
  without: (state, others) => ({ ...state, things: things(state).filter((thing) => !others.has(thing)) }),
};

/** Settings with another manager of that name. */
const OTHER_MANAGER = { BRIGHTDATA_MANAGERS: '{"b":{"url":"http://127.0.0.1:22998"}}' };

/** A kind whose resources have one thing each. */
const { without: _, ...ONE } = SET;

/** What is done in one run to the resources of a kind. */
function inRun(
  answers: Answers = SET,
  environment: Record<string, string> = {},
  said: string[] = [],
  session = new Session(around({ say: (words) => void said.push(words) })),
) {
  const life = lifecycle(answers);
  const settings = readSettings(() => undefined, { BRIGHTDATA_PROXY_MANAGER_URL: MANAGER, ...environment });
  const configured = { settings, home: undefined, prices: {} };
  const resources = new Resources("Test", life, session, () => configured);
  const { claims } = resources.context({});
  const [operations, planning] = [new Operations(resources), new Planning(resources)];
  return { operations, planning, resources, claims, life, said, session };
}

const known = (state: JsonObject, more: Partial<Recorded> = {}): Recorded => ({
  ...{ id: "it", state, home: undefined, location: locationOf(MANAGER), place: "place", mark: "m.it" },
  ...{ isUnmarked: false, declared: new Set(Object.keys(state)), inputs: state, isImport: false },
  ...more,
});

const updatedFrom = ({ update }: Lifecycle): unknown[] => vi.mocked(update).mock.calls.map(([, state]) => state);
const deletedFrom = (life: Lifecycle): unknown[] => vi.mocked(life.delete).mock.calls.map(([, state]) => state);

test("nothing is begun any more once the run is cancelled, but a read", async () => {
  const session = new Session(around({ cancelled: AbortSignal.abort() }));
  const { operations, life } = inRun(SET, {}, [], session);
  const state = { things: ["a"] };
  for (const task of [
    () => operations.create(state, "place"),
    () => operations.update(known(state), { things: ["b"] }, "place"),
    () => operations.delete(known(state)),
  ]) {
    expect((await failure(task())).message).toBe("The update was cancelled, before anything was done.");
  }
  for (const method of [life.create, life.update, life.delete]) expect(method).not.toHaveBeenCalled();
  await operations.read(known(state), undefined);
  expect(life.read).toHaveBeenCalledTimes(1);
});

test("what an update gives up is left to the resource that has it by now, without a word", async () => {
  const { operations, claims, life, said } = inRun();
  claims.made({ mark: "m.other" }, ["b", "c"]);
  await operations.update(known({ things: ["a", "b", "c", "d"] }), { things: ["a", "c"] }, "place");
  // What it keeps and another has made is lost to it, too.
  expect(updatedFrom(life)).toEqual([{ things: ["a", "d"] }]);
  expect(said).toEqual([]);
});

test("what an update gives up is kept for the resource that is to take it over, and that is said", async () => {
  const { operations, claims, life, said } = inRun();
  claims.announced("there", ["b"]);
  claims.comes("there too", { expects: ["c"] });
  await operations.update(known({ things: ["a", "b", "c"] }), { things: ["a"] }, "place");
  expect(updatedFrom(life)).toEqual([{ things: ["a", "c"] }]);
  expect(said).toEqual([expect.stringMatching(/^b is kept: another resource of this program is to take it over\./)]);
});

test("what a creation was about to take over is still to be taken over once it has failed", async () => {
  const { operations, claims, life, said } = inRun();
  claims.comes("there", { adopts: ["a"] });
  vi.mocked(life.create).mockImplementation(async (_, { me = {} }) => {
    claims.tookOver(me, ["a"]);
    throw new Error("It cannot be read.");
  });
  await failure(operations.create({ things: ["a"] }, "there"));
  await operations.delete(known({ things: ["a"] }));
  expect(deletedFrom(life)).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^a is kept: another resource of this program is to take it over\./)]);
});

test("what comes in another form is only recorded, but sent where what it stands on is made anew", async () => {
  const { operations, claims, life } = inRun();
  const state = { things: ["a"], on: "zone" };
  const update = () => operations.update(known(state, { isForeign: true }), state, "place");
  expect((await update()).state).toEqual({ ...state, manager: undefined });
  expect(updatedFrom(life)).toEqual([]);
  claims.note("renewed", ["zone"]);
  await update();
  expect(updatedFrom(life)).toEqual([state]);
});

test("a deletion leaves what stands on things that are all made anew to go with them", async () => {
  const { operations, claims, life } = inRun({ ...SET, holdings: () => ({ has: ["a"], standsOn: ["x", "y"] }) });
  claims.note("renewed", ["x"]);
  await operations.delete(known({}));
  claims.note("renewed", ["y"]);
  await operations.delete(known({}));
  expect(life.delete).toHaveBeenCalledTimes(1);
});

test("a deletion leaves what stands on a thing that is about to be made anew, but for what is replaced for its own sake", async () => {
  const { operations, claims, life, resources } = inRun({ ...SET, holdings: () => ({ has: ["a"], standsOn: ["x"] }) });
  claims.comes("there", { adopts: ["x"] });
  claims.creation("there", "begins");
  await operations.delete(known({}));
  expect(life.delete).not.toHaveBeenCalled();
  resources.places.declare("place", undefined, {});
  await operations.delete(known({}));
  expect(life.delete).toHaveBeenCalledTimes(1);
});

test("a deletion does not take what stands on something for gone because another service's moves away or there", async () => {
  const diff = () => ({ changed: ["manager"], replaces: ["manager"], deleteBeforeReplace: false });
  const { operations, planning, resources, life } = inRun({ ...ONE, diff }, OTHER_MANAGER);
  resources.places.declare("moved", undefined, {});
  for (const [from, to] of [
    [{}, { manager: "b" }],
    [{ manager: "b" }, {}],
  ])
    planning.compare(
      known({ things: ["port 1"], ...from }, { place: "moved" }),
      { things: ["port 1"], ...to },
      "moved",
    );
  const ban = { things: ["ban"], on: "port 1" };
  for (const [index, state] of [ban, { ...ban, manager: "b" }].entries())
    await operations.delete(known(state, { mark: `m.${index}`, place: "dropped" }));
  expect(deletedFrom(life)).toEqual([ban, { ...ban, manager: "b" }]);
});

test("a deletion is noted where it is done, and what could not be deleted stands", async () => {
  const { operations, claims, life } = inRun();
  await operations.delete(known({ things: ["a"] }));
  vi.mocked(life.delete).mockRejectedValueOnce(new Error("no"));
  expect((await failure(operations.delete(known({ things: ["b"] })))).message).toBe("no");
  expect([...claims.deleted, ...claims.standing]).toEqual(["a", "b"]);
  expect(claims.renewed.size).toBe(0);
});

test.each([
  ["who can do without a thing is to look for it while it is deleted for another", SET, true],
  ["who cannot is not replaced for a deletion that may fail", ONE, false],
])("%s", async (_, answers, isNoted) => {
  const { operations, planning, claims, life, resources } = inRun(answers);
  const state = { things: ["a"] };
  const other = known(state, { place: "there", mark: "m.other" });
  resources.places.declare("there", undefined, state);
  const changes = () => planning.compare(other, state, "there").changes;
  vi.mocked(life.delete).mockImplementationOnce(async () => {
    expect(changes()).toBe(isNoted);
    throw new Error("no");
  });
  expect((await failure(operations.delete(known(state)))).message).toBe("no");
  expect([...claims.deleted]).toEqual([]);
  expect(changes()).toBe(false);
});

test("a deletion in whose place something is made anew says so of what was its own", async () => {
  const { operations, claims, life, resources } = inRun();
  claims.made({ mark: "m.other" }, ["b"]);
  resources.places.declare("place", undefined, {});
  claims.comes("place", { expects: ["a"] });
  await operations.delete(known({ things: ["a", "b"] }));
  expect(deletedFrom(life)).toEqual([{ things: ["a"] }]);
  expect([...claims.renewed]).toEqual(["a"]);
  expect(claims.whoHas("a")).toBe("expects");
});

test("a deletion leaves what is to come to its place its claims, until the engine has answered that", async () => {
  const { operations, claims, resources } = inRun();
  claims.comes("place", { adopts: ["b"] });
  await operations.delete(known({ things: ["a"] }));
  expect(claims.whoHas("b")).toBe("adopts");
  resources.places.answer("place");
  await operations.delete(known({ things: ["c"] }));
  expect(claims.whoHas("b")).toBeUndefined();
});

test("a deletion of a resource that stays in the program takes what bears its mark for another's", async () => {
  const { operations, claims, life, said } = inRun();
  claims.stays("m.it", { has: ["a"] });
  await operations.delete(known({ things: ["a"] }));
  expect(life.delete).not.toHaveBeenCalled();
  expect(said).toEqual(["a belongs to another resource of this program now, and is kept: nothing is deleted."]);
});

/** Runs two operations at once, the first of which ends only when it is told to, and returns what happened in which order. */
async function order(second: (scene: ReturnType<typeof inRun>) => Promise<unknown>): Promise<string[]> {
  const events: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const step = async (name: string) => {
    events.push(`${name} begins`);
    if (name === "create") await gate;
    events.push(`${name} ends`);
  };
  const scene = inRun({
    ...SET,
    create: async (inputs) => step("create").then(() => ({ id: "new", state: inputs })),
    read: async (_id, inputs) => step("read").then(() => inputs),
    update: async (_id, _state, _declared, inputs) => step("update").then(() => inputs),
    delete: () => step("delete"),
  });
  const first = scene.operations.create({ things: ["a"] }, "new");
  const other = second(scene);
  await vi.waitFor(() => expect(events).toContain("create begins"));
  await new Promise((resolve) => setImmediate(resolve));
  open();
  await Promise.all([first, other]);
  return events;
}

const IN_TURN = (name: string) => ["create begins", "create ends", `${name} begins`, `${name} ends`];

test("operations on one thing that make it, and delete or change it, wait for each other", async () => {
  // By its turn, the thing is the other resource's.
  expect(await order(({ operations }) => operations.delete(known({ things: ["a"] })))).toEqual([
    "create begins",
    "create ends",
  ]);
  const takes = { things: ["a"] };
  expect(await order(({ operations }) => operations.update(known({ things: ["b"] }), takes, "place"))).toEqual(
    IN_TURN("update"),
  );
  const gives = { things: ["b"] };
  expect(await order(({ operations }) => operations.update(known({ things: ["a"] }), gives, "place"))).toEqual(
    IN_TURN("update"),
  );
});

test("operations on one thing do not keep others waiting, nor those who look", async () => {
  const other = await order(({ operations }) => operations.update(known({ things: ["b"] }), { things: ["b"] }, "p"));
  expect(other.indexOf("update ends")).toBeLessThan(other.indexOf("create ends"));
  const look = await order(({ operations }) => operations.read(known({ things: ["a"] }), undefined));
  expect(look.indexOf("read ends")).toBeLessThan(look.indexOf("create ends"));
});

test("what a resource has that was read is known for it, and what nobody manages is not found by an id", async () => {
  const { operations, claims } = inRun({ ...ONE, suggestions: async () => ["item", "other", "its", "at"] });
  await operations.read(known({ things: ["a"] }), undefined);
  expect(claims.whoHas("a")).toBe("recorded");
  const missing = inRun({ ...ONE, read: async () => undefined, suggestions: async () => ["it2"] });
  const lookUp = known({}, { declared: undefined, inputs: undefined });
  expect(await missing.operations.read(known({}), undefined)).toBeUndefined();
  expect((await failure(missing.operations.read(lookUp, undefined))).message).toBe(
    'There is nothing with the id "it" to look up; the most similar is "it2".',
  );
});

test("what is looked up before this program has made it is told to be the program's own", async () => {
  const { operations, resources } = inRun({ ...ONE, read: async () => undefined, suggestions: async () => ["it2"] });
  const lookUp = known({}, { declared: undefined, inputs: undefined });
  resources.context({}).scope.declarations.name("Test", { name: "it" });
  expect((await failure(operations.read(lookUp, undefined))).message).toBe(
    'There is nothing with the id "it" to look up yet: this program declares it. Use that resource instead of `get`.',
  );
});

test("what a resource has that was deleted is known for it no more", async () => {
  const { operations, claims } = inRun(ONE);
  await operations.read(known({ things: ["a"] }), undefined);
  await operations.delete(known({ things: ["a"] }));
  expect(claims.whoHas("a")).toBeUndefined();
});

test("what is to be made at a place is made anew there as long as it is under way, and no longer", async () => {
  let during: boolean | undefined;
  const { operations, planning, claims } = inRun({
    ...ONE,
    create: async (inputs) => {
      during = claims.isRenewed("a");
      return { id: "new", state: inputs };
    },
  });
  const registration = { place: "new", former: undefined, name: "new", run: undefined };
  await planning.check(undefined, { things: ["a"] }, registration as never);
  expect(claims.isRenewed("a")).toBe(true);
  await operations.create({ things: ["a"] }, "new");
  expect([during, claims.isRenewed("a")]).toEqual([true, false]);
});

describe("what was begun at the place of a resource that is updated", () => {
  const inputs = { things: ["a"] };
  const THING = "thing of before";

  /** Runs in which it is updated, one after the other, after one that was cut short. */
  async function runs(place: string) {
    const begun = inRun().resources.journal({ kind: "create" }, place, inputs, undefined);
    await begun?.begin({}, "It was made.", THING);
    return async (mayBeAnothers: boolean) => {
      const { planning, operations, resources, said } = inRun();
      if (mayBeAnothers) resources.scope({})?.declarations.declareOnce("Test", [THING], { place: "other", name: "x" });
      await planning.check(inputs, inputs, { place, former: undefined, name: place, run: undefined } as never);
      planning.compare(known(inputs, { place }), inputs, place);
      await operations.update(known(inputs, { place }), inputs, place);
      return said;
    };
  }

  test("is told of once, and closed", async () => {
    const update = await runs("told");
    expect([await update(false), await update(false)]).toEqual([["It was made."], []]);
  });

  test("stays open where another resource declares it, and nobody can tell yet whether that has it", async () => {
    const update = await runs("untold");
    expect([await update(true), await update(false)]).toEqual([[], ["It was made."]]);
  });
});

test("a creation that was cut short is told of where it is checked again, and nothing else is", async () => {
  const inputs = { things: ["a"] };
  const registration = { place: "begun", former: undefined, name: "begun", run: { file: "of.this.run" } };
  const begun = inRun().resources.journal({ kind: "create" }, "begun", inputs, undefined);
  await begun?.begin({}, "It was made.", "a");
  const words = "Test begun: an update that was cut short may have created it, which is looked for first.";
  const saidTo = async (run: Registration["run"]) => {
    const { planning, said } = inRun();
    await planning.check(undefined, inputs, { ...registration, run });
    return said;
  };
  // Programs in other languages say nothing of their run, and nobody hears there that the engine has what it was told of.
  expect([await saidTo(registration.run), await saidTo(undefined)]).toEqual([[words], [words]]);
  begun?.tell();
  expect([await saidTo(registration.run), await saidTo(undefined)]).toEqual([[words], []]);
  const fresh = inRun();
  await fresh.planning.check(undefined, inputs, { ...registration, place: "fresh" });
  await fresh.planning.check(undefined, { ...inputs, manager: UNKNOWN }, registration);
  expect(fresh.said).toEqual([]);
});

test("of what was begun at its place, a resource that has it tells nobody, whether it is updated or deleted", async () => {
  const begun = async (thing: string) => {
    const journal = inRun().resources.journal({ kind: "create" }, "place", {}, undefined);
    await journal?.begin({}, `${thing} may be in no state.`, thing);
  };
  for (const [thing, words] of [
    ["a", []],
    ["b", ["b may be in no state."]],
  ] as const) {
    const inputs = { things: ["a"] };
    await begun(thing);
    const updating = inRun();
    await updating.operations.update(known(inputs), inputs, "place");
    await begun(thing);
    const deleting = inRun();
    await deleting.operations.delete(known(inputs));
    expect([updating.said, deleting.said]).toEqual([words, words]);
  }
});

describe("a preview of what an update that was cut short has begun", () => {
  const inputs = { things: ["a"] };
  const LOOKED_FOR = "Test place: an update that was cut short may have created it, which is looked for first.";

  /** @param isSame whether that is what is asked for, as far as the kind can tell */
  async function previewed(kind: "create" | "replace", isSame?: (facts: JsonObject, inputs: JsonObject) => boolean) {
    const begun = { kind, of: "m.it" } as const;
    const journal = inRun().resources.journal(begun, "place", inputs, undefined, known(inputs));
    await journal?.begin({ asked: "before" }, "Something was begun.");
    return async (given: JsonObject = inputs) => {
      const { planning, resources, said } = inRun(isSame === undefined ? SET : { ...SET, isSame });
      if (kind === "replace") resources.places.note("place", { replaced: known(inputs) });
      const registration = { place: "place", former: undefined, name: "place", run: undefined };
      await planning.check(undefined, given, registration as Registration);
      return said;
    };
  }

  test.each(["create", "replace"] as const)("tells that it is looked for (%s)", async (kind) => {
    const preview = await previewed(kind);
    expect(await preview()).toEqual([LOOKED_FOR]);
  });

  test.each(["create", "replace"] as const)("names it where something else is asked for (%s)", async (kind) => {
    const isSame = vi.fn(() => false);
    const preview = await previewed(kind, isSame);
    expect(await preview()).toEqual(["Something was begun."]);
    expect(isSame).toHaveBeenCalledWith({ asked: "before" }, inputs);
    expect(await preview({ things: UNKNOWN })).toEqual([LOOKED_FOR]);
  });

  test("tells that it is looked for where it is asked for", async () => {
    const preview = await previewed("create", () => true);
    expect(await preview()).toEqual([LOOKED_FOR]);
  });

  test("is not repeated by the update", async () => {
    const preview = await previewed("create", () => false);
    const create: Answers["create"] = async (given, step) => {
      begunBefore(step, () => false);
      step.say?.("Made.");
      return { id: "it", state: given };
    };
    const { planning, operations, said } = inRun({ ...SET, isSame: () => false, create });
    await planning.check(undefined, inputs, { place: "place", name: "place" } as Registration);
    await operations.create(inputs, "place");
    expect(said).toEqual(["Something was begun.", "Made."]);
    expect(await preview()).toEqual([]);
  });
});

describe("what was begun at the place of a resource that takes over what is there", () => {
  const inputs = { things: ["a"] };
  const ADVICE = "It may have been made.";

  /** @param same whether it is the same as what is asked for, by each of its names */
  async function takenOver(same: boolean[], makes = false) {
    const begun = inRun().resources.journal({ kind: "create" }, "place", inputs, undefined);
    await begun?.begin({}, ADVICE, "thing of before");
    const create: Answers["create"] = async (given, step) => {
      for (const isSame of same) begunBefore(step, () => isSame);
      if (makes) await step.journal?.begin({}, "It was made.", "a");
      return { id: "it", state: given };
    };
    const { operations, said } = inRun({ ...SET, create });
    const { mark } = await operations.create(inputs, "place");
    return { said, isNoted: inRun().session.intents.get(mark) !== undefined };
  }

  test("is told of and closed where it was something else", async () => {
    expect(await takenOver([false])).toEqual({ said: [ADVICE], isNoted: false });
  });

  test("stays noted until a state tells of it where it was the same, also by another of its names", async () => {
    expect(await takenOver([true])).toEqual({ said: [], isNoted: true });
    expect(await takenOver([false, true])).toEqual({ said: [ADVICE], isNoted: true });
  });

  test("stays noted beside what is made in its stead", async () => {
    expect(await takenOver([false], true)).toEqual({ said: [ADVICE], isNoted: true });
  });
});

const REMOTE: Answers = { ...ONE, service: "remote" };

async function scenery(answers: Answers = REMOTE, more: Record<string, string> = {}) {
  const scene = await stage();
  const run = inRun(answers, { BRIGHTDATA_RETRIES: "0", BRIGHTDATA_LOG: "off", ...scene.environment(), ...more });
  return { scene, ...run, ours: accountOf(scene.customer), asked: () => count(scene, "GET /status") };
}

test("the account of what is created stands in the state, also where it was not to be learnt before", async () => {
  const { operations, scene, ours } = await scenery();
  expect((await operations.create({}, "new")).location).toBe(ours);
  const late = await scenery();
  late.scene.remote.service.faults.add({ path: "/status", kind: "respond", status: 500 });
  expect((await late.operations.create({}, "new")).location).toBe(late.ours);
  const { names = new Set() } = late.resources.scope({}) ?? {};
  expect(names).toContain(scopeName(late.scene.remote.url, late.ours));
  expect(count(scene, "GET /status")).toBe(1);
});

test("what a resource has in whose place one is created is told with the same service alone", async () => {
  const shop = JSON.stringify({ shop: { apiToken: "another-token" } });
  const { operations, life, resources, scene, ours } = await scenery(REMOTE, { BRIGHTDATA_ACCOUNTS: shop });
  const replaced = async (state: JsonObject, location: string | undefined) => {
    resources.places.note("place", { replaced: known(state, { location }) });
    await operations.create({}, "place");
    return vi.mocked(life.create).mock.lastCall?.[1].replaced;
  };
  const [state, ofShop] = [{ zone: "web" }, { zone: "web", account: "shop" }];
  expect(await replaced(state, ours)).toBe(state);
  expect(await replaced(ofShop, ours)).toBe(ofShop);
  expect(await replaced(ofShop, accountOf("hl_other"))).toBeUndefined();
  // Of what nobody knows the account, its name tells.
  expect(await replaced(state, undefined)).toBe(state);
  expect(await replaced(ofShop, undefined)).toBeUndefined();
  expect(count(scene, "GET /status")).toBe(1);
});

test("what a resource of another manager has is not told where one is created in its place", async () => {
  const { operations, life, resources } = inRun(ONE, OTHER_MANAGER);
  for (const [state, home, isTold] of [
    [{ manager: "b" }, undefined, false],
    [{}, "another provider", false],
    [{}, undefined, true],
  ] as const) {
    resources.places.note("place", { replaced: known(state, { home, location: undefined }) });
    await operations.create({}, "place");
    expect(vi.mocked(life.create).mock.lastCall?.[1].replaced).toBe(isTold ? state : undefined);
  }
});

test("the account of another's token is refused before anything is done", async () => {
  const { operations, life } = await scenery();
  const theirs = known({}, { location: accountOf("hl_other") });
  for (const done of [
    operations.update(theirs, {}, "place"),
    operations.delete(theirs),
    operations.read(theirs, undefined),
  ])
    expect((await failure(done)).message).toContain("Test it");
  for (const call of [life.update, life.delete, life.read]) expect(call).not.toHaveBeenCalled();
});

test.each([true, false])(
  "what is made in the place of what has come from an import file is told so: %s",
  async (isImport) => {
    const { operations, life, resources } = inRun(ONE);
    resources.places.note("place", { replaced: known({}, { isImport }) });
    await operations.create({}, "place");
    expect(vi.mocked(life.create).mock.lastCall?.[1].isImported).toBe(isImport);
  },
);

test("nothing is made in the place of what is with another account, unless another is asked for", async () => {
  const shop = JSON.stringify({ shop: { apiToken: "another-token" } });
  const { operations, life, resources, scene, ours } = await scenery(REMOTE, { BRIGHTDATA_ACCOUNTS: shop });
  const [theirs, create] = [accountOf("hl_other"), () => operations.create({}, "place")];
  resources.places.note("place", { replaced: known({}, { location: theirs }) });
  expect((await failure(create())).message).toContain(
    "Test it is recorded with another account than that of the token",
  );
  expect(life.create).not.toHaveBeenCalled();
  resources.places.note("place", { replaced: known({}, { location: theirs, home: "another provider" }) });
  expect((await create()).location).toBe(ours);
  resources.places.note("place", { replaced: known({ account: "shop" }, { location: theirs }) });
  expect((await create()).location).toBe(ours);
  expect(count(scene, "GET /status")).toBe(1);
});

test("the account that the state knows it goes on knowing where the token may not ask", async () => {
  const { operations, scene, ours } = await scenery();
  const times = Number.POSITIVE_INFINITY;
  scene.remote.service.faults.add({ path: "/status", kind: "respond", status: 403, times });
  expect((await operations.update(known({}, { location: ours }), {}, "place")).location).toBe(ours);
});

test("the account is not asked for where the state does not know it, or nothing can be read", async () => {
  const { operations, asked } = await scenery();
  await operations.delete(known({}, { location: undefined }));
  await operations.read(known({}, { location: undefined }), undefined);
  expect(asked()).toBe(0);
  const acting = await scenery();
  delete acting.life.read;
  await acting.operations.delete(known({}, { location: accountOf("hl_other") }));
  expect(acting.asked()).toBe(0);
});

test("those who share what a resource has are waited for until the engine has told of them, or has had its time", async () => {
  const others: Promise<void>[] = [];
  const { operations, resources } = inRun({
    ...ONE,
    update: async (_id, _state, _declared, inputs, step: Step) => {
      others.push(step.others?.() ?? Promise.reject(new Error("there is no way to wait")));
      await others.at(-1);
      return inputs;
    },
  });
  const untold = vi.spyOn(resources.places, "untold");
  const [own, meant, maybe, none] = [
    { place: "place", name: "place", inputs: { zone: "web" } },
    { place: "other", name: "other", inputs: { zone: "web" } },
    { place: "other", name: "other", inputs: {} },
    { place: "other", name: "other", inputs: { zone: "x" } },
  ];
  untold.mockReturnValueOnce([own, meant]).mockReturnValueOnce([own, maybe]).mockReturnValueOnce([own, none]);
  await operations.update(known({ zone: "web" }), { zone: "web" }, "place");
  expect(untold).toHaveBeenCalledTimes(3);
  expect(untold.mock.calls[0]?.[0]).toBe(resources.scope({}));
  untold.mockReturnValue([meant]);
  await operations.update(known({ zone: "web" }), { zone: "web" }, "place");
  expect(untold).toHaveBeenCalledTimes(9);
});

/**
 * Has what the state has at a place replaced by force, in a program that announces another one, whose state has the same. The engine
 * tells of that at one of the looks for it.
 */
async function replacedByForce(state: JsonObject, other: Partial<Announcement>, toldAt: number, answers = ONE) {
  return replaced(state, other, toldAt, { answers, seenBy: (places) => places.declare("place", undefined, {}) });
}

/** The same, by what this process has been told of it. */
async function replaced(
  state: JsonObject,
  other: Partial<Announcement>,
  toldAt: number,
  { answers = ONE, seenBy }: { answers?: Answers; seenBy: (places: Places, known: Recorded) => void },
) {
  const session = new Session(around({ engine: ADDRESS }));
  const { operations, claims, life, resources } = inRun(answers, {}, [], session);
  const announcer = new Announcer(ADDRESS, randomUUID());
  announcer.add({ kind: "Test", place: "there", name: "other", inputs: {}, ...other });
  announcer.add({ kind: "Test", place: "place", name: "it", inputs: {} });
  announcer.write();
  session.belongTo(announcer.notice, "Test place");
  seenBy(resources.places, known(state));
  let looks = -BEFORE;
  vi.spyOn(session, "hear").mockImplementation((...given) => {
    Session.prototype.hear.call(session, ...given);
    if (++looks !== toldAt) return;
    claims.stays("m.other", { has: ["a"] });
    resources.places.declare("there", undefined, {});
  });
  await operations.delete(known(state));
  return { looks, isDeleted: vi.mocked(life.delete).mock.calls.length > 0 };
}

/** How often an operation hears what is announced before it waits for others. */
const BEFORE = 2;

test.each<[string, JsonObject, Partial<Announcement>, boolean]>([
  ["names nothing", {}, {}, true],
  ["names nothing, as what is replaced stands on a zone", { zone: "web" }, {}, true],
  ["is of the same zone", { zone: "web" }, { inputs: { zone: "web" } }, true],
  ["names nothing that is known yet", { zone: "web" }, { unknown: ["zone"] }, true],
  ["names the same", {}, { inputs: { things: ["b", "a"] } }, true],
  ["names something else", {}, { inputs: { things: ["b"] } }, false],
  ["is of another zone", { zone: "web" }, { inputs: { zone: "api" } }, false],
  ["is of another kind", {}, { kind: "Other" }, false],
])(
  "what is replaced by force waits for one that may have the same: one that %s",
  async (_, state, other, isAwaited) => {
    const { looks, isDeleted } = await replacedByForce({ things: ["a"], ...state }, other, 2);
    expect([looks, isDeleted]).toEqual([isAwaited ? 2 : 1, !isAwaited]);
  },
);

test("what is replaced by force waits for a set, whose state may have more than the program names", async () => {
  const { looks } = await replacedByForce({ things: ["a"] }, { inputs: { things: ["b"] } }, 2, SET);
  expect(looks).toBe(2);
});

test("what is replaced by force is deleted in the end, as others may wait for it, or be no targets", async () => {
  expect(await replacedByForce({ things: ["a"] }, {}, 99)).toEqual({ looks: 6, isDeleted: true });
});

const BY_COMPARISON = (places: Places, known: Recorded) => {
  places.declare("place", undefined, {});
  places.note("place", { replaced: known });
};

test.each<[string, (places: Places, known: Recorded) => void]>([
  ["replaced by its comparison", BY_COMPARISON],
  ["replaced by another process", () => undefined],
])("what is %s waits for one that names the same, and for nobody else", async (_, seenBy) => {
  const inputs = { things: ["a"] };
  expect(await replaced(inputs, { inputs }, 2, { seenBy })).toEqual({ looks: 2, isDeleted: false });
  for (const others of [{}, { inputs: { things: ["b"] } }])
    expect(await replaced(inputs, others, 99, { seenBy })).toEqual({ looks: 1, isDeleted: true });
});

test("what has gone from the program waits for nobody", async () => {
  const { operations, life, resources } = inRun(ONE);
  const untold = vi.spyOn(resources.places, "untold");
  await operations.delete(known({ things: ["c"] }, { place: "gone", mark: "m.gone" }));
  expect(untold).not.toHaveBeenCalled();
  expect(life.delete).toHaveBeenCalledOnce();
});

test("what could be made in part is to get the rest, and what could be deleted in part is not", async () => {
  const half = new PartialFailure("it", { things: ["a"] }, new Error("not all"));
  const fails = async () => Promise.reject(half);
  const failing = { ...ONE, create: fails, update: fails, delete: fails };
  const all = { things: ["a", "b"] };
  for (const [operation, strength] of [
    ["create", "expects"],
    ["update", "expects"],
    ["delete", undefined],
  ] as const) {
    const { operations, claims } = inRun(failing);
    const tasks = {
      create: () => operations.create(all, "place"),
      update: () => operations.update(known({ things: ["a"] }), all, "place"),
      delete: () => operations.delete(known(all)),
    };
    await failure(tasks[operation]());
    expect([operation, claims.whoHas("b", { mark: "m.it" })]).toEqual([operation, strength]);
  }
});

test("what was made in part stays told where an update of it, as an error hook may ask for, fails before anything is done", async () => {
  const half = new PartialFailure("it", { things: ["a"] }, new Error("not all"));
  const fails = (error: Error) => async () => Promise.reject(error);
  const { operations } = inRun({ ...ONE, create: fails(half), update: fails(new Error("no answer")) });
  const all = { things: ["a", "b"] };
  const made = await failure(operations.create(all, "place"));
  if (!(made instanceof Unfinished)) throw made;
  const recorded = known({ things: ["a"] }, { mark: made.outcome.mark });
  for (let time = 0; time < 2; time++) {
    const again = await failure(operations.update(recorded, all, "place"));
    expect(again).toMatchObject({ message: "no answer", outcome: { ...made.outcome, location: recorded.location } });
  }
  expect(await failure(operations.update(known({ things: ["a"] }), all, "place"))).not.toBeInstanceOf(Unfinished);
});

test("what was made in part stays told where an update of it is cancelled before it has its turn", async () => {
  const half = new PartialFailure("it", { things: ["a"] }, new Error("not all"));
  const { operations, resources } = inRun({ ...ONE, create: async () => Promise.reject(half) });
  const made = await failure(operations.create({ things: ["a"] }, "place"));
  if (!(made instanceof Unfinished)) throw made;
  const cancelled = new CancelledError("The update was cancelled, waiting for another process of it.");
  resources.context({}).scope.takeTurns(() => Promise.reject(cancelled));
  const recorded = known({ things: ["a"] }, { mark: made.outcome.mark });
  const again = await failure(operations.update(recorded, { things: ["a"] }, "place"));
  expect(again).toMatchObject({ message: cancelled.message, outcome: { mark: recorded.mark } });
});

test("what was made in part and then in part again is told as it is then", async () => {
  const partly = (...things: string[]) => new PartialFailure("it", { things }, new Error("not all"));
  const fails = (error: Error) => async () => Promise.reject(error);
  const { operations } = inRun({ ...ONE, create: fails(partly("a")), update: fails(partly("a", "b")) });
  const all = { things: ["a", "b", "c"] };
  const made = await failure(operations.create(all, "place"));
  if (!(made instanceof Unfinished)) throw made;
  const recorded = known({ things: ["a"] }, { mark: made.outcome.mark });
  const again = await failure(operations.update(recorded, all, "place"));
  expect(again).toMatchObject({ outcome: { state: { things: ["a", "b"] } } });
});

test.each(["create", "read", "update", "delete"] as const)(
  "the engine may allow %s some seconds, unless the program does",
  async (operation) => {
    const late = (step: Step) =>
      new Promise<never>((_, reject) => {
        step.deadline.signal.addEventListener("abort", () => reject(step.deadline.signal.reason));
      });
    const { operations } = inRun({
      create: (_inputs, step) => late(step),
      read: (_id, _inputs, step) => late(step),
      update: (_id, _state, _declared, _inputs, step) => late(step),
      delete: (_id, _state, step) => late(step),
    });
    const carry = (props: JsonObject, seconds: number) =>
      ({
        create: () => operations.create(props, "place", seconds),
        read: () => operations.read(known(props), undefined, seconds),
        update: () => operations.update(known({}), props, "place", seconds),
        delete: () => operations.delete(known(props), seconds),
      })[operation]();
    expect((await failure(carry({}, 0.01))).message).toContain("Gave up after 0.01 s");
    expect((await failure(carry({ timeouts: { [operation]: 0.02 } }, 60))).message).toContain("Gave up after 0.02 s");
  },
);

/** What is rewritten by what replaces it, as its program has announced that, and the engine has answered the program or not. */
async function deletedUntold(
  announced: Partial<Announcement>,
  isAnswered = false,
  isRewritten = true,
  hasFailed = false,
) {
  const keep = vi.fn(async (_id: string, _state: JsonObject, _step: Step, journal: Journal) =>
    journal.begin({ kept: true }),
  );
  const { operations, life, resources, said } = inRun({ ...ONE, ...(isRewritten && { keep }) });
  const announcement = { kind: "Test", place: "place", name: "it", inputs: { things: ["a"] }, ...announced };
  resources.places.announce(announcement);
  if (isAnswered) resources.places.answer(announcement.place);
  if (hasFailed) resources.session.contexts.ofRun.fails();
  const state = { things: ["a"], zone: "web" };
  await operations.delete(known(state)).catch(() => undefined);
  return {
    operations,
    life,
    resources,
    said,
    state,
    isKept: keep.mock.calls.length > vi.mocked(life.delete).mock.calls.length,
  };
}

/** Of what is in a component, the place is not known before that is registered. */
const IN_COMPONENT = { place: newStandIn() };

test.each<[string, Partial<Announcement>]>([
  ["", {}],
  [" in a component, whose place is not known yet", IN_COMPONENT],
])(
  "what is rewritten is kept where the engine deletes it before it tells of what replaces it%s, which goes on with it",
  async (_, announced) => {
    const { operations, life, isKept, said, state } = await deletedUntold(announced);
    expect([isKept, said]).toEqual([true, [expect.stringMatching(/^a is kept: another resource of this program/)]]);
    let unfinished: unknown;
    vi.mocked(life.create).mockImplementation(async (inputs, { journal, replaced }) => {
      unfinished = [journal?.unfinished?.facts, replaced];
      return { id: "it", state: inputs };
    });
    await operations.create({ things: ["b"] }, "place");
    expect(unfinished).toEqual([{ kept: true }, state]);
  },
);

test.each<[string, Parameters<typeof deletedUntold>, boolean]>([
  ["what it names is not known yet", [{ inputs: {}, unknown: ["things"] }], true],
  ["it names something else", [{ inputs: { things: ["b"] } }], false],
  // The state tells of the place before, where an alias has renamed it.
  ["it stands at another place", [{ place: "there" }], true],
  ["it has another name in this update", [{ place: "there", former: ["place"] }], true],
  ["another has more, at another place", [{ place: "there", inputs: { things: ["a", "b"] } }], false],
  ["what another names is not known yet", [{ place: "there", inputs: {}, unknown: ["things"] }], false],
  ["another may have the same, and something has failed", [{ place: "there" }, false, true, true], false],
  ["neither its place nor what it names is known yet", [{ ...IN_COMPONENT, inputs: {}, unknown: ["things"] }], true],
  ["its place is not known yet, and it names something else", [{ ...IN_COMPONENT, inputs: { things: ["b"] } }], false],
  ["its place is not known yet, and something has failed", [IN_COMPONENT, false, true, true], false],
  ["the engine has answered it to the program, as when it destroys", [{}, true], false],
  ["others get in by nothing meanwhile", [{}, false, false], false],
])("what is rewritten is kept for what the program has there: %s", async (_, given, isKept) => {
  expect((await deletedUntold(...given)).isKept).toBe(isKept);
});

/** The engine has told of what is to be created in its place, and has it made, or has not yet. */
async function checked(
  { planning, operations }: ReturnType<typeof inRun>,
  inputs: JsonObject,
  stage?: "made",
  place = "place",
) {
  const registration = { place, former: undefined, name: "it", run: undefined };
  await planning.check(undefined, inputs, registration as never);
  if (stage === "made") await operations.create(inputs, place);
}

test.each<[string, (run: ReturnType<typeof inRun>) => unknown, number]>([
  // Whether it is replaced by itself depends on what is replaced.
  ["is kept where it is compared with what is not known yet", () => undefined, 1],
  ["goes with what it stands on", ({ claims }) => claims.note("renewed", ["base"]), 0],
  [
    "is deleted where the engine has told of what replaces it",
    ({ resources }) => resources.places.declare("place", undefined, {}),
    0,
  ],
  ["is kept where the engine has told what is to come first", (run) => checked(run, { things: ["a", "b"] }), 1],
  ["is deleted where that names something else", (run) => checked(run, { things: ["b"] }), 0],
  ["is deleted where that has come", (run) => checked(run, { things: ["a"] }, "made"), 0],
])("what is rewritten %s", async (_, told, calls) => {
  const keep = vi.fn(async () => undefined);
  const run = inRun({ ...ONE, keep });
  const { operations, resources } = run;
  resources.places.announce({ kind: "Test", place: "place", name: "it", inputs: { things: ["a"] } });
  resources.places.note("place", { replaced: known({ things: ["a"] }) });
  await told(run);
  await operations.delete(known({ things: ["a"], on: "base" }));
  expect(keep).toHaveBeenCalledTimes(calls);
});

test.each<[string, (run: ReturnType<typeof inRun>) => unknown, number]>([
  ["is deleted where nothing is to be created, as what the program has dropped", () => undefined, 0],
  ["is kept while something is to be created, as the program runs", (run) => checked(run, {}, undefined, "port"), 1],
  ["is deleted where that was created, as the program may have ended", (run) => checked(run, {}, "made", "port"), 0],
  [
    "is deleted where that was skipped, as what it depends on has failed",
    async (run) => {
      await checked(run, {}, undefined, "port");
      run.planning.skip("port", "port", {});
    },
    0,
  ],
  [
    "is deleted where the engine has told of its own place",
    async (run) => {
      run.resources.places.declare("place", undefined, {});
      await checked(run, {}, undefined, "port");
    },
    0,
  ],
  [
    "is deleted where the program announces what it has, and has it no more",
    async (run) => {
      new Announcer(ADDRESS, "run").write();
      run.session.findRun();
      await checked(run, {}, undefined, "port");
    },
    0,
  ],
])("what is rewritten, by a program that may announce nothing, %s", async (_, told, calls) => {
  const keep = vi.fn(async () => undefined);
  const session = new Session(around({ engine: ADDRESS }));
  const run = inRun({ ...ONE, keep }, {}, [], session);
  await told(run);
  await run.operations.delete(known({ things: ["a"] }));
  expect(keep).toHaveBeenCalledTimes(calls);
  expect(run.life.delete).toHaveBeenCalledTimes(1 - calls);
});

test("what is rewritten is kept while something is to be created with another provider", async () => {
  const keep = vi.fn(async () => undefined);
  const inProcess = () => inRun({ ...ONE, keep }, {}, [], new Session(around({ engine: ADDRESS })));
  const [own, other] = [inProcess(), inProcess()];
  for (const { session, resources } of [own, other]) {
    session.findRun();
    resources.hear();
  }
  await checked(other, {}, undefined, "port");
  await own.operations.delete(known({ things: ["a"] }));
  expect(keep).toHaveBeenCalledTimes(1);
});

test.each<[string, (run: ReturnType<typeof inRun>) => unknown, JsonObject | undefined]>([
  ["was deleted before it", ({ operations }) => operations.delete(known({ version: 1 })), { version: 1 }],
  [
    "goes with something else",
    ({ resources }) => resources.places.declare("place", undefined, { version: 1 }),
    { version: 1 },
  ],
  [
    "goes with something else, and was with another manager",
    ({ resources }) => resources.places.declare("place", undefined, { version: 1, manager: "b" }),
    undefined,
  ],
  ["never was", () => undefined, undefined],
])(
  "what is created is told what it replaces, which the engine has not compared: what %s",
  async (_, told, replaced) => {
    const run = inRun(ONE, OTHER_MANAGER);
    await told(run);
    await checked(run, {}, "made");
    expect(vi.mocked(run.life.create).mock.lastCall?.[1].replaced).toEqual(replaced);
  },
);
