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
import type { JsonObject } from "../../src/json";
import type * as journals from "../../src/run/journal";

const DAY_MS = 86_400_000;
const SERVICE = "https://api.example.com http://127.0.0.1:22999";

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "creations");
  vi.stubEnv("PULUMI_HOME", home);
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  };
});

interface Place {
  kind?: string;
  key?: string;
  former?: string;
  service?: string;
  over?: journals.Over;
}

type Open = (place?: Place) => journals.CreationJournal;

/** What opens journals in a process of its own: it remembers nothing that others were told. */
async function aProcess(): Promise<Open> {
  vi.resetModules();
  const { CreationJournal } = await vi.importActual<typeof journals>("../../src/run/journal");
  return ({ kind = "Zone", key = "place", former = key, service = SERVICE, over } = {}) =>
    new CreationJournal(kind, key, former, service, over);
}

const notes = (): string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/** The one note there is. */
function note(): string {
  expect(notes()).toHaveLength(1);
  return notes()[0] as string;
}

const replaced = (id: string): journals.Over => ({ id, isReplaced: true });
const changed = (id: string): journals.Over => ({ id, isReplaced: false });

const contentOf = (file: string): JsonObject => JSON.parse(readFileSync(file, "utf8")) as JsonObject;

describe("a creation that has begun", () => {
  test("is unfinished business to the next process", async () => {
    const began = (await aProcess())();
    expect(began.unfinished).toBeUndefined();
    began.begin({ name: "web" });
    const next = (await aProcess())();
    expect(next.unfinished).toMatchObject({
      began: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      mark: began.mark,
      facts: { name: "web" },
    });
    expect(next.mark).not.toBe(began.mark);
  });

  test("is no unfinished business to itself", async () => {
    const journal = (await aProcess())();
    journal.begin({ name: "web" });
    expect(journal.unfinished).toBeUndefined();
  });

  test("has a mark of its own, which says whose it is", async () => {
    const open = await aProcess();
    const marks = [open(), open(), open({ key: "other" })].map(({ mark }) => mark);
    expect(marks).toEqual([
      expect.stringMatching(/^place-[0-9a-f]{8}$/),
      expect.stringMatching(/^place-[0-9a-f]{8}$/),
      expect.stringMatching(/^other-[0-9a-f]{8}$/),
    ]);
    expect(new Set(marks).size).toBe(3);
  });

  test("is another's for every other kind, place and service", async () => {
    const open = await aProcess();
    open().begin({});
    expect(open().unfinished).toBeDefined();
    for (const other of [{ kind: "ZoneIps" }, { key: "other" }, { service: "http://127.0.0.1:1 http://127.0.0.1:2" }]) {
      expect(open(other).unfinished).toBeUndefined();
    }
  });

  test("is noted anew by the next that begins", async () => {
    const open = await aProcess();
    open().begin({ name: "first" });
    open().begin({ name: "second" });
    note();
    expect(open().unfinished?.facts).toEqual({ name: "second" });
  });

  test("is none of a resource that the engine's state has", async () => {
    (await aProcess())().begin({}, "It was made.");
    const next = await aProcess();
    for (const over of [changed("web"), replaced("web")]) {
      expect(next({ over }).unfinished).toBeUndefined();
      expect(next({ over }).left).toEqual([]);
    }
  });

  test.each([changed, replaced])("over a resource is unfinished as long as the state has that: %o", async (over) => {
    (await aProcess())({ over: over("web/1") }).begin({ name: "web" });
    const next = await aProcess();
    expect(next({ over: over("web/1") }).unfinished?.facts).toEqual({ name: "web" });
    expect(next({ over: over("web/2") }).unfinished).toBeUndefined();
  });

  test("of a replacement is unfinished also where what is replaced had to make room", async () => {
    (await aProcess())({ over: replaced("web/1") }).begin({ name: "web" });
    const next = (await aProcess())();
    expect(next.unfinished?.facts).toEqual({ name: "web" });
    next.begin({ name: "web" });
    next.tell();
    expect((await aProcess())().unfinished?.facts).toEqual({ name: "web" });
    next.forget();
    expect(notes()).toEqual([]);
  });

  test("of a change is nothing to a creation", async () => {
    (await aProcess())({ over: changed("web/1") }).begin({}, "It was made.");
    const next = (await aProcess())();
    expect(next.unfinished).toBeUndefined();
    expect(next.left).toEqual([]);
  });

  test("of a replacement is left where the resource is to be changed or deleted instead", async () => {
    (await aProcess())({ over: replaced("web/1") }).begin({}, "Another was made.");
    const next = await aProcess();
    expect(next({ over: changed("web/1") }).unfinished).toBeUndefined();
    expect(next({ over: changed("web/1") }).left).toEqual(["Another was made."]);
    expect(next({ over: changed("web/2") }).left).toEqual([]);
    expect(next({ over: replaced("web/1") }).left).toEqual([]);
  });

  test("with another service is left", async () => {
    const elsewhere = "http://127.0.0.1:1 http://127.0.0.1:2";
    (await aProcess())({ service: elsewhere }).begin({}, "One was made.");
    (await aProcess())({ service: elsewhere, over: replaced("web/1") }).begin({}, "Another was made.");
    const next = await aProcess();
    expect(next().left).toEqual(["One was made.", "Another was made."]);
    expect(next({ over: replaced("web/1") }).left).toEqual(["Another was made."]);
    expect(next({ over: changed("web/1") }).left).toEqual(["Another was made."]);
  });

  test("of a change outlasts a replacement, for the deletion of what is replaced", async () => {
    (await aProcess())({ over: changed("web/1") }).begin({ more: true });
    const next = await aProcess();
    const replacement = next({ over: replaced("web/1") });
    replacement.begin({ name: "web" });
    replacement.tell();
    expect(next({ over: changed("web/1") }).unfinished?.facts).toEqual({ more: true });
    expect(next({ over: replaced("web/1") }).unfinished).toBeUndefined();
  });

  test("is found after the resource was renamed", async () => {
    (await aProcess())({ over: changed("web/1") }).begin({ more: true });
    const next = (await aProcess())({ key: "other", former: "place", over: changed("web/1") });
    expect(next.unfinished?.facts).toEqual({ more: true });
    next.forget();
    expect(notes()).toEqual([]);
  });

  test("is forgotten with all others of its place where there is nothing more to come", async () => {
    const open = await aProcess();
    for (const over of [undefined, changed("web/1"), replaced("web/1"), replaced("web/0")])
      open(over && { over }).begin({});
    open({ key: "other" }).begin({});
    expect(notes()).toHaveLength(5);
    (await aProcess())({ over: changed("web/1") }).close();
    note();
  });

  test("is forgotten on request, once and again", async () => {
    const open = await aProcess();
    const journal = open();
    journal.forget();
    journal.begin({});
    journal.forget();
    journal.forget();
    expect(notes()).toEqual([]);
    expect(open().unfinished).toBeUndefined();
  });
});

