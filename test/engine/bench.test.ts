import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readResults } from "../../bench/results.mts";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { hasTurn } from "../turn";
import { cli, ROOT } from "./harness";

/** There are many commands to run, and the machine may have more to do. */
const TIMEOUT_MS = 600_000;
/** Each in a way of its own, with the requests of its first step where these are certain. */
const COLUMNS: Readonly<Record<string, number | undefined>> = {
  ProxyPorts: undefined,
  // The manager is asked for its mode, its zones and its settings with the first port.
  native: 5,
  usual: 2,
  "engine-set": 0,
  node: 0,
  service: 2,
  fleet: undefined,
};
const STEPS = ["up", "preview", "refresh", "change one", "change all", "destroy"];

it(
  "npm run bench takes columns of each kind through all steps, and keeps the figures",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "bench-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const out = join(folder, "results.json");
    const columns = Object.keys(COLUMNS).filter((_, index) => hasTurn(index, 2));
    const args = ["bench/index.mts", "--columns", columns.join(), "--sizes", "2", "--rounds", "1", "--out", out];
    const env = environmentFor(cli, process.env);
    const { status, stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, env, timeoutMs: TIMEOUT_MS });
    expect(status, stderr).toBe(0);
    const expected = columns.filter((column) => !/^engine/.test(column) || !stdout.includes("Without the columns"));
    const { measurements } = await readResults(out);
    expect(measurements.map(({ column, step }) => `${column}: ${step}`)).toEqual(
      expected.flatMap((column) => STEPS.map((step) => `${column}: ${step}`)),
    );
    for (const { seconds } of measurements) expect(seconds).toBeGreaterThan(0);
    const ups = measurements.filter(({ step }) => step === "up");
    for (const { column, requests, stateBytes } of ups) {
      const certain = COLUMNS[column];
      if (certain !== undefined) expect(requests, column).toBe(certain);
      if (column !== "service") expect(stateBytes).toBeGreaterThan(1000);
    }
  },
  TIMEOUT_MS,
);

it.runIf(process.platform === "linux")(
  "npm run bench:start measures the package's plugin where no other command is given",
  async () => {
    const { status, stdout, stderr } = await run(process.execPath, ["bench/start.mts"], {
      cwd: ROOT,
      timeoutMs: TIMEOUT_MS,
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ ms, \d+ ms of CPU time\n$/);
  },
);
