import { getMaxListeners } from "node:events";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { secondsLeft } from "../../src/http/end";
import { CancelledError, Deadline, DeadlineError, EndedError } from "../../src/lifecycle/deadline";
import { failure } from "./harness";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  return () => vi.useRealTimers();
});

interface Scene {
  deadline: Deadline;
  said: string[];
  cancel(): void;
}

function scene(seconds = 60): Scene {
  const said: string[] = [];
  const cancellation = new AbortController();
  const deadline = new Deadline(seconds, "timeouts.create", (words) => said.push(words), cancellation.signal);
  onTestFinished(() => deadline.release());
  return { deadline, said, cancel: () => cancellation.abort() };
}

test("any number of requests may wait for its end: Node.js 22 warns of more than ten", () => {
  expect(getMaxListeners(scene().deadline.signal)).toBe(0);
});

test("tells those that wait for something when it ends", async () => {
  const { deadline } = scene(60);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(secondsLeft(deadline.signal)).toBe(40);
  await deadline.wait("waiting", async (signal) => expect(secondsLeft(signal)).toBe(40));
});

test("a part ends before the whole, and says nothing of more time", async () => {
  const { deadline } = scene(60);
  const ended = failure(deadline.within(10, (part) => part.poll("waiting", async () => undefined)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ended).toMatchObject({ message: "Gave up after 10 s, waiting." });
  expect(deadline.signal.aborted).toBe(false);
});

test("a part is the whole where that has no more time", async () => {
  const { deadline } = scene(60);
  expect(await deadline.within(60, async (part) => part)).toBe(deadline);
  expect(await deadline.within(Number.POSITIVE_INFINITY, async (part) => part)).toBe(deadline);
});

test("a part is cancelled with the whole, and leaves no timer", async () => {
  const { deadline, cancel } = scene(60);
  const ended = failure(deadline.within(10, (part) => part.poll("waiting", async () => undefined)));
  cancel();
  expect(await ended).toBeInstanceOf(CancelledError);
  deadline.release();
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait asks until there is an answer, less and less often", async () => {
  const { deadline } = scene();
  const began = Date.now();
  const asked: number[] = [];
  const answer = deadline.poll("waiting", async () => {
    asked.push((Date.now() - began) / 1000);
    return asked.length === 6 ? "there" : undefined;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe("there");
  expect(asked).toEqual([0, 0.25, 0.75, 1.75, 3.75, 5.75]);
});

test("a wait asks at a moment in any case: what is decided then may come too late with the next time", async () => {
  const { deadline } = scene();
  const began = Date.now();
  const asked: number[] = [];
  const probe = async () => {
    asked.push((Date.now() - began) / 1000);
    return asked.length === 6 ? "there" : undefined;
  };
  const answer = deadline.poll("waiting", probe, undefined, began + 4000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe("there");
  expect(asked).toEqual([0, 0.25, 0.75, 1.75, 3.75, 4]);
});

test("a wait asks at the service's pace where it has one", async () => {
  const { deadline } = scene();
  const probe = vi.fn(async () => (probe.mock.calls.length === 4 ? "there" : undefined));
  const answer = deadline.poll("waiting", probe, 5);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(probe).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toBe("there");
});

test("a wait ends with the operation's time, and says what it was doing", async () => {
  const { deadline } = scene();
  let doing = "waiting for the first";
  const ended = failure(
    deadline.poll(
      () => doing,
      async () => undefined,
    ),
  );
  doing = "waiting for the second";
  await vi.advanceTimersByTimeAsync(60_000);
  const error = await ended;
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error.message).toBe(
    "Gave up after 60 s, waiting for the second. Allow more time with `timeouts.create` (in seconds).",
  );
});

test("waits at the same time say each what they were doing, and tell a person so", async () => {
  const { deadline, said } = scene(20);
  const asking = (signal = deadline.signal) =>
    new Promise<undefined>((_, reject) => void signal.addEventListener("abort", () => reject(signal.reason)));
  const ended = Promise.all([
    failure(deadline.poll("waiting for port 1", async () => undefined)),
    failure(deadline.poll("waiting for port 2", asking)),
    failure(deadline.wait("waiting for port 3", asking)),
    failure(deadline.poll("waiting for port 4", async () => undefined)),
  ]);
  await vi.advanceTimersByTimeAsync(20_000);
  const more = "Allow more time with `timeouts.create` (in seconds).";
  expect((await ended).map(({ message }) => message)).toEqual(
    [1, 2, 3, 4].map((port) => `Gave up after 20 s, waiting for port ${port}. ${more}`),
  );
  expect(said.map((words) => words.split(",")[0])).toEqual(["waiting for port 1", "waiting for port 4"]);
});

test("a wait quotes the last refusal that it went on after, if it was the last answer", async () => {
  const endings: string[] = [];
  for (const refusals of [1, Number.POSITIVE_INFINITY]) {
    const { deadline } = scene();
    let probes = 0;
    const probe = async () => {
      if (++probes <= refusals) deadline.passOver(new Error(`Could not look: no.`));
      return undefined;
    };
    const ended = failure(deadline.poll("waiting", probe));
    await vi.advanceTimersByTimeAsync(60_000);
    endings.push((await ended).message);
  }
  expect(endings).toEqual([
    "Gave up after 60 s, waiting. Allow more time with `timeouts.create` (in seconds).",
    "Gave up after 60 s, waiting. The last answer was a refusal: Could not look: no. Allow more time with `timeouts.create` (in seconds).",
  ]);
});

test("a wait that is over is not what the operation ends with later", async () => {
  const { deadline } = scene();
  await deadline.poll("waiting", async () => true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect((deadline.signal.reason as Error).message).toContain("Gave up after 60 s, before everything was done.");
});

test("a wait tells a person where it stands, each time that it has doubled", async () => {
  const { deadline, said } = scene(120);
  const ended = failure(deadline.poll("waiting for it", async () => undefined));
  await vi.advanceTimersByTimeAsync(120_000);
  await ended;
  expect(said).toEqual([12, 24, 48, 96].map((seconds) => `waiting for it, ${seconds} s so far, at most 120 s in all`));
});

test("a wait fails with its probe", async () => {
  const { deadline } = scene();
  const error = new Error("no");
  expect(await failure(deadline.poll("waiting", () => Promise.reject(error)))).toBe(error);
});

test("a cancellation ends a wait at once, and says what it was for", async () => {
  const { deadline, cancel } = scene();
  const ended = failure(deadline.poll("waiting for zone web", async () => undefined));
  await vi.advanceTimersByTimeAsync(20_000);
  cancel();
  const error = await ended;
  expect(error).toBeInstanceOf(CancelledError);
  expect(error).toBeInstanceOf(EndedError);
  expect(error.message).toBe("The update was cancelled, waiting for zone web.");
});

test("a cancellation does not end the requests that are under way, nor hide what they have found", async () => {
  const { deadline, cancel } = scene();
  let answer: (found: string) => void = () => {};
  const found = deadline.poll(
    "waiting",
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  cancel();
  expect(deadline.signal.aborted).toBe(false);
  answer("there");
  expect(await found).toBe("there");
});

test("a cancellation before a wait lets it ask once", async () => {
  const { deadline, cancel } = scene();
  cancel();
  expect(await deadline.poll("waiting", async () => "there")).toBe("there");
  const probe = vi.fn(async () => undefined);
  expect(await failure(deadline.poll("waiting", probe))).toBeInstanceOf(CancelledError);
  expect(probe).toHaveBeenCalledTimes(1);
});

test("a cancellation after the operation's time changes nothing", async () => {
  const { deadline, cancel } = scene();
  const ended = failure(deadline.poll("waiting", async () => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  cancel();
  expect(await ended).toBeInstanceOf(DeadlineError);
});

test("more time than a timer can count does not end at once", async () => {
  const { deadline } = scene(720 * 3600);
  await vi.advanceTimersByTimeAsync(24 * 24 * 3600 * 1000);
  expect(deadline.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(24 * 3600 * 1000);
  expect(deadline.signal.aborted).toBe(true);
});

test("a deadline that is released does not fire", async () => {
  const { deadline } = scene();
  deadline.release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(deadline.signal.aborted).toBe(false);
});
