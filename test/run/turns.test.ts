import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { digest } from "../../src/base/location";
import { CancelledError, Deadline } from "../../src/lifecycle/deadline";
import { machineFile, tidy, turnsFile } from "../../src/run/runFiles";
import { MachineTurns, Turns } from "../../src/run/turns";
import { startOf, thisProcess } from "../../src/run/writer";
import { failure } from "../lifecycle/harness";

const disk = vi.hoisted(() => ({ isFull: false, isDenied: false }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const appendFileSync: typeof fs.appendFileSync = (file, data, options) => {
    if (disk.isDenied) throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    if (!disk.isFull || data === "") return fs.appendFileSync(file, data, options);
    // As much of it as there is room for.
    fs.appendFileSync(file, String(data).slice(0, 9), options);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  return { ...fs, appendFileSync };
});

let programs: string;

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  programs = join(home, "runs", "here~run");
  mkdirSync(join(home, "runs"));
  return () => {
    Object.assign(disk, { isFull: false, isDenied: false });
    vi.useRealTimers();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

const write = (line: string) => appendFileSync(turnsFile(programs), `${line}\n`);

const OWN = thisProcess();

/** What another process appends that lives: the one that has started the tests. */
const OTHER = { host: hostname(), pid: process.ppid, run: "another" };

/** Whether a promise is fulfilled by now, and all that could be looked at has been. */
async function isTaken(turn: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  turn.then(
    () => {
      isDone = true;
    },
    () => {},
  );
  await vi.advanceTimersByTimeAsync(1000);
  return isDone;
}

/** What a process has appended, of itself, with its keys as they stand there. */
const wishes = () =>
  readFileSync(turnsFile(programs), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { wish?: string; keys?: string[]; over?: string });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

test("a turn comes when those are over that have asked for one of its keys before, in their order", async () => {
  const [a, b] = [new Turns(programs, OWN), new Turns(programs, OWN)];
  const first = await a.take(["x", "y"]);
  const [second, third, other] = [b.take(["y", "z"]), a.take(["z"]), await b.take(["w"])];
  expect([await isTaken(second), await isTaken(third)]).toEqual([false, false]);
  other.end();
  first.end();
  expect([await isTaken(second), await isTaken(third)]).toEqual([true, false]);
  (await second).end();
  expect(await isTaken(third)).toBe(true);
});

test("a turn is not waited for of a process that has ended", async () => {
  const turns = new Turns(programs, OWN);
  const { end } = await turns.take(["x"]);
  const [{ keys } = {}] = wishes();
  end();
  const gone = { ...OTHER, pid: 2 ** 22 + 1 };
  write(JSON.stringify({ wish: "gone", keys, by: gone }));
  expect(await isTaken(turns.take(["x"]))).toBe(true);
});

test("a turn is waited for of another process that lives, and tells that it had it", async () => {
  const turns = new Turns(programs, OWN);
  const own = await turns.take(["x"]);
  expect(own.wasAnothers).toBe(false);
  const [{ keys } = {}] = wishes();
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  // As one that another one with its number has not come after.
  const by = { ...OTHER, start: startOf(process.ppid) };
  write(JSON.stringify({ wish: "theirs", keys, by }));
  own.end();
  const next = turns.take(["x"]);
  expect(await isTaken(next)).toBe(false);
  expect(kill).toHaveBeenCalledWith(process.ppid, 0);
  write(JSON.stringify({ over: "theirs" }));
  expect(await isTaken(next)).toBe(true);
  expect((await next).wasAnothers).toBe(true);
  (await next).end();
  expect((await turns.take(["x"])).wasAnothers).toBe(false);
});

test("a turn that is waited for when the run is cancelled is not taken, and nobody waits for it", async () => {
  const cancellation = new AbortController();
  const [a, b] = [new Turns(programs, OWN), new Turns(programs, OWN, cancellation.signal)];
  const first = await a.take(["x"]);
  const waiting = failure(b.take(["x"]));
  const last = a.take(["x"]);
  cancellation.abort();
  expect(await waiting).toBeInstanceOf(CancelledError);
  first.end();
  expect(await isTaken(last)).toBe(true);
});

test("a turn needs no file, and what stands in it that is none is passed over", async () => {
  rmSync(join(programs, ".."), { recursive: true });
  const turns = new Turns(programs, OWN);
  const blind = await turns.take(["x"]);
  expect(await isTaken(turns.take(["x"]))).toBe(true);
  blind.end();
  mkdirSync(join(programs, ".."));
  for (const line of ["", "{", "7", '{"wish":7}', '{"wish":"w","keys":["x"]}', '{"over":7}']) write(line);
  expect(await isTaken(turns.take(["x"]))).toBe(true);
});

test("a turn is waited for though a line before it was cut off", async () => {
  appendFileSync(turnsFile(programs), '{"wish":"cut o');
  const turns = new Turns(programs, OWN);
  const first = await turns.take(["x"]);
  const next = turns.take(["x"]);
  expect(await isTaken(next)).toBe(false);
  appendFileSync(turnsFile(programs), '{"over":"cut o');
  first.end();
  expect(await isTaken(next)).toBe(true);
});

test("a turn that is over is waited for no more where there is no room to say so", async () => {
  const [a, b] = [new Turns(programs, OWN), new Turns(programs, OWN)];
  const first = await a.take(["x"]);
  const next = b.take(["x"]);
  expect(await isTaken(next)).toBe(false);
  disk.isFull = true;
  first.end();
  expect(await isTaken(next)).toBe(true);
  expect((await next).wasAnothers).toBe(false);
});

test("a turn that is over is waited for no more where nothing could be written for a while", async () => {
  const [own, other] = [new Turns(programs, OWN), new Turns(programs, OWN)];
  const { end } = await own.take(["x"]);
  const another = other.take(["x", "y"]);
  disk.isDenied = true;
  end();
  expect(await isTaken(own.take(["x"]))).toBe(true);
  expect(await isTaken(another)).toBe(false);
  disk.isDenied = false;
  (await own.take(["z"])).end();
  expect(await isTaken(another)).toBe(true);
});

test("a turn tells nobody what it is about, and who waits for it", async () => {
  await new Turns(programs, OWN).take(["user somebody@example.com"]);
  expect(wishes()).toEqual([{ wish: expect.any(String), keys: [expect.stringMatching(/^[\w-]{8}$/)], by: OWN }]);
});

test("a turn is kept from nobody by what is in the file and no process has asked for, or ended", async () => {
  const first = await new Turns(programs, OWN).take(["x"]);
  const [{ keys } = {}] = wishes();
  const wish = { wish: "w", keys, by: OTHER };
  const wrong = [null, [], "text", {}, { ...wish, wish: 1 }, { ...wish, keys: "x" }, { ...wish, by: "other" }];
  for (const said of [...wrong, { over: 1 }, { over: "never begun" }]) write(JSON.stringify(said));
  first.end();
  const { wasAnothers } = await new Turns(programs, OWN).take(["x"]);
  expect(wasAnothers).toBe(false);
});

describe("a task of which a machine has one at a time", () => {
  const by = { ...OTHER, start: startOf(process.ppid) };
  const say = (name: string, line: object) =>
    appendFileSync(turnsFile(machineFile(digest(name))), `${JSON.stringify(line)}\n`);
  const theirs = (name: string, more: object = {}) => say(name, { wish: "theirs", keys: [digest(name)], by, ...more });
  const machine = (own = OWN, said: string[] = []) => new MachineTurns(own, (words) => void said.push(words));
  const time = (cancelled?: AbortSignal) => new Deadline(60, "timeouts.create", undefined, cancelled);
  const WORDS = "aiting for another update on this machine that works on the same zone, dataset or Proxy Manager.";

  beforeEach(tidy);

  test("waits until no other update is at one of its names, and says so once of each", async () => {
    for (const name of ["b", "c"]) theirs(name);
    const said: string[] = [];
    const task = vi.fn(async () => "done");
    const own = machine(OWN, said);
    const whole = own.alone(["c", "a", "b"], task, time());
    expect([await isTaken(whole), said]).toEqual([false, [`W${WORDS}`]]);
    say("b", { over: "theirs" });
    expect([await isTaken(whole), said.length]).toEqual([false, 2]);
    // Whoever needs nothing of it goes on.
    expect(await isTaken(own.alone(["d"], task, time()))).toBe(true);
    expect(task).toHaveBeenCalledTimes(1);
    const next = machine().alone(["a"], task, time());
    expect(await isTaken(next)).toBe(false);
    say("c", { over: "theirs" });
    expect([await isTaken(whole), await isTaken(next)]).toEqual([true, true]);
    expect(await whole).toBe("done");
  });

  test("that has ended is over in its process, though nothing could be written then, and for others after the next", async () => {
    const [own, other] = [machine(), machine()];
    const task = async () => undefined;
    await own.alone(["j"], async () => void Object.assign(disk, { isDenied: true }), time());
    disk.isDenied = false;
    const another = other.alone(["j"], task, time());
    expect(await isTaken(another)).toBe(false);
    expect(await isTaken(own.alone(["j"], task, time()))).toBe(true);
    expect(await isTaken(another)).toBe(true);
  });

  test("that fails is over for other updates", async () => {
    await expect(machine().alone(["e"], () => Promise.reject(new Error("not now")), time())).rejects.toThrow("not now");
    expect(await isTaken(machine().alone(["e"], async () => undefined, time()))).toBe(true);
  });

  test("is given up with the operation's time, or with the update, and nobody waits for it then", async () => {
    theirs("f");
    const cancellation = new AbortController();
    const task = vi.fn();
    const times = [time(), time(cancellation.signal)];
    const failures = times.map((each) => failure(machine().alone(["f"], task, each)));
    await vi.advanceTimersByTimeAsync(1000);
    cancellation.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    const [ofTime, ofUpdate] = await Promise.all(failures);
    expect(ofTime?.message).toBe(
      `Gave up after 60 s, w${WORDS} Allow more time with \`timeouts.create\` (in seconds).`,
    );
    expect(ofUpdate?.message).toBe(`The update was cancelled, w${WORDS}`);
    say("f", { over: "theirs" });
    expect(await isTaken(machine().alone(["f"], async () => undefined, time()))).toBe(true);
    expect(task).not.toHaveBeenCalled();
  });

  test("tells until when it may last, by which its end is known where the system does not tell who a process is", async () => {
    await machine().alone(["g"], async () => undefined, time());
    const [line = ""] = readFileSync(turnsFile(machineFile(digest("g"))), "utf8")
      .trim()
      .split("\n");
    const { until } = JSON.parse(line) as { until: string };
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(50_000);
    const nameless = { ...OTHER, start: undefined };
    const unknown = machine({ ...OWN, start: undefined });
    const at = (ms: number) => ({ by: nameless, until: new Date(Date.now() + ms).toISOString() });
    theirs("h", at(-61_000));
    theirs("i", at(1000));
    const turns = ["h", "i"].map((name) => unknown.alone([name], async () => undefined, time()));
    expect(await Promise.all(turns.map(isTaken))).toEqual([true, false]);
    say("i", { over: "theirs" });
    await vi.advanceTimersByTimeAsync(1000);
    await turns[1];
  });
});
