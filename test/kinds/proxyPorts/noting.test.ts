import { beforeEach, expect, test, vi } from "vitest";
import { noting } from "../../../src/kinds/proxyPorts/noting";
import { stage } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

const FACTS = { mark: "m", declared: [] };

const NOW = Date.parse("2026-01-01T00:00:00.000Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  return () => vi.useRealTimers();
});

test("the intent of ports that are made one after another is renewed before one of them may outlast it", async () => {
  const journal = new MemoryJournal();
  const make = noting(FACTS, "Look for them.", { ...(await stage()).step(), journal });
  const makeAt = async (seconds: number) => {
    vi.setSystemTime(NOW + seconds * 1000);
    await make(async () => undefined);
    return journal.untils.length;
  };
  expect(journal.untils).toEqual([]);
  expect([await makeAt(0), await makeAt(60), await makeAt(120)]).toEqual([1, 1, 1]);
  expect([await makeAt(121), await makeAt(200)]).toEqual([2, 2]);
  expect(journal.untils).toEqual(["2026-01-01T00:04:00.000Z", "2026-01-01T00:06:01.000Z"]);
  expect(journal.noted).toMatchObject({ facts: { mark: "m" }, advice: "Look for them." });
});

test("the intent of ports that are begun at once is written before the first of them", async () => {
  const journal = new MemoryJournal();
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const begin = vi.spyOn(journal, "begin").mockReturnValue(written);
  const make = noting(FACTS, "", { ...(await stage()).step(), journal });
  const made: number[] = [];
  const both = Promise.all([1, 2].map((port) => make(async () => made.push(port))));
  await new Promise(setImmediate);
  expect(made).toEqual([]);
  write();
  await both;
  expect(made).toEqual([1, 2]);
  expect(begin).toHaveBeenCalledTimes(1);
});
