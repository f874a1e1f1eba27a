import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setGlobalProxyFromEnv } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../scripts/freePort.mts";
import { Misuse, parsed } from "../../../src/cli/commands/command";
import { Interruption } from "../../../src/cli/commands/interruption";
import { local } from "../../../src/cli/commands/local";
import { startLocalSimulator } from "../../../src/cli/commands/localSimulator";
import { backendIn, LocalStack } from "../../../src/cli/commands/localStack";
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

test.each([["--output=app.env"], ["--force"]])("with a command, %s is refused: no file is written", async (option) => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  await expect(spoken(local, option, "--", "true")).rejects.toThrow(
    "--output and --force are for the file, which is not written where there is a command: leave them out.",
  );
});

test.each([
  ["--dropin-port=x", '--dropin-port takes a port, not "x".'],
  ["--manager=a b", '--manager takes a name of letters, digits, - and _, not "a b".'],
])("%s is misuse, with the words of the simulator", async (option, words) => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  await expect(spoken(local, option, "--", "true")).rejects.toThrow(new Misuse(words));
});

test("without the Pulumi CLI, it says so, and leaves nothing behind", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  vi.stubEnv("PATH", folder);
  await expect(spoken(local, "--no-listen")).rejects.toThrow(
    "There is no `pulumi` in the PATH: install the Pulumi CLI",
  );
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "tmp"]);
});

