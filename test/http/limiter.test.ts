import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Limiter } from "../../src/http/limiter";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A task whose end is in the test's hands. */
function task() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: vi.fn(() => ended), end };
}

/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test("no more than the bound run, the others in the order in which they came", async () => {
  const limiter = new Limiter(2, 0);
  const tasks = Array.from({ length: 5 }, task);
  const runs = tasks.map(({ run }) => limiter.run(undefined, run));
  const started = () => tasks.map(({ run }) => run.mock.calls.length);
  await settle();
  expect(started()).toEqual([1, 1, 0, 0, 0]);
  tasks[1]?.end();
  await settle();
  expect(started()).toEqual([1, 1, 1, 0, 0]);
  tasks[0]?.end();
  tasks[2]?.end();
  await settle();
  expect(started()).toEqual([1, 1, 1, 1, 1]);
  for (const { end } of tasks) end();
  await Promise.all(runs);
});

test("an exclusive task runs beside none that shares with it; those without a part in that go on", async () => {
  const limiter = new Limiter(10, 0);
  const order = ["shared", "shared", "exclusive", "shared", undefined, "exclusive", "shared"] as const;
  const tasks = order.map(task);
  const runs = tasks.map(({ run }, index) => limiter.run(undefined, run, order[index]));
  const started = () => tasks.map(({ run }) => run.mock.calls.length).join("");
  const end = async (...indices: number[]) => {
    for (const index of indices) tasks[index]?.end();
    await settle();
  };
  await end();
  expect(started()).toBe("1100100");
  await end(0);
  expect(started()).toBe("1100100");
  await end(1);
  expect(started()).toBe("1110100");
  await end(2);
  expect(started()).toBe("1111100");
  await end(3);
  expect(started()).toBe("1111110");
  await end(5);
  expect(started()).toBe("1111111");
  await end(4, 6);
  await Promise.all(runs);
});

test("an exclusive task that gives up waiting holds nobody back", async () => {
  const limiter = new Limiter(10, 0);
  const [first, second] = [task(), task()];
  const { signal, abort } = (() => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort(new Error("no more")) };
  })();
  const runs = [limiter.run(undefined, first.run, "shared")];
  const refused = expect(limiter.run(signal, task().run, "exclusive")).rejects.toThrow("no more");
  runs.push(limiter.run(undefined, second.run, "shared"));
  await settle();
  expect(second.run).not.toHaveBeenCalled();
  abort();
  await settle();
  expect(second.run).toHaveBeenCalled();
  first.end();
  second.end();
  await Promise.all([...runs, refused]);
});

test("a task that fails makes room as well", async () => {
  const limiter = new Limiter(1, 0);
  await expect(limiter.run(undefined, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(
    limiter.run(undefined, () => {
      throw new Error("at once");
    }),
  ).rejects.toThrow("at once");
  await expect(limiter.run(undefined, async () => "yes")).resolves.toBe("yes");
});

test("the bound holds and every task runs, whatever is aborted or fails on the way", async () => {
  const step = fc.record({ ms: fc.nat({ max: 20 }), fails: fc.boolean(), abortAt: fc.option(fc.nat({ max: 40 })) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), async (steps, atOnce) => {
      const limiter = new Limiter(atOnce, 0);
      let running = 0;
      let most = 0;
      const outcomes = steps.map(({ ms, fails, abortAt }) => {
        const controller = new AbortController();
        if (abortAt !== null) setTimeout(() => controller.abort(new Error("aborted")), abortAt);
        return limiter.run(controller.signal, async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, ms));
          running--;
          if (fails) throw new Error("failed");
        });
      });
      const all = Promise.allSettled(outcomes);
      await vi.runAllTimersAsync();
      const results = await all;
      expect(most).toBeLessThanOrEqual(atOnce);
      expect(running).toBe(0);
      for (const [index, result] of results.entries()) {
        if (steps[index]?.abortAt === null) expect(result.status === "rejected").toBe(steps[index]?.fails);
      }
      // All the room is there again.
      const after = Array.from({ length: atOnce }, task);
      const runs = after.map(({ run }) => limiter.run(undefined, run));
      await settle();
      expect(after.every(({ run }) => run.mock.calls.length === 1)).toBe(true);
      for (const { end } of after) end();
      await Promise.all(runs);
    }),
    { numRuns: 50 },
  );
});

test("abort ends the wait for room at once, and takes no room", async () => {
  const limiter = new Limiter(1, 0);
  const first = task();
  const running = limiter.run(undefined, first.run);
  const controller = new AbortController();
  const second = task();
  const waiting = limiter.run(controller.signal, second.run);
  const third = task();
  const last = limiter.run(undefined, third.run);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(third.run).not.toHaveBeenCalled();
  first.end();
  third.end();
  await Promise.all([running, last]);
  expect(second.run).not.toHaveBeenCalled();
  expect(third.run).toHaveBeenCalledOnce();
});

test("abort before the call runs nothing", async () => {
  const limiter = new Limiter(1, 0);
  const { run } = task();
  const reason = new Error("enough");
  await expect(limiter.run(AbortSignal.abort(reason), run)).rejects.toBe(reason);
  expect(run).not.toHaveBeenCalled();
  await limiter.run(undefined, async () => {});
});

