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
import { basename, dirname, join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import type * as deadlines from "../../src/lifecycle/deadline";
import { backend } from "../../src/run/backend";
import { lineOf } from "../../src/run/intentFiles";
import { Intents } from "../../src/run/intents";
import { RunJournal } from "../../src/run/journal";
import { thisProcess, type Writer } from "../../src/run/writer";
import { installClock, passing } from "../clock";
import { cancellableDeadline, failure } from "../lifecycle/harness";
import {
  A,
  aProcess,
  CREATE,
  change,
  contentOf,
  files,
  folder,
  home,
  isTold,
  linesOf,
  meaningOf,
  OPERATIONS,
  onlyFile,
  remove,
  replace,
  rewrite,
  time,
} from "./journalSetup";

const DAY_MS = 86_400_000;

/** What a process says while it does something. */
async function saidBy(task: () => Promise<unknown>): Promise<string[]> {
  const said = vi.spyOn(console, "log").mockReturnValue();
  said.mockClear();
  await task();
  return said.mock.calls.map(([words]) => String(words));
}

test("an intent has the facts and nothing else, and only its owner can read it", async () => {
  const { open, placeId } = await aProcess();
  const journal = open(replace(`${A}.123456`), { account: "ours" });
  await journal.begin({ name: "web" }, "It was made.", "zone web", { serviceTime: "2026-01-01T00:00:00.000Z" });
  const file = onlyFile();
  expect(linesOf(file)).toEqual([
    {
      begun: {
        began: expect.any(String),
        until: expect.any(String),
        serviceTime: "2026-01-01T00:00:00.000Z",
        mark: journal.mark,
        purpose: { kind: "replace", of: A },
        facts: { name: "web" },
        advice: "It was made.",
        thing: "zone web",
        place: placeId("Zone", "place"),
        backend: expect.stringMatching(/^[\w-]{8}$/),
        service: "here",
        account: "ours",
        writer: { host: expect.any(String), pid: process.pid, start: expect.anything(), run: expect.any(String) },
      },
    },
  ]);
  expect(basename(file)).toMatch(new RegExp(`^${placeId("Zone", "place")}~${journal.mark}~[\\w-]{8}\\.intent$`));
  expect(placeId("Zone", "place")).toMatch(/^[\w-]{16}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  journal.tell();
  expect(linesOf(file).slice(1)).toEqual([{ told: expect.any(String) }]);
});

test("an intent says when the time of its operation is over, also if the machine has slept meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 0 });
  const { open } = await aProcess();
  const { Deadline } = await vi.importActual<typeof deadlines>("../../src/lifecycle/deadline");
  const deadline = new Deadline(3600, "timeouts.test");
  onTestFinished(() => deadline.release());
  const journal = open();
  await journal.settle(deadline);
  vi.advanceTimersByTime(1000);
  vi.setSystemTime(86_400_000);
  await journal.begin({});
  expect(contentOf(onlyFile())).toMatchObject({
    began: "1970-01-02T00:00:00.000Z",
    until: "1970-01-02T00:59:59.000Z",
  });
});

test("an intent is noted as soon as it is begun, though it is safe only when the disk says so", async () => {
  const begun = (await aProcess()).open().begin({ name: "web" });
  expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
  await begun;
});

test("an intent stands below the home of the person who runs the CLI where the CLI has no other", async () => {
  vi.stubEnv("PULUMI_HOME", "");
  vi.stubEnv("HOME", home);
  await (await aProcess()).open().begin({});
  expect(readdirSync(join(home, ".pulumi", "brightdata", "intents"))).toHaveLength(1);
});

test("an intent is of no use after a quarter of a year", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await (await aProcess()).open().begin({});
  vi.setSystemTime(Date.now() + 90 * DAY_MS);
  expect((await aProcess()).open().unfinished).toBeDefined();
  vi.setSystemTime(Date.now() + 1000);
  expect((await aProcess()).open().unfinished).toBeUndefined();
});

test("an intent that is of no use is taken away by the next process", async () => {
  await (await aProcess()).open(CREATE, { place: "old" }).begin({});
  const old = onlyFile();
  const longAgo = new Date(Date.now() - 91 * DAY_MS);
  rewrite(old, { began: longAgo.toISOString() });
  utimesSync(old, longAgo, longAgo);
  await (await aProcess()).open(CREATE, { place: "new" }).begin({});
  expect(existsSync(old)).toBe(false);
  onlyFile();
});

