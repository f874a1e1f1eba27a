import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "pulumi-brightdata-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An executable shell script. */
export async function script(file: string, ...lines: string[]): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(file, 0o755);
  return file;
}

/** A folder that looks like an installation of the Pulumi CLI. */
export async function pulumiIn(folder: string, version: string): Promise<string> {
  await script(join(folder, "pulumi-language-nodejs"), "exit 0");
  await script(join(folder, "pulumi-resource-pulumi-nodejs"), "exit 0");
  return script(join(folder, "pulumi"), `[ "$1" = version ] && echo v${version}`);
}
