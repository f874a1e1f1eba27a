import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { local } from "../../src/commands/local";
import { startLocalSimulator } from "../../src/commands/localSimulator";
import { spoken } from "./spoken";

const before = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-"));
  process.chdir(folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

test("a folder without a program is refused", async () => {
  await expect(spoken(local)).rejects.toThrow("There is no Pulumi.yaml here: change to the program's folder.");
});

test("an .env of somebody else is refused before anything is started", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  writeFileSync(".env", "MINE=1\n");
  await expect(spoken(local)).rejects.toThrow(".env is there already. Name another file, or replace it with --force.");
});

test("without the Pulumi CLI, it says so, and leaves nothing behind", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  vi.stubEnv("PATH", folder);
  await expect(spoken(local, "--no-listen")).rejects.toThrow("`pulumi` cannot be started: spawn pulumi ENOENT");
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "tmp"]);
});

test("the simulator's settings lead to it, with the connections that are asked for", async () => {
  const simulator = await startLocalSimulator(folder, ["--manager", "fra-1", "--account", "shop"]);
  try {
    const {
      BRIGHTDATA_BASE_URL: url,
      BRIGHTDATA_MANAGERS: managers,
      BRIGHTDATA_ACCOUNTS: accounts,
    } = simulator.environment;
    expect((await fetch(`${url}/__simulator/health`)).status).toBe(200);
    expect(Object.keys(JSON.parse(managers ?? ""))).toEqual(["fra-1"]);
    expect(Object.keys(JSON.parse(accounts ?? ""))).toEqual(["shop"]);
    await simulator.stop();
    await expect(fetch(`${url}/__simulator/health`)).rejects.toThrow();
  } finally {
    await simulator.stop();
  }
});

test("a simulator that does not start says why", async () => {
  await expect(startLocalSimulator(folder, ["--manager", "fra 1"])).rejects.toThrow(
    'The simulator does not start: --manager takes a name of letters, digits, - and _, not "fra 1"',
  );
  expect(readdirSync(folder)).toEqual([]);
});
