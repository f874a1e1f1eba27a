import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../../scripts/root.mts";

test("collects what a program says and how it ended", async () => {
  const ending = await run("sh", ["-c", "echo out; echo err >&2; exit 5"], { timeoutMs: 10_000 });
  expect(ending).toEqual({ status: 5, stdout: "out\n", stderr: "err\n", timedOut: false });
});

test("rejects when there is no such program", async () => {
  await expect(run("/no/such/program", [], { timeoutMs: 10_000 })).rejects.toThrow("ENOENT");
});

// In both tests below the long sleep holds the other end of a pipe, so that the end of the pipe proves its end.

test("the time limit ends a program and everything it started", async () => {
  const ending = await run("sh", ["-c", "sleep 600 & wait"], { timeoutMs: 300 });
  expect(ending).toMatchObject({ status: null, timedOut: true });
});

test("a signal to the caller ends the program too", async () => {
  const module = JSON.stringify(pathToFileURL(join(ROOT, "scripts/process.mts")).href);
  const statement = `import { run } from ${module};
    await run("sh", ["-c", "echo started; sleep 600; true"], { timeoutMs: 600_000, output: "stderr" });`;
  const caller = spawn(process.execPath, ["--input-type=module", "-e", statement], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(caller, "close");
  await new Promise<void>((resolve) => {
    caller.stderr.on("data", (text: Buffer) => String(text).includes("started") && resolve());
  });
  caller.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
});
