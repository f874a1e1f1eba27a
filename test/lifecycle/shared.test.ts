import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Shared } from "../../src/lifecycle/shared";

const NEVER = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a shared value", () => {
  test("is fetched once for all who ask at the same time, however long that takes", async () => {
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

  test("is good for a second", async () => {
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

  test("is fetched anew when it was forgotten, even while it was on its way", async () => {
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

  test("is asked for again after a failure", async () => {
    const load = vi.fn(async () => "value").mockRejectedValueOnce(new Error("no"));
    const shared = new Shared(load);
    await expect(shared.get(NEVER)).rejects.toThrow("no");
    expect(await shared.get(NEVER)).toBe("value");
  });

  test("is not lost when the one before it, which was forgotten, fails late", async () => {
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

  test("is no longer waited for by one whose time is up; the others go on", async () => {
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
});
