import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Commit, commitsIn, complaints } from "../../scripts/commits.mts";
import { temporaryFolder } from "./fakes";

const commit = (part: Partial<Commit>): Commit => ({
  hash: "0123456789abcdef",
  subject: "Change it",
  body: "Because.",
  ...part,
});

test.each([commit({}), commit({ subject: "x".repeat(72) }), commit({ subject: "ü".repeat(72) })])(
  "a commit's message is good: %j",
  (good) => {
    expect(complaints(good)).toEqual([]);
  },
);

test("a commit's message has a short subject", () => {
  const subject = "x".repeat(73);
  expect(complaints(commit({ subject }))).toEqual([
    `01234567 "${subject}": the subject has 73 characters; 72 is the most.`,
  ]);
});

test("a commit's message has a body", () => {
  expect(complaints(commit({ body: "" }))).toEqual(['01234567 "Change it": it has no body that says why.']);
});

test("the commits of a range, as Git tells them", async () => {
  const root = await temporaryFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
  const make = (message: string) => git("commit", "--quiet", "--allow-empty", "--message", message);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Somebody");
  git("config", "user.email", "somebody@example.com");
  make("Begin");
  git("switch", "--quiet", "--create", "topic");
  make("Add two\n\nThey are needed.\n\nFor both.\n\nCo-authored-by: Other <other@example.com>");
  make("Only a trailer\n\nCo-authored-by: Other <other@example.com>");
  git("switch", "--quiet", "main");
  make("Meanwhile");
  git("switch", "--quiet", "topic");
  git("merge", "--quiet", "--no-edit", "main");

  expect(await commitsIn(root, "main..HEAD")).toEqual([
    { hash: expect.any(String), subject: "Add two", body: "They are needed.\n\nFor both." },
    { hash: expect.any(String), subject: "Only a trailer", body: "" },
  ]);
  expect(await commitsIn(root, "HEAD..HEAD")).toEqual([]);
  await expect(commitsIn(root, "nowhere..HEAD")).rejects.toThrow("git log nowhere..HEAD failed:");
});
