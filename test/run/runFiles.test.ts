import {
  appendFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  addressIn,
  engineStartedByFiles,
  factsFile,
  folder,
  foundByPeers,
  latestProgramFile,
  meetingFile,
  programFile,
  Tail,
  tidy,
  turnsFile,
} from "../../src/run/runFiles";
import { engineStarted } from "../../src/run/writer";

vi.mock("node:fs", async (original) => {
  const actual = await original<typeof import("node:fs")>();
  return { ...actual, symlinkSync: vi.fn(actual.symlinkSync) };
});
vi.mock("../../src/run/writer", async (original) => ({ ...(await original<object>()), engineStarted: vi.fn() }));

const ADDRESS = "127.0.0.1:45678";
const SINCE_EVER = () => 0;

/** An engine that was started so many milliseconds ago, by this machine's clock. */
function startedAgo(ms: number): () => number {
  vi.mocked(engineStarted).mockReturnValue(Date.now() - ms);
  return engineStartedByFiles;
}

/** A file of a program's run, written so many seconds ago. */
function written(address: string, run: string, secondsAgo = 0): string {
  const file = programFile(address, run);
  tidy();
  writeFileSync(file, "");
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(file, then, then);
  return file;
}

test.each([
  [ADDRESS, ADDRESS],
  [`dns:///${ADDRESS}`, ADDRESS],
  [`${ADDRESS}/more`, undefined],
  ["127.0.0.1:", undefined],
  ["localhost:45678", undefined],
])("the engine's address in %j is %j", (text, address) => {
  expect(addressIn(text)).toBe(address);
});

test("the files of a run are its own, beside each other, and another run's are others", () => {
  const program = programFile(ADDRESS, "a-run");
  const all = [program, factsFile(program), turnsFile(program)];
  const others = [programFile(ADDRESS, "b-run"), programFile("127.0.0.1:45679", "a-run")];
  expect(new Set([...all, ...others]).size).toBe(5);
  expect(new Set([...all, ...others].map(dirname)).size).toBe(1);
});

test("the program that has run last at an engine's address is the latest, in whatever order they are listed", () => {
  expect(latestProgramFile(ADDRESS, SINCE_EVER)).toBeUndefined();
  written(ADDRESS, "c", 30);
  const latest = written(ADDRESS, "b", 10);
  written(ADDRESS, "a", 20);
  written("127.0.0.1:45679", "d");
  expect(latestProgramFile(ADDRESS, SINCE_EVER)).toBe(latest);
});

test("the program that has run last at an engine's address is none from before the engine was started", () => {
  const file = written(ADDRESS, "a", 60);
  expect(latestProgramFile(ADDRESS, startedAgo(61_000))).toBe(file);
  expect(latestProgramFile(ADDRESS, startedAgo(50_000))).toBeUndefined();
});

test("the program of a run that ended shortly before an engine got its address is not that engine's", () => {
  written(ADDRESS, "preview", 0.5);
  expect(latestProgramFile(ADDRESS, startedAgo(200))).toBeUndefined();
});

test("files that another machine's clock dates are compared by that one", () => {
  const hour = 3_600_000;
  const [before, since] = [written(ADDRESS, "a", 60), written(ADDRESS, "b", 20)];
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hour });
  onTestFinished(() => void vi.useRealTimers());
  expect(latestProgramFile(ADDRESS, startedAgo(40_000))).toBe(since);
  rmSync(since);
  expect(latestProgramFile(ADDRESS, startedAgo(40_000))).toBeUndefined();
  expect(readdirSync(dirname(before))).toEqual([basename(before)]);
});

test("processes of an engine whose program announces nothing have a file to meet, where they ever had one", () => {
  const file = String(meetingFile(ADDRESS));
  expect([existsSync(file), meetingFile(ADDRESS)]).toEqual([true, file]);
  expect(latestProgramFile(ADDRESS, SINCE_EVER)).toBe(file);
  rmSync(file);
  mkdirSync(file);
  expect(() => meetingFile(ADDRESS)).toThrow("EISDIR");
  vi.stubEnv("PULUMI_HOME", "/dev/null");
  expect(meetingFile(ADDRESS)).toBeUndefined();
  vi.unstubAllEnvs();
});