test("the simulator's settings lead to it, with the connections that are asked for", async () => {
  const simulator = await startLocalSimulator(folder, ["--manager", "fra-1", "--account", "shop", "--no-listen"]);
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

test.each([
  ["C:\\Users\\Ann B\\state", "\\", "file://C:/Users/Ann B/state"],
  ["/tmp/a\\b/state", "/", "file:///tmp/a\\b/state"],
])("the state in %s has the URL that the CLI takes for a folder's", (path, separator, url) => {
  expect(backendIn(path, separator)).toBe(url);
});

/** A CLI that has this configuration and these outputs, and writes down what it was asked. */
function pretendCli(configuration: object, outputs: object = {}): () => string[] {
  const asked = join(folder, "asked");
  const script = `#!${process.execPath}
require("node:fs").appendFileSync(${JSON.stringify(asked)}, process.argv.slice(2).filter((arg) => !/^-|\\//.test(arg)).join(" ") + "\\n");
const answers = { config: ${JSON.stringify(configuration)}, stack: ${JSON.stringify(outputs)} };
console.log(JSON.stringify(answers[process.argv[2]] ?? {}));
`;
  writeFileSync("pulumi", script, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  return () => readFileSync(asked, "utf8").trim().split("\n");
}

test("a connection that the configuration alone names is real, and the program does not get to it", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  const managers = { "fra-1": { url: "http://127.0.0.1:1" }, "fra-2": { url: "http://127.0.0.1:2" } };
  const accounts = { shop: { apiToken: "t" } };
  const asked = pretendCli({
    "brightdata:managers": { objectValue: managers, value: JSON.stringify(managers) },
    "brightdata:accounts": { value: JSON.stringify(accounts), secret: true },
  });
  await expect(spoken(local, "--no-listen", "--stack", "dev")).rejects.toThrow(
    "fra-1, fra-2 of brightdata:managers are no simulated managers, and nothing was changed there: say --manager fra-1,fra-2.",
  );
  await expect(spoken(local, "--no-listen", "--manager", "fra-1,fra-2")).rejects.toThrow(
    "shop of brightdata:accounts is no simulated account, and nothing was changed there: say --account shop.",
  );
  expect(asked()).toEqual(["stack init dev", "config dev", "stack init local", "config local"]);
  const all = ["--no-listen", "--manager", "fra-1,fra-2", "--account", "shop", "--"];
  expect(await spoken(local, ...all, process.execPath, "-e", "process.exit(3)")).toMatchObject({ code: 3 });
  expect(asked().slice(4)).toEqual(["stack init local", "config local", "up local", "stack output local"]);
});

test("a setting has the type that the project declares", async () => {
  writeFileSync(
    "Pulumi.yaml",
    `name: shop
runtime: nodejs
config:
  countries:
    items: { type: string }
    type: array
  hosts: { type: array, items: { type: string } }
  shop:limits:
    type: object
  ips:
    type: integer
`,
  );
  const calls = pretendCli({});
  const run = (...config: string[]) =>
    spoken(local, "--no-listen", ...config.flatMap((each) => ["--config", each]), process.execPath, "-e", "");
  const given = ["countries=us, de", 'shop:hosts=["a,b"]', 'limits={"ips":3}', "ips=5", "other:countries=us", "x(=1"];
  expect(await run(...given)).toMatchObject({ code: 0 });
  const [written = ""] = calls().flatMap((call) => /^config set-all local (.*)$/.exec(call)?.[1] ?? []);
  expect(JSON.parse(written)).toEqual({
    countries: { value: '["us","de"]', objectValue: ["us", "de"] },
    "shop:hosts": { value: '["a,b"]', objectValue: ["a,b"] },
    limits: { value: '{"ips":3}', objectValue: { ips: 3 } },
    ips: { value: "5" },
    "other:countries": { value: "us" },
    "x(": { value: "1" },
  });
  await expect(run("ips=few")).rejects.toThrow('The setting `ips` takes a whole number, not "few".');
});

test("what a stack's file has encrypted is left out, and named, and all else comes before what is given", async () => {
  writeFileSync("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  writeFileSync("Pulumi.dev.yaml", "config: as the CLI reads it\n");
  const clear = { "shop:limits": { value: '{"ips":3}', objectValue: { ips: 3 }, secret: false } };
  const calls = pretendCli({ "brightdata:apiToken": { secret: true }, ...clear, "shop:key": { secret: true } });
  const interruption = new Interruption("");
  onTestFinished(() => interruption.stop());
  const own = join(folder, "own");
  mkdirSync(own);
  const warned = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => warned.mockRestore());
  await new LocalStack("dev", own, process.env, interruption).init([["ips", "5"]]);
  expect(warned.mock.calls.map(([text]) => text)).toEqual([
    "Not set here, because they are encrypted: brightdata:apiToken, shop:key. If the program needs one, set it with --config.\n",
  ]);
  expect(calls()).toEqual([
    "stack init dev",
    "config dev Pulumi.dev.yaml",
    `config set-all dev ${JSON.stringify(clear)}`,
    'config set-all dev {"ips":{"value":"5"}}',
  ]);
});

test("a value that the CLI refuses is not shown", async () => {
  writeFileSync("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  writeFileSync("pulumi", '#!/bin/sh\ncase "$*" in *set-all*) exit 1 ;; esac\n', { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const interruption = new Interruption("");
  onTestFinished(() => interruption.stop());
  const own = join(folder, "own");
  mkdirSync(own);
  await expect(new LocalStack("dev", own, environment, interruption).init([["key", "hush"]])).rejects.toThrow(
    `\`pulumi config set-all --stack dev --config-file ${join(own, "Pulumi.dev.yaml")} --json ...\` ended with status 1.`,
  );
});

test("a stack's file is taken from the folder that the project names for them", async () => {
  writeFileSync("Pulumi.yaml", "name: shop\nruntime: nodejs\nstackConfigDir: stacks\n");
  mkdirSync("stacks");
  writeFileSync("stacks/Pulumi.local.yaml", "config: as the CLI reads it\n");
  const calls = pretendCli({ "shop:word": { value: "hello" } });
  expect(await spoken(local, "--no-listen", "--", "true")).toMatchObject({ code: 0 });
  expect(calls()).toContain('config set-all local {"shop:word":{"value":"hello"}}');
});

test.each([
  ["Pulumi.yml", "name: shop\nruntime: nodejs\n"],
  ["Pulumi.json", '{ "name": "shop", "runtime": "nodejs" }'],
])("a project may be in %s, and so may the configuration of its stacks", async (project, text) => {
  writeFileSync(project, text);
  const configuration = project.replace("Pulumi.", "Pulumi.local.");
  writeFileSync(configuration, "as the CLI reads it\n");
  const calls = pretendCli({ "shop:word": { value: "hello" } });
  expect(await spoken(local, "--no-listen", "--", "true")).toMatchObject({ code: 0 });
  expect(calls()).toContain(`config local ${configuration}`);
  expect(calls()).toContain('config set-all local {"shop:word":{"value":"hello"}}');
});

test("a signal is passed on to the command, and nothing is left", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  mkdirSync("tmp");
  vi.stubEnv("TMPDIR", join(folder, "tmp"));
  pretendCli({});
  const before = process.listeners("SIGHUP");
  const script = `
process.on("SIGHUP", () => process.exit(7));
setInterval(() => {}, 1000);
require("node:fs").writeFileSync("begun", process.env.BRIGHTDATA_BASE_URL);`;
  const ending = spoken(local, "--no-listen", process.execPath, "-e", script);
  await vi.waitUntil(() => existsSync("begun") && readFileSync("begun", "utf8") !== "", { timeout: 15_000 });
  process.emit("SIGINT");
  process.emit("SIGINT");
  process.emit("SIGHUP");
  expect(await ending).toMatchObject({ code: 7 });
  expect(readdirSync("tmp")).toEqual([]);
  expect(process.listeners("SIGHUP")).toEqual(before);
  await expect(fetch(`${readFileSync("begun", "utf8")}/__simulator/health`)).rejects.toThrow();
});

test("a signal during the update ends it, and says so", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  writeFileSync(
    "pulumi",
    `#!${process.execPath}
if (process.argv[2] !== "up") console.log("{}");
else {
  setInterval(() => {}, 1000);
  require("node:fs").writeFileSync("begun", "");
}
`,
    { mode: 0o755 },
  );
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  const ending = expect(spoken(local, "--no-listen")).rejects.toMatchObject({
    signal: "SIGTERM",
    message: "Interrupted. Nothing was written.",
  });
  await vi.waitUntil(() => existsSync("begun"), { timeout: 15_000 });
  process.emit("SIGTERM");
  await ending;
});

/** A command that asks for a page through the drop-in port, and succeeds if that asks for credentials. */
const asking = (port: number): string[] => [
  process.execPath,
  "-e",
  `require("node:http").get({ host: "127.0.0.1", port: ${port}, path: "http://geo.brdtest.com/mygeo.json" }, ({ statusCode }) =>
    process.exit(statusCode === 407 ? 0 : 1))`,
];

test("the drop-in port takes connections while the command runs", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  const port = await freePort();
  const calls = pretendCli({}, { proxyUrl: `http://u:p@127.0.0.1:${port}`, other: "http://127.0.0.1:1/x" });
  const wanted = ["--dropin-port", String(port), "--config", `proxyPort=${port}`, "--config", "a:list=[1,2]", "--"];
  const { code, warned } = await spoken(local, ...wanted, ...asking(port));
  expect(code).toBe(0);
  expect(calls()).toContain(`config set-all local {"proxyPort":{"value":"${port}"},"a:list":{"value":"[1,2]"}}`);
  expect(warned).toContain("The simulator does not listen at 127.0.0.1:1, where OTHER leads.\n");
  expect(warned).not.toContain("PROXY_URL");
});

