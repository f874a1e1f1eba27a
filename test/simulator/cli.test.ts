import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { listeningPort, through } from "./manager/harness";
import { basic } from "./manager/portClient";

const SOURCE = join(__dirname, "../../simulator");
let folder: string;
let cli: string;

// The sources, compiled without a check of their types: the command is tested as it is now, not as it was last built.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simulator-cli-"));
  const compiled = join(folder, "dist/simulator");
  cpSync(SOURCE, compiled, { recursive: true });
  for (const file of globSync("**/*.ts", { cwd: compiled })) {
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
    const { outputText } = transpileModule(readFileSync(join(compiled, file), "utf8"), { compilerOptions });
    writeFileSync(join(compiled, file.replace(/\.ts$/, ".js")), outputText);
  }
  writeFileSync(join(folder, "package.json"), '{ "version": "1.2.3" }');
  cli = join(compiled, "cli.js");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command to its end. */
const run = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** Starts the command and waits until it says that it runs. */
async function start(...args: string[]): Promise<{ child: ChildProcess; output: string; ended: Promise<unknown[]> }> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<unknown[]>((resolve) => child.once("exit", (...status) => resolve(status)));
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes("Press Ctrl+C")) break;
  }
  return { child, output, ended };
}

test.each([
  ["that npx has started ends with it", "exec", [process.execPath], true],
  // What more there is to do keeps a shell from becoming what it runs.
  [
    "that npx has started through a shell ends with it",
    "exec",
    ["sh", "-c", '"$0" "$@"; true', process.execPath],
    true,
  ],
  ["that a script has started outlives it", "run-script", [process.execPath], false],
] as const)("the simulator %s", async (_, command, [file, ...args], isToEnd) => {
  const program = `require("node:child_process").spawn(${JSON.stringify(file)}, ${JSON.stringify([...args, cli])}, { stdio: "inherit" })`;
  const env = { ...process.env, npm_command: command };
  const npm = spawn(process.execPath, ["-e", program], { env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => npm.once("exit", resolve));
  onTestFinished(() => killGroup(npm.pid));
  let output = "";
  for await (const chunk of npm.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes("Press Ctrl+C")) break;
  }
  const [, url] = /^Remote service {2}(\S+)$/m.exec(output) ?? [];
  const answers = () =>
    fetch(`${url}/__simulator/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  npm.kill("SIGKILL");
  await ended;
  if (isToEnd) await expect.poll(answers).toBe(false);
  else expect(await answers()).toBe(true);
});

function killGroup(leader = 0): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

test.each(["SIGINT", "SIGTERM"] as const)("the simulator runs until %s, and says what to copy", async (signal) => {
  const { child, output, ended } = await start("--token", "my token");
  const exports = Object.fromEntries(
    [...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(exports).toEqual({
    BRIGHTDATA_API_TOKEN: "'my token'",
    BRIGHTDATA_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    BRIGHTDATA_PROXY_MANAGER_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  expect(output).toContain(`Remote service  ${exports.BRIGHTDATA_BASE_URL}\n`);
  expect(output).toContain(`Proxy Manager   ${exports.BRIGHTDATA_PROXY_MANAGER_URL}\n`);
  expect(output).toContain("API token       my token\n");
  const headers = { authorization: "Bearer my token" };
  expect((await fetch(`${exports.BRIGHTDATA_BASE_URL}/status`, { headers })).status).toBe(200);
  expect((await fetch(`${exports.BRIGHTDATA_PROXY_MANAGER_URL}/api/version`)).status).toBe(200);
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
});

test("a simulator that does not start leaves no settings of a former one", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const file = join(folder, "former.env");
  writeFileSync(file, "BRIGHTDATA_API_TOKEN=former\n");
  const { port } = holder.address() as AddressInfo;
  expect((await run("-e", file, "--remote-port", String(port))).code).toBe(3);
  expect(readFileSync(file, "utf8")).toBe("");
});

test("the simulator runs on where nobody reads what it says", async () => {
  const file = join(folder, "unread.env");
  const child = spawn(process.execPath, [cli, "-e", file], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", (...status) => resolve(status)));
  child.stdout.destroy();
  await vi.waitFor(() => expect(readFileSync(file, "utf8")).toContain("BRIGHTDATA_BASE_URL"), 10_000);
  const { BRIGHTDATA_PROXY_MANAGER_URL: manager } = parseEnv(readFileSync(file, "utf8"));
  expect((await fetch(`${manager}/api/version`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

/** @returns its password */
async function addZone(output: string, name: string): Promise<string> {
  const remote = /^Remote service +(\S+)$/m.exec(output)?.[1];
  const response = await fetch(`${remote}/__simulator/zones`, {
    method: "POST",
    body: JSON.stringify({ name, plan: { type: "static" } }),
  });
  const { password } = (await response.json()) as { password: string[] };
  return password[0] ?? "";
}

const managerOf = (output: string): string => /^Proxy Manager +(\S+)$/m.exec(output)?.[1] ?? "";

test("what the README sends through a port is answered", async () => {
  const { output } = await start();
  await addZone(output, "static");
  const port = await listeningPort(managerOf(output));
  const { status, text } = await through(port);
  expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ country: "US" })]);
});

test("the drop-in port has the number that it is given, also after a reset", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  await new Promise((resolve) => holder.close(resolve));
  const { output } = await start("--dropin-port", String(port));
  const listed = async () => (await fetch(`${managerOf(output)}/api/proxies`)).json();
  expect(await listed()).toEqual([expect.objectContaining({ port, listen_port: port })]);
  await fetch(`${managerOf(output)}/__simulator/reset`, { method: "POST" });
  expect(await listed()).toEqual([expect.objectContaining({ port, listen_port: port })]);
  expect((await through(port)).status).toBe(407);
  const password = await addZone(output, "web");
  const by = (given: string) => through(port, { headers: basic("brd-customer-hl_simulated-zone-web", given) });
  expect([(await by(password)).status, (await by("wrong")).status]).toEqual([200, 407]);
});

test("the ports take no connections where they are told not to", async () => {
  const { output } = await start("--no-listen");
  const port = await listeningPort(managerOf(output));
  await expect(through(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a port in use is reported in one clear line", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const stderr = `Port ${port} is in use, perhaps by another simulator: stop that, or choose another port (--help).\n`;
  for (const flag of ["--remote-port", "--manager-port"])
    expect(await run(flag, String(port))).toEqual({ code: 3, stdout: "", stderr });
});

test("the options say what there is, at the start and after a reset", async () => {
  const [state, variables] = [join(folder, "state.json"), join(folder, "variables.env")];
  writeFileSync(state, JSON.stringify({ balance: { balance: 5 }, zones: [{ name: "a", plan: { type: "static" } }] }));
  const { child, output, ended } = await start(
    ...["--host", "localhost", "--seed", "s", "--customer", "hl_me", "--datasets", "any", "--no-dropin"],
    ...["--account", "shop:0", "--manager", "fra-1@shop", "--manager", "fra-2", "--no-listen"],
    ...["--state", state, "-e", variables],
  );
  const written = readFileSync(variables, "utf8");
  expect(output).toContain(written.replace(/^(?=.)/gm, "export "));
  const { BRIGHTDATA_BASE_URL: url = "", BRIGHTDATA_API_TOKEN: token, ...env } = parseEnv(written);
  expect(url).toMatch(/^http:\/\/localhost:/);
  expect([
    Object.keys(JSON.parse(env.BRIGHTDATA_ACCOUNTS ?? "")),
    Object.keys(JSON.parse(env.BRIGHTDATA_MANAGERS ?? "")),
  ]).toEqual([["shop"], ["fra-1", "fra-2"]]);
  const shown = async () => (await fetch(`${url}/__simulator/state`)).json() as Promise<Record<string, unknown>>;
  const before = await shown();
  expect(before).toMatchObject({
    customer: "hl_me",
    token,
    balance: { balance: 5, credit: 0 },
    zones: [{ name: "a" }],
    behaviour: { everyDatasetExists: true },
    manager: { ports: [] },
  });
  await fetch(`${url}/__simulator/zones/a`, { method: "DELETE" });
  expect((await fetch(`${url}/__simulator/reset`, { method: "POST" })).status).toBe(204);
  expect(await shown()).toMatchObject({ zones: [{ name: "a", status: "active" }], token });
  child.kill();
  expect(await ended).toEqual([0, null]);
});

test.each([
  [["--state", "/nosuch"], "ENOENT: no such file or directory, open '/nosuch'\n"],
  [["--state", SOURCE], "EISDIR: illegal operation on a directory, read\n"],
  [["--state", __filename], `${__filename} does not hold a JSON object.\n`],
  [["-e", "/nosuch/file"], "ENOENT: no such file or directory, open '/nosuch/file'\n"],
])("%j fails, and nothing keeps running", async (args, stderr) => {
  expect(await run(...args)).toEqual({ code: 1, stdout: "", stderr });
});

test("a state with what there is not is refused", async () => {
  const state = join(folder, "wrong.json");
  writeFileSync(state, '{ "colour": "red" }');
  expect(await run("--state", state)).toEqual({ code: 1, stdout: "", stderr: "--state: there is no such colour\n" });
});

test.each(["--version", "-v"])("%s says which one it is", async (flag) => {
  expect(await run(flag)).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
});

test.each(["--help", "-h"])("%s shows how the command is used", async (flag) => {
  const { code, stdout, stderr } = await run(flag);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test.each([
  [["--colour"], "Unknown option '--colour'"],
  [["extra"], "Unexpected argument 'extra'"],
  [["--token"], "Option '--token <value>' argument missing"],
  [["--remote-port", "many"], '--remote-port takes a port, not "many"'],
  [["--datasets", "some"], '--datasets takes "any", not "some"'],
  [["--account", "a b"], '--account takes a name of letters, digits, - and _, not "a b"'],
  [["--manager", "fra-1:x"], '--manager takes a port, not "x"'],
  [["--dropin-port", "x"], '--dropin-port takes a port, not "x"'],
  [["--manager-port", "65536"], '--manager-port takes a port, not "65536"'],
  [["--manager", "fra-1@shop"], '--manager names the account "shop", which no --account adds'],
  [["--host", ""], "--host is empty: give it a value, or leave it out"],
  [["--token="], "--token is empty: give it a value, or leave it out"],
  [["-e", ""], "-e is empty: give it a value, or leave it out"],
])("%j is refused as misuse", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toContain("Usage: pulumi-brightdata-simulator [options]");
});

test("the help names no option that Node.js takes for its own", async () => {
  const { stdout } = await run("--help");
  expect(stdout).toContain("  -e FILE ");
  expect(stdout).not.toContain("--env-file");
});

test.runIf(process.platform === "linux")("a full disk under its output is said in one line", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [cli, "--help"], { stdio: ["ignore", full, "pipe"] });
  const [code, said] = await Promise.all([
    once(child, "exit").then(([status]) => status),
    text(child.stderr as Readable),
  ]);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^[^\n]*ENOSPC[^\n]*\n$/) });
});
