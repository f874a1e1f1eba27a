import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Simulator, startSimulator } from "../../../simulator";
import { ArgumentError } from "../../../src/base/errors";
import { accountOf } from "../../../src/base/location";
import type { Source } from "../../../src/cli/account/source";
import { parsed } from "../../../src/cli/commands/command";
import { importAccount } from "../../../src/cli/commands/import";
import { omission } from "../../../src/cli/commands/importReport";
import { clickTogether, fleet } from "../import/account";
import { entriesIn } from "../import/program";

let simulator: Simulator;
let folder: string;

beforeEach(async () => {
  simulator = await startSimulator({ seed: "seed" });
  folder = mkdtempSync(join(tmpdir(), "import-"));
  // In no project.
  vi.spyOn(process, "cwd").mockReturnValue(tmpdir());
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  await clickTogether(simulator);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function run(...args: string[]): Promise<{ code: number; said: string; warned: string }> {
  const output = args.includes("--check") ? [] : ["--output", folder];
  const given = parsed(importAccount, [...output, "--quiet", ...args]);
  if (given === undefined) throw new Error("that is the help");
  const [out, err] = [heardOn(process.stdout), heardOn(process.stderr)];
  const code = await importAccount.run(given);
  return { code, said: out(), warned: err() };
}

/** @returns what has been written since, and lets it through from then on */
function heardOn(stream: NodeJS.WriteStream): () => string {
  const spy = vi.spyOn(stream, "write").mockReturnValue(true);
  return () => {
    const texts = spy.mock.calls.map(([text]) => String(text));
    spy.mockRestore();
    return texts.join("");
  };
}

/** Puts a CLI in place that answers each command so, and any other by failing. */
function answering(answers: Record<string, unknown>): void {
  const cases = Object.entries(answers).map(([command, answer], index) => {
    writeFileSync(join(folder, `answer-${index}`), JSON.stringify(answer));
    return `"${command}") cat "${folder}/answer-${index}";;`;
  });
  const otherwise = "*) echo 'error: no stack selected;\nsee `pulumi stack select`' >&2; exit 1;;";
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\ncase "$*" in\n${cases.join("\n")}\n${otherwise}\nesac\n`);
  chmodSync(join(folder, "pulumi"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
}

const text = (file: string): string => readFileSync(join(folder, file), "utf8");

/** Makes what was imported into the state of a stack, but for these resources. */
function stateWithout(...names: string[]): string {
  const resources = entriesIn(text("import.json"))
    .filter(({ logicalName }) => !names.includes(logicalName))
    .map(({ type, id, logicalName, outputs }) => ({
      urn: `urn:pulumi:dev::shop::${type}::${logicalName}`,
      type,
      id,
      outputs,
    }));
  return writeState(resources);
}

function writeState(resources: readonly object[]): string {
  const file = join(folder, "state.json");
  writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
  return file;
}

test("in a project of another language, it writes nothing, and says which way there is", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: a\nruntime:\n  name: python\n");
  await expect(run()).rejects.toThrow(/runs python, and the program would be in TypeScript\. Nothing was written\./);
  expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  expect((await run("--dry-run")).code).toBe(0);
});

test("a project that Bun runs is in TypeScript", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: a\nruntime: bun\n");
  const { code, said } = await run("--native");
  expect(code).toBe(0);
  expect(said).toContain("pulumi import --file import.json --generate-code=false");
});

test("what is written for a project of another language is imported from its folder", async () => {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "Pulumi.yaml"), "name: a\nruntime: python\n");
  vi.spyOn(process, "cwd").mockReturnValue(project);
  const { said } = await run("--native", "--output", join(folder, "out"));
  expect(said.slice(said.indexOf("Next:"))).toBe(`Next:

npx pulumi-brightdata plugin install
pulumi config set-all --json "$(cat ../out/import.secrets.json)"
pulumi import --file ../out/import.json
`);
});

test("it tells what it has written and what to do next, and keeps its files from others", async () => {
  const { code, said } = await run();
  expect(code).toBe(0);
  expect(said).toMatch(/^Read from .*\naccount +Zone +8\naccount +ZoneAccess +2\nmanager +ManagerSettings +1\n/);
  expect(said).toContain(`pulumi config set-all --json "$(cat import.secrets.json)"
pulumi import --file import.json --generate-code=false
pulumi preview
`);
  const lack = "afterwards. What follows needs a Pulumi project there, with a stack. Next:";
  expect(said).toContain(lack);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: a\nruntime: nodejs\n");
  expect((await run("--dry-run", "--force")).said).not.toContain(lack);
  rmSync(join(folder, "Pulumi.yaml"));
  expect(readdirSync(folder)).toEqual([".gitignore", "import.json", "import.secrets.json", "index.ts"]);
  for (const file of ["import.json", "import.secrets.json"]) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
});

test("what has passwords is kept out of git, once, below what is there", async () => {
  writeFileSync(join(folder, ".gitignore"), "node_modules/");
  await run("--dry-run");
  expect(text(".gitignore")).toBe("node_modules/");
  await run();
  await run("--force");
  expect(text(".gitignore")).toBe(
    "node_modules/\n# Written by `pulumi-brightdata import`, with passwords.\nimport*.json\n",
  );
});

test("a file that is written over is kept from others by then", async () => {
  writeFileSync(join(folder, "import.json"), "mine", { mode: 0o644 });
  await run("--force");
  expect(statSync(join(folder, "import.json")).mode & 0o777).toBe(0o600);
});

test("without a token, what accounts have is neither imported nor checked, which is said", async () => {
  const all = writeState([]);
  vi.stubEnv("BRIGHTDATA_API_TOKEN", undefined);
  const words =
    "No account is read: there is no API token. Set BRIGHTDATA_API_TOKEN, or name a stack that has one with --stack.\n";
  expect(await run("--dry-run")).toMatchObject({ code: 1, warned: words });
  const none = ["--name", "nothing-has-this-name"];
  expect(await run("--check", "--state", all, ...none)).toMatchObject({ code: 1, warned: words });
  expect(await run("--check", "--state", all, "--manager", "default", ...none)).toMatchObject({ code: 0, warned: "" });
});

test("it writes over nothing, unless it is forced to", async () => {
  writeFileSync(join(folder, "index.ts"), "mine");
  await expect(run()).rejects.toThrow(/index\.ts is a program already\. Nothing was written\. With --stack <name>, /);
  expect(readdirSync(folder)).toEqual(["index.ts"]);
  expect(simulator.remote.service.requests).toEqual([]);
  await run("--force");
  expect(text("index.ts")).toContain("new brightdata.Zone(");
});

test("a folder that is a file is refused before anything is read", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "mine");
  await expect(run("--output", join(file, "below"))).rejects.toThrow(
    new ArgumentError(`${file} is a file. Nothing was written. Name a folder.`),
  );
  expect(simulator.remote.service.requests).toEqual([]);
});

test("a dry run writes nothing, and says the same", async () => {
  const { said } = await run("--dry-run", "--json");
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, "index.ts"), "// another program\n");
  const { said: planned, warned } = await run("--dry-run");
  expect(planned).toContain("Would write");
  expect(warned).toContain("index.ts is a program already.");
  expect(text("index.ts")).toBe("// another program\n");
  const { resources, leftOut, files } = JSON.parse(said);
  expect(resources).toContainEqual({ kind: "Zone", name: "Web-Old", id: "Web-Old", source: "account" });
  expect(leftOut).toEqual([]);
  expect(files).toEqual(["index.ts", "import.json", "import.secrets.json"]);
});

test.each<[string[], string[]]>([
  [
    ["--kind", "Zone,ZoneIps", "--zone", "web*"],
    ["Zone Web-Old", "Zone web", "Zone web_old", "ZoneIps Web-Old", "ZoneIps web_old-gips"],
  ],
  [
    ["--zone", "class"],
    ["Zone class", "ZoneAccess class", "ProxyPort shop"],
  ],
  [
    ["--kind", "ProxyPort", "--ports", "one-by-one", "--name", "us-*"],
    ["ProxyPort us-0", "ProxyPort us-1", "ProxyPort us-2"],
  ],
  [["--kind", "ManagerUser", "--name-prefix", "old-"], ["ManagerUser old-ops@example.com"]],
])("%j is that, and no more", async (args, names) => {
  const { said } = await run("--dry-run", "--json", ...args);
  const { resources } = JSON.parse(said) as { resources: { kind: string; name: string }[] };
  expect(resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual(names);
});

test("in a package of ES modules, files import each other with their extensions", async () => {
  const { environment, close } = await fleet(30, 40);
  onTestFinished(close);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await run();
  expect(text("index.ts")).toMatch(/^import "\.\/account\.ts";\n(import "\.\/[\w-]+\.ts";\n)+$/);
  expect(text("manager-fra-1.ts")).toMatch(/\nimport \{ \w+ \} from "\.\/account-other\.ts";\n/);
});

test("what a stack holds is not imported again, and its program gets one line", async () => {
  await run();
  const state = stateWithout("web_old", "shop", "ports-10.1.0.0-16");
  const before = text("index.ts");
  const left = run("--state", state);
  await expect(left).rejects.toThrow(/import\.json is there already\. .* delete them once that import is done, or/);
  await expect(left).rejects.not.toThrow("--force");
  for (const file of ["import.json", "import.secrets.json"]) rmSync(join(folder, file));
  const { said: planned } = await run("--state", state, "--dry-run", "--json");
  expect(JSON.parse(planned)).toMatchObject({ importedBy: { line: 'import "./imported";' } });
  expect(text("index.ts")).toBe(before);
  const { said } = await run("--state", state);
  const first = 'import * as brightdata from "pulumi-brightdata";\n';
  expect(text("index.ts")).toBe(before.replace(first, `${first}import "./imported";\n`));
  expect(readdirSync(folder)).toEqual([
    ".gitignore",
    "import.json",
    "import.secrets.json",
    "imported.ts",
    "index.ts",
    "state.json",
  ]);
  expect(text("imported.ts").match(/brightdata\.\w+\(\n {2}".*"/g)).toEqual([
    'brightdata.Zone(\n  "web_old"',
    'brightdata.WhitelistIp(\n  "ports-10.1.0.0-16"',
    'brightdata.ProxyPort(\n  "shop"',
  ]);
  expect(said).toMatch(/imported\.ts, .*, `import "\.\/imported";` in .*index\.ts\. /);
  for (const file of ["import.json", "import.secrets.json"]) rmSync(join(folder, file));
  await run("--state", state, "--force");
  expect(text("index.ts")).toContain('import "./imported";\nimport "./imported-2";\n');
  expect(text("imported-2.ts")).toBe(text("imported.ts"));
});

test("a program for the plugin has it registered first, and so has what is imported beside it", async () => {
  const { said } = await run("--native", "--no-protect");
  expect(said).toContain(`Next:

cd ${relative(".", folder)}
npx pulumi-brightdata plugin install
pulumi config set-all --json "$(cat import.secrets.json)"
pulumi import --file import.json --generate-code=false --protect=false
pulumi preview
`);
  const line = 'import * as brightdata from "pulumi-brightdata/native";\n';
  expect(text("index.ts")).toContain(line);
  const state = stateWithout("web_old");
  const rest = async (...args: string[]) => {
    const { said } = await run("--state", state, "--kind", "Zone", "--force", ...args);
    expect(text("index.ts")).toContain(`${line}import "./imported`);
    return said.includes("plugin install");
  };
  expect(await rest()).toBe(true);
  expect(text("imported.ts")).toContain(`${line}\nnew brightdata.Zone(`);
  expect(entriesIn(text("import.json"))).toMatchObject([{ type: "brightdata:index:Zone", id: "web_old" }]);
  expect(await rest("--no-native")).toBe(false);
  expect(text("imported-2.ts")).not.toContain("/native");
});

