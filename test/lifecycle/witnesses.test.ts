import { expect, test, vi } from "vitest";
import { sightingOf, type Witnessed } from "../../src/lifecycle/witnesses";

const ALL = ["a", "b"];

/** Both lists, and the witness. */
const ASKED = { lists: 2, witnesses: 1 };

test.each<[string, string[][], boolean, Partial<Witnessed>, { lists: number; witnesses: number }]>([
  ["all are listed", [["b", "c", "a"]], true, { there: ALL }, { lists: 1, witnesses: 0 }],
  ["the second list has what the first lacks", [["a"], ["b"]], true, { there: ALL }, { lists: 2, witnesses: 0 }],
  ["two lists lack one, and a witness agrees", [["a"], ["a"]], true, { there: ["a"], gone: ["b"] }, ASKED],
  ["two lists lack one, and a witness does not agree", [["a"], []], false, { there: ["a"], doubtful: ["b"] }, ASKED],
  ["two lists are empty, and a witness agrees", [[], []], true, { gone: ALL }, ASKED],
  ["two lists are empty, and a witness does not agree", [[], []], false, { doubtful: ALL }, ASKED],
])("what is paid for is looked for twice, and elsewhere: %s", async (_, lists, isAgreed, found, asked) => {
  const list = vi.fn(async () => lists[list.mock.calls.length - 1] ?? []);
  const agrees = vi.fn(async (_listed: readonly string[]) => isAgreed);
  expect(await sightingOf(ALL, { list, agrees })).toEqual({ there: [], gone: [], doubtful: [], ...found });
  expect({ lists: list.mock.calls.length, witnesses: agrees.mock.calls.length }).toEqual(asked);
  for (const [listed] of agrees.mock.calls) expect([...listed].sort()).toEqual([...new Set(lists.flat())].sort());
});

test("what is paid for is not looked for where there is nothing to look for, but listed", async () => {
  const list = vi.fn(async () => ["a"]);
  const agrees = vi.fn(async () => false);
  expect(await sightingOf([], { list, agrees })).toEqual({ there: [], gone: [], doubtful: [] });
  expect(list).toHaveBeenCalledTimes(1);
  expect(agrees).not.toHaveBeenCalled();
});
