import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getLogTail, getPortStatus } from "../../src/generated";
import { settled, startManager } from "./harness";

test.each([
  [1, ["third"]],
  [2, ["second", "third"]],
  [undefined, ["first", "second", "third"]],
])("getLogTail with the limit %s is the secret %j", async (limit, lines) => {
  const { manager } = await startManager();
  manager.state.logLines.splice(0, Number.POSITIVE_INFINITY, "first", "second", "third");
  const told = await getLogTail({ limit });
  expect(await settled(told.lines)).toMatchObject({ value: lines, secret: true });
  expect(manager.service.requests).toMatchObject([{ method: "GET", path: "/api/general_logs" }]);
});

test.each(["info", "debug", "notice"])(
  "the log has the passwords of requests at level info and more: %s",
  async (log) => {
    const { manager } = await startManager([{ port: 24_000, zone: "static", password: "p-1" }]);
    manager.state.settings.log = log;
    await getPortStatus({ port: 24_000 });
    const lines = manager.state.logLines.filter((line) => line.includes("p-1"));
    const line = expect.stringMatching(
      / INFO: \[24000\]: 127\.0\.0\.1 GET http\S+ \d+ .* brd-customer-hl_test-zone-static-\S+:p-1 ip $/,
    );
    expect(lines).toEqual(log === "notice" ? [] : [line]);
  },
);

test("getLogTail sends nothing for a limit that makes no sense", async () => {
  const { asked } = await startManager();
  await expect(getLogTail({ limit: 0 })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