test.each([
  ["no date", { began: "soon" }],
  ["no facts", { facts: undefined }],
  ["no writer", { writer: undefined }],
  ["no purpose that is known", { purpose: { kind: "reconcile" } }],
  ["no resource that was to be replaced", { purpose: { kind: "replace" } }],
])("an intent of a later version, which has other words, is none here: %s", async (_, content) => {
  await (await aProcess()).open().begin({});
  rewrite(onlyFile(), content);
  const { open } = await aProcess();
  for (const operation of Object.values(OPERATIONS)) expect(meaningOf(open(operation))).toBe("another's");
  await open().begin({ before: [] });
  expect(open().unfinished?.facts).toEqual({ before: [] });
});

test("a file that was cut off in its first line proves that the request never left, wherever it was cut", async () => {
  await (await aProcess()).open().begin({ before: ["1.1.1.1"] });
  const file = onlyFile();
  const whole = readFileSync(file);
  for (const length of [0, 1, 9, 40, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, length));
    const said = await saidBy(async () => {
      const { open } = await aProcess();
      expect(open().unfinished).toBeUndefined();
      await open().begin({ before: [] });
    });
    expect(said).toEqual([]);
    for (const other of files()) if (other !== file) rmSync(other);
  }
  writeFileSync(file, whole);
  expect((await aProcess()).open().unfinished?.facts).toEqual({ before: ["1.1.1.1"] });
});

test("a file that was cut off in a later line counts as far as it is whole", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  const whole = readFileSync(onlyFile()).length;
  journal.tell();
  const file = onlyFile();
  writeFileSync(file, readFileSync(file).subarray(0, whole + 5));
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
  vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");
  // It is not told: what was told of stands in a state of the other backend.
  expect(meaningOf((await aProcess()).open())).toBe("another's");
});

test("a file that was cut off and is no process's any more is taken away", async () => {
  mkdirSync(folder, { recursive: true });
  const [old, young] = ["old", "young"].map((name) => join(folder, `place~m.${name}~12345678.intent`)) as [
    string,
    string,
  ];
  for (const file of [old, young]) writeFileSync(file, "");
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(old, hoursAgo, hoursAgo);
  (await aProcess()).open();
  expect(files()).toEqual([young]);
});

const WORDS =
  "It says what an update that was cut short has begun. Look whether the service has something that no stack has, then delete the file.";

/** Damages the only intent that there is, in one of its bytes. */
function damage(at: (text: string) => number): string {
  const file = onlyFile();
  const text = readFileSync(file, "utf8");
  const index = at(text);
  writeFileSync(file, `${text.slice(0, index)}#${text.slice(index + 1)}`);
  return file;
}

test("what cannot be read is told of once by each process, and nothing that is billed and known by difference alone is bought at its place", async () => {
  await (await aProcess()).open().begin({ before: ["1.1.1.1"] });
  const file = damage((text) => text.indexOf("1.1.1.1"));
  const { open } = await aProcess();
  const said = await saidBy(async () => {
    const journal = open();
    expect(journal.unfinished).toBeUndefined();
    const refused = await failure(journal.begin({ before: ["1.1.1.1"] }));
    expect(refused).toBeInstanceOf(Error);
    expect(refused.message).toBe(
      `Nothing was sent: an earlier update may have bought the same already. ${file} cannot be used: line 1 is not as it was written. ${WORDS} Then run again.`,
    );
    expect(journal.outcome).toBeUndefined();
    await open(CREATE, { place: "other" }).begin({ before: [] });
    await open().begin({ name: "web" });
  });
  expect(said).toEqual([`brightdata: ${file} cannot be used: line 1 is not as it was written. ${WORDS}`]);
  rmSync(file);
  const next = (await aProcess()).open();
  next.forget();
  await next.begin({ before: [] });
});

test("what cannot be read of a change keeps the next one of the resource from buying, wherever it stands", async () => {
  await (await aProcess()).open(change(A)).begin({ before: [] });
  damage(() => 3);
  await saidBy(async () => {
    const { open } = await aProcess();
    const elsewhere = { place: "other" };
    expect((await failure(open(change(A), elsewhere).begin({ before: [] }))).message).toContain("Nothing was sent");
    await open(change("m.another"), elsewhere).begin({ before: [] });
  });
});

