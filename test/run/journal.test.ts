import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { Deadline } from "../../src/lifecycle/deadline";
import type * as journals from "../../src/run/journal";
import type * as noteModule from "../../src/run/notes";
import type * as quietModule from "../../src/run/quiet";
import { installClock, passing } from "../laws/clock";

const DAY_MS = 86_400_000;
const BACKEND = "https://api.example.com";
const A = "m.aaaaaaaaaaaa";
const B = "m.bbbbbbbbbbbb";

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "notes");
  vi.stubEnv("PULUMI_HOME", home);
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

/** A process of its own: it remembers nothing that others were told. */
interface Process extends Pick<typeof noteModule, "recognize" | "acknowledge" | "placeId"> {
  open(operation?: journals.Operation, more?: Partial<journals.Subject>): journals.RunJournal;
  heard(): void;
}

async function aProcess(): Promise<Process> {
  vi.resetModules();
  const { RunJournal } = await vi.importActual<typeof journals>("../../src/run/journal");
  const { recognize, acknowledge, placeId } = await vi.importActual<typeof noteModule>("../../src/run/notes");
  const { heard } = await vi.importActual<typeof quietModule>("../../src/run/quiet");
  const open: Process["open"] = (operation = CREATE, more = {}) =>
    new RunJournal({ kind: "Zone", place: "place", operation, service: "here", ...more });
  return { open, recognize, acknowledge, placeId, heard };
}

const CREATE: journals.Operation = { kind: "create" };
const replace = (of: string): journals.Operation => ({ kind: "replace", of });
const change = (of: string): journals.Operation => ({ kind: "change", of });
const remove = (of: string): journals.Operation => ({ kind: "delete", of });

const notes = (): string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/** The one note there is. */
function note(): string {
  expect(notes()).toHaveLength(1);
  return notes()[0] as string;
}

const contentOf = (file: string): JsonObject => JSON.parse(readFileSync(file, "utf8")) as JsonObject;

const rewrite = (file: string, more: JsonObject): void =>
  writeFileSync(file, JSON.stringify({ ...contentOf(file), ...more }));

const time = (): Deadline => {
  const deadline = new Deadline(3600, "timeouts.test");
  onTestFinished(() => deadline.release());
  return deadline;
};

/** What a person should know of what nothing goes on with, where no resource has it. */
const adviceOf = (journal: journals.RunJournal): string[] => journal.advice(() => false);

/** What a journal makes of the one note that there is. */
const meaningOf = (journal: journals.RunJournal): string => {
  const [unfinished, advice] = [journal.unfinished, adviceOf(journal)];
  expect(unfinished === undefined || advice.length === 0).toBe(true);
  if (unfinished !== undefined) return unfinished.isElsewhere ? "unfinished elsewhere" : "unfinished";
  return advice.length > 0 ? "left" : "another's";
};

const OPERATIONS = { create: CREATE, replace: replace(A), change: change(A), delete: remove(A) };

/** What an operation finds that an earlier process has begun for the same place, or with the same resource. */
async function meaningsOf(
  begun: journals.Operation,
  {
    isTold = false,
    more = {},
    begunWith = {},
  }: { isTold?: boolean; more?: Partial<journals.Subject>; begunWith?: Partial<journals.Subject> } = {},
  between: () => void = () => {},
): Promise<Record<string, string>> {
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  const earlier = (await aProcess()).open(begun, begunWith);
  earlier.begin({ name: "web" }, "It was made.");
  if (isTold) earlier.tell();
  between();
  const next = await aProcess();
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [name, meaningOf(next.open(operation, more))]),
  );
}

const NOBODYS = { create: "another's", replace: "another's", change: "another's", delete: "another's" };

