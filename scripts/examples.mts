// Writes the examples of the declarations in the languages of Pulumi's generators: npm run examples
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindsIn, lookupsIn } from "./generate/declarations.mts";
import { examplesOf, type Written } from "./generate/example.mts";
import { goBuild } from "./go.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const TIMEOUT_MS = 60_000;

const LANGUAGES = ["python", "yaml", "go", "csharp"];

/** An object without a type: the generator for C# does not know what is in a map of anything. */
const UNTYPED = /^\s*\n\s*\{/m;

/** The examples of all declarations, by their names. */
export async function writeExamples(): Promise<Record<string, Written>> {
  const declared = [...(await kindsIn(ROOT)), ...(await lookupsIn(ROOT))].map(({ declared }) => declared);
  const examples = examplesOf(new Map(declared.map(({ name, example }) => [name, example])));
  const programs = Object.fromEntries([...examples].map(([name, { pcl }]) => [name, pcl]));
  const written = await generated(programs);
  return Object.fromEntries(
    Object.entries(programs).map(([name, pcl]) => [name, { pcl, in: inOrder(written[name] ?? {}) }]),
  );
}

const inOrder = (written: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = written[language] ?? "";
      return language === "csharp" && UNTYPED.test(text) ? [] : [[language, text.trim()]];
    }),
  );

async function generated(programs: object): Promise<Record<string, Record<string, string>>> {
  const scratch = mkdtempSync(join(tmpdir(), "examples-"));
  try {
    const [program, input] = [join(scratch, "examples"), join(scratch, "programs.json")];
    writeFileSync(input, JSON.stringify(programs));
    await goBuild(join(ROOT, "tools/examples"), ".", program);
    const { status, stdout, stderr } = await run(program, [join(ROOT, "schema.json"), input], {
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`The generators have failed:\n${stderr}`);
    return JSON.parse(stdout) as Record<string, Record<string, string>>;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (import.meta.main) {
  const file = join(ROOT, "scripts/generate/examples.json");
  writeFileSync(file, `${JSON.stringify(await writeExamples(), undefined, 2)}\n`);
}