test("what cannot be read keeps what may have more than its state tells of from being deleted, and nothing else", async () => {
  await (await aProcess()).open(change(A)).begin({ before: [] });
  const file = damage(() => 3);
  await saidBy(async () => {
    const { open } = await aProcess();
    const deletes = (of: string, more: object) => open(remove(of), more).settle(cancellableDeadline().deadline);
    const resumes = true;
    for (const more of [
      {},
      { place: "other" },
      { place: undefined, former: "place" },
      { place: "b", stood: ["place"] },
    ])
      expect((await failure(deletes(A, { ...more, resumes }))).message).toBe(
        `Nothing was deleted: there may be more than the state tells of. ${file} cannot be used: line 1 is not as it was written. ${WORDS} Then run again.`,
      );
    await deletes(A, {});
    await deletes("m.another", { place: "other", resumes });
    await open(change(A), { resumes }).settle(cancellableDeadline().deadline);
  });
});

test("what cannot be read may be a whole line in the middle, or a first one that says nothing", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ before: [] });
  journal.tell();
  const file = damage((text) => text.indexOf("told") + 2);
  expect(await saidBy(aProcessThatReads)).toEqual([expect.stringContaining("line 2 is not as it was written")]);
  writeFileSync(file, lineOf({ told: "now" }));
  expect(await saidBy(aProcessThatReads)).toEqual([expect.stringContaining("it does not say what was begun")]);
  rmSync(file);
  mkdirSync(file);
  expect(await saidBy(aProcessThatReads)).toEqual([
    `brightdata: ${file} cannot be used: it cannot be read (EISDIR). It says what an update that was cut short has begun. Make it readable to the user who runs the update; if it cannot be, look whether the service has something that no stack has, then delete the file.`,
  ]);
});

const aProcessThatReads = async () => void (await aProcess()).open();

test("what cannot be read may be the whole folder: then nothing that is known by difference alone is bought anywhere", async () => {
  mkdirSync(join(home, "brightdata"), { recursive: true });
  symlinkSync(folder, folder);
  const { open } = await aProcess();
  let refused: Error | undefined;
  const said = await saidBy(async () => {
    refused = await failure(open().begin({ before: [] }));
    await open().begin({ name: "web" });
  });
  const words = `${folder} cannot be read (ELOOP), and with it what updates that were cut short have begun. Make it readable to the user who runs the update.`;
  expect(refused?.message).toBe(
    `Nothing was sent: an earlier update may have bought the same already. ${words} Then run again.`,
  );
  expect(said[0]).toBe(`brightdata: ${words}`);
});

