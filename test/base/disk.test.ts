import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeNew } from "../../src/base/disk";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "disk-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("where one of several files cannot be written, none of them is left, and what was there is", () => {
  mkdirSync(join(folder, "mine"));
  const files = new Map([
    ["a", "1"],
    ["mine/b", "2"],
    ["new/c/d", "3"],
    ["a/below", "4"],
  ]);
  expect(() => writeNew(folder, files)).toThrow(/^E\w+: .*\. Nothing was written\.$/);
  expect(readdirSync(folder, { recursive: true })).toEqual(["mine"]);
});

test("a file that is there by now is kept", () => {
  writeFileSync(join(folder, "a"), "mine");
  expect(() => writeNew(folder, new Map([["a", "1"]]))).toThrow("EEXIST");
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
});
