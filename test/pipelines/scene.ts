import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { type Running, start } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { type Simulator, startSimulator } from "../../simulator";
import { nativeTemplate } from "../../src/cli/templates/native";
import { readTemplates } from "../../src/cli/templates/template";
import { FakeForge } from "../cli/pipeline/fakeForge";
import { QUICKLY } from "../quickly";
import type { Machine } from "./job";

const ROOT = join(__dirname, "../..");
const cli = inject("pulumi");

export const PASSPHRASE = "correct horse battery staple";

/** A project with the templates' pipelines, services that are simulated, a forge in memory, and a runner. */
export interface Scene {
  readonly machine: Machine & { environment: Record<string, string> };
  readonly simulator: Simulator;
  readonly forge: FakeForge;
  /** URL of the backend. */
  readonly backend: string;
  /** Sets what the program declares, as a commit would. */
  declare(...declarations: readonly object[]): void;
  /** Puts a CLI in place that does nothing, on one stack. @param refused how it is called in vain @returns how it was called, and what was in the files of its arguments */
  replaceCli(refused?: string, why?: string): () => string[];
  /** Runs the CLI as a person would. @returns what it prints */
  pulumi(...args: string[]): Promise<string>;
  /** Starts it, with an eye to its end. */
  startPulumi(...args: string[]): Running;
}

/** @param form of the program; the pipelines are those of a project that has been begun with that */
export async function scene(form: "dynamic" | "native" = "dynamic"): Promise<Scene> {
  const [simulator, forge] = [await startSimulator({ seed: "pipelines" }), await FakeForge.start()];
  const scratch = mkdtempSync(join(tmpdir(), "pulumi-brightdata-pipeline-"));
  onTestFinished(async () => {
    await Promise.all([simulator.close(), forge.close()]);
    rmSync(scratch, { recursive: true, force: true });
  });
  const folder = join(scratch, "clone");
  for (const each of ["home", "caches", "artifacts", "backend", "bin"]) mkdirSync(join(scratch, each));
  cpSync(join(ROOT, "test/engine/program"), folder, { recursive: true });
  const { zone } = readTemplates();
  const template = zone && (form === "native" ? nativeTemplate(zone) : zone);
  for (const [path, text] of Object.entries(template?.files ?? {}))
    if (/^\.git(hub|lab)/.test(path)) write(join(folder, path), text);
  installInto(folder);
  // `npm ci` has been run: that a template installs, and its tests, are another test's matter.
  program(
    join(scratch, "bin/npm"),
    '[ "$*" = "ci --ignore-scripts --no-audit --no-fund" ] || [ "$*" = test ] && env >> "$HOME/npm-saw"',
  );
  program(
    join(scratch, "bin/gh"),
    `[ "$1 $2 $3 $5" = "run download --name --dir" ] && cp -R "${join(scratch, "artifacts")}/$4" "$6"`,
  );
  program(join(scratch, "bin/ssh"), 'echo "$@" > "$HOME/ssh-arguments"');
  const { simulated, token } = servicesOf(simulator);
  const environment: Record<string, string> = {
    ...QUICKLY,
    ...simulated,
    FORM: form,
    ...(form === "native" && { PULUMI_HOME: join(scratch, "home/.pulumi") }),
    HOME: join(scratch, "home"),
    RUNNER_TEMP: scratch,
    NO_COLOR: "1",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PATH: [join(scratch, "bin"), environmentFor(cli, process.env).PATH].join(delimiter),
  };
  const backend = `file://${join(scratch, "backend")}`;
  const startPulumi = (...args: string[]) => {
    const own = { PULUMI_BACKEND_URL: backend, PULUMI_CONFIG_PASSPHRASE: PASSPHRASE, BRIGHTDATA_API_TOKEN: token };
    return start(cli.bin, args, { cwd: folder, env: { ...environment, ...own }, timeoutMs: 60_000 });
  };
  return {
    machine: { folder, environment, caches: join(scratch, "caches"), artifacts: join(scratch, "artifacts"), scratch },
    simulator,
    forge,
    backend,
    declare: (...declarations) => {
      environment.PROGRAM = JSON.stringify(declarations);
      // It is read from there, and what a commit has is known by its files.
      writeFileSync(join(folder, "declared.json"), environment.PROGRAM);
      commit(folder);
    },
    replaceCli(refused = "", why = "") {
      const calls = join(scratch, "calls");
      program(
        join(scratch, "bin/pulumi"),
        `note="$*"
echo "$PULUMI_ACCESS_TOKEN" >> "$HOME/tokens"
[ "$1" != preview ] || for each in "$@"; do case "$each" in plans/*) touch "$each" ;; esac; done
for each in "$@"; do case "$each" in file://*) note="$note, which has $(cat "\${each#file://}")";; esac; done
case "$*" in "stack ls"*) echo '[{ "name": "pr-5" }]' ;; "stack export"* | "config "*) echo {} ;; *) echo "$note" >> "${calls}" ;; esac
[ "$*" != "${refused}" ] || { echo "${why}" >&2; exit 255; }`,
      );
      return () => readFileSync(calls, "utf8").trim().split("\n");
    },
    startPulumi,
    async pulumi(...args) {
      const { status, stdout, stderr } = await startPulumi(...args).ending;
      if (status !== 0) throw new Error(`pulumi ${args.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
  };
}

/** What leads to the services; the token is a secret of the forge. */
function servicesOf(simulator: Simulator) {
  const { BRIGHTDATA_API_TOKEN: token, ...simulated } = simulator.environment();
  return { simulated: simulated as Record<string, string>, token };
}

function commit(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=somebody", "-c", "user.email=somebody@shop.test", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "--initial-branch", "main");
  git("add", ".github", ".gitlab-ci.yml", "declared.json");
  git("commit", "--allow-empty", "--message", "Declare");
}

function installInto(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(join(modules, "@pulumi"));
  symlinkSync(ROOT, join(modules, "pulumi-brightdata"));
  symlinkSync(join(ROOT, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  program(
    join(modules, ".bin/pulumi-brightdata"),
    `exec "${process.execPath}" "${join(ROOT, "dist/cli/index.js")}" "$@"`,
  );
}

function program(file: string, script: string): void {
  write(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
