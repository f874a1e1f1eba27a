import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mts";

const FOLDER = join(ROOT, ".github/workflows");
const PINNED = /^(\.\/\S+|[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

test.each(readdirSync(FOLDER))("%s uses actions by their commit, with the version beside it", (file) => {
  const used = [...readFileSync(join(FOLDER, file), "utf8").matchAll(/\buses: *(.*)$/gm)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((action) => !PINNED.test(action ?? ""))).toEqual([]);
});