describe("what an earlier process has begun", () => {
  const CREATION = { create: "unfinished", replace: "unfinished", change: "left", delete: "left" };
  const CHANGE = { create: "another's", replace: "another's", change: "unfinished", delete: "unfinished" };

  test("is gone on with by what does the same, and told where nothing does any more", async () => {
    expect(await meaningsOf(CREATE)).toEqual(CREATION);
  });

  test("in the place of a resource is gone on with also where that had to make room", async () => {
    expect(await meaningsOf(replace(A))).toEqual(CREATION);
  });

  test("with a resource is gone on with by its next change, and by its deletion", async () => {
    expect(await meaningsOf(change(A))).toEqual(CHANGE);
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(change(`${A}.123456`))).toEqual(CHANGE);
  });

  test("is the same where the engine was told of it, as long as no state that is seen has it", async () => {
    for (const [begun, meanings] of [
      [CREATE, CREATION],
      [replace(A), CREATION],
      [change(A), CHANGE],
    ] as const) {
      expect(await meaningsOf(begun, { isTold: true })).toEqual(meanings);
      for (const file of notes()) rmSync(file);
    }
  });

  test.each([
    ["another place", { place: "other" }],
    ["another kind", { kind: "ZoneIps" }],
    ["no place that is known", { place: undefined }],
  ])("as a creation is another's for %s", async (_, more) => {
    expect(await meaningsOf(CREATE, { more })).toEqual(NOBODYS);
  });

  test.each([
    ["another place", { place: "other" }],
    ["no place that is known", { place: undefined }],
  ])("with a resource, or in its place, is found by its mark: %s", async (_, more) => {
    expect(await meaningsOf(change(A), { more })).toEqual(CHANGE);
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(replace(A), { more })).toEqual({ ...CREATION, create: "another's" });
  });

  test("with another resource of the same place is another's, but for what was to come in its place", async () => {
    expect(await meaningsOf(change(B))).toEqual(NOBODYS);
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(replace(B))).toEqual(CREATION);
  });

  test.each([
    ["another service", { service: "there" }],
    ["another account", { account: "theirs" }],
  ])("with %s is left, unless a mark shows by itself what it is", async (_, begunWith) => {
    const more = { account: "ours" };
    expect(await meaningsOf(CREATE, { begunWith, more })).toEqual({ ...CREATION, create: "left", replace: "left" });
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(change(A), { begunWith, more })).toEqual({ ...CHANGE, change: "left", delete: "left" });
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(CREATE, { begunWith, more: { ...more, isMarked: true } })).toEqual({
      ...CREATION,
      create: "unfinished elsewhere",
      replace: "unfinished elsewhere",
    });
  });

  test.each([
    [undefined, "ours"],
    ["ours", undefined],
  ])("with an account of which one is not known may be here: %s, %s", async (before, now) => {
    expect(await meaningsOf(CREATE, { begunWith: { account: before }, more: { account: now } })).toEqual(CREATION);
  });

  describe("for a stack of another backend", () => {
    const elsewhere = () => vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");

    test("is told to the creation at the same place, and never gone on with", async () => {
      expect(await meaningsOf(CREATE, {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
      for (const file of notes()) rmSync(file);
      expect(await meaningsOf(replace(A), {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
    });

    test("is another's as a change, and where a state there may have it", async () => {
      expect(await meaningsOf(change(A), {}, elsewhere)).toEqual(NOBODYS);
      expect(await meaningsOf(CREATE, { isTold: true }, elsewhere)).toEqual(NOBODYS);
    });

    test("is not forgotten by telling of it here", async () => {
      await meaningsOf(CREATE, {}, elsewhere);
      const { open } = await aProcess();
      open().tell();
      expect(contentOf(note()).facts).toEqual({ name: "web" });
    });
  });
});

describe("a journal", () => {
  test("hands over what was noted", async () => {
    const began = (await aProcess()).open();
    expect([began.unfinished, began.outcome]).toEqual([undefined, undefined]);
    began.begin({ name: "web" }, "It was made.");
    expect(began.outcome).toBe(began.mark);
    const next = (await aProcess()).open();
    expect(next.unfinished).toMatchObject({
      began: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      mark: began.mark,
      facts: { name: "web" },
      advice: "It was made.",
    });
    expect(next.outcome).toBe(began.mark);
  });

  test("goes on with a creation under the same mark, and with a change under another", async () => {
    const created = (await aProcess()).open();
    expect(created.mark).toMatch(/^m\.[\w-]{12}$/);
    created.begin({});
    const { open } = await aProcess();
    expect(open().mark).toBe(created.mark);
    expect(open(CREATE, { place: "other" }).mark).not.toBe(created.mark);

    const first = (await aProcess()).open(change(`${A}.123456`));
    expect(first.mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
    first.begin({});
    const { open: again } = await aProcess();
    expect(again(change(A)).mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
    expect(again(change(A)).mark).not.toBe(first.mark);
    expect(again(change(A)).outcome).toBe(first.mark);
  });

  test("finds nothing unfinished that it has begun itself", async () => {
    const journal = (await aProcess()).open();
    journal.begin({ name: "web" });
    expect(journal.unfinished).toBeUndefined();
  });

  test("finds the latest of what was begun", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const name of ["first", "second"]) {
      (await aProcess()).open(change(A)).begin({ name });
      vi.setSystemTime(Date.now() + 1000);
    }
    expect((await aProcess()).open(change(A)).unfinished?.facts).toEqual({ name: "second" });
  });

  test("notes a creation anew under its mark: there is one note of it", async () => {
    (await aProcess()).open().begin({ name: "first" });
    (await aProcess()).open().begin({ name: "second" });
    expect(contentOf(note()).facts).toEqual({ name: "second" });
  });

  test("forgets all that it went on with, once and again", async () => {
    for (const name of ["first", "second"]) (await aProcess()).open(change(A)).begin({ name });
    const { open } = await aProcess();
    open(CREATE, { place: "other" }).begin({ name: "other" });
    const journal = open(change(A));
    journal.begin({ name: "third" });
    for (let times = 0; times < 2; times++) journal.forget();
    expect(contentOf(note()).facts).toEqual({ name: "other" });
    expect([journal.unfinished, journal.outcome]).toEqual([undefined, undefined]);
  });

  test("takes back what it has noted itself: what was noted before still holds", async () => {
    (await aProcess()).open(change(A)).begin({ name: "first" });
    const journal = (await aProcess()).open(change(A));
    journal.takeBack();
    journal.begin({ name: "second" });
    expect(notes()).toHaveLength(2);
    for (let times = 0; times < 2; times++) journal.takeBack();
    expect(contentOf(note()).facts).toEqual({ name: "first" });
    expect(journal.outcome).toBe(journal.unfinished?.mark);
  });

  test("takes back what it has noted over a note with the same mark", async () => {
    (await aProcess()).open().begin({ name: "first" });
    const journal = (await aProcess()).open();
    journal.begin({ name: "second" });
    expect(contentOf(note()).facts).toEqual({ name: "second" });
    journal.takeBack();
    expect(contentOf(note()).facts).toEqual({ name: "first" });
  });

  test("closes with its resource: all that was begun with it, or in its place, is forgotten, and nothing else", async () => {
    const { open } = await aProcess();
    open(change(A)).begin({});
    open(change(`${A}.123456`), { place: "other" }).begin({});
    open(replace(A), { place: "third" }).begin({});
    open(change(B)).begin({ stays: true });
    const { open: later } = await aProcess();
    later(remove(A)).close();
    expect(contentOf(note()).facts).toEqual({ stays: true });
  });

  test("closes no creation of its place that another resource stands at meanwhile", async () => {
    (await aProcess()).open().begin({ name: "web" });
    (await aProcess()).open(remove(A)).close();
    expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("tells a person once of what is left", async () => {
    (await aProcess()).open(replace(A)).begin({}, "Another was made.");
    const { open } = await aProcess();
    const journal = open(change(A));
    expect(adviceOf(journal)).toEqual(["Another was made."]);
    journal.tell();
    expect(adviceOf(journal)).toEqual([]);
    expect(notes()).toEqual([]);
    expect(adviceOf(open(change(A)))).toEqual([]);
  });

  test("tells nobody of what a resource of the program has, nor of what needs no word", async () => {
    (await aProcess()).open(CREATE).begin({});
    expect(adviceOf((await aProcess()).open(change(A)))).toEqual([]);
    (await aProcess()).open(CREATE).begin({}, "Another was made.", "zone web");
    const journal = (await aProcess()).open(change(A));
    const asked: string[] = [];
    const isHad = (thing: string) => asked.push(thing) > 0;
    expect(journal.advice(isHad)).toEqual([]);
    expect(asked).toEqual(["zone web"]);
    expect(adviceOf(journal)).toEqual(["Another was made."]);
  });
});

describe("what the engine was told of", () => {
  test("is unfinished no more to this process, but stays noted: the engine may not live to record it", async () => {
    const { open } = await aProcess();
    const journal = open();
    journal.begin({ name: "web" });
    journal.tell();
    expect(open().unfinished).toBeUndefined();
    expect(note()).toMatch(/\.told\.json$/);
    expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("is unfinished again once it has begun anew", async () => {
    (await aProcess()).open().begin({ name: "first" });
    const next = await aProcess();
    const journal = next.open();
    journal.tell();
    journal.begin({ name: "second" });
    expect(next.open().unfinished?.facts).toEqual({ name: "second" });
  });

  test("is history once a state has the mark", async () => {
    const journal = (await aProcess()).open();
    journal.begin({});
    journal.tell();
    const next = await aProcess();
    next.recognize(B);
    note();
    next.recognize(journal.mark);
    expect(notes()).toEqual([]);
    expect(next.open().unfinished).toBeUndefined();
  });

  /** Three changes of a resource that were begun one after the other, each knowing of those before it, and one of another. */
  async function changes(isTold: boolean): Promise<string[]> {
    vi.useFakeTimers({ toFake: ["Date"] });
    const marks: string[] = [];
    for (const [of, name] of [
      [A, "first"],
      [A, "second"],
      [A, "third"],
      [B, "another"],
    ] as const) {
      const journal = (await aProcess()).open(change(of));
      journal.begin({ name });
      if (isTold) journal.tell();
      marks.push(journal.mark);
      vi.setSystemTime(Date.now() + 1000);
    }
    return marks;
  }

  test("with a resource is history together with what was begun with it before, not with what began later", async () => {
    const marks = await changes(false);
    (await aProcess()).recognize(marks[1] as string);
    expect(notes().map((file) => contentOf(file).facts)).toEqual(
      expect.arrayContaining([{ name: "third" }, { name: "another" }]),
    );
    expect(notes()).toHaveLength(2);
  });

  test("with a resource is history with all before it once the engine has answered the program", async () => {
    await changes(true);
    const { acknowledge, placeId, open } = await aProcess();
    expect(notes()).toHaveLength(4);
    acknowledge(new Set([placeId("Zone", "place")]), 0);
    expect(notes()).toEqual([]);
    await changes(false);
    const journal = (await aProcess()).open(change(A), { place: "other" });
    journal.begin({ name: "fourth" });
    journal.tell();
    open(CREATE, { place: "other" }).begin({ name: "untold" });
    acknowledge(new Set([placeId("Zone", "other")]), 0);
    const facts = notes().map((file) => contentOf(file).facts);
    expect(facts).toHaveLength(2);
    expect(facts).toEqual(expect.arrayContaining([{ name: "another" }, { name: "untold" }]));
  });

  test("is also what was gone on with, and not begun anew", async () => {
    (await aProcess()).open().begin({ name: "web" });
    (await aProcess()).open().tell();
    expect(note()).toMatch(/\.told\.json$/);
  });

  test("is history once the engine has answered the program, which says so by its place", async () => {
    const { open, acknowledge, placeId } = await aProcess();
    for (const place of ["told", "other"]) {
      const journal = open(CREATE, { place });
      journal.begin({ place });
      journal.tell();
    }
    open(CREATE, { place: "untold" }).begin({ place: "untold" });
    const program = await aProcess();
    program.acknowledge(new Set([placeId("Zone", "told"), placeId("Zone", "untold"), placeId("ZoneIps", "other")]), 0);
    expect(notes().map((file) => contentOf(file).facts)).toEqual(
      expect.arrayContaining([{ place: "other" }, { place: "untold" }]),
    );
    expect(notes()).toHaveLength(2);
    acknowledge(new Set(), 0);
    rmSync(folder, { recursive: true });
    acknowledge(new Set([placeId("Zone", "told")]), 0);
  });

  test("may be told of to another resource's creation at the same place before its state is seen: that waits", async () => {
    const before = (await aProcess()).open();
    before.begin({ name: "web" });
    before.tell();
    const next = await aProcess();
    onTestFinished(installClock());
    next.heard();
    const journal = next.open();
    expect(journal.mark).toBe(before.mark);
    const settled = journal.settle(time());
    // The engine registers its resource at another place meanwhile.
    next.recognize(before.mark);
    await passing(settled);
    expect(journal.unfinished).toBeUndefined();
    expect(journal.mark).toMatch(/^m\.[\w-]{12}$/);
    expect(journal.mark).not.toBe(before.mark);
    expect(notes()).toEqual([]);
  });

  test("and is in no state that is seen is gone on with", async () => {
    const before = (await aProcess()).open();
    before.begin({ name: "web" });
    before.tell();
    const next = await aProcess();
    const journal = next.open();
    await journal.settle(time());
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
    expect(journal.mark).toBe(before.mark);
  });
});

describe("a note", () => {
  test("has the facts and nothing else, and only its owner can read it", async () => {
    const { open, placeId } = await aProcess();
    const journal = open(replace(`${A}.123456`), { account: "ours" });
    journal.begin({ name: "web" }, "It was made.");
    const file = note();
    expect(contentOf(file)).toEqual({
      began: expect.any(String),
      mark: journal.mark,
      purpose: { kind: "replace", of: A },
      facts: { name: "web" },
      advice: "It was made.",
      place: placeId("Zone", "place"),
      backend: expect.stringMatching(/^[\w-]{8}$/),
      service: "here",
      account: "ours",
      writer: { host: expect.any(String), pid: process.pid, start: expect.anything(), run: expect.any(String) },
    });
    expect(file).toBe(join(folder, `${placeId("Zone", "place")}~${journal.mark}.json`));
    expect(placeId("Zone", "place")).toMatch(/^[\w-]{16}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("stands below the home of the person who runs the CLI where the CLI has no other", async () => {
    vi.stubEnv("PULUMI_HOME", "");
    vi.stubEnv("HOME", home);
    (await aProcess()).open().begin({});
    expect(readdirSync(join(home, ".pulumi", "brightdata", "notes"))).toHaveLength(1);
  });

  test("is of no use after a quarter of a year", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    (await aProcess()).open().begin({});
    vi.setSystemTime(Date.now() + 90 * DAY_MS);
    expect((await aProcess()).open().unfinished).toBeDefined();
    vi.setSystemTime(Date.now() + 1000);
    expect((await aProcess()).open().unfinished).toBeUndefined();
  });

  test("that is of no use is taken away by the next process", async () => {
    (await aProcess()).open(CREATE, { place: "old" }).begin({});
    const old = note();
    const longAgo = new Date(Date.now() - 91 * DAY_MS);
    rewrite(old, { began: longAgo.toISOString() });
    utimesSync(old, longAgo, longAgo);
    (await aProcess()).open(CREATE, { place: "new" }).begin({});
    expect(existsSync(old)).toBe(false);
    note();
  });

  test.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["no object", "[]"],
    ["no time", { began: undefined }],
    ["no date", { began: "soon" }],
    ["no mark", { mark: undefined }],
    ["no facts", { facts: undefined }],
    ["no place", { place: undefined }],
    ["no service", { service: undefined }],
    ["no backend", { backend: undefined }],
    ["no writer", { writer: undefined }],
    ["no purpose", { purpose: undefined }],
    ["no purpose that is known", { purpose: { kind: "reconcile" } }],
    ["no resource that was to be replaced", { purpose: { kind: "replace" } }],
  ])("that cannot be understood is none: %s", async (_, content) => {
    (await aProcess()).open().begin({});
    const file = note();
    if (typeof content === "string") writeFileSync(file, content);
    else rewrite(file, content);
    const { open } = await aProcess();
    for (const operation of Object.values(OPERATIONS)) expect(meaningOf(open(operation))).toBe("another's");
    open().begin({ name: "web" });
    expect(open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("is written whatever else lies in the folder", async () => {
    mkdirSync(folder, { recursive: true });
    // Another process takes away a note between the listing of the folder and the look at the file.
    symlinkSync("/nowhere", join(folder, "0"));
    const longAgo = new Date(Date.now() - 91 * DAY_MS);
    writeFileSync(join(folder, "1"), "");
    writeFileSync(join(folder, "2"), "");
    utimesSync(join(folder, "1"), longAgo, longAgo);
    const { open } = await aProcess();
    open().begin({});
    expect(open().unfinished).toBeDefined();
    expect(readdirSync(folder)).not.toContain("1");
    expect(readdirSync(folder)).toContain("2");
  });

  test("that cannot be read fails nothing", async () => {
    (await aProcess()).open().begin({});
    const file = note();
    rmSync(file);
    mkdirSync(file);
    const journal = (await aProcess()).open();
    expect(journal.unfinished).toBeUndefined();
    journal.begin({});
    journal.tell();
  });

  test("that cannot be written fails nothing, but for a word", async () => {
    const said = vi.spyOn(console, "log").mockReturnValue();
    writeFileSync(join(home, "a file"), "");
    vi.stubEnv("PULUMI_HOME", join(home, "a file"));
    const { open } = await aProcess();
    for (const place of ["one", "two"]) {
      const journal = open(CREATE, { place });
      journal.begin({});
      expect(journal.outcome).toBe(journal.mark);
      journal.tell();
      journal.forget();
      expect(journal.unfinished).toBeUndefined();
    }
    expect(said.mock.calls).toEqual([
      [
        `brightdata: Nothing can be noted in ${join(home, "a file", "brightdata", "notes")} (ENOTDIR). If this update is killed, the next one cannot tell what it has made, and refuses it as somebody else's.`,
      ],
    ]);
  });
});

describe("another process", () => {
  let compiled: string;

  // The journal in a process of its own, compiled as it is now.
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), "journal-"));
    const run = ["journal", "notes", "backend", "quiet", "writer"].map((name) => `run/${name}`);
    for (const module of [...run, "lifecycle/mark", "http/pause", "json"]) {
      const file = join(compiled, `${module}.js`);
      const source = readFileSync(join(__dirname, `../../src/${module}.ts`), "utf8");
      const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, transpileModule(source, { compilerOptions }).outputText);
    }
  });
  afterAll(() => rmSync(compiled, { recursive: true }));

  /** A process that has done this with journals and lives on. */
  async function having(done: string): Promise<ChildProcess> {
    const program = `
      const { RunJournal } = require("./run/journal.js");
      const open = (operation = { kind: "create" }) =>
        new RunJournal({ kind: "Zone", place: "place", operation, service: "here" });
      ${done}
      setInterval(() => {}, 60_000);
      console.log("done");`;
    const child = spawn(process.execPath, ["-e", program], { cwd: compiled, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    await once(child.stdout as NodeJS.ReadableStream, "data");
    return child;
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  }

  const BEGUN = 'open().begin({ name: "web" }, "It was made.");';
  const TOLD = `const journal = open(); journal.begin({ name: "web" }); journal.tell();`;

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("that ends by %s leaves everything noted", async (signal) => {
    await end(await having(BEGUN), signal);
    const { open } = await aProcess();
    const journal = open();
    expect(meaningOf(journal)).toBe("unfinished");
    onTestFinished(installClock());
    const before = Date.now();
    await passing(journal.settle(time()));
    expect(Date.now()).toBe(before);
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
    for (const over of [change(A), remove(A)]) expect(meaningOf(open(over))).toBe("left");
  });

  test("that ends leaves noted, too, what the engine was told of, and may not have recorded", async () => {
    await end(await having(TOLD), "SIGINT");
    expect(note()).toMatch(/\.told\.json$/);
    expect(meaningOf((await aProcess()).open())).toBe("unfinished");
  });

  test("that lives is waited for by what goes on with its creation, and nobody else is told of it", async () => {
    const child = await having(BEGUN);
    const { open } = await aProcess();
    for (const over of [change(A), remove(A)]) expect(meaningOf(open(over))).toBe("another's");
    const journal = open();
    let isSettled = false;
    const settled = journal.settle(time()).then(() => {
      isSettled = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(isSettled).toBe(false);
    await end(child, "SIGKILL");
    await settled;
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
  });

  test("that lives on and on is not gone on with: it may finish the creation itself", async () => {
    await having(BEGUN);
    const journal = (await aProcess()).open();
    const { mark } = journal;
    onTestFinished(installClock());
    const before = Date.now();
    await passing(journal.settle(time()));
    expect((Date.now() - before) / 1000).toBeGreaterThanOrEqual(10);
    expect(journal.unfinished).toBeUndefined();
    expect(journal.mark).not.toBe(mark);
    note();
  });

  test("that lives, for a stack of another backend, is not told of", async () => {
    await having(BEGUN);
    vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");
    expect(meaningOf((await aProcess()).open())).toBe("another's");
  });

  test.each([
    ["on another machine", { host: "another.example.com" }],
    ["whose number another one has got since", { start: "1" }],
    ["that has not said when it began, where processes do", { start: undefined }],
  ])("%s does not live here", async (_, writer) => {
    await having(BEGUN);
    const file = note();
    rewrite(file, { writer: { ...(contentOf(file).writer as JsonObject), ...writer } });
    const journal = (await aProcess()).open();
    onTestFinished(installClock());
    const before = Date.now();
    await passing(journal.settle(time()));
    expect(Date.now()).toBe(before);
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
  });
});