test("abort leaves no listener on the signal", async () => {
  const limiter = new Limiter(1, 0);
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, "addEventListener");
  const remove = vi.spyOn(signal, "removeEventListener");
  const first = task();
  const running = limiter.run(undefined, first.run);
  const waiting = limiter.run(signal, async () => {});
  first.end();
  await Promise.all([running, waiting]);
  expect(add).toHaveBeenCalled();
  expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
});

test("abort of the last that waits leaves no timer", async () => {
  const limiter = new Limiter(10, 0);
  limiter.hold(60);
  const controllers = [new AbortController(), new AbortController()];
  const waiting = Promise.allSettled(controllers.map(({ signal }) => limiter.run(signal, async () => {})));
  expect(vi.getTimerCount()).toBe(1);
  for (const controller of controllers) controller.abort();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});

test("abort during a wait for the rate gives the turn to the next", async () => {
  const limiter = new Limiter(10, 60);
  await limiter.run(undefined, async () => {});
  const controller = new AbortController();
  const aborted = Array.from({ length: 5 }, () => limiter.run(controller.signal, async () => {}));
  const outcomes = Promise.allSettled(aborted);
  const { run, end } = task();
  const last = limiter.run(undefined, run);
  controller.abort();
  expect((await outcomes).every(({ status }) => status === "rejected")).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledOnce();
  end();
  await last;
});

describe("the rate", () => {
  test("spaces the starts evenly, in the order in which they came", async () => {
    const limiter = new Limiter(10, 120);
    const begun = performance.now();
    const starts: [number, number][] = [];
    const runs = Array.from({ length: 5 }, (_, index) =>
      limiter.run(undefined, async () => {
        starts.push([index, performance.now() - begun]);
      }),
    );
    await vi.runAllTimersAsync();
    await Promise.all(runs);
    expect(starts).toEqual([
      [0, 0],
      [1, 500],
      [2, 1000],
      [3, 1500],
      [4, 2000],
    ]);
  });

  test("is not saved up while nothing is asked for", async () => {
    const limiter = new Limiter(10, 60);
    await limiter.run(undefined, async () => {});
    await vi.advanceTimersByTimeAsync(60_000);
    const starts: number[] = [];
    const begun = performance.now();
    const runs = [1, 2].map(() => limiter.run(undefined, async () => void starts.push(performance.now() - begun)));
    await vi.runAllTimersAsync();
    await Promise.all(runs);
    expect(starts).toEqual([0, 1000]);
  });

  test("of more than one a millisecond is kept too", async () => {
    const limiter = new Limiter(1000, 100_000);
    const begun = performance.now();
    const runs = Array.from({ length: 101 }, () => limiter.run(undefined, async () => performance.now() - begun));
    await vi.runAllTimersAsync();
    const starts = await Promise.all(runs);
    expect(Math.max(...starts)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...starts)).toBeLessThan(65);
  });
});

test("the bound can be lowered, which ends nothing, and raised, which starts what waits", async () => {
  const limiter = new Limiter(2, 0);
  const tasks = Array.from({ length: 5 }, task);
  const runs = tasks.map(({ run }) => limiter.run(undefined, run));
  const started = () => tasks.filter(({ run }) => run.mock.calls.length === 1).length;
  limiter.atOnce = 1;
  tasks[0]?.end();
  await settle();
  expect(started()).toBe(2);
  limiter.atOnce = 3;
  await settle();
  expect(started()).toBe(4);
  for (const { end } of tasks) end();
  await Promise.all(runs);
});

test("turning away rejects what waits, leaves what runs, and leaves no timer and no listener", async () => {
  const limiter = new Limiter(1, 0);
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, "removeEventListener");
  const first = task();
  const running = limiter.run(undefined, first.run);
  const reason = new Error("closed");
  limiter.hold(60);
  const waiting = Promise.allSettled([1, 2].map(() => limiter.run(signal, async () => {})));
  limiter.turnAway(reason);
  expect(await waiting).toEqual([1, 2].map(() => ({ status: "rejected", reason })));
  expect(remove).toHaveBeenCalledTimes(2);
  first.end();
  await running;
  expect(vi.getTimerCount()).toBe(0);
});

test("hold holds back what comes later and what waits already", async () => {
  const limiter = new Limiter(10, 60);
  const begun = performance.now();
  const at = async () => performance.now() - begun;
  const first = limiter.run(undefined, at);
  const second = limiter.run(undefined, at);
  limiter.hold(30);
  const third = limiter.run(undefined, at);
  await vi.runAllTimersAsync();
  expect(await Promise.all([first, second, third])).toEqual([0, 30_000, 31_000]);
});

test("hold is never shortened by another", async () => {
  const limiter = new Limiter(10, 0);
  const begun = performance.now();
  limiter.hold(30);
  limiter.hold(5);
  const run = limiter.run(undefined, async () => performance.now() - begun);
  await vi.runAllTimersAsync();
  expect(await run).toBe(30_000);
});
