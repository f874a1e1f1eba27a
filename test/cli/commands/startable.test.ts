import { expect, test } from "vitest";
import { startable } from "../../../src/cli/commands/startable";

test("elsewhere, a program is started as it is named", () => {
  expect(startable(["npm", "start", 'a "b"'], "linux")).toEqual({ file: "npm", args: ["start", 'a "b"'], options: {} });
});

test.each([
  [["npm", "start"], 'npm ^"start^"'],
  [["./run.cmd", ""], 'run.cmd ^"^"'],
  [["C:/Program Files/x.exe", "a b", "50%"], 'C:\\Program^ Files\\x.exe ^"a^ b^" ^"50^%^"'],
  [["node", '{"a":"b\\"}', "C:\\x\\", "a&b|c"], 'node ^"{\\^"a\\^":\\^"b\\\\\\^"}^" ^"C:\\x\\\\^" ^"a^&b^|c^"'],
])("on Windows, %j is the interpreter's line", (words, line) => {
  expect(startable(words, "win32", { comspec: "C:\\Windows\\cmd.exe" })).toEqual({
    file: "C:\\Windows\\cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    options: { windowsVerbatimArguments: true },
  });
});
