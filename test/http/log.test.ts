import { expect, test, vi } from "vitest";
import { Log } from "../../src/http/log";
import { LOG_LEVELS, type LogLevel } from "../../src/settings/values";

const SPOKEN = LOG_LEVELS.filter((level) => level !== "off");

test.each<[LogLevel, LogLevel[]]>([
  ["off", []],
  ["error", ["error"]],
  ["warn", ["error", "warn"]],
  ["info", ["error", "warn", "info"]],
  ["debug", ["error", "warn", "info", "debug"]],
])("%s lets through %j", (level, through) => {
  const lines: string[] = [];
  const log = new Log(level, (line) => lines.push(line));
  for (const each of SPOKEN) log.line(each, "words");
  expect(lines).toEqual(through.map((each) => `brightdata ${each}: words`));
});

test("writes lines to standard error", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    new Log("info").line("info", "words");
    expect(write.mock.calls).toEqual([["brightdata info: words\n"]]);
  } finally {
    write.mockRestore();
  }
});
