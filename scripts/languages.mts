// What programs in other languages need to run beside the CLI, kept from one run to the next.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { goBuild } from "./go.mts";
import { run } from "./process.mts";
import { environmentFor, isExecutable, type PulumiCli } from "./pulumi.mts";
import { ROOT } from "./root.mts";
import { writeSdk } from "./sdk.mts";

const CACHE = join(ROOT, "node_modules/.cache/languages");
const INSTALL_MS = 300_000;

/** What the virtual environment depends on. */
const MADE_FROM = ["schema.json", "tools/sdk/main.go", "tools/sdk/go.sum"];

/** Where the language hosts are that a CLI which was built here lacks, and how each is built. */
const HOSTS = {
  python: { module: "language-host", program: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python" },
  yaml: { module: "yaml-host", program: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
  java: { module: "java-host", program: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java" },
} as const;

/** The PATH with which the CLI runs programs in a language. */
export async function pathFor(language: keyof typeof HOSTS, cli: PulumiCli): Promise<string> {
  return pathOver(language, cli, language === "python" ? [join(await python("python", ["mypy"]), "bin")] : []);
}

/** The same for programs in Python, with the oldest SDK of Pulumi that the schema asks for. */
export async function pathForOldestPython(cli: PulumiCli): Promise<string> {
  const { language } = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8"));
  const [, oldest] = />=([\d.]+)/.exec(language.python.requires.pulumi) ?? [];
  return pathOver("python", cli, [join(await python("oldest-python", [`pulumi==${oldest}`]), "bin")]);
}

async function pathOver(language: keyof typeof HOSTS, cli: PulumiCli, folders: string[]): Promise<string> {
  if (!isExecutable(join(dirname(cli.bin), `pulumi-language-${language}`))) folders.push(await host(language));
  return [...folders, environmentFor(cli, process.env).PATH].join(delimiter);
}

/** The PATH with which the CLI runs programs in Go that are built: Pulumi's own host is in no module. */
export function pathForGo(cli: PulumiCli): string {
  const path = environmentFor(cli, process.env).PATH ?? "";
  const name = "pulumi-language-go";
  if (isExecutable(join(dirname(cli.bin), name))) return path;
  const folder = join(CACHE, "go-host");
  mkdirSync(folder, { recursive: true });
  const command = [process.execPath, join(ROOT, "scripts/go-host.mts")].map((each) => `'${each}'`).join(" ");
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return [folder, path].join(delimiter);
}

async function host(language: keyof typeof HOSTS): Promise<string> {
  const { module, program } = HOSTS[language];
  const folder = join(CACHE, "hosts");
  const name = `pulumi-language-${language}`;
  if (!isExecutable(join(folder, name))) {
    const from = join(ROOT, "tools/pulumi-cli", module);
    mkdirSync(folder, { recursive: true });
    if (language === "python") await copyScript(from, program, join(folder, `${name}-exec`));
    await goBuild(from, program, join(folder, name), { flags: ["-tags", "osusergo,grpcnotrace", "-ldflags", "-w -s"] });
  }
  return folder;
}

/** The host of Python programs starts them by a script that stands beside it. */
async function copyScript(module: string, program: string, target: string): Promise<void> {
  const folder = (await succeed("go", ["list", "-mod=readonly", "-f", "{{.Dir}}", program], module)).trim();
  copyFileSync(join(dirname(folder), "pulumi-language-python-exec"), target);
  chmodSync(target, 0o755);
}

/** A virtual environment with the SDK of this package's schema, and more. */
async function python(name: string, more: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of MADE_FROM) hash.update(readFileSync(join(ROOT, file)));
  const folder = join(CACHE, `${name}-${hash.digest("hex").slice(0, 16)}`);
  const stamp = join(folder, "complete");
  if (existsSync(stamp)) return folder;
  for (const former of globSync(`${name}-*`, { cwd: CACHE })) rmSync(join(CACHE, former), { recursive: true });
  const sdk = join(CACHE, "sdk");
  await writeSdk("python", sdk);
  await succeed("python3", ["-m", "venv", folder]);
  const pip = (...args: string[]) => succeed(join(folder, "bin/pip"), ["--disable-pip-version-check", ...args]);
  await pip("wheel", "--quiet", "--no-deps", "--wheel-dir", sdk, sdk);
  await pip("install", "--quiet", ...more, ...globSync("*.whl", { cwd: sdk }).map((wheel) => join(sdk, wheel)));
  writeFileSync(stamp, "");
  return folder;
}

/** A Go module of programs that use the SDK of this package's schema, by the names of their folders. */
export async function goModule(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const sdk = join(folder, "sdk");
  await writeSdk("go", sdk);
  for (const [name, text] of Object.entries(programs)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "main.go"), text);
  }
  copyFileSync(join(ROOT, "tools/sdk/go.sum"), join(folder, "go.sum"));
  await succeed("go", ["mod", "init", "programs"], folder);
  // What `pulumi package add` writes, with the version of Pulumi's SDK that the generator is of.
  const pulumi = await succeed("go", ["list", "-m", "github.com/pulumi/pulumi/sdk/v3"], join(ROOT, "tools/sdk"));
  const requires = [`-require=${pulumi.trim().replace(" ", "@")}`, `-require=${GO_SDK}@v0.0.0`];
  await succeed("go", ["mod", "edit", ...requires, `-replace=${GO_SDK}=./sdk`], folder);
}

/** Builds the program of a Go module that {@link goModule} has made, beside its text. */
export const goProgram = (folder: string, name: string): Promise<void> =>
  goBuild(folder, `./${name}`, join(folder, name, "program"), { flags: ["-mod=mod"] });

/** Builds a Maven project with one class, `App.java`, and the SDK of this package's schema, as `pulumi package add` has it copied. */
export async function javaProgram(folder: string): Promise<void> {
  const sdk = join(folder, "sdk");
  await writeSdk("java", sdk);
  cpSync(join(sdk, "src"), join(folder, "src"), { recursive: true });
  copyFileSync(join(folder, "App.java"), join(folder, "src/main/java/App.java"));
  await succeed("mvn", ["--batch-mode", "--quiet", "package"], folder);
}

const GO_SDK = "pulumi-brightdata/sdk/go";

async function succeed(command: string, args: readonly string[], cwd = ROOT): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { cwd, timeoutMs: INSTALL_MS });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} has failed:\n${stdout}${stderr}`);
  return stdout;
}