describe("the note of a creation", () => {
  test("has the facts and nothing else, and only its owner can read it", async () => {
    const journal = (await aProcess())({ service: "https://user:hush@example.com" });
    journal.begin({ name: "web" }, "It was made.");
    const file = note();
    expect(contentOf(file)).toEqual({
      began: expect.any(String),
      mark: journal.mark,
      facts: { name: "web" },
      left: "It was made.",
      place: expect.stringMatching(/^[0-9a-f]{32}$/),
      service: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(file).toMatch(/\/[0-9a-f]{32}\.json$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("stands below the home of the person who runs the CLI where the CLI has no other", async () => {
    vi.stubEnv("PULUMI_HOME", "");
    vi.stubEnv("HOME", home);
    (await aProcess())().begin({});
    expect(readdirSync(join(home, ".pulumi", "brightdata", "creations"))).toHaveLength(1);
  });

  test("is of no use after a week", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    (await aProcess())().begin({});
    vi.setSystemTime(Date.now() + 7 * DAY_MS);
    expect((await aProcess())().unfinished).toBeDefined();
    vi.setSystemTime(Date.now() + 1000);
    expect((await aProcess())().unfinished).toBeUndefined();
  });

  test("that is of no use is taken away by the next process", async () => {
    (await aProcess())({ key: "old" }).begin({});
    const old = note();
    const eightDaysAgo = new Date(Date.now() - 8 * DAY_MS);
    writeFileSync(old, JSON.stringify({ ...contentOf(old), began: eightDaysAgo.toISOString() }));
    utimesSync(old, eightDaysAgo, eightDaysAgo);
    (await aProcess())({ key: "new" }).begin({});
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
  ])("that cannot be understood is none: %s", async (_, content) => {
    (await aProcess())().begin({});
    const file = note();
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify({ ...contentOf(file), ...content }));
    const open = await aProcess();
    expect(open().unfinished).toBeUndefined();
    open().begin({ name: "web" });
    expect(open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("is written whatever else lies in the folder", async () => {
    mkdirSync(folder, { recursive: true });
    // Another process takes away a note between the listing of the folder and the look at the file.
    symlinkSync("/nowhere", join(folder, "0"));
    const eightDaysAgo = new Date(Date.now() - 8 * DAY_MS);
    writeFileSync(join(folder, "1"), "");
    utimesSync(join(folder, "1"), eightDaysAgo, eightDaysAgo);
    const open = await aProcess();
    open().begin({});
    expect(open().unfinished).toBeDefined();
    expect(readdirSync(folder)).not.toContain("1");
  });

  test("that cannot be read or written fails nothing", async () => {
    (await aProcess())().begin({});
    const file = note();
    rmSync(file);
    mkdirSync(file);
    const journal = (await aProcess())();
    expect(journal.unfinished).toBeUndefined();
    journal.begin({});
    journal.tell();

    writeFileSync(join(home, "a file"), "");
    vi.stubEnv("PULUMI_HOME", join(home, "a file"));
    const homeless = (await aProcess())();
    homeless.begin({});
    homeless.tell();
    homeless.forget();
    expect(homeless.unfinished).toBeUndefined();
  });
});

describe("a creation that the engine was told of", () => {
  test("is unfinished business no more to this process, but stays noted: the engine may not live to record it", async () => {
    const open = await aProcess();
    const journal = open();
    journal.begin({});
    journal.tell();
    expect(open().unfinished).toBeUndefined();
    expect((await aProcess())().unfinished).toBeDefined();
  });

  test("is unfinished business again once another has begun", async () => {
    const open = await aProcess();
    open().tell();
    open().begin({ name: "web" });
    expect(open().unfinished?.facts).toEqual({ name: "web" });
  });
});

describe("a process that ends", () => {
  let compiled: string;

  // The journal in a process of its own, compiled as it is now.
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), "journal-"));
    for (const module of ["engine/journal", "engine/notes", "engine/cancellation", "case", "json"]) {
      const file = join(compiled, `${module}.js`);
      const source = readFileSync(join(__dirname, `../../src/${module}.ts`), "utf8");
      const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, transpileModule(source, { compilerOptions }).outputText);
    }
  });
  afterAll(() => rmSync(compiled, { recursive: true }));

  /** A process that has done this with journals and waits for its end. */
  async function having(done: string): Promise<ChildProcess> {
    const program = `
      const { CreationJournal } = require("./engine/journal.js");
      const open = (key) => new CreationJournal("Zone", key, key, "service");
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

  const left = () => notes().map((file) => contentOf(file).facts);

  const TWO = `
    const told = open("told");
    told.begin({ told: true });
    told.tell();
    open("untold").begin({ told: false });`;

  test("in good order forgets what the engine was told of, and dies of the signal as it would without", async () => {
    const child = await having(TWO);
    expect(left()).toHaveLength(2);
    await end(child, "SIGINT");
    expect(left()).toEqual([{ told: false }]);
  });

  test("leaves everything noted where the engine asked to cancel an operation, and may not have recorded it", async () => {
    const cut = `${TWO}
      const { during } = require("./engine/cancellation.js");
      const { channel } = require("node:diagnostics_channel");
      during(() => new Promise(() => {}));
      channel("http2.server.stream.start").publish({ headers: { ":path": "/pulumirpc.ResourceProvider/Cancel" } });`;
    await end(await having(cut), "SIGINT");
    expect(left()).toHaveLength(2);
  });

  test("by force leaves everything noted", async () => {
    await end(await having(TWO), "SIGKILL");
    expect(left()).toHaveLength(2);
  });

  test("while a creation is under way leaves it noted, whatever was told of its resource before", async () => {
    // As in a replacement: the deletion has been told of, the creation has not.
    await end(
      await having('const it = open("it"); it.forget(); it.tell(); open("it").begin({ under: "way" });'),
      "SIGINT",
    );
    expect(left()).toEqual([{ under: "way" }]);
  });

  test("with no creation told of is ended by the signal all the same", async () => {
    await end(await having(""), "SIGINT");
    await end(await having('open("it").tell(); open("it").tell();'), "SIGINT");
    expect(left()).toEqual([]);
  });
});