test("what is imported is for the first stack that is named, whichever is selected", async () => {
  const none = { deployment: { resources: [] } };
  answering({
    "config --stack acme/shop/production --show-secrets --json": {},
    "stack export --stack acme/shop/production": none,
    "stack export --stack dev": none,
    "stack ls --json --all": [],
  });
  for (const others of [[], ["--stack", "dev"]]) {
    const { said } = await run("--dry-run", "--stack", "acme/shop/production", ...others);
    expect(said).toContain(`
pulumi config set-all --stack acme/shop/production --json "$(cat import.secrets.json)"
pulumi import --stack acme/shop/production --file import.json --generate-code=false
pulumi preview --stack acme/shop/production
`);
  }
});

test("secrets take the place of nothing that the stack has in its configuration", async () => {
  answering({
    "config --stack dev --show-secrets --json": { "shop:shopHeaders": { value: "[]", secret: true } },
    "stack export --stack dev": { deployment: { resources: [] } },
    "stack ls --json --all": [],
  });
  await run("--stack", "dev");
  const keys = ["port24101ExtProxies", "shopPortHeaders"];
  expect(Object.keys(JSON.parse(text("import.secrets.json"))).sort()).toEqual(keys);
  for (const key of keys) expect(text("index.ts")).toContain(`config.requireSecretObject("${key}")`);
});

