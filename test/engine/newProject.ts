import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { makeProject } from "../../scripts/project.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import type { Simulator } from "../../simulator";
import { QUICKLY } from "../quickly";
import { cli, ROOT } from "./harness";

/** Runs a line as a person does. */
export type Shell = (line: string) => Promise<string>;

/** A project without a program, with an empty stack `demo`, and this package installed. */
export async function newProject(simulator: Simulator): Promise<{ folder: string; shell: Shell }> {
  const folder = await makeProject("");
  const state = await mkdtemp(join(tmpdir(), "pulumi-brightdata-"));
  onTestFinished(async () => {
    for (const each of [folder, state]) await rm(each, { recursive: true, force: true });
  });
  await rm(join(folder, "index.ts"));
  const keys = inject("keys");
  const bin = join(folder, "node_modules/.bin");
  for (const each of [bin, join(state, "backend")]) await mkdir(each, { recursive: true });
  const commands = { "pulumi-brightdata": `node '${join(ROOT, "dist/cli/index.js")}'`, pulumi: `'${cli.bin}'` };
  for (const [name, command] of Object.entries(commands))
    await writeFile(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  const env = {
    ...environmentFor(cli, { PATH: process.env.PATH, ...QUICKLY }),
    ...simulator.environment(),
    ...keys.environment,
    PULUMI_HOME: join(state, "home"),
    PULUMI_BACKEND_URL: `file://${join(state, "backend")}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    NO_COLOR: "1",
  };
  const shell = async (line: string): Promise<string> => {
    const ended = await run("bash", ["-c", line], { cwd: folder, env, timeoutMs: 120_000 });
    expect(ended.status, `${line}\n${ended.stdout}${ended.stderr}`).toBe(0);
    return ended.stdout;
  };
  await shell(`pulumi stack init demo --secrets-provider ${keys.provider}`);
  return { folder, shell };
}

/** Imports as a line says, does what the command prints, and returns that: a preview shows no change afterwards. */
export async function imports(shell: Shell, line: string): Promise<string> {
  const stdout = await shell(line);
  const [, commands = ""] = stdout.split("Next:\n\n");
  expect(commands).toMatch(/\npulumi preview.*\n$/);
  const said: string[] = [];
  for (const command of commands.trim().split("\n")) said.push(await shell(command));
  expect(said.at(-1)).toMatch(/^Resources:\n +\d+ unchanged\n*$/m);
  expect(said.at(-1)).not.toMatch(/diff:|^ *[~+-]/m);
  await shell("rm import*.json");
  return stdout;
}