describe("what cannot be written", () => {
  const UNWRITABLE =
    "If this update is killed, the next one cannot tell what it has created: what has a name or a number it refuses as somebody else's, the rest it may create again.";

  test("where nothing can be fails nothing, but for a word", async () => {
    writeFileSync(join(home, "a file"), "");
    vi.stubEnv("PULUMI_HOME", join(home, "a file"));
    const { open } = await aProcess();
    const said = await saidBy(async () => {
      for (const [place, facts] of [
        ["one", {}],
        ["two", { before: [] }],
      ] as const) {
        const journal = open(CREATE, { place });
        await journal.begin(facts);
        expect(journal.outcome).toBe(journal.mark);
        journal.tell();
        journal.forget();
        expect(journal.unfinished).toBeUndefined();
      }
    });
    expect(said).toEqual([
      `brightdata: Nothing can be noted in ${join(home, "a file", "brightdata", "intents")} (ENOTDIR). ${UNWRITABLE}`,
    ]);
  });

  /** Makes each flush fail from now on. */
  async function failing(code: string): Promise<void> {
    const actual = await vi.importActual<typeof import("node:fs/promises")>("node:fs/promises");
    vi.doMock("node:fs/promises", () => ({
      ...actual,
      open: async (file: string, ...more: [string, number]) => {
        const handle = await actual.open(file, ...more);
        vi.spyOn(handle, "sync").mockRejectedValue(Object.assign(new Error("it cannot be flushed"), { code }));
        return handle;
      },
    }));
    onTestFinished(() => void vi.doUnmock("node:fs/promises"));
  }

  test("half a line is taken away, also where what is appended to cannot be cut, as on Windows", async () => {
    const actual = await vi.importActual<typeof import("node:fs")>("node:fs");
    vi.doMock("node:fs", () => ({
      ...actual,
      writeSync: (descriptor: number, bytes: Buffer) => actual.writeSync(descriptor, bytes.subarray(0, 5)),
      ftruncateSync: () => {
        throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
      },
    }));
    onTestFinished(() => void vi.doUnmock("node:fs"));
    const { open } = await aProcess();
    const journal = open(CREATE);
    await journal.begin({ name: "web" });
    const whole = readFileSync(onlyFile(), "utf8");
    journal.tell();
    expect(readFileSync(onlyFile(), "utf8")).toBe(whole);
  });

  const refusal = (code: string) =>
    `Nothing was sent: it cannot be noted in ${folder} (${code}). Were this update killed, the next one would buy the same again. Make room there, or make it writable to the user who runs the update, and run again.`;

  test("because the disk is full is refused where it would be paid for twice, and leaves no file", async () => {
    await failing("ENOSPC");
    const { open } = await aProcess();
    const said = await saidBy(async () => {
      const journal = open();
      for (const facts of [{ before: [] }, { stale: [] }, { allocatedBefore: [] }]) {
        expect((await failure(journal.begin(facts))).message).toBe(refusal("ENOSPC"));
      }
      expect(journal.outcome).toBeUndefined();
      await journal.begin({ name: "web" });
      // It is bought by then.
      await journal.begin({ before: [], ips: ["192.0.2.1"] });
    });
    expect(said).toEqual([`brightdata: Nothing can be noted in ${folder} (ENOSPC). ${UNWRITABLE}`]);
    expect(files()).toEqual([]);
  });

  test("is refused where others stand, and would be paid for twice: there, it could be written before", async () => {
    await (await aProcess()).open(CREATE, { place: "other" }).begin({});
    await failing("EROFS");
    const { open } = await aProcess();
    expect((await failure(open().begin({ before: [] }))).message).toBe(refusal("EROFS"));
    rmSync(onlyFile());
    const said = await saidBy(() => open().begin({ before: [] }));
    expect(said).toEqual([`brightdata: Nothing can be noted in ${folder} (EROFS). ${UNWRITABLE}`]);
  });

  test("what cannot be taken away says itself that nothing has come of it", async () => {
    vi.resetModules();
    const actual = await vi.importActual<typeof import("node:fs")>("node:fs");
    const unlinkSync = vi.fn<typeof actual.unlinkSync>((file) => {
      throw Object.assign(new Error("busy"), { code: "EBUSY", file });
    });
    vi.doMock("node:fs", () => ({ ...actual, unlinkSync }));
    onTestFinished(() => void vi.doUnmock("node:fs"));
    const journal = (await aProcess()).open();
    await journal.begin({ name: "web" });
    journal.forget();
    expect(linesOf(onlyFile()).at(-1)).toEqual({ "taken back": expect.any(String) });
    vi.doUnmock("node:fs");
    expect((await aProcess()).open().unfinished).toBeUndefined();
    expect(files()).toEqual([]);
  });
});

const NOTE = {
  purpose: { kind: "create" },
  facts: { name: "web" },
  service: "here",
  writer: { host: "h", pid: 1, run: "r" },
};

/** A note as the version before has written it. */
async function noted(mark: string, more: JsonObject = {}, ending = "json"): Promise<string> {
  const { placeId } = await aProcess();
  const place = placeId("Zone", "place");
  const within = join(home, "brightdata", "notes");
  mkdirSync(within, { recursive: true });
  const file = join(within, `${place}~${mark}.${ending}`);
  const note = { began: new Date().toISOString(), ...NOTE, mark, place, backend: backend(process.cwd()), ...more };
  writeFileSync(file, JSON.stringify(note));
  return file;
}

test("what earlier versions have noted is gone on with, and forgotten with the state that has it", async () => {
  const file = await noted(A);
  const { open, recognize } = await aProcess();
  expect(open()).toMatchObject({ mark: A, unfinished: { facts: { name: "web" } } });
  expect(meaningOf((await aProcess()).open(remove("m.other")))).toBe("another's");
  recognize(A);
  expect(existsSync(file)).toBe(false);
});

