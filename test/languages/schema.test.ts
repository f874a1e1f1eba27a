import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import type { Written } from "../../scripts/generate/example.mts";
import { goModule } from "../../scripts/languages.mts";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../engine/harness";

const CHECKING_MS = 600_000;

/** The examples of the schema in a language. */
function programsIn(language: string): Record<string, string> {
  const written = JSON.parse(readFileSync(join(ROOT, "scripts/generate/examples.json"), "utf8")) as Record<
    string,
    Written
  >;
  return Object.fromEntries(Object.entries(written).map(([name, { in: texts }]) => [name, texts[language] ?? ""]));
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

// Compiles Pulumi's SDK, too: minutes.
it.runIf(process.env.SDKS)(
  "the SDK in Go and the examples of the schema compile",
  async () => {
    const folder = scratch();
    await goModule(folder, programsIn("go"));
    const env = { ...process.env, GOFLAGS: "-mod=mod -trimpath", GOWORK: "off", CGO_ENABLED: "0" };
    const ending = await run("go", ["vet", "./..."], { cwd: folder, env, timeoutMs: CHECKING_MS });
    expect(ending).toMatchObject({ status: 0, stderr: "" });
  },
  CHECKING_MS,
);

it(
  "the examples of the schema in Python have the types that the SDK declares",
  async () => {
    const folder = scratch();
    for (const [name, text] of Object.entries(programsIn("python"))) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "program.py"), text);
    }
    const [bin = ""] = inject("languagePaths").python.split(delimiter);
    const args = ["-m", "mypy", "--strict", "--namespace-packages", "--explicit-package-bases", folder];
    const ending = await run(join(bin, "python"), args, { cwd: folder, timeoutMs: CHECKING_MS });
    expect(ending).toMatchObject({ status: 0 });
  },
  CHECKING_MS,
);