test("what other stacks of the backend have is left out, and named", async () => {
  await run();
  const states = JSON.parse(readFileSync(stateWithout(), "utf8"));
  const { resources } = states.deployment;
  const of = (name: string) => ({
    deployment: { resources: resources.filter(({ id }: { id: string }) => id === name) },
  });
  answering({
    "config --stack dev --show-secrets --json": {},
    "stack export --stack dev": { deployment: { resources: [] } },
    "stack export --stack pr-1": of("web"),
    "stack export --stack pr-2": of("web_old"),
    "stack ls --json --all": [{ name: "dev" }, { name: "pr-1" }, { name: "pr-2" }],
  });
  const { said, warned } = await run("--dry-run", "--json", "--stack", "dev", "--kind", "Zone");
  const { resources: left, leftOut } = JSON.parse(said);
  expect(left.map(({ id }: { id: string }) => id)).not.toContain("web");
  expect(left.length).toBeGreaterThan(0);
  expect(leftOut).toEqual([
    { kind: "Zone", id: "web", source: "account", why: "stack pr-1 has it" },
    { kind: "Zone", id: "web_old", source: "account", why: "stack pr-2 has it" },
  ]);
  expect(warned).toBe(
    "What other stacks have is left out. To take it all the same, write the stack's state to a file with `pulumi stack export --file`, and give that as --state instead of --stack.\n",
  );
  writeFileSync(join(folder, "dev.json"), '{"deployment":{}}');
  const all = await run("--dry-run", "--json", "--state", join(folder, "dev.json"), "--kind", "Zone");
  expect(all.warned).toBe("");
  expect(JSON.parse(all.said).resources).toHaveLength(left.length + 2);
});

