import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = join(__dirname, "..");
const GENERATING_MS = 60_000;

test(
  "what is generated is what the declarations say",
  async () => {
    const script = join(ROOT, "scripts/generate/index.mts");
    const checked = promisify(execFile)(process.execPath, [script, "--check"], { cwd: ROOT });
    await expect(checked).resolves.toMatchObject({ stdout: "" });
  },
  GENERATING_MS,
);