test.each([["--no-listen"], ["--no-dropin"]])("with %s, it says which outputs lead nowhere", async (option) => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  pretendCli({}, { proxyUrl: "http://u:p@127.0.0.1:22225", host: "localhost:22225", zone: "web" });
  const { code, warned } = await spoken(local, option, process.execPath, "-e", "");
  expect(code).toBe(0);
  expect(warned).toContain("The simulator does not listen at 127.0.0.1:22225, where PROXY_URL leads.\n");
  expect(warned).toContain("The simulator does not listen at localhost:22225, where HOST leads.\n");
});

test("of many addresses in one output that lead nowhere, it names some", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  const urls = Array.from({ length: 400 }, (_, index) => `http://127.0.0.1:${24_000 + index}`);
  pretendCli({}, { proxies: urls });
  const { warned } = await spoken(local, "--no-listen", process.execPath, "-e", "");
  const lines = warned.split("\n").filter((line) => line.includes("does not listen"));
  expect(lines).toEqual([
    "The simulator does not listen at 127.0.0.1:24000, 127.0.0.1:24001, 127.0.0.1:24002 and 397 more, where PROXIES leads.",
  ]);
});

test("an output does not take the place of PATH, by which the command is found", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  pretendCli({}, { path: "/api", word: "hello" });
  const script = `process.exit(process.env.WORD === "hello" && process.env.PATH !== "/api" ? 0 : 1)`;
  const { code, warned } = await spoken(local, "--no-listen", "--", "node", "-e", script);
  expect(code).toBe(0);
  expect(warned).toContain("PATH is not that of the outputs: programs are found by it. Rename the output.\n");
});