test("another stack that cannot be exported is named, and keeps back no other", async () => {
  const none = { deployment: { resources: [] } };
  answering({
    "config --stack dev --show-secrets --json": {},
    "stack export --stack dev": none,
    "stack export --stack pr-2": none,
    "stack ls --json --all": [{ name: "dev" }, { name: "pr-1" }, { name: "pr-2" }],
  });
  const { said, warned } = await run("--dry-run", "--json", "--stack", "dev", "--kind", "Zone");
  expect(JSON.parse(said).resources.length).toBeGreaterThan(0);
  expect(warned).toBe(
    "What stack pr-1 has is not known and may be imported: `pulumi stack export --stack pr-1` failed: error: no stack selected; see `pulumi stack select`\n",
  );
});

test("what no program would declare is not written", async () => {
  await run();
  const state = stateWithout("web_old");
  for (const file of ["import.json", "import.secrets.json", "index.ts"]) rmSync(join(folder, file));
  await expect(run("--state", state)).rejects.toThrow("and `pulumi up` would delete what none declares.");
  writeFileSync(join(folder, "index.js"), "exports.a = 1;\n");
  await expect(run("--state", state)).rejects.toThrow('Add `require("./imported");` to ');
  expect(readdirSync(folder)).toEqual([".gitignore", "index.js", "state.json"]);
  writeFileSync(join(folder, "index.js"), 'require("./imported");\n');
  await run("--state", state);
  expect(text("index.js")).toBe('require("./imported");\n');
  expect(text("imported.ts")).toContain("new brightdata.Zone(");
});

test("a first program is where the project looks for it", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: a\nruntime: nodejs\nmain: src/main.ts\n");
  await expect(run()).rejects.toThrow(
    /The project's program is to be .*src.main\.ts\. Nothing was written\. Say --output /,
  );
  await run("--output", join(folder, "src"));
  expect(readdirSync(join(folder, "src"))).toEqual([".gitignore", "import.json", "import.secrets.json", "main.ts"]);
  await expect(run()).rejects.toThrow(/main\.ts is a program already/);
});