test("what earlier versions have noted is forgotten once the engine has answered the program, with what it stands for", async () => {
  const first = await noted("m.first");
  const { placeId } = await aProcess();
  const second = await noted(A, { follows: [`${placeId("Zone", "place")}~m.first`] }, "told.json");
  const journal = (await aProcess()).open();
  expect(journal.mark).toBe(A);
  journal.tell();
  expect(readFileSync(second, "utf8")).not.toContain("\n");
  (await aProcess()).acknowledge(new Set([A]));
  expect([first, second].map((file) => existsSync(file))).toEqual([false, false]);
});

test("what earlier versions have noted counts as damaged where it is empty or cut off: it was written whole", async () => {
  const file = await noted(A);
  writeFileSync(file, "");
  const { open } = await aProcess();
  const said = await saidBy(async () => {
    expect((await failure(open().begin({ before: [] }))).message).toContain(file);
  });
  expect(said).toEqual([expect.stringContaining(`${file} cannot be used: it is no JSON object.`)]);
});

test("what earlier versions have noted of creations before there were marks is told once, and taken away", async () => {
  const within = join(home, "brightdata", "creations");
  mkdirSync(within, { recursive: true });
  const began = new Date().toISOString();
  const write = (digit: string, text: string) => writeFileSync(join(within, `${digit.repeat(32)}.json`), text);
  write("a", JSON.stringify({ began, mark: "place-12345678", facts: { name: "web", before: ["x"] } }));
  write("b", JSON.stringify({ began, mark: "place-12345678", facts: {} }));
  write("c", JSON.stringify({ began: "2020-01-01T00:00:00.000Z", mark: "m", facts: { name: "old" } }));
  write("d", "");
  expect(await saidBy(async () => (await aProcess()).open())).toEqual([
    `brightdata: Updates with an earlier version of this package were cut short, and may have created what no state has: something with name "web", begun at ${began}; something, begun at ${began}. This version does not go on with it: look for it at the service, and adopt or delete it. It is not noted any longer.`,
  ]);
  expect(existsSync(within)).toBe(false);
  expect(await saidBy(async () => (await aProcess()).open())).toEqual([]);
});