test("on Windows, where each has a script of its own between, processes of an engine meet in one file", () => {
  const own = process.platform;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: own }));
  const ppid = vi.spyOn(process, "ppid", "get");
  onTestFinished(() => ppid.mockRestore());
  const [one, other] = [101, 102].map((parent) => {
    ppid.mockReturnValue(parent);
    return ["linux", "win32"].map((platform) => {
      Object.defineProperty(process, "platform", { value: platform });
      return meetingFile(ADDRESS);
    });
  });
  expect(one?.[0]).not.toBe(other?.[0]);
  expect(one?.[1]).toBe(other?.[1]);
});

test("what nothing was heard of for a day is removed when a run begins, and nothing else", () => {
  const [old, fresh] = [written(ADDRESS, "old", 86_460), written(ADDRESS, "fresh", 86_340)];
  // The latter was written after the former had been made: it has removed that.
  expect(readdirSync(dirname(old))).toHaveLength(1);
  expect(existsSync(fresh)).toBe(true);
  tidy();
  expect(existsSync(fresh)).toBe(true);
});

test("a program's file in a folder elsewhere is found where the system makes no links but of a second name, as Windows", () => {
  const elsewhere = join(folder(), "elsewhere");
  mkdirSync(elsewhere, { recursive: true });
  const program = join(elsewhere, basename(programFile(ADDRESS, "a-run")));
  writeFileSync(program, "1\n");
  vi.mocked(symlinkSync).mockImplementationOnce(() => {
    throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
  });
  const found = foundByPeers(program);
  expect([found, latestProgramFile(ADDRESS, SINCE_EVER)]).toEqual(Array(2).fill(programFile(ADDRESS, "a-run")));
  appendFileSync(program, "2\n");
  expect(new Tail(found).unread()).toEqual([1, 2]);
});

test.skipIf(process.platform === "win32")(
  "a program's file in a folder elsewhere is found by its name in one's own, until what leads to it is old",
  () => {
    const elsewhere = join(folder(), "elsewhere");
    mkdirSync(elsewhere, { recursive: true });
    const program = join(elsewhere, basename(programFile(ADDRESS, "a-run")));
    expect(foundByPeers(program)).toBe(program);
    writeFileSync(program, "1\n");
    const found = foundByPeers(program);
    expect([found, latestProgramFile(ADDRESS, SINCE_EVER)]).toEqual(Array(2).fill(programFile(ADDRESS, "a-run")));
    expect([foundByPeers(program), foundByPeers(found)]).toEqual([found, found]);
    expect(new Tail(found).unread()).toEqual([1]);
    rmSync(program);
    const old = Date.now() / 1000 - 90_000;
    lutimesSync(found, old, old);
    tidy();
    expect(lstatSync(found, { throwIfNoEntry: false })).toBeUndefined();
  },
);

test("the lines of a file are read once, when they are whole, and what is no JSON is passed over", () => {
  tidy();
  const file = programFile(ADDRESS, "a-run");
  const tail = new Tail(file);
  expect([tail.unread(), tail.failure]).toEqual([[], "ENOENT"]);
  appendFileSync(file, '{"a":1}\nnonsense\n"b"\n{"c":');
  expect([tail.unread(), tail.failure]).toEqual([[{ a: 1 }, "b"], undefined]);
  expect(tail.unread()).toEqual([]);
  appendFileSync(file, '"ü"}\n');
  expect(tail.unread()).toEqual([{ c: "ü" }]);
  appendFileSync(file, "4\n");
  expect(tail.unread()).toEqual([4]);
});

test("the lines of a file that has come in the place of one that was old are read from the first", () => {
  const file = programFile(ADDRESS, "a-run");
  tidy();
  writeFileSync(file, "1\n2\n");
  const tail = new Tail(file);
  expect(tail.unread()).toEqual([1, 2]);
  rmSync(file);
  expect(tail.unread()).toEqual([]);
  writeFileSync(file, "3\n");
  expect([tail.unread(), tail.unread()]).toEqual([[3], []]);
});

test("the lines of a file that cannot be read are none, and why is known", () => {
  tidy();
  const tail = new Tail(dirname(programFile(ADDRESS, "a-run")));
  expect(tail.unread()).toEqual([]);
  expect(tail.failure).toBeDefined();
  expect(new Tail(join(tail.file, "none")).unread()).toEqual([]);
});

test.runIf(process.platform === "linux")("the lines of a file leave it closed, however often they are read", () => {
  tidy();
  const file = programFile(ADDRESS, "a-run");
  const tail = new Tail(file);
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let line = 0; line < 20; line++) {
    appendFileSync(file, `${line}\n`);
    expect(tail.unread()).toEqual([line]);
  }
  expect(open()).toBeLessThan(before + 10);
});
