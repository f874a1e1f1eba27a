import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { homeOfItsOwn } from "./homeOfItsOwn";

test("a test removes the folder that was made for it, and no other", async () => {
  const persons = mkdtempSync(join(tmpdir(), "a-persons-home-"));
  onTestFinished(() => rmSync(persons, { recursive: true }));
  const homes = [0, 1].map(() => {
    const remove = homeOfItsOwn();
    const home = process.env.PULUMI_HOME ?? "";
    mkdirSync(home);
    return { home, remove };
  });
  for (const { home, remove } of homes) {
    vi.stubEnv("PULUMI_HOME", persons);
    await remove();
    expect([existsSync(home), existsSync(persons)]).toEqual([false, true]);
  }
});
