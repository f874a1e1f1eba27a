import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getLogTail } from "../../src/generated";
import { startManager } from "./harness";

test.each([
  [1, ["third"]],
  [2, ["second", "third"]],
  [undefined, ["first", "second", "third"]],
])("getLogTail with the limit %s is %j", async (limit, lines) => {
  const { manager } = await startManager();
  manager.state.logLines.splice(0, Number.POSITIVE_INFINITY, "first", "second", "third");
  await expect(getLogTail({ limit })).resolves.toEqual({ lines });
  expect(manager.service.requests).toMatchObject([{ method: "GET", path: "/api/general_logs" }]);
});

test("getLogTail sends nothing for a limit that makes no sense", async () => {
  const { asked } = await startManager();
  await expect(getLogTail({ limit: 0 })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