describe("another process", () => {
  let compiled: string;

  // The journal in a process of its own, compiled as it is now.
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), "journal-"));
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
    const done = new Set<string>();
    const compile = (module: string): void => {
      if (done.has(module)) return;
      done.add(module);
      const source = readFileSync(join(__dirname, `../../src/${module}.ts`), "utf8");
      const { outputText } = transpileModule(source, { compilerOptions });
      const file = join(compiled, `${module}.js`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, outputText);
      for (const [, name = ""] of outputText.matchAll(/\brequire\("(\.[^"]+)"\)/g))
        compile(join(dirname(module), name));
    };
    compile("run/journal");
  });
  afterAll(() => rmSync(compiled, { recursive: true }));

  /** A process that has done this with journals and lives on. */
  async function having(done: string, engine?: string): Promise<ChildProcess> {
    const program = `
      const { Intents } = require("./run/intents.js");
      const { RunJournal } = require("./run/journal.js");
      const intents = new Intents(require("./run/writer.js").thisProcess(${JSON.stringify(engine)}), process.cwd(), console.log);
      const open = (operation = { kind: "create" }) =>
        new RunJournal({ kind: "Zone", place: "place", operation, service: "here" }, intents);
      (async () => {
        ${done}
        setInterval(() => {}, 60_000);
        console.log("done");
      })();`;
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

  const stillAtIt = ({ pid }: ChildProcess): string =>
    `Nothing was done: process ${pid} of an earlier update is still at it, and what it makes yet would be in no state. Wait until it has ended, or end it (\`kill ${pid}\`), then run again.`;

  const BEGUN = 'await open().begin({ name: "web" }, "It was made.");';
  const TOLD = `const journal = open(); await journal.begin({ name: "web" }); journal.tell();`;

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
    expect(isTold(onlyFile())).toBe(true);
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

  test("that lives, of another update, is waited for by what replaces or deletes, and told of", async () => {
    const child = await having(BEGUN);
    const file = onlyFile();
    rewrite(file, { writer: { ...(contentOf(file).writer as JsonObject), engine: "127.0.0.1:4000" } });
    for (const over of [change(A), remove(A)]) {
      expect(meaningOf((await aProcess("127.0.0.1:4000")).open(over))).toBe("another's");
      expect(meaningOf((await aProcess("127.0.0.1:5000")).open(over))).toBe("left");
    }
    const journal = (await aProcess("127.0.0.1:5000")).open(remove(A));
    let isSettled = false;
    const settled = journal.settle(time()).then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    await end(child, "SIGKILL");
    await settled;
    expect(journal.advice(() => false)).toEqual(["It was made."]);
  });

  test("that lives on and on is refused with its number when the operation's time is over, and its intent stays", async () => {
    const child = await having(BEGUN);
    const journal = (await aProcess()).open();
    onTestFinished(installClock());
    const before = Date.now();
    const refused = await passing(failure(journal.settle(time())));
    expect((Date.now() - before) / 1000).toBeGreaterThanOrEqual(3600);
    expect(refused.message).toBe(stillAtIt(child));
    expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
  });

  test("that lives, and goes on with what a third one has begun, is refused with its number", async () => {
    await end(await having(BEGUN), "SIGKILL");
    const goesOn = "await open().settle({ signal: new AbortController().signal });";
    const [first, second] = ["127.0.0.1:4000", "127.0.0.1:5000"];
    const child = await having(goesOn, first);
    await (await aProcess(first)).open().settle(time());
    for (const engine of [second, undefined])
      expect((await failure((await aProcess(engine)).open().settle(time()))).message).toBe(stillAtIt(child));
    await end(child, "SIGKILL");
    const next = (await aProcess(second)).open();
    await next.settle(time());
    expect(next.unfinished?.facts).toEqual({ name: "web" });
    // Whoever comes later is refused; whoever was first is not.
    const later = await having(`try { ${goesOn} } catch {}`, first);
    await next.settle(time());
    await end(later, "SIGKILL");
  });

  test("that goes on with what a third one has begun long ago may do so until its own time is over, where the system does not tell when it began", async () => {
    await (await aProcess()).open().begin({ name: "web" });
    const long = new Date(Date.now() - DAY_MS).toISOString();
    rewrite(onlyFile(), {
      until: long,
      writer: { ...(contentOf(onlyFile()).writer as JsonObject), host: "elsewhere" },
    });
    const settled = (more: Partial<Writer>) => {
      const intents = new Intents({ ...thisProcess(), start: undefined, ...more }, process.cwd(), console.log);
      return new RunJournal({ kind: "Zone", place: "place", operation: CREATE, service: "here" }, intents).settle(
        time(),
      );
    };
    // Any process that lives.
    await settled({ pid: process.ppid, engine: "127.0.0.1:4000" });
    const own = { engine: "127.0.0.1:5000" };
    expect((await failure(settled(own))).message).toContain(`process ${process.ppid} of an earlier update`);
    onTestFinished(installClock());
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    await settled(own);
  });

  test("that lives is waited for no longer where a person asks the update to end", async () => {
    await having(BEGUN);
    const { deadline, cancel } = cancellableDeadline();
    const settled = failure((await aProcess()).open().settle(deadline));
    cancel();
    expect((await settled).message).toBe(
      `The update was cancelled, waiting for process ${(contentOf(onlyFile()).writer as JsonObject).pid} of an earlier update to end.`,
    );
  });

  test("that lives and has told its engine is not waited for: that engine may be gone, and it has nothing more to do", async () => {
    await having(TOLD);
    const journal = (await aProcess()).open();
    onTestFinished(installClock());
    const before = Date.now();
    await passing(journal.settle(time()));
    expect(Date.now()).toBe(before);
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
  });

  test("that tells its engine while it is waited for is gone on with, and one that takes it back leaves nothing", async () => {
    for (const [end, found] of [
      ["tell", { name: "web" }],
      ["takeBack", undefined],
    ] as const) {
      const child = await having(
        `const journal = open(); await journal.begin({ name: "web" }); process.once("SIGUSR2", () => journal.${end}());`,
      );
      const journal = (await aProcess()).open();
      const settled = journal.settle(time());
      child.kill("SIGUSR2");
      await settled;
      expect(journal.unfinished?.facts).toEqual(found);
      child.kill("SIGKILL");
      await once(child, "exit");
      for (const file of files()) rmSync(file);
    }
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
    const file = onlyFile();
    rewrite(file, { writer: { ...(contentOf(file).writer as JsonObject), ...writer } });
    const journal = (await aProcess()).open();
    onTestFinished(installClock());
    const before = Date.now();
    await passing(journal.settle(time()));
    expect(Date.now()).toBe(before);
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
  });
});
