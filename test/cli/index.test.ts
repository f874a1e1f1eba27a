import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  globSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Simulator, startSimulator, syntheticRecords } from "../../simulator";
import { counted } from "../../src/base/counted";
import { VERSION } from "../../src/base/version";
import { QUICKLY } from "../quickly";

const ROOT = join(__dirname, "../..");
let compiled: string;
let cli: string;

// The sources, compiled without a check of their types: the command is tested as it is now, not as it was last built.
beforeAll(() => {
  compiled = mkdtempSync(join(tmpdir(), "cli-"));
  cpSync(join(ROOT, "src"), join(compiled, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(compiled, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(compiled, "node_modules"), "junction");
  for (const file of globSync("**/*.ts", { cwd: join(compiled, "dist") })) {
    const path = join(compiled, "dist", file);
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
    const { outputText } = transpileModule(readFileSync(path, "utf8"), { compilerOptions });
    writeFileSync(path.replace(/\.ts$/, ".js"), outputText);
  }
  cli = join(compiled, "dist", "cli/index.js");
});
afterAll(() => rmSync(compiled, { recursive: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

let simulator: Simulator;
let folder: string;

beforeEach(async () => {
  simulator = await startSimulator({ seed: "seed" });
  folder = mkdtempSync(join(tmpdir(), "cli-data-"));
  onTestFinished(async () => {
    await simulator.close();
    rmSync(folder, { recursive: true });
  });
});

/** Runs the command in the folder to its end; `settings` beside those that point to the simulator. */
const run = (args: string[], settings: Record<string, string | undefined> = {}, nodeOptions: string[] = []) =>
  new Promise<Ended>((resolve) => {
    const env = { PATH: process.env.PATH, ...QUICKLY, ...simulator.environment(), BRIGHTDATA_LOG: "off", ...settings };
    const child = execFile(
      process.execPath,
      [...nodeOptions, cli, ...args],
      { cwd: folder, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

function readySnapshot(count: number) {
  const snapshot = simulator.account.addSnapshot("gd_simulated", ["ready"], []);
  snapshot.status = "ready";
  snapshot.records = syntheticRecords(count);
  return snapshot;
}

test("download makes a file, tells of its progress, and prints where the file is", async () => {
  const { id } = readySnapshot(2500);
  const { code, stdout, stderr } = await run([
    "download",
    id,
    "--to",
    "data.csv",
    "--format",
    "csv",
    "--batch-size",
    "1000",
  ]);
  const file = join(folder, "data.csv");
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` });
  expect(stderr).toMatch(
    /^Records: 1,000 of 2,500, \d\.\d MB\nRecords: 2,000 of 2,500, .*\nRecords: 2,500 of 2,500, .*\nDone: 2,500 records, \d\.\d MB\n$/,
  );
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2502);
  expect(readdirSync(folder)).toEqual(["data.csv"]);
  const quiet = await run(["download", id, "--to", "data.csv", "--overwrite", "--quiet"]);
  expect(quiet).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" });
});

test("download goes on in another process", async () => {
  const { id } = readySnapshot(2500);
  const args = ["download", id, "--to", "data.gz", "--compress", "--batch-size", "1000"];
  simulator.remote.service.faults.add({ kind: "respond", status: 500, path: /snapshot\/[^/]+$/, after: 1 });
  const first = await run(args, { BRIGHTDATA_RETRIES: "0" });
  expect(first.code).toBe(1);
  expect(readdirSync(folder)).toEqual(["data.gz.partial", "data.gz.partial.json"]);
  const second = await run(args);
  expect(second.code).toBe(0);
  expect(second.stderr).toContain(", 1 part of an earlier download kept");
  expect(readdirSync(folder)).toEqual(["data.gz"]);
});

test("download does not replace a file by itself", async () => {
  const { id } = readySnapshot(10);
  writeFileSync(join(folder, "data"), "precious");
  const { code, stderr } = await run(["download", id, "--to", "data"]);
  expect(code).toBe(1);
  expect(stderr).toContain("is there already. Allow it to be replaced with `overwrite` (--overwrite)");
  expect(readFileSync(join(folder, "data"), "utf8")).toBe("precious");
  expect((await run(["download", id, "--to", "data", "--overwrite"])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "data"), "utf8"))).toHaveLength(10);
});

test("download tells by its status that the snapshot is not ready", async () => {
  const { id } = simulator.account.addSnapshot("gd_simulated", ["running"], []);
  const { code, stderr } = await run(["download", id, "--to", "data"]);
  expect(code).toBe(3);
  expect(stderr).toContain("Ask again in 10 s.");
});

test("download needs a token, and shows it to nobody", async () => {
  const { id } = readySnapshot(10);
  const without = await run(["download", id, "--to", "data"], { BRIGHTDATA_API_TOKEN: undefined });
  expect(without.code).toBe(1);
  expect(without.stderr).toContain("BRIGHTDATA_API_TOKEN");
  const wrong = await run(["download", id, "--to", "data"], { BRIGHTDATA_API_TOKEN: "wrong-token" });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain("401");
  expect(wrong.stderr).not.toContain("wrong-token");
});

test("download takes the token of a named account", async () => {
  const { id } = readySnapshot(10);
  const settings = {
    BRIGHTDATA_API_TOKEN: undefined,
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: simulator.token } }),
  };
  const { code, stderr } = await run(["download", id, "--to", "data", "--account", "store"], settings);
  expect([code, stderr]).toEqual([2, expect.stringContaining('configured is "shop"')]);
  expect((await run(["download", id, "--to", "data", "--account", "shop"], settings)).code).toBe(0);
});

test.each([
  [["--batch-size", "1000"], "Parts that are complete are kept", ["data.partial", "data.partial.json"]],
  [[], "Nothing is kept for the next time: that takes --batch-size.", []],
])("download keeps what is complete when it is interrupted, with %j", async (parts, words, files) => {
  const { id, records } = readySnapshot(200_000_000);
  const args = ["download", id, "--to", "data", "--format", "ndjson", ...parts];
  const child = execFile(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...QUICKLY, ...simulator.environment() },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let said = "";
  child.stderr?.on("data", (text: string) => {
    if (said === "") child.kill("SIGINT");
    said += text;
  });
  expect(await ended).toBe(130);
  expect(said).toContain(words);
  expect(records.count).toBe(200_000_000);
  expect(readdirSync(folder)).toEqual(files);
});

test("download leaves a file alone that another process downloads, and takes over when that is killed", async () => {
  const snapshot = readySnapshot(2_000_000);
  const args = ["download", snapshot.id, "--to", "data", "--format", "ndjson", "--batch-size", "1000"];
  const first = execFile(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...QUICKLY, ...simulator.environment() },
  });
  const killed = new Promise<NodeJS.Signals | null>((resolve) => first.once("exit", (_, signal) => resolve(signal)));
  await new Promise((resolve) => first.stderr?.once("data", resolve));
  const second = await run(args);
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: "" });
  expect(second.stderr).toContain(`data is being downloaded by process ${first.pid} on ${hostname()}`);
  first.kill("SIGKILL");
  expect(await killed).toBe("SIGKILL");
  expect(readdirSync(folder)).toContain("data.partial.lock");
  snapshot.records = syntheticRecords(2500);
  expect(await run(args)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "data"), "utf8").split("\n")).toHaveLength(2501);
  expect(readdirSync(folder)).toEqual(["data"]);
});

test("download does not gather a record without end", async () => {
  const { id } = readySnapshot(10);
  const { code, stderr } = await run(["download", id, "--to", "data", "--max-record-bytes", "20"]);
  expect(code).toBe(1);
  expect(stderr).toContain("larger than 20 bytes");
  expect(stderr).toContain("--max-record-bytes");
  expect(readdirSync(folder)).toEqual([]);
});

test("download takes no more memory for a big snapshot than for a small one", async () => {
  const hook = join(folder, "memory.cjs");
  const report = join(folder, "memory");
  writeFileSync(
    hook,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const peak = async (count: number, ...options: string[]) => {
    const { id } = readySnapshot(count);
    const file = join(folder, `data-${count}`);
    const args = ["download", id, "--to", file, "--overwrite", ...options];
    const { code, stderr } = await run(args, {}, ["--require", hook, "--max-old-space-size=48"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Done: ${counted(count, "record")}`) });
    return { kilobytes: Number(readFileSync(report, "utf8")), bytes: statSync(file).size };
  };
  const small = await peak(1000);
  const big = await peak(900_000);
  expect(big.bytes).toBeGreaterThan(80e6);
  expect(big.kilobytes - small.kilobytes).toBeLessThan(60_000);
}, 60_000);

test("an import that is interrupted ends at once, and leaves nothing", async () => {
  for (let index = 0; index < 30; index++) simulator.account.addZone(`zone_${index}`, { type: "static" });
  const child = execFile(process.execPath, [cli, "import"], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...QUICKLY, ...simulator.environment(), BRIGHTDATA_REQUESTS_PER_MINUTE: "60" },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let said = "";
  child.stderr?.on("data", (text: string) => {
    if (said === "") child.kill("SIGINT");
    said += text;
  });
  expect(await ended).toBe(130);
  expect(said).toContain("Interrupted. Nothing was written.");
  expect(readdirSync(folder)).toEqual([]);
});

test("help", async () => {
  expect(await run(["--version"], {})).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  const overview = await run(["--help"], { BRIGHTDATA_API_TOKEN: undefined });
  expect(overview).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/ import .* download /s) });
  const { code, stdout, stderr } = await run(["download", "--help"], { BRIGHTDATA_API_TOKEN: undefined });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const word of [
    "download",
    "--to",
    "--format",
    "--compress",
    "--batch-size",
    "--max-record-bytes",
    "--overwrite",
    "--account",
    "--stack <name>",
  ]) {
    expect(stdout).toContain(word);
  }
});

test("a Node.js that is too old is named before a command is begun", async () => {
  const older = join(folder, "older.cjs");
  const versions = "{ value: { ...process.versions, node: '20.20.2' } }";
  writeFileSync(older, `Object.defineProperty(process, "versions", ${versions});\n`);
  expect(await run(["init", "zone", "proxies"], {}, ["--require", older])).toEqual({
    code: 1,
    stdout: "",
    stderr: "pulumi-brightdata needs Node.js 22 or later; the node on the PATH is 20.20.2.\n",
  });
  expect(readdirSync(folder)).toEqual(["older.cjs"]);
});

test("a reader that has enough is no failure", async () => {
  const piped = spawn(process.execPath, [cli, "download", "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  piped.stdout.destroy();
  const said = piped.stderr.toArray();
  const [code] = await once(piped, "exit");
  expect([code, (await said).join("")]).toEqual([0, ""]);
});

test("nobody has to read what is said on standard error", async () => {
  const piped = spawn(process.execPath, [cli, "upload"], { stdio: ["ignore", "pipe", "pipe"] });
  piped.stderr.destroy();
  const [code] = await once(piped, "exit");
  expect(code).toBe(2);
});

test.each<[string[], string]>([
  [[], "No command."],
  [["upload"], "No such command: upload."],
  [["downlaod"], "Did you mean download?"],
  [["foo"], "No such command: foo.\n"],
  [["download", "s_1", "--overwite"], "Did you mean --overwrite?"],
  [["download"], "Which snapshot?"],
  [["download", "s_1"], "--to is missing"],
  [["download", "s_1", "s_2", "--to", "a"], "One snapshot at a time, not also s_2."],
  [["download", "s_1", "--to", "a", "--format", "xml"], '--format takes json, ndjson, jsonl, csv, not "xml".'],
  [["download", "s_1", "--to", "a", "--batch-size", "0"], '--batch-size takes a number of records, not "0".'],
  [["download", "s_1", "--to", "a", "--batch-size", "999"], "--batch-size takes 1000 records or more, not 999."],
  [["download", "../s_1", "--to", "a"], 'An id is one such as s_m4x7enmven8djfqak, not "../s_1".'],
  [
    ["download", "s_1", "--to", "a", "--max-record-bytes", "64M"],
    '--max-record-bytes takes a number of bytes, not "64M".',
  ],
  [["download", "s_1", "--to", "a", "--fast"], "Unknown option '--fast'"],
  [["download", "s_1", "--to", "a", "--account", "nosuch"], '`account` is "nosuch": no account of that name'],
  [["report", "--account", "nosuch"], 'There is no account "nosuch": default is configured.'],
  [["import", "--manager", "nosuch"], 'There is no Proxy Manager "nosuch": default is configured.'],
])("%j is misuse", async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/Usage: pulumi-brightdata (download|report|import|<command>)/);
  expect(simulator.remote.service.requests).toEqual([]);
});

test.runIf(process.platform === "linux")("a full disk under its output is said in one line", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [cli, "--help"], { stdio: ["ignore", full, "pipe"] });
  const [[code], said] = await Promise.all([once(child, "exit"), text(child.stderr as Readable)]);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^[^\n]*ENOSPC[^\n]*\n$/) });
});
