import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError, NotFoundError, ServerError } from "../../src/base/errors";
import { getCollectorResult } from "../../src/generated";
import { pause } from "../../src/http/pause";
import { startService } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: vi.fn() }));

const ROWS = [{ input: { url: "https://example.com/" }, title: "A page" }];

// Only pauses take time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.mocked(pause)
    .mockReset()
    .mockImplementation(async (ms, signal) => {
      signal?.throwIfAborted();
      vi.advanceTimersByTime(ms);
    });
});

const pauses = () => vi.mocked(pause).mock.calls.map(([ms]) => ms / 1000);

test("a result that is there already", async () => {
  const { account, asked } = await startService({ remote: { collectorShape: "array" } });
  const { responseId } = account.addCollectorRun([...ROWS, ...ROWS], 0);
  const result = await getCollectorResult({ responseId, timeout: 0 });
  expect(result).toEqual({ responseId, status: "ready", rows: [...ROWS, ...ROWS] });
  expect(asked()).toEqual([`GET /dca/get_result?response_id=${responseId}`]);
});

test.each(["202", "empty", "null", "object"] as const)(
  "a result that is pending, told by %s, is waited for",
  async (collectorPending) => {
    const { account, asked } = await startService({ remote: { collectorPending } });
    const { responseId } = account.addCollectorRun(ROWS, 2);
    await expect(getCollectorResult({ responseId })).resolves.toEqual({ responseId, status: "ready", rows: ROWS });
    expect(asked()).toEqual(Array(3).fill(`GET /dca/get_result?response_id=${responseId}&timeout=50s`));
    expect(pauses()).toEqual([10, 10]);
  },
);

test("the wait ends in time: the service may hold a question open for as long as there is time left", async () => {
  const { account, asked } = await startService();
  const { responseId } = account.addCollectorRun(ROWS, 100);
  await expect(getCollectorResult({ responseId, timeout: 36 })).resolves.toEqual({ responseId, status: "pending" });
  const line = `GET /dca/get_result?response_id=${responseId}`;
  expect(asked()).toEqual([`${line}&timeout=36s`, `${line}&timeout=26s`, line, line, line]);
  expect(pauses()).toEqual([10, 10, 10, 6]);
});

test("a service that has held the question open is asked again at once", async () => {
  const { account, asked } = await startService();
  const answers = [1, 0];
  account.collectorRuns.set("z1", {
    responseId: "z1",
    rows: ROWS,
    get pendingReads() {
      vi.advanceTimersByTime(25_000);
      return answers[0] ?? 0;
    },
    set pendingReads(_) {
      answers.shift();
    },
  });
  await expect(getCollectorResult({ responseId: "z1" })).resolves.toMatchObject({ status: "ready" });
  expect(asked()).toHaveLength(2);
  expect(pauses()).toEqual([0]);
});

test("of many that wait, four leave their questions open, and the others ask again and again", async () => {
  const { account, asked } = await startService();
  const runs = Array.from({ length: 6 }, () => account.addCollectorRun(ROWS, 1));
  await Promise.all(runs.map(({ responseId }) => getCollectorResult({ responseId })));
  const answeredAtOnce = asked().filter((line) => !line.includes("&timeout="));
  expect(answeredAtOnce.length).toBeGreaterThanOrEqual(2);
  expect(asked()).toHaveLength(12);
});

test("a question that is answered makes room for another that is left open", async () => {
  const { account, asked } = await startService();
  for (let number = 0; number < 6; number++) {
    const { responseId } = account.addCollectorRun(ROWS, 0);
    await getCollectorResult({ responseId });
  }
  expect(asked().filter((line) => line.includes("&timeout="))).toHaveLength(6);
});

test("a single look does not wait", async () => {
  const { account, asked } = await startService();
  const { responseId } = account.addCollectorRun(ROWS, 1);
  await expect(getCollectorResult({ responseId, timeout: 0 })).resolves.toEqual({ responseId, status: "pending" });
  expect(asked()).toHaveLength(1);
  expect(pauses()).toEqual([]);
});

test("a run that does not exist", async () => {
  await startService();
  await expect(getCollectorResult({ responseId: "z1" })).rejects.toBeInstanceOf(NotFoundError);
});

test("a failure while waiting is one", async () => {
  const { account, faults } = await startService();
  const { responseId } = account.addCollectorRun(ROWS, 100);
  faults.add({ after: 1, kind: "respond", status: 500 });
  await expect(getCollectorResult({ responseId })).rejects.toBeInstanceOf(ServerError);
});

test("a caller who gives up while it waits hears the reason", async () => {
  const { account, asked } = await startService();
  const { responseId } = account.addCollectorRun(ROWS, 100);
  const controller = new AbortController();
  const reason = new Error("no more interest");
  vi.mocked(pause).mockImplementationOnce(async (_ms, signal) => {
    controller.abort(reason);
    signal?.throwIfAborted();
  });
  await expect(getCollectorResult({ responseId }, { signal: controller.signal })).rejects.toBe(reason);
  expect(asked()).toHaveLength(1);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("sends nothing for a timeout of %d", async (timeout) => {
  const { asked } = await startService();
  await expect(getCollectorResult({ responseId: "z1", timeout })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});

test("sends nothing for a blank id", async () => {
  const { asked } = await startService();
  await expect(getCollectorResult({ responseId: " " })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
