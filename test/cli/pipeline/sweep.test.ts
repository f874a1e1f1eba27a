import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isOfTheGone, judged, lockedWithoutAge, lockIn, patternFrom } from "../../../src/cli/pipeline/sweep";

const DAY = 86_400_000;
const now = new Date("2026-05-10T00:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);
const old = (name: string) => ({ name, lastUpdate: daysAgo(9) });
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const patterns = [patternFrom("pr-*") as RegExp];

test("only a stack whose name matches, that is old, and whose pull request is closed, is destroyed", async () => {
  const stacks = [
    old("production"),
    old("pr-1"),
    old("pr-2"),
    { name: "pr-3", lastUpdate: daysAgo(0.5) },
    old("pr-4"),
    { name: "pr-5" },
    old("a-pr-1"),
  ];
  const asked: number[] = [];
  const isClosed = async (number: number) => {
    asked.push(number);
    return new Map([
      [1, true],
      [2, false],
    ]).get(number);
  };
  expect(await judged(stacks, { patterns, olderThanMs: DAY, isClosed })).toEqual([
    { name: "pr-1" },
    { name: "pr-2", kept: "pull request 2 is open" },
    { name: "pr-3", kept: "it was updated at 2026-05-09T12:00:00.000Z" },
    { name: "pr-4", kept: "there is no pull request 4" },
    { name: "pr-5", kept: "it was never updated" },
  ]);
  expect(asked).toEqual([1, 2, 4]);
});

test("a stack whose name has more than a number, or is another's, is kept", async () => {
  const names = ["pr-production-12", "pr-eu-west-1", "pr-2026-12", "pr-012", "pr-", "PR-12", "other/pr-12"];
  const stacks = [...names, "acme/proxies/pr-12"].map(old);
  const kept = "its name has no number of a pull request there";
  expect(await judged(stacks, { patterns, olderThanMs: DAY, isClosed: async () => true })).toEqual(
    ["pr-production-12", "pr-eu-west-1", "pr-2026-12", "pr-012", "pr-"].map((name) => ({ name, kept })),
  );
});

test("of several patterns, the one with a number counts", async () => {
  const several = ["pr-*", "pr-*-eu", "pr-eu-*"].flatMap((text) => patternFrom(text) ?? []);
  const stacks = ["pr-1-eu", "pr-eu-2", "pr-eu-3-eu"].map(old);
  const asked: number[] = [];
  const isClosed = async (number: number) => asked.push(number) > 0;
  expect(await judged(stacks, { patterns: several, olderThanMs: DAY, isClosed })).toEqual([
    { name: "pr-1-eu" },
    { name: "pr-eu-2" },
    { name: "pr-eu-3-eu", kept: "its name has no number of a pull request there" },
  ]);
  expect(asked).toEqual([1, 2]);
});

test.each(["*", "a*", "pr", "pr-**", "pr-?-*", "pr-1*", "*0-pr", "acme/pr-*"])("%s is no pattern", (text) => {
  expect(patternFrom(text)).toBeUndefined();
});

test("a lock is lifted when it is older than a day, and than what is asked for", () => {
  const lifted = (days: number, olderThanMs: number) => isOfTheGone({ since: daysAgo(days) }, olderThanMs);
  expect([lifted(0.9, DAY / 24), lifted(1.1, DAY / 24), lifted(2.9, 3 * DAY), lifted(3.1, 3 * DAY)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(isOfTheGone({}, DAY)).toBe(false);
});

test("of several locks, the youngest counts", () => {
  const words = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/a.json: created by root@one (pid 1) at 2026-05-01T10:00:00Z
  file:///state/.pulumi/locks/b.json: created by root@two (pid 2) at 2026-05-01T12:00:00+02:00`;
  expect(lockIn(words)).toEqual({ since: new Date("2026-05-01T10:00:00Z") });
  expect(lockIn("error: something else at 2026-05-01T10:00:00Z")).toBeUndefined();
});

test("a lock at Pulumi Cloud has no age", () => {
  const words = `Destroying (acme/pr-1):
error: [409] Conflict: Another update is currently in progress.
To learn more about possible reasons and resolution, visit https://www.pulumi.com/docs/support/troubleshooting/common-issues/update-conflicts/
`;
  expect(lockIn(words)).toEqual({});
  expect(lockIn("error: [409] Conflict: The Update has already completed")).toBeUndefined();
});

test("a stack that Pulumi Cloud takes for one that is being updated is kept, and named only where its pull request is closed", async () => {
  const stacks = ["pr-1", "pr-2", "pr-3"].map((name) => ({ name, isUpdating: true }));
  const isClosed = async (number: number) => [undefined, true, false][number];
  expect(await judged(stacks, { patterns, olderThanMs: DAY, isClosed })).toEqual([
    { name: "pr-1", kept: lockedWithoutAge("pr-1") },
    { name: "pr-2", kept: "pull request 2 is open" },
    { name: "pr-3", kept: "there is no pull request 3" },
  ]);
});