test("a check lists what no stack holds, and fails then", async () => {
  await run();
  const all = stateWithout();
  expect(await run("--check", "--state", all)).toMatchObject({ code: 0, said: "Everything is held by a stack.\n" });
  const some = stateWithout("web_old", "web", "shop");
  expect(await run("--check", "--state", some)).toMatchObject({
    code: 1,
    said: `Zone web (account)
Zone web_old (account)
ZoneAccess web (account)
${[0, 1, 2, 3, 4, 5, 6].map((index) => `ProxyPort ${24_000 + index} (manager)\n`).join("")}ProxyPort 24100 (manager)
`,
  });
  const narrow = ["--kind", "Zone,ProxyPort", "--zone", "class,web_old", "--name", "shop,web*"];
  expect(await run("--check", "--state", some, ...narrow)).toMatchObject({
    code: 1,
    said: "Zone web_old (account)\nProxyPort 24100 (manager)\n",
  });
  const { said } = await run("--check", "--state", some, "--json", "--kind", "Zone");
  expect(JSON.parse(said)).toEqual({
    unmanaged: [
      { kind: "Zone", id: "web" },
      { kind: "Zone", id: "web_old" },
    ],
  });
});

test("names of others do not command a terminal", async () => {
  simulator.account.addZone("x\u001b]0;y\u0007", { type: "unblocker" });
  const { said } = await run("--check", "--state", writeState([]), "--kind", "Zone");
  expect(said).toContain("Zone x\ufffd]0;y\ufffd (account)\n");
  expect(
    omission({ source: { service: "remote", name: "a\u0007" } as Source, kind: "Zone", id: "b\u001b", why: "c\nd" }),
  ).toBe("Zone b\ufffd (account a\ufffd): c d");
});

test("what a stack of another account holds under the same name is unmanaged", async () => {
  const zone = (customer: string) => {
    const type = "pulumi-nodejs:dynamic/brightdata:Zone";
    const outputs = { name: "class", __at: accountOf(customer) };
    return { urn: `urn:pulumi:dev::shop::${type}::class`, type, id: "class", outputs };
  };
  const only = ["--check", "--kind", "Zone", "--zone", "class"];
  const elsewhere = writeState([zone("hl_other")]);
  expect(await run(...only, "--state", elsewhere)).toMatchObject({ code: 1, said: "Zone class (account)\n" });
  const here = writeState([zone(simulator.customer)]);
  expect(await run(...only, "--state", here)).toMatchObject({ code: 0, said: "Everything is held by a stack.\n" });
});

test.each<[string[], string]>([
  [["--kind", "Zones"], "--kind takes Zone, ZoneAccess, "],
  [["--ports", "some"], '--ports takes sets, one-by-one, not "some".'],
  [["--check"], "--check compares with stacks: --stack or --state is missing."],
  [["zones"], "There is nothing to do with zones."],
])("%j is misuse", async (args, words) => {
  await expect(run(...args)).rejects.toThrow(words);
});

test.each([
  ["--output=out"],
  ["--name-prefix=a"],
  ["--ports=sets"],
  ["--no-native"],
  ["--protect"],
  ["--native, --force"],
])("a check refuses %s: it writes nothing", async (vain) => {
  await expect(run("--check", "--state", "a.json", ...vain.split(", "))).rejects.toThrow(
    `--check writes nothing: leave out ${vain.replace(/=.*/, "")}.`,
  );
});

test("a connection that there is not is named with those that there are", async () => {
  await expect(run("--account", "shop")).rejects.toThrow('There is no account "shop": default is configured.');
});

test("where there is nothing, nothing is written", async () => {
  expect(await run("--zone", "no_such_zone")).toMatchObject({ code: 0, said: "There is nothing to import.\n" });
  expect(readdirSync(folder)).toEqual([]);
});

test("an account is read once, whatever the number of its names", async () => {
  const { token, remote } = simulator;
  vi.stubEnv(
    "BRIGHTDATA_ACCOUNTS",
    JSON.stringify({ shop: { apiToken: token, baseUrl: `${remote.url}/` }, x: { apiToken: "other-token" } }),
  );
  await expect(run("--dry-run")).rejects.toThrow("401");
  const { said } = await run("--dry-run", "--account", "default,shop", "--kind", "Zone");
  expect(said).toMatch(/\naccount +Zone +8\n\nWould write /);
});

