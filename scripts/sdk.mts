// Writes the SDK of a language from the package schema: npm run sdk -- LANGUAGE [FOLDER]
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { goBuild } from "./go.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const TIMEOUT_MS = 60_000;

/** The languages that Pulumi's Go modules have a generator for. */
export const LANGUAGES = ["python", "go", "java", "nodejs"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Writes an SDK into a folder, which is emptied first. */
export async function writeSdk(language: Language, folder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-"));
  try {
    const program = join(scratch, "sdk");
    await goBuild(join(ROOT, "tools/sdk"), ".", program);
    rmSync(folder, { recursive: true, force: true });
    const { status, stderr } = await run(program, [join(ROOT, "schema.json"), language, folder], {
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`The generator for ${language} has failed:\n${stderr}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (import.meta.main) {
  const [language, given] = process.argv.slice(2);
  const known = LANGUAGES.find((each) => each === language);
  if (known === undefined) {
    console.error(`Usage: npm run sdk -- ${LANGUAGES.join("|")} [FOLDER]`);
    process.exit(2);
  }
  if (given !== undefined && existsSync(given) && readdirSync(given).length > 0) {
    console.error(`${resolve(given)} is not empty, and would be: name another folder, or none.`);
    process.exit(2);
  }
  const folder = given ?? join(ROOT, "sdk", known);
  await writeSdk(known, resolve(folder));
  console.log(`${relative(process.cwd(), resolve(folder))} written`);
}
