import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startable } from "../../../src/cli/commands/startable";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "startable-"));
  const files = ["a/npm", "a/npm.CMD", "b/npm.EXE", "b/pulumi.EXE", "b/pulumi.CMD", "b/my tool.cmd", "b/tool.js.CMD"];
  for (const name of ["a", "b"]) mkdirSync(join(folder, name));
  for (const file of files) writeFileSync(join(folder, file), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

const on = (platform: NodeJS.Platform, command: string, ...args: string[]) =>
  startable(command, args, { platform, env: { PATH: `${folder}/a;${folder}/b`, comspec: "C:\\cmd.exe" } });

const directly = (file: string, ...args: string[]) => ({ file, args, options: {} });

test("elsewhere, and where it is no batch file or none is found, a program is started as it is named", () => {
  expect(on("linux", "npm", "start", 'a "b"')).toEqual(directly("npm", "start", 'a "b"'));
  expect(on("win32", "pulumi", "--json", '{"a":1}')).toEqual(directly("pulumi", "--json", '{"a":1}'));
  expect(on("win32", "node", "x")).toEqual(directly("node", "x"));
});

/** What the interpreter makes of a line: it takes away each caret, and what one stands before as it is. */
const read = (line: string): string => line.replace(/\^([\s\S])/g, "$1");

test.each([
  ["npm", ["start"], '"start"'],
  ["npm", ["", "a b", "50%", "a&b|c"], '"" "a b" "50%" "a&b|c"'],
  ["tool.js", ['{"a":"b\\"}', "C:\\x\\"], '"{\\"a\\":\\"b\\\\\\"}" "C:\\x\\\\"'],
])("on Windows, the interpreter starts the batch file %s with %j", (command, words, expected) => {
  const { file, args, options } = on("win32", command, ...words);
  expect([file, options, args.slice(0, 3)]).toEqual([
    "C:\\cmd.exe",
    { windowsVerbatimArguments: true },
    ["/d", "/s", "/c"],
  ]);
  const line = String(args[3]).slice(1, -1);
  const [batch = ""] = /^\S+/.exec(line) ?? [];
  expect(batch).toMatch(new RegExp(`\\\\${command}\\.CMD$`));
  // The batch file hands on what the interpreter has made of it, which reads that again.
  const handedOn = read(line.slice(batch.length + 1));
  expect(handedOn).not.toBe(expected);
  expect(read(handedOn)).toBe(expected);
});

test("on Windows, a batch file that is named by its path may have blanks in it", () => {
  const { args } = on("win32", `${folder}/b/my tool.cmd`);
  expect(args[3]).toBe(`"${folder.replaceAll("/", "\\")}\\b\\my^ tool.cmd"`);
});
