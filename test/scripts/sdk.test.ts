import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../../scripts/root.mts";

test("an SDK is not written over what a folder has", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sdk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "notes.txt"), "mine");
  // Without Go on the PATH, nothing is written either.
  const ending = await run(process.execPath, [join(ROOT, "scripts/sdk.mts"), "go", "."], {
    cwd: folder,
    env: { PATH: folder },
    timeoutMs: 60_000,
  });
  expect(ending).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("is not empty, and would be: name another folder, or none."),
  });
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
});
