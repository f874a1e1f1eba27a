// Writes the pages that Pulumi's Registry has of the package schema: npm run registry -- [FOLDER]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { goBuild } from "./go.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const TIMEOUT_MS = 120_000;

/** Writes the pages into a folder, which is emptied first. @throws also where the generator only warns */
export async function writePages(folder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "registry-"));
  try {
    const program = join(scratch, "docs");
    await goBuild(join(ROOT, "tools/docs"), ".", program);
    rmSync(folder, { recursive: true, force: true });
    const { status, stderr } = await run(program, [join(ROOT, "schema.json"), folder], { timeoutMs: TIMEOUT_MS });
    if (status !== 0 || stderr !== "") throw new Error(`The generator of the pages says:\n${stderr}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (import.meta.main) {
  const [folder = join(ROOT, "build/registry")] = process.argv.slice(2);
  await writePages(resolve(folder));
  console.log(`${relative(process.cwd(), resolve(folder))} written`);
}
