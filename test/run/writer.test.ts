import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { isRunning } from "../../src/base/running";
import { engineStarted, isAlive, thisProcess } from "../../src/run/writer";

const OWN = thisProcess();

/** A process that lives until it is ended. */
async function another(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000); console.log()"]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child.stdout, "data");
  return child as ChildProcess & { pid: number };
}

/** What a process has noted of itself, as another one sees it. */
function writerOf({ pid }: { pid: number }) {
  vi.spyOn(process, "pid", "get").mockReturnValue(pid);
  const writer = thisProcess();
  vi.restoreAllMocks();
  return writer;
}

test("this process is known as it is, and is not another that may still be at it", () => {
  expect(OWN).toEqual({
    host: hostname(),
    pid: process.pid,
    run: expect.stringMatching(/^[\w-]{8}$/),
    ...(process.platform === "linux" ? { start: expect.stringMatching(/^\d+$/) } : {}),
  });
  expect(isAlive(OWN, OWN)).toBe(false);
});

test("another process lives until it has ended", async () => {
  const child = await another();
  const writer = writerOf(child);
  expect(writer.run).not.toBe(OWN.run);
  expect(isAlive(writer, OWN)).toBe(true);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  expect(isAlive(writer, OWN)).toBe(false);
});

/** As in a container whose first process waits for no others: a number is kept for what it has ended with. */
test.runIf(process.platform === "linux")(
  "a process that has ended is not at it, though nobody has waited for it",
  async () => {
    const starting = `const child = require("node:child_process").spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"]);
    child.stdout.pipe(process.stdout);
    process.stdin.on("end", () => child.kill("SIGKILL")).resume();`;
    const parent = spawn(process.execPath, ["-e", starting]);
    onTestFinished(() => void parent.stdin.end());
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(said);
    const state = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
    await vi.waitFor(() => expect(state()).toBe("Z"));
    expect(isRunning(pid)).toBe(false);
    expect(isAlive(writerOf({ pid }), OWN)).toBe(false);
  },
);

test("a process of another person lives, too", async () => {
  const writer = writerOf(await another());
  vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(isAlive(writer, OWN)).toBe(true);
});

test("where the system does not tell when a process began, the end of its time tells that it is another", async () => {
  const [{ start: _, ...own }, { start: __, ...writer }] = [OWN, writerOf(await another())];
  const after = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  expect(isAlive(writer, own, after(5))).toBe(true);
  // It finds out yet what became of its last request.
  expect(isAlive(writer, own, after(-5))).toBe(true);
  expect(isAlive(writer, own, after(-120))).toBe(false);
});

test("a number that another process has got since, or that one has on another machine, tells nothing", async () => {
  const writer = writerOf(await another());
  expect(isAlive({ ...writer, start: "1" }, OWN)).toBe(false);
  expect(isAlive({ ...writer, host: "another.example.com" }, OWN)).toBe(false);
  // In a test several processes are one.
  expect(isAlive({ ...writer, pid: process.pid }, OWN)).toBe(false);
});

/** Linux tells by its files, and by a command as others do, where that is installed. */
const TELLING = process.platform === "linux" ? ["linux", ...(spawnSync("ps").status === 0 ? ["darwin"] : [])] : [];

function on(platform: string): void {
  const own = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  Object.defineProperty(process, "platform", { ...own, value: platform });
  onTestFinished(() => {
    Object.defineProperty(process, "platform", own);
    vi.restoreAllMocks();
  });
}

/** When the engine was started, to a process that has such a parent. */
function startedAbove(parent: number | undefined): number | undefined {
  vi.spyOn(process, "ppid", "get").mockReturnValue(Number(parent));
  return engineStarted();
}

test.each(TELLING)(
  "when the engine was started that has started a process by a script, is known on %s",
  async (platform) => {
    const script = await another();
    on(platform);
    // Here, that is this process.
    const late = performance.timeOrigin - Number(startedAbove(script.pid));
    expect([late > -50, late < 5000]).toEqual([true, true]);
    expect(startedAbove(2 ** 22 + 1)).toBeUndefined();
  },
);

test.each(TELLING)("the engine is the CLI, however many processes are between, on %s", async (platform) => {
  const last = "console.log(process.pid); process.stdin.resume().on('end', () => process.exit());";
  const starting = (code: string) =>
    `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(code)}], { stdio: "inherit" });`;
  const before = Date.now();
  const cli = spawn(process.execPath, ["-e", `process.title = "pulumi"; ${starting(starting(starting(last)))}`]);
  onTestFinished(() => void cli.stdin.end());
  const [pid] = (await once(cli.stdout, "data")) as [Buffer];
  on(platform);
  const started = Number(startedAbove(cli.pid));
  // Of both the machine's start and the process's, the command here cuts off what is less than a second.
  const [early, apart] = platform === "linux" ? [100, 50] : [2000, 1000];
  expect(started).toBeGreaterThan(before - early);
  expect(Math.abs(Number(startedAbove(Number(pid))) - started)).toBeLessThanOrEqual(apart);
});

test("when the engine was started is not known on Windows", () => {
  on("win32");
  expect(startedAbove(process.ppid)).toBeUndefined();
});
