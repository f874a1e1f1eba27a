import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Simulator } from "../../simulator";
import { parsed } from "../../src/commands/command";
import { report } from "../../src/commands/report";
import { NOW, startSpent } from "../report/account";

let simulator: Simulator;
let folder: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  simulator = await startSpent();
  folder = mkdtempSync(join(tmpdir(), "report-"));
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function run(...args: string[]): Promise<{ code: number; said: string; warned: string }> {
  const given = parsed(report, ["--quiet", ...args]);
  if (given === undefined) throw new Error("that is the help");
  const [out, err] = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  const said = (spy = out) => (spy?.mock.calls ?? []).map(([text]) => String(text)).join("");
  try {
    const code = await report.run(given);
    return { code, said: said(), warned: said(err) };
  } finally {
    out?.mockRestore();
    err?.mockRestore();
  }
}

test("look", async () => {
  const { said, warned, code } = await run("--html", join("/tmp/w/report-demo.html"));
  console.log(said, warned, code);
  console.log((await run("--csv")).said, readFileSync("/tmp/w/report-demo.html").length);
});
