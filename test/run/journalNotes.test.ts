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
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { installClock, passing } from "../laws/clock";
import {
  A,
  aProcess,
  CREATE,
  change,
  contentOf,
  folder,
  home,
  meaningOf,
  note,
  OPERATIONS,
  remove,
  replace,
  time,
} from "./journalSetup";

const DAY_MS = 86_400_000;

const rewrite = (file: string, more: JsonObject): void =>
  writeFileSync(file, JSON.stringify({ ...contentOf(file), ...more }));

describe("a note", () => {
  test("a note has the facts and nothing else, and only its owner can read it", async () => {
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

  test("a note stands below the home of the person who runs the CLI where the CLI has no other", async () => {
    vi.stubEnv("PULUMI_HOME", "");
    vi.stubEnv("HOME", home);
    (await aProcess()).open().begin({});
    expect(readdirSync(join(home, ".pulumi", "brightdata", "notes"))).toHaveLength(1);
  });

  test("a note is of no use after a quarter of a year", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    (await aProcess()).open().begin({});
    vi.setSystemTime(Date.now() + 90 * DAY_MS);
    expect((await aProcess()).open().unfinished).toBeDefined();
    vi.setSystemTime(Date.now() + 1000);
    expect((await aProcess()).open().unfinished).toBeUndefined();
  });

  test("a note that is of no use is taken away by the next process", async () => {
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
  ])("a note that cannot be understood is none: %s", async (_, content) => {
    (await aProcess()).open().begin({});
    const file = note();
    if (typeof content === "string") writeFileSync(file, content);
    else rewrite(file, content);
    const { open } = await aProcess();
    for (const operation of Object.values(OPERATIONS)) expect(meaningOf(open(operation))).toBe("another's");
    open().begin({ name: "web" });
    expect(open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("a note is written whatever else lies in the folder", async () => {
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

  test("a note that cannot be read fails nothing", async () => {
    (await aProcess()).open().begin({});
    const file = note();
    rmSync(file);
    mkdirSync(file);
    const journal = (await aProcess()).open();
    expect(journal.unfinished).toBeUndefined();
    journal.begin({});
    journal.tell();
  });

  test("a note that cannot be written fails nothing, but for a word", async () => {
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
        `brightdata: Nothing can be noted in ${join(home, "a file", "brightdata", "notes")} (ENOTDIR). If this update is killed, the next one cannot tell what it has created, and refuses it as somebody else's.`,
      ],
    ]);
  });
});

describe("another process", () => {
  let compiled: string;

  // The journal in a process of its own, compiled as it is now.
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), "journal-"));
    const run = ["journal", "notes", "backend", "writer"].map((name) => `run/${name}`);
    for (const module of [...run, "lifecycle/mark", "base/json"]) {
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

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "another process that ends by %s leaves everything noted",
    async (signal) => {
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
    },
  );

  test("another process that ends leaves noted, too, what the engine was told of, and may not have recorded", async () => {
    await end(await having(TOLD), "SIGINT");
    expect(note()).toMatch(/\.told\.json$/);
    expect(meaningOf((await aProcess()).open())).toBe("unfinished");
  });

  test("another process that lives is waited for by what goes on with its creation, and nobody else is told of it", async () => {
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

  test("another process that lives on and on is not gone on with: it may finish the creation itself", async () => {
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

  test("another process that lives, for a stack of another backend, is not told of", async () => {
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
