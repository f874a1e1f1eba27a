import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { budgetFile, RateBudget } from "../../src/http/budget";

const NOW = Date.parse("2026-03-15T10:30:00Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: NOW });
  return () => vi.useRealTimers();
});

const refuse = (budget: RateBudget, times: number, retryAfter?: number): void => {
  for (let count = 0; count < times; count++) budget.refused(performance.now(), retryAfter);
};

test("a pause without Retry-After is 2, 4, 8, 16, 32 s, and no longer", () => {
  const budget = new RateBudget();
  const pauses = Array.from({ length: 7 }, () => {
    vi.advanceTimersByTime(1);
    budget.refused(performance.now(), undefined);
    const seconds = budget.heldSeconds;
    vi.advanceTimersByTime(seconds * 1000);
    return seconds;
  });
  expect(pauses).toEqual([2, 4, 8, 16, 32, 32, 32]);
});

test("a pause is that which the service asks for", () => {
  const budget = new RateBudget();
  refuse(budget, 1, 59);
  expect(budget.heldSeconds).toBe(59);
});

test("a pause of nothing is as long as one that nobody asks for", () => {
  const budget = new RateBudget();
  for (const seconds of [2, 4, 8]) {
    refuse(budget, 1, 0);
    expect(budget.heldSeconds).toBe(seconds);
    vi.advanceTimersByTime(seconds * 1000);
  }
});

test("a pause does not grow by those that were under way side by side", () => {
  const budget = new RateBudget();
  const sentAt = performance.now();
  vi.advanceTimersByTime(10);
  for (let count = 0; count < 8; count++) budget.refused(sentAt, undefined);
  expect(budget.heldSeconds).toBe(2);
});

test("a pause begins anew after a success, but not after one that was under way before", () => {
  const budget = new RateBudget();
  const before = performance.now();
  vi.advanceTimersByTime(10);
  refuse(budget, 1);
  budget.passed(before);
  expect(budget.atOnce(8)).toBe(1);
  vi.advanceTimersByTime(2000);
  budget.passed(performance.now());
  refuse(budget, 1);
  expect(budget.heldSeconds).toBe(2);
});

test("how many go at once is one until a success, then half of what is left, and all again after five minutes", () => {
  const budget = new RateBudget(10);
  expect(budget.atOnce(8)).toBe(8);
  refuse(budget, 4);
  expect(budget.atOnce(8)).toBe(1);
  vi.advanceTimersByTime(1);
  budget.passed(performance.now());
  expect(budget.atOnce(8)).toBe(3);
  vi.advanceTimersByTime(5 * 60_000);
  expect(budget.atOnce(8)).toBe(8);
});

test("how many go at once is all again after a success where the service bars nobody", () => {
  const budget = new RateBudget();
  refuse(budget, 50);
  vi.advanceTimersByTime(1);
  budget.passed(performance.now());
  expect(budget.atOnce(32)).toBe(32);
  expect(budget.closed).toBeUndefined();
});

test("a service is closed after too many 429s within five minutes, until there are fewer", () => {
  const budget = new RateBudget(10);
  refuse(budget, 1);
  vi.advanceTimersByTime(60_000);
  refuse(budget, 8);
  expect(budget.closed).toBeUndefined();
  refuse(budget, 1);
  expect(budget.closed?.why).toContain("10 times within five minutes");
  expect(Math.round(budget.closed?.until ?? 0)).toBe(NOW + 5 * 60_000);
  vi.advanceTimersByTime(4 * 60_000 + 1);
  expect(budget.closed).toBeUndefined();
  refuse(budget, 1);
  expect(budget.closed).toBeDefined();
});

test.each([
  [66, 66],
  [120, 120],
  [3600, 3600],
  [1e15, 3600],
])("a service is closed by a Retry-After of %d s for %d s", (retryAfter, seconds) => {
  const budget = new RateBudget();
  refuse(budget, 1, retryAfter);
  expect(budget.closed).toEqual({ until: NOW + seconds * 1000, why: expect.stringContaining("a long pause") });
  vi.advanceTimersByTime(seconds * 1000);
  expect(budget.closed).toBeUndefined();
});

const file = () => budgetFile("https://api.example.com");

test("the file stands beside the CLI's own files, and its name says nothing", () => {
  expect(dirname(file())).toBe(join(process.env.PULUMI_HOME ?? "", "brightdata"));
  expect(file()).toMatch(/[\\/][0-9a-f]{16}\.json$/);
  expect(budgetFile("https://other.example.com")).not.toBe(file());
});

test("the file lets processes share what they meet, and holds moments only", async () => {
  const [one, other] = [new RateBudget(10, file()), new RateBudget(10, file())];
  refuse(one, 6, 59);
  await one.share();
  await other.refresh();
  expect(other.heldSeconds).toBe(59);
  refuse(other, 4);
  expect(other.closed).toBeDefined();
  await other.share();
  vi.advanceTimersByTime(1001);
  await one.refresh();
  expect(one.closed).toEqual(other.closed);
  expect(Object.keys(JSON.parse(await readFile(file(), "utf8")))).toEqual(["refusals", "heldUntil", "closedUntil"]);
  expect(await readdir(dirname(file()))).toHaveLength(1);
});

test("the file can be read by its owner alone", async () => {
  const budget = new RateBudget(10, file());
  refuse(budget, 1);
  await budget.share();
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(file()))).mode & 0o777).toBe(0o700);
});

test("the file is read once a second at most", async () => {
  const [one, other] = [new RateBudget(10, file()), new RateBudget(10, file())];
  await one.refresh();
  refuse(other, 1, 3600);
  await other.share();
  vi.advanceTimersByTime(999);
  await one.refresh();
  expect(one.closed).toBeUndefined();
  vi.advanceTimersByTime(1);
  await one.refresh();
  expect(one.closed).toBeDefined();
});

test("the file is not made while there is nothing to tell", async () => {
  await new RateBudget(10, file()).refresh();
  await expect(readdir(dirname(file()))).rejects.toThrow("ENOENT");
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"refusals":"x","heldUntil":"soon","closedUntil":null}',
  '{"refusals":[null,"5"],"heldUntil":9e15,"closedUntil":9e15}',
  JSON.stringify({ refusals: Array.from({ length: 30 }, () => NOW + 3_600_000), heldUntil: 0, closedUntil: 0 }),
  JSON.stringify({ refusals: Array.from({ length: 30 }, () => NOW - 3_600_000), heldUntil: 0, closedUntil: 0 }),
])("the file says nothing where it makes no sense: %s", async (text) => {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
  const budget = new RateBudget(10, file());
  await budget.refresh();
  expect([budget.closed, budget.heldSeconds, budget.atOnce(8)]).toEqual([undefined, 0, 8]);
});

test("a file that cannot be written leaves each process with what it knows", async () => {
  await writeFile(process.env.PULUMI_HOME ?? "", "a file where the folder should be");
  const budget = new RateBudget(10, file());
  refuse(budget, 1, 59);
  await budget.share();
  expect(budget.heldSeconds).toBe(59);
});