test("what no .env can say is named, with a way that this command has", async () => {
  writeFileSync("Pulumi.yaml", "name: a\nruntime: nodejs\n");
  pretendCli({}, { shops: { name: `Ann's "shop"` } });
  await expect(spoken(local, "--no-listen")).rejects.toThrow(
    /^The value of SHOPS cannot be written .* and a backtick\. Give a command, as in `local -- npm start`: that gets it\.$/,
  );
});

test("without the drop-in port, it does not start: something else would get the traffic", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(startLocalSimulator(folder, ["--dropin-port", String(port)])).rejects.toThrow(
    `Port ${port} is in use, by another simulator or a Proxy Manager maybe: stop it, take another with --dropin-port, or none with --no-dropin.`,
  );
});

test("two are there at once, each with a drop-in port of its own", async () => {
  const ports = [await freePort(), await freePort()];
  const all = await Promise.all(
    ports.map(async (port, index) => {
      const own = join(folder, String(index));
      mkdirSync(own);
      return startLocalSimulator(own, ["--dropin-port", String(port)]);
    }),
  );
  onTestFinished(() => void Promise.all(all.map((each) => each.stop())));
  expect(await Promise.all(all.map(async (each) => [...(await each.listensAt())]))).toEqual(
    ports.map((port) => [port]),
  );
});

test.each([
  [["sh", "-c", "true"], [], ["sh", "-c", "true"]],
  [
    ["--stack", "dev", "--no-listen", "node", "--force"],
    ["stack", "listen"],
    ["node", "--force"],
  ],
  [["--stack=dev", "--", "sh", "--", "-c"], ["stack"], ["sh", "--", "-c"]],
])("in %j, the options %j are its own, and the command is %j", (args, options, command) => {
  const given = parsed(local, args);
  expect(Object.keys(given?.options ?? {})).toEqual(options);
  expect(given?.positionals).toEqual(command);
});

test("an unknown option before the command is still refused", () => {
  expect(() => parsed(local, ["--stak", "dev", "sh", "-c"])).toThrow("Unknown option '--stak'");
});

test("a proxy that Node.js takes from the environment is not used on the way to the simulator", async () => {
  const simulator = await startLocalSimulator(folder, ["--no-dropin"]);
  onTestFinished(() => simulator.stop());
  onTestFinished(setGlobalProxyFromEnv({ http_proxy: "http://127.0.0.1:1" }));
  expect(await simulator.listensAt()).toEqual(new Set());
});

test("a simulator that does not start says why", async () => {
  await expect(startLocalSimulator(join(folder, "none"), [])).rejects.toThrow("The simulator does not start: ENOENT: ");
});
