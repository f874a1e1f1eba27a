import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { noun } from "../../src/http/noun";
import type { Transport } from "../../src/http/transport";
import { transportTo } from "./loopback";

const transport = transportTo("http://127.0.0.1:1");
const operations = {
  double: (number: number) => async (given: Transport) => (given === transport ? number * 2 : Number.NaN),
  limit: 5,
};

test("noun passes the arguments, then the transport", async () => {
  const things = noun(transport, async () => operations);
  expect(await things.double(21)).toBe(42);
});

test("noun loads the module with the first call", async () => {
  const load = vi.fn(async () => operations);
  const things = noun(transport, load);
  const { double } = things;
  expect(load).not.toHaveBeenCalled();
  await double(1);
  expect(load).toHaveBeenCalled();
});

test("noun rejects what is no operation", async () => {
  const things = noun(transport, async () => operations) as unknown as Record<string, () => Promise<unknown>>;
  await expect(things.limit?.()).rejects.toThrow("There is no operation limit.");
  await expect(things.nothing?.()).rejects.toThrow("There is no operation nothing.");
});

test("noun can be awaited, printed and serialised as a plain object", async () => {
  const load = vi.fn(async () => operations);
  const things = noun(transport, load);
  expect(await Promise.resolve(things)).toBe(things);
  expect(JSON.stringify({ things })).toBe('{"things":{}}');
  expect(String(things)).toBe("[object Object]");
  expect(inspect(things)).toBe("{}");
  expect(load).not.toHaveBeenCalled();
});
