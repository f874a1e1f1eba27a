import { expect, test } from "vitest";
import { judged, lockedSince } from "../../src/pipeline/sweep";

const DAY = 86_400_000;
const now = new Date("2026-05-10T00:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);

test("only a stack whose name matches, that is old, and whose pull request is closed, is destroyed", async () => {
  const stacks = [
    { name: "production", lastUpdate: daysAgo(9) },
    { name: "my-org/shop/pr-1", lastUpdate: daysAgo(9) },
    { name: "pr-2", lastUpdate: daysAgo(9) },
    { name: "pr-3", lastUpdate: daysAgo(0.5) },
    { name: "pr-4", lastUpdate: daysAgo(9) },
    { name: "pr-5" },
    { name: "pr-x", lastUpdate: daysAgo(9) },
    { name: "a-pr-1", lastUpdate: daysAgo(9) },
  ];
  const asked: number[] = [];
  const isClosed = async (number: number) => {
    asked.push(number);
    return new Map([
      [1, true],
      [2, false],
    ]).get(number);
  };
  expect(await judged(stacks, { pattern: /^pr-.*$/, olderThanMs: DAY, now, isClosed })).toEqual([
    { name: "my-org/shop/pr-1" },
    { name: "pr-2", kept: "pull request 2 is open" },
    { name: "pr-3", kept: "it was updated at 2026-05-09T12:00:00.000Z" },
    { name: "pr-4", kept: "there is no pull request 4" },
    { name: "pr-5", kept: "it was never updated" },
    { name: "pr-x", kept: "its name does not end with the number of a pull request" },
  ]);
  expect(asked).toEqual([1, 2, 4]);
});

test("where nobody can be asked, name and age decide", async () => {
  const stacks = [{ name: "pr-x", lastUpdate: daysAgo(2) }];
  expect(await judged(stacks, { pattern: /^pr-/, olderThanMs: DAY, now })).toEqual([{ name: "pr-x" }]);
});

test("of several locks, the youngest counts", () => {
  const words = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/a.json: created by root@one (pid 1) at 2026-05-01T10:00:00Z
  file:///state/.pulumi/locks/b.json: created by root@two (pid 2) at 2026-05-01T12:00:00+02:00`;
  expect(lockedSince(words)).toEqual(new Date("2026-05-01T10:00:00Z"));
  expect(lockedSince("error: something else at 2026-05-01T10:00:00Z")).toBeUndefined();
});
