import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mts";

/** What libraries' files say of their licences, which is in plain comments at their heads. */
export function notices(files: readonly string[]): string {
  const texts = files
    .filter((file) => file.includes("node_modules/"))
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
  const heads = [...new Set(texts.flatMap((text) => /^\/\/ Copyright.*\n(?:\/\/.*\n)*/m.exec(text)?.[0] ?? []))];
  const isLonger = (head: string) => heads.some((other) => other !== head && head.startsWith(other));
  return `\n${heads.filter((head) => !isLonger(head)).join("\n")}`;
}
