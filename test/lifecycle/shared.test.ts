import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Shared, SharedList, WHILE_ASKED_FOR } from "../../src/lifecycle/shared";

const NEVER = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a shared value is fetched once for all who ask at the same time, however long that takes", async () => {
  let answer: (value: string) => void = () => {};
  const load = vi.fn(() => new Promise<string>((resolve) => (answer = resolve)));
  const shared = new Shared(load);
  const first = shared.get(NEVER);
  vi.advanceTimersByTime(60_000);
  const second = shared.get(NEVER);
  answer("value");
  expect(await Promise.all([first, second])).toEqual(["value", "value"]);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a shared value is good for a second", async () => {
  const load = vi.fn(async () => "value");
  const shared = new Shared(load);
  await shared.get(NEVER);
  vi.advanceTimersByTime(1000);
  await shared.get(NEVER);
  expect(load).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await shared.get(NEVER);
  expect(load).toHaveBeenCalledTimes(2);
});

test("a shared value that lasts is good while it is asked for, a minute at most", async () => {
  const load = vi.fn(async () => "value");
  const shared = new Shared(load, WHILE_ASKED_FOR);
  for (let seconds = 0; seconds <= 60; seconds += 10) {
    await shared.get(NEVER);
    vi.advanceTimersByTime(10_000);
  }
  expect(load).toHaveBeenCalledTimes(1);
  await shared.get(NEVER);
  expect(load).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_001);
  await shared.get(NEVER);
  expect(load).toHaveBeenCalledTimes(3);
});

test("a shared value is fetched anew when it was forgotten, even while it was on its way", async () => {
  const answers: ((value: string) => void)[] = [];
  const shared = new Shared(() => new Promise<string>((resolve) => answers.push(resolve)));
  const stale = shared.get(NEVER);
  shared.forget();
  const fresh = shared.get(NEVER);
  answers[1]?.("new");
  answers[0]?.("old");
  expect(await fresh).toBe("new");
  expect(await stale).toBe("old");
  expect(await shared.get(NEVER)).toBe("new");
  expect(answers).toHaveLength(2);
});

test("a shared value is asked for again after a failure", async () => {
  const load = vi.fn(async () => "value").mockRejectedValueOnce(new Error("no"));
  const shared = new Shared(load);
  await expect(shared.get(NEVER)).rejects.toThrow("no");
  expect(await shared.get(NEVER)).toBe("value");
});

test("a shared value is not lost when the one before it, which was forgotten, fails late", async () => {
  let fail: (error: Error) => void = () => {};
  const load = vi.fn(async () => "new").mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
  const shared = new Shared<string>(load);
  const stale = shared.get(NEVER);
  shared.forget();
  expect(await shared.get(NEVER)).toBe("new");
  fail(new Error("late"));
  await expect(stale).rejects.toThrow("late");
  await shared.get(NEVER);
  expect(load).toHaveBeenCalledTimes(2);
});

test("a shared value is no longer waited for by one whose time is up; the others go on", async () => {
  let answer: (value: string) => void = () => {};
  const shared = new Shared(() => new Promise<string>((resolve) => (answer = resolve)));
  const controller = new AbortController();
  const hurried = shared.get(controller.signal);
  const patient = shared.get(NEVER);
  controller.abort(new Error("time is up"));
  await expect(hurried).rejects.toThrow("time is up");
  answer("value");
  expect(await patient).toBe("value");
  await expect(shared.get(controller.signal)).rejects.toThrow("time is up");
});

const records = (...numbers: number[]) => numbers.map((number) => ({ number, name: `thing ${number}` }));
const listOf = (load: () => Promise<{ number: number; name: string }[]>) =>
  new SharedList(load, ({ number }) => number);

test("a shared list has each thing, and is fetched once for all", async () => {
  const load = vi.fn(async () => records(1, 2));
  const list = listOf(load);
  const found = await Promise.all([1, 2, 3].map((number) => list.find(number, NEVER)));
  expect(found.map((thing) => thing?.name)).toEqual(["thing 1", "thing 2", undefined]);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a shared list does not tell of what was changed since it was asked for, before it came or after", async () => {
  const answers: ((things: { number: number; name: string }[]) => void)[] = [];
  const list = listOf(() => new Promise((resolve) => answers.push(resolve)));
  const first = list.find(1, NEVER);
  list.drop(1);
  answers[0]?.(records(1, 2, 3));
  expect(await first).toBeUndefined();
  list.drop(2);
  expect(await list.find(2, NEVER)).toBeUndefined();
  expect(await list.find(3, NEVER)).toMatchObject({ number: 3 });
  expect(answers).toHaveLength(1);
});

test("a shared list tells of all again when it was fetched anew", async () => {
  const list = listOf(async () => records(1));
  await list.find(1, NEVER);
  list.drop(1);
  list.forget();
  expect(await list.find(1, NEVER)).toMatchObject({ number: 1 });
});
