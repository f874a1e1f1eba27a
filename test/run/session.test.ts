import { appendFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { digest } from "../../src/base/location";
import { Deadline } from "../../src/lifecycle/deadline";
import { Scope } from "../../src/lifecycle/scope";
import { type Announcement, Announcer, newStandIn } from "../../src/run/announcements";
import type { Recorded } from "../../src/run/recorded";
import { machineFile, tidy, turnsFile } from "../../src/run/runFiles";
import { Session } from "../../src/run/session";
import { startOf } from "../../src/run/writer";
import { scopeName } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";
import { type Answers, lifecycle } from "../dynamic/adapterSetup";
import { around } from "./surroundings";

const ADDRESS = "127.0.0.1:45678";
const RUN = { file: "a-run" };

const settings = readSettings(() => undefined, {
  BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:22999",
  BRIGHTDATA_MANAGERS: JSON.stringify({ other: { url: "http://127.0.0.1:23000" } }),
});

const holdings: NonNullable<Answers["holdings"]> = (_id, { name, adopt }) => {
  const has = typeof name === "string" ? [`thing ${name}`] : [];
  return { has, takesOver: adopt === true ? has : [] };
};

/** A process of a run, in which the program announces. */
function inRun(answers: Answers = {}, process: { isPlugin?: true } = {}) {
  const life = lifecycle({ holdings, ...answers });
  const said: string[] = [];
  const session = new Session(
    around({
      ...process,
      lifecycleOf: (kind) => (kind === "Test" ? life : undefined),
      engine: ADDRESS,
      say: (words) => void said.push(words),
    }),
  );
  const announcer = new Announcer(ADDRESS, RUN.file);
  const announce = (place: string, inputs: JsonObject, more: Partial<Announcement> = {}) => {
    announcer.add({ kind: "Test", place, name: place, inputs, ...more });
    announcer.write();
    session.belongTo(RUN, "Test other");
    session.hear({ settings, home: undefined });
  };
  const scopeOf = (manager?: string) => session.contexts.of(settings, { manager }, "manager").scope;
  const whoHas = (thing: string, manager?: string) => scopeOf(manager).claims.whoHas(thing);
  const declaredBy = (place: string, name: string) =>
    scopeOf().declarations.declareOnce("Test", [`thing ${name}`], { place, name: place });
  const untoldOf = (kind: string, scope?: Scope) =>
    session
      .places(kind)
      .untold(scope)
      .map(({ place }) => place);
  return { session, said, announce, scopeOf, whoHas, declaredBy, untoldOf };
}

const TAKING = { name: "web", adopt: true };

test("what several may have is had by what the engine has answered, unless it has told of that itself", () => {
  const { session, announce, whoHas } = inRun({ isShared: true });
  for (const place of ["told", "untold"]) announce(place, { name: place });
  session.contexts.of(settings, {}, "manager").scope.claims.comes("told", {});
  expect(["told", "untold"].map((name) => whoHas(`thing ${name}`))).toEqual([undefined, undefined]);
  for (const place of ["told", "untold"]) announce(place, {}, { isAnswered: true });
  expect(["told", "untold"].map((name) => whoHas(`thing ${name}`))).toEqual([undefined, "has"]);
});

test("what several may have is had as the engine has answered, whatever the program declares by now", () => {
  const { announce, whoHas } = inRun({ isShared: true });
  announce("place", { name: "declared" });
  announce("place", { name: "recorded" }, { isAnswered: true });
  expect(["declared", "recorded"].map((name) => whoHas(`thing ${name}`))).toEqual([undefined, "has"]);
});

test("what several may have is had by what the engine has answered with, also where nobody is told what that is", () => {
  const holdings = (_id: unknown, { secret }: JsonObject) => ({ has: secret === undefined ? [] : ["thing secret"] });
  const { announce, whoHas } = inRun({ isShared: true, holdings });
  announce("place", {});
  announce("place", {}, { isAnswered: true, unknown: ["secret"] });
  expect(whoHas("thing secret")).toBe("has");
});

test("what a program announces is claimed by the place that is to take it over, of its own connection", () => {
  const { announce, whoHas } = inRun();
  announce("place", TAKING);
  announce("there", { ...TAKING, manager: "other", name: "api" });
  announce("plain", { name: "plain" });
  expect(["web", "api", "plain"].map((name) => whoHas(`thing ${name}`))).toEqual(["adopts", undefined, undefined]);
  expect(["web", "api"].map((name) => whoHas(`thing ${name}`, "other"))).toEqual([undefined, "adopts"]);
});

test("what another process of the run has claimed in its turn is heard by the one that has the next", async () => {
  const [one, two] = [inRun(), inRun()];
  for (const { announce, whoHas } of [one, two]) {
    announce("place", { name: "plain" });
    whoHas("thing web");
  }
  const scopeOf = ({ session }: typeof one) => session.contexts.of(settings, {}, "manager").scope;
  await scopeOf(one).alone(["x"], async () => scopeOf(one).claims.made({ mark: "m.one" }, ["thing web"]));
  expect(await scopeOf(two).alone(["x"], async () => two.whoHas("thing web"))).toBe("has");
});

test("what only one update on the machine may be at waits for another one, in words, and nothing else does", async () => {
  const { said, scopeOf } = inRun();
  const scope = scopeOf();
  const name = digest(`${[...scope.names][0]} IPs of zone web`);
  const say = (line: object) => appendFileSync(turnsFile(machineFile(name)), `${JSON.stringify(line)}\n`);
  tidy();
  const [pid, start] = [process.ppid, startOf(process.ppid)];
  say({ wish: "theirs", keys: [name], by: { host: hostname(), pid, start, run: "another" } });
  const task = vi.fn(async () => undefined);
  const deadline = new Deadline(60, undefined);
  const waiting = scope.alone(["IPs of zone web"], task, deadline);
  await scopeOf("other").alone(["IPs of zone web"], async () => undefined, deadline);
  await vi.waitFor(() => expect(said).toHaveLength(1));
  expect(said).toEqual([
    "Waiting for another update on this machine that works on the same zone, dataset or Proxy Manager.",
  ]);
  expect(task).not.toHaveBeenCalled();
  say({ over: "theirs" });
  await waiting;
  expect(task).toHaveBeenCalledOnce();
  deadline.release();
});

test("what a program announces with a connection that is not known, or configured, is claimed by nobody yet", () => {
  const { announce, whoHas } = inRun();
  announce("unknown", TAKING, { unknown: ["manager"] });
  announce("missing", { ...TAKING, manager: "missing" });
  expect([whoHas("thing web"), whoHas("thing web", "other")]).toEqual([undefined, undefined]);
  const failing = inRun({
    holdings: () => {
      throw new TypeError("no");
    },
  });
  expect(() => failing.announce("place", TAKING)).toThrow(TypeError);
});

test("what a program announces for another provider is not this one's, nor is another kind's", () => {
  const { announce, whoHas, session } = inRun();
  announce("place", TAKING, { home: "b" });
  announce("place", TAKING, { kind: "Unknown" });
  expect(whoHas("thing web")).toBeUndefined();
  expect(session.places("Test").isToStandAt("place")).toBe(false);
  expect(session.places("Unknown").isToStandAt("place")).toBe(true);
});

test("what a program announces for one of two providers of a name is the one's that leads there", () => {
  const { announce, session, whoHas } = inRun();
  const leading = (url: string) => ({ isAmbiguous: true as const, of: scopeName(url) });
  announce("here", TAKING, leading("http://127.0.0.1:22999"));
  announce("elsewhere", TAKING, leading("http://127.0.0.1:24000"));
  announce("named", { ...TAKING, manager: "other" }, leading("http://127.0.0.1:23000"));
  announce("wrong", { ...TAKING, manager: "other" }, leading("http://127.0.0.1:22999"));
  announce("missing", { ...TAKING, manager: "missing" }, leading("http://127.0.0.1:22999"));
  announce("another's", TAKING, { ...leading("http://127.0.0.1:22999"), home: "b" });
  announce("unknown", TAKING, { ...leading("http://127.0.0.1:22999"), kind: "Unknown" });
  const places = ["here", "elsewhere", "named", "wrong", "missing", "another's"];
  expect(places.filter((place) => session.places("Test").isToStandAt(place))).toEqual(["here", "named"]);
  expect(session.places("Unknown").isToStandAt("unknown")).toBe(false);
  expect([whoHas("thing web"), whoHas("thing web", "other")]).toEqual(["adopts", "adopts"]);
});

test("what a program announces is declared at its place, and refused at another, unless it is shared", () => {
  const { announce, declaredBy } = inRun();
  announce("place", { name: "web" });
  expect(declaredBy("place", "web")).toEqual([]);
  expect(declaredBy("another", "web")).toHaveLength(1);
  const shared = inRun({ isShared: true });
  shared.announce("place", { name: "web" });
  expect(shared.declaredBy("another", "web")).toEqual([]);
});

test("what a program announces before its place is known is claimed, declared by nobody, and goes on at its place", () => {
  const { announce, whoHas, declaredBy, session } = inRun();
  const standIn = newStandIn();
  announce(standIn, TAKING);
  expect([whoHas("thing web"), session.places("Test").isToStandAt(standIn)]).toEqual(["adopts", true]);
  announce("place", { name: "api", adopt: true }, { was: standIn });
  expect([whoHas("thing web"), whoHas("thing api")]).toEqual([undefined, "adopts"]);
  expect([standIn, "place"].map((place) => session.places("Test").isToStandAt(place))).toEqual([false, true]);
  expect(declaredBy("another", "web")).toEqual([]);
});

test("a place in the program is one that is announced, or that the engine has told of", () => {
  const { announce, session } = inRun();
  announce("announced", {});
  session.places("Test").declare("declared", undefined, undefined);
  const places = ["announced", "declared", "none", undefined];
  expect(places.map((place) => session.places("Test").isToStandAt(place))).toEqual([true, true, false, false]);
  expect(session.places("Other").isToStandAt("announced")).toBe(false);
});

test("a place in the program that aliases name is left for another one", () => {
  const { announce, session } = inRun();
  announce("new", {}, { former: ["old", "older"] });
  expect(["old", "older", "new"].map((place) => session.places("Test").isElsewhere(place))).toEqual([
    true,
    true,
    false,
  ]);
  expect(session.places("Other").isElsewhere("old")).toBe(false);
  session.places("Test").declare("new", "old", {});
  expect(["old", "older"].map((place) => session.places("Test").isElsewhere(place))).toEqual([true, false]);
});

test("a place in the program is left for none where something is made anew", () => {
  const { announce, session } = inRun();
  announce("new", {}, { former: ["old"] });
  session.places("Test").declare("new", undefined, undefined);
  expect(session.places("Test").isElsewhere("old")).toBe(false);
});

test("a place in the program of which the engine has not told yet is waited for where it is meant", () => {
  const { announce, session, untoldOf } = inRun();
  expect(untoldOf("Test")).toEqual([]);
  announce("a", { zone: "web" });
  announce("b", { zone: "api" });
  announce("c", {}, { unknown: ["zone"] });
  announce("d", { zone: "web" });
  session.places("Test").declare("d", undefined, undefined);
  expect(untoldOf("Test")).toEqual(["a", "b", "c"]);
});

test("a place in the program that another provider is to have is waited for where that leads to the same service", () => {
  const { announce, session, untoldOf } = inRun();
  const { scope } = session.contexts.of(settings, {}, "manager");
  const [of] = scope.names;
  announce("a", { zone: "web" }, { home: "one", ...(of === undefined ? {} : { of }) });
  announce("b", { zone: "web" }, { home: "one", of: "elsewhere" });
  expect(untoldOf("Test")).toEqual([]);
  expect(untoldOf("Test", scope)).toEqual(["a"]);
  expect(untoldOf("Other", scope)).toEqual([]);
  announce("c", { zone: "web" });
  expect(untoldOf("Test", scope)).toEqual(["c", "a"]);
  scope.claims.comes("a", {});
  expect(untoldOf("Test", scope)).toEqual(["c"]);
  // In the other form of the resource, the engine tells another process.
  scope.claims.comes("c", {});
  expect(untoldOf("Test", scope)).toEqual([]);
});

const ANY = () => true;

test("what stood at a place is told by its name there as long as the engine has not told of it", () => {
  const { announce, session } = inRun();
  announce("new", { name: "web" }, { former: ["older", "old"], name: "called" });
  announce("plain", { name: "web" });
  expect(["old", "older", "new", "plain"].map((place) => session.places("Test").successor(place, ANY))).toEqual([
    ...["called", "called", undefined, undefined],
  ]);
  expect(session.places("Other").successor("old", ANY)).toBeUndefined();
  session.places("Test").declare("new", undefined, undefined);
  expect(session.places("Test").successor("old", ANY)).toBeUndefined();
});

test("what the state has in one form is of the other by now at the same place, as the process of the former sees it", () => {
  for (const [process, name, dynamic] of [
    [{}, "called", undefined],
    [{ isPlugin: true as const }, undefined, "dynamic"],
  ] as const) {
    const { announce, session } = inRun({}, process);
    announce("here", { name: "web" }, { isNative: true, name: "called" });
    announce("there", { name: "api" }, { name: "dynamic" });
    expect(session.places("Test").successor("here", ANY)).toBe(name);
    expect(session.places("Test").successor("there", ANY)).toBe(dynamic);
    for (const place of ["here", "there"]) {
      session.places("Test").declare(place, undefined, undefined);
      expect(session.places("Test").successor(place, ANY)).toBeUndefined();
    }
  }
});

test("what has come from an import file, without a place, is known by its inputs where the program has it renamed, or in the other form", () => {
  for (const [process, own, other] of [
    [{}, {}, { isNative: true }],
    [{ isPlugin: true }, { isNative: true }, {}],
  ] as const) {
    const { announce, session } = inRun({}, process);
    announce("same", { name: "same" }, own);
    announce("renamed", { name: "renamed" }, { ...own, former: ["old"], name: "renamed" });
    announce("other", { name: "other" }, { ...other, name: "other" });
    announce("taker", { name: "taken", adopt: true }, { ...other, name: "taker" });
    const successorOf = (called: string) =>
      session.places("Test").successor(undefined, ({ name }: JsonObject) => name === called);
    // What is taken over is kept until then.
    expect(["same", "renamed", "other", "taken"].map(successorOf)).toEqual([undefined, "renamed", "other", undefined]);
  }
});

test("what the plugin has been told of by no program is told by what stands for its place", () => {
  const { announce, session } = inRun({}, { isPlugin: true });
  announce("here", { name: "web" }, { urnPlaces: ["urn of web", "urn of api"], name: "called" });
  expect(["urn of web", "urn of api", "other"].map((place) => session.places("Test").successor(place, ANY))).toEqual([
    ...["called", "called", undefined],
  ]);
});

test("what the plugin is to delete stands where the program says that the plugin's own does, and is no successor of itself", () => {
  for (const process of [{}, { isPlugin: true } as const]) {
    const { announce, session } = inRun({}, process);
    announce("here", { name: "web" }, { isNative: true, urnPlace: "urn of web" });
    const places = session.places("Test");
    const known = { mark: "m.web", place: "urn of web" } as Recorded;
    expect(places.of(known)).toBe(process.isPlugin ? "here" : "urn of web");
    expect(places.successor("urn of web", ANY)).toBeUndefined();
  }
});

test("what stood at a place is told of once another process of the run has been told", () => {
  const { announce, session } = inRun();
  announce("new", { name: "web" }, { former: ["old"], name: "called" });
  const scope = new Scope();
  expect(session.places("Test").successor("old", ANY, scope)).toBe("called");
  scope.claims.hear({ call: "comes", place: "new", claimed: {} });
  expect(session.places("Test").successor("old", ANY, scope)).toBeUndefined();
});

test("where something stood before is known by what the program has announced", () => {
  const { announce, session } = inRun();
  announce("new", { name: "web" }, { former: ["old"], urnPlaces: ["urn of old"] });
  announce("plain", { name: "api" });
  expect(session.places("Test").stoodAt("new")).toEqual(["old", "urn of old"]);
  for (const place of ["plain", "old", undefined]) expect(session.places("Test").stoodAt(place)).toEqual([]);
  expect(session.places("Other").stoodAt("new")).toEqual([]);
});

test("what came from an import file, without a place, is told by inputs that are its own, where it stood elsewhere", () => {
  const { announce, session } = inRun();
  announce("plain", { name: "web" });
  announce("new", { name: "web" }, { former: ["old"], name: "called" });
  expect(session.places("Test").successor(undefined, ({ name }) => name === "web")).toBe("called");
  expect(session.places("Test").successor(undefined, ({ name }) => name === "api")).toBeUndefined();
});

test("words are said once by whoever has to say them, and of a place once of each", () => {
  const { session, said } = inRun();
  for (const of of [undefined, undefined, "a", "a", "b"]) session.sayOnce("words", of);
  session.sayOnce("others");
  expect(said).toEqual(["words", "words", "words", "others"]);
});

test("take-overs that a program could not announce are not known before the engine has told of each", () => {
  const { session } = inRun();
  const notice = { ...RUN, takeOvers: 2, failure: "ENOSPC" };
  session.belongTo(undefined, "Test a");
  expect(session.unheard).toBeUndefined();
  session.belongTo(notice, "Test a");
  expect(session.unheard).toMatchObject({ code: "ENOSPC", is: "unwritten" });
  for (let time = 0; time < 2; time++) session.belongTo({ ...notice, isTakeOver: true }, "Test b");
  expect(session.unheard).toBeDefined();
  session.belongTo({ ...notice, isTakeOver: true }, "Test c");
  expect(session.unheard).toBeUndefined();
});
