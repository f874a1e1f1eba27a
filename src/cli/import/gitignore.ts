import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PATTERN = "import*.json";

/** Has git ignore the files that hold passwords, in a folder where it does not yet. */
export function keepFromGit(folder: string): void {
  const file = join(folder, ".gitignore");
  const there = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (there.split(/\r?\n/).some((line) => line.trim().replace(/^\//, "") === PATTERN)) return;
  const gap = there === "" || there.endsWith("\n") ? "" : "\n";
  appendFileSync(file, `${gap}# Written by \`pulumi-brightdata import\`, with passwords.\n${PATTERN}\n`);
}
