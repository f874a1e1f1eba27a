import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { inShell } from "../../../src/cli/report/inShell";

test.each(["a/b-1.c", "two words", "$(touch pwn)", "`touch pwn`", 'a "b"', "it's", "weird näme; *"])(
  "%j is one word of a shell, and nothing of it is carried out",
  (word) => {
    expect(execFileSync("sh", ["-c", `printf %s ${inShell(word)}`], { encoding: "utf8" })).toBe(word);
  },
);

test("what needs no quotes has none", () => {
  expect(inShell("../my-project/v1.0")).toBe("../my-project/v1.0");
});