test("a manager that is configured and does not answer is named, and keeps back no other", async () => {
  const { BRIGHTDATA_PROXY_MANAGER_URL: url } = simulator.environment();
  vi.stubEnv("BRIGHTDATA_PROXY_MANAGER_URL", undefined);
  vi.stubEnv("BRIGHTDATA_MANAGERS", JSON.stringify({ fra: { url }, ams: { url: "http://127.0.0.1:1" } }));
  const { code, said } = await run("--manager", "fra,ams");
  expect(code).toBe(1);
  expect(said).toMatch(/\nmanager fra +ProxyPorts /);
  expect(said).toMatch(/\nLeft out:\n {2}everything \(manager ams\): .*ECONNREFUSED/);
  await expect(run("--account", "default", "--manager", "ams", "--kind", "Zone")).rejects.toThrow(
    "is a program already",
  );
  const all = stateWithout();
  const checked = await run("--check", "--state", all, "--manager", "fra,ams");
  expect(checked).toMatchObject({ code: 1, warned: expect.stringMatching(/^Not checked: everything \(manager ams\)/) });
});

test("single things can be left out, also of a check", async () => {
  const { said } = await run("--json", "--ignore", "web*,24100,*@example.com");
  const ids = (JSON.parse(said) as { resources: { id: string }[] }).resources.map(({ id }) => id);
  expect(ids).not.toHaveLength(0);
  for (const id of ids) expect(id).not.toMatch(/^web|24100|@example/i);
  const all = stateWithout();
  const wanted = ["--check", "--state", all, "--ignore"];
  expect(await run(...wanted, "web*,24100")).toMatchObject({
    code: 1,
    said: "ManagerUser ops@example.com (manager)\n",
  });
  expect(await run(...wanted, "web*,24100,*@example.com")).toMatchObject({ code: 0 });
});

test("further passwords of a zone are named", async () => {
  simulator.account.zone("web")?.password.push("a-second-one");
  const { leftOut } = JSON.parse((await run("--json")).said);
  expect(leftOut).toEqual([
    {
      kind: "ZonePassword",
      id: "web",
      source: "account",
      why: "it has 1 further passwords, which stay: to manage one, declare a ZonePassword with `password` and `adopt`",
    },
  ]);
});

describe("in a project, without --stack", () => {
  const selected = "config --show-secrets --json";

  beforeEach(() => {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    vi.mocked(process.cwd).mockReturnValue(folder);
  });

  test("the settings are those of the stack that is selected", async () => {
    answering({ [selected]: { "brightdata:apiToken": { value: simulator.token, secret: true } } });
    vi.stubEnv("BRIGHTDATA_API_TOKEN", undefined);
    expect(await run("--dry-run")).toMatchObject({
      code: 0,
      said: expect.stringMatching(/\naccount +Zone +8\n/),
      warned: "",
    });
  });

  test("what the environment says comes first, and all else that the stack has is read, too", async () => {
    const { BRIGHTDATA_PROXY_MANAGER_URL: url } = simulator.environment();
    vi.stubEnv("BRIGHTDATA_PROXY_MANAGER_URL", undefined);
    answering({
      [selected]: {
        "brightdata:apiToken": { value: "another-token", secret: true },
        "brightdata:proxyManagerUrl": { value: url },
      },
    });
    for (const options of [[], ["--state", writeState([])]]) {
      const { said, warned } = await run("--dry-run", ...options);
      expect(said).toMatch(/\naccount +Zone +8\n/);
      expect(said).toMatch(/\nmanager +ProxyPorts +1 /);
      expect(warned).toBe("");
    }
  });

  test("a configuration that cannot be read is said in one line, and the environment is left", async () => {
    answering({});
    expect(await run("--dry-run")).toMatchObject({
      code: 0,
      said: expect.stringMatching(/\naccount +Zone +8\n/),
      warned:
        "Settings are those of the environment alone: `pulumi config --show-secrets --json` failed: error: no stack selected; see `pulumi stack select`\n",
    });
    vi.stubEnv("BRIGHTDATA_API_TOKEN", undefined);
    expect(await run("--dry-run")).toMatchObject({
      code: 1,
      warned: expect.stringMatching(/^Settings are .*\nNo account is read: there is no API token\./),
    });
  });
});
