import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { startSimulator } from "../../simulator";
import { blocks, DOCUMENTS, read } from "../docs/documents";
import { sample } from "../docs/program";
import { cli, ROOT } from "./harness";

const LIMIT_MS = 240_000;

/** The help shows what is experimental, such as `--plan`, only where that is asked for; it works all the same. */
const EXPERIMENTAL = { ...process.env, PULUMI_EXPERIMENTAL: "true" };

const pulumi = (...args: string[]) => run(cli.bin, args, { env: EXPERIMENTAL, timeoutMs: LIMIT_MS });

/** The commands of Pulumi in the documents' shell blocks, and those set as code, without what comes before and after them. */
const COMMANDS = new Set(
  DOCUMENTS.filter((document) => document !== "CHANGELOG.md").flatMap((document) => {
    const lines = blocks(document, "sh").flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"));
    const inline = [...read(document).matchAll(/`(pulumi [^`]*)`/g)].map((match) => match[1] as string);
    return [...lines, ...inline].flatMap((line) => line.match(/\bpulumi (?!-)[^#&|)]*/g) ?? []);
  }),
);

/** The command itself, and its flags, whatever is given to them. */
function parts(command: string): { words: string[]; flags: string[] } {
  const all = command.trim().split(/\s+/).slice(1);
  const end = all.findIndex((word) => !/^[a-z]+$/.test(word));
  const words = end === -1 ? all : all.slice(0, end);
  return { words, flags: all.flatMap((word) => word.match(/^--[a-z-]+/) ?? []) };
}

const helps = new Map<string, Promise<string>>();

/** What the CLI says of a command, asked once. */
function helpOf(words: readonly string[]): Promise<string> {
  const command = words.join(" ");
  const help = helps.get(command) ?? pulumi(...words, "--help").then(({ stdout }) => stdout);
  helps.set(command, help);
  return help;
}

/** What the CLI does not know of a command. */
async function unknown(command: string): Promise<string[]> {
  const { words, flags } = parts(command);
  // `pulumi stack output url`: what follows the command is not one of its own.
  for (let length = words.length; length > 0; length--) {
    const known = words.slice(0, length);
    const help = await helpOf(known);
    if (!new RegExp(`^Usage:\\s+pulumi ${known.join(" ")}\\b`, "m").test(help)) continue;
    return flags.filter((flag) => !new RegExp(`${flag}\\b`).test(help));
  }
  return [words.join(" ")];
}

it(
  "the documents' commands are commands of the CLI, with its options",
  async () => {
    expect(COMMANDS.size).toBeGreaterThan(30);
    const wrong: string[] = [];
    for (const command of COMMANDS) {
      const missing = await unknown(command);
      if (missing.length > 0) wrong.push(`${command}: ${missing.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  },
  LIMIT_MS,
);

it.each([
  ["pulumi deploy --yes", "deploy"],
  ["pulumi up --no-such-flag", "--no-such-flag"],
])("a wrong one is found: %s", async (command, part) => {
  expect(await unknown(command)).toEqual([part]);
});

it(
  "README: its lines work from an empty folder",
  async () => {
    const simulator = await startSimulator({ manager: { listen: true } });
    onTestFinished(() => simulator.close());
    await mkdir(join(ROOT, "dist"), { recursive: true });
    const folder = await mkdtemp(join(ROOT, "dist/empty-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const project = join(folder, "project");
    await mkdir(project);
    await mkdir(join(folder, "backend"));
    const env = {
      ...environmentFor(cli, process.env),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
      BRIGHTDATA_BASE_URL: simulator.remote.url,
      BRIGHTDATA_PROXY_MANAGER_URL: simulator.manager.url,
    };
    const shell = async (line: string): Promise<string> => {
      const { status, stdout, stderr } = await run("bash", ["-c", line], { cwd: project, env, timeoutMs: LIMIT_MS });
      if (status !== 0) throw new Error(`${line}\n${stdout}\n${stderr}`);
      return stdout;
    };
    const [first, second] = blocks("README.md", "sh").map(({ text }) => text.trim().split("\n"));
    const skipped = (first ?? []).filter((line) => line.startsWith("npm install"));
    expect(skipped).toEqual(["npm install pulumi-brightdata @pulumi/pulumi"]);
    // In place of the installation, which would ask the registry: this package and what it needs.
    await mkdir(join(project, "node_modules"));
    await symlink(ROOT, join(project, "node_modules/pulumi-brightdata"));
    await symlink(join(ROOT, "node_modules/@pulumi"), join(project, "node_modules/@pulumi"));
    await writeFile(join(project, "package.json"), "{}\n");
    for (const line of first ?? []) {
      if (skipped.includes(line)) continue;
      // What it prompts for comes from standard input.
      await shell(/config set --secret/.test(line) ? `echo ${simulator.token} | ${line}` : line);
    }
    await writeFile(join(project, "index.ts"), sample("README.md", "// index.ts"));
    const [up = "", curl = ""] = second ?? [];
    expect(await shell(`${up} --yes`)).toContain("+ 4 created");
    expect(await shell(curl)).not.toBe("");
    expect(simulator.account.liveZones()).toHaveLength(1);
  },
  LIMIT_MS,
);

/** A stack's file in whatever style of YAML, with what a program gets of it by `local`. */
const FILES: Record<string, [text: string, got: object]> = {
  "in blocks": [
    `secretsprovider: awskms://alias/key
encryptedkey: key
config:
  # Ours.
  shop:key:
    secure: v1:AAAA
  "shop:note": "is it secure: yes"
  shop:text: |
    Be secure: always.
      - insecure: no
  shop:limits:
    ips: 3
    note: '{secure: v1}'
`,
    {
      note: "is it secure: yes",
      text: "Be secure: always.\n  - insecure: no\n",
      limits: '{"ips":3,"note":"{secure: v1}"}',
    },
  ],
  "in braces": [
    `{encryptionsalt: "v1:salt", config: {"shop:key": {secure: "v1:AAAA"}, "shop:note": "007"}}\n`,
    { note: "007" },
  ],
};

it.each(Object.entries(FILES))(
  "`local` has what a stack's file sets, but for what is encrypted: %s",
  async (_, [text, got]) => {
    await mkdir(join(ROOT, "dist"), { recursive: true });
    const folder = await mkdtemp(join(ROOT, "dist/local-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "node_modules"));
    await symlink(join(ROOT, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"));
    const program = `const config = new (require("@pulumi/pulumi").Config)();
for (const name of ["key", "note", "text", "limits"]) exports[name] = config.get(name);`;
    const files = {
      "package.json": "{}",
      "index.js": program,
      "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
      "Pulumi.dev.yaml": text,
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const printed =
      "console.log(JSON.stringify(Object.fromEntries(['KEY','NOTE','TEXT','LIMITS'].map((name) => [name.toLowerCase(), process.env[name]]))))";
    const args = [
      join(ROOT, "dist/cli/index.js"),
      "local",
      "--stack",
      "dev",
      "--no-listen",
      "--",
      process.execPath,
      "-e",
      printed,
    ];
    const env = { ...environmentFor(cli, process.env), PULUMI_HOME: join(folder, "home") };
    const { status, stdout, stderr } = await run(process.execPath, args, { cwd: folder, env, timeoutMs: LIMIT_MS });
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining("Not set here, because they are encrypted: shop:key. "),
    ]);
    expect(JSON.parse(stdout)).toEqual(got);
    expect(await readFile(join(folder, "Pulumi.dev.yaml"), "utf8")).toBe(text);
  },
);
