import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../scripts/root.mts";

export const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "DESIGN.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
  "examples/README.md",
  ...readdirSync(join(ROOT, "examples")).map((example) => `examples/${example}/README.md`),
  ...readdirSync(join(ROOT, "templates")).map((name) => `templates/${name}/README.md`),
  "templates/shared/ENVIRONMENTS.md",
].filter((file) => existsSync(join(ROOT, file)));

export const read = (document: string): string => readFileSync(join(ROOT, document), "utf8");

/** A document without what stands between fences. */
export const prose = (document: string): string => read(document).replace(/^```[\s\S]*?^```/gm, "");

/** What stands between fences. */
export interface Block {
  text: string;
  /**
   * Its file, below the repository's root: beside its document under the name that its first line gives (`// proxies.ts`), so
   * that other blocks can import it, or one named after the document and its line, `docs/zone.md.12.ts`.
   */
  file: string;
}

export function blocks(document: string, language: string): Block[] {
  const all = read(document);
  return [...all.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, "gm"))].map((match) => {
    const text = match[1] as string;
    const name = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
    const line = all.slice(0, match.index).split("\n").length + 1;
    return { text, file: name === undefined ? `${document}.${line}.ts` : join(dirname(document), name) };
  });
}
