import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause } from "../../src/http/pause";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("waits as long as asked", async () => {
  const done = vi.fn();
  const paused = pause(1000).then(done);
  await vi.advanceTimersByTimeAsync(999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await paused;
  expect(done).toHaveBeenCalledOnce();
});

test("rejects with the signal's reason, leaving no timer", async () => {
  const controller = new AbortController();
  const paused = pause(1000, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(paused).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test("does not begin when the signal is aborted already", async () => {
  const reason = new Error("enough");
  await expect(pause(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test("leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, "addEventListener");
  const remove = vi.spyOn(signal, "removeEventListener");
  const paused = pause(10, signal);
  await vi.runAllTimersAsync();
  await paused;
  expect(add).toHaveBeenCalledOnce();
  expect(remove).toHaveBeenCalledWith("abort", add.mock.calls[0]?.[1]);
});
