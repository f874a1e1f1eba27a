import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Commit, commitsIn, complaints } from "../../scripts/commits.mts";
import { temporaryFolder } from "./fakes";

const commit = (part: Partial<Commit>): Commit => ({
  hash: "0123456789abcdef",
  subject: "Change it",
  body: "",
  files: 1,
  ...part,
});

describe("a commit's message", () => {
  test.each([
    commit({}),
    commit({ subject: "x".repeat(72) }),
    commit({ subject: "ü".repeat(72) }),
    commit({ files: 5 }),
    commit({ files: 100, body: "Because." }),
  ])("is good: %j", (good) => {
    expect(complaints(good)).toEqual([]);
  });

  test("has a short subject", () => {
    const subject = "x".repeat(73);
    expect(complaints(commit({ subject }))).toEqual([
      `01234567 "${subject}": the subject has 73 characters; 72 is the most.`,
    ]);
  });

  test("says why it touches many files", () => {
    expect(complaints(commit({ files: 6 }))).toEqual([
      '01234567 "Change it": it touches 6 files and has no body that says why.',
    ]);
  });
});

test("the commits of a range, as Git tells them", async () => {
  const root = await temporaryFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
  const make = (message: string, ...files: string[]) => {
    for (const file of files) writeFileSync(join(root, file), message);
    git("add", ".");
    git("commit", "--quiet", "--message", message);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Somebody");
  git("config", "user.email", "somebody@example.com");
  make("Begin", "a");
  git("switch", "--quiet", "--create", "topic");
  make("Add two\n\nThey are needed.\n\nFor both.\n\nCo-authored-by: Other <other@example.com>", "b", "c");
  make("Only a trailer\n\nCo-authored-by: Other <other@example.com>", "ü");
  git("switch", "--quiet", "main");
  make("Meanwhile", "d");
  git("switch", "--quiet", "topic");
  git("merge", "--quiet", "--no-edit", "main");

  expect(await commitsIn(root, "main..HEAD")).toEqual([
    { hash: expect.any(String), subject: "Add two", body: "They are needed.\n\nFor both.", files: 2 },
    { hash: expect.any(String), subject: "Only a trailer", body: "", files: 1 },
  ]);
  expect(await commitsIn(root, "HEAD..HEAD")).toEqual([]);
  await expect(commitsIn(root, "nowhere..HEAD")).rejects.toThrow("git log nowhere..HEAD failed:");
});
