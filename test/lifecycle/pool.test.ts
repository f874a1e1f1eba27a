import { expect, test } from "vitest";
import { forEach } from "../../src/lifecycle/pool";

test("nothing more is begun once a task has failed", async () => {
  const begun: number[] = [];
  const task = async (number: number) => {
    begun.push(number);
    if (number === 2) throw new Error("no");
  };
  await expect(forEach([1, 2, 3, 4, 5, 6, 7, 8], 2, task)).rejects.toThrow("no");
  await new Promise(setImmediate);
  expect(begun.length).toBeLessThan(5);
});

test("nothing more is begun once it is over", async () => {
  const begun: number[] = [];
  await forEach(
    [1, 2, 3],
    1,
    async (number) => void begun.push(number),
    () => begun.length === 2,
  );
  expect(begun).toEqual([1, 2]);
});
