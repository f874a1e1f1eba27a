import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The browser's path; empty where there is none and none can be installed. */
    chromium: string;
  }
}

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Finds a browser once for all test files, and installs Debian's where there is none. */
export default function setup(project: TestProject): void {
  const found = onPath(NAMES) ?? (canInstall() ? installed() : undefined);
  if (found === undefined) {
    console.warn(
      "SKIPPED: there is no Chromium, and installing one takes root and apt-get. Install it, and run this again.",
    );
  }
  project.provide("chromium", found ?? "");
}

const canInstall = (): boolean => process.getuid?.() === 0 && onPath(["apt-get"]) !== undefined;

function installed(): string | undefined {
  const options: ExecFileSyncOptions = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  console.log("Installing chromium with apt-get");
  execFileSync("apt-get", ["update", "-qq"], options);
  const packages = ["chromium", "fonts-dejavu-core"];
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], options);
  return onPath(NAMES);
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
