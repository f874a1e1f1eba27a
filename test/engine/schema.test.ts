import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { cli, ROOT } from "./harness";

const LIMIT_MS = 60_000;

/** What Pulumi says of a package schema; nothing of a good one. */
async function complaints(schema: string): Promise<string> {
  const { stdout, stderr } = await run(cli.bin, ["schema", "check", schema], { timeoutMs: LIMIT_MS });
  return stdout + stderr;
}

it("the package schema is one that Pulumi generates programs from", async () => {
  expect(await complaints(join(ROOT, "schema.json"))).toBe("");
});

it("the package schema is refused when a type is missing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const schema = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as { types: Record<string, unknown> };
  delete schema.types["brightdata:index:Timeouts"];
  writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
  expect(await complaints(join(folder, "schema.json"))).toContain("type brightdata:index:Timeouts not found");
});
