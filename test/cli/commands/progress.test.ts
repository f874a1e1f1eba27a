import { expect, test } from "vitest";
import { Progress, type ProgressMode, progressMode } from "../../../src/cli/commands/progress";

const shown = (mode: ProgressMode): string => {
  let said = "";
  const progress = new Progress(mode, (text) => {
    said += text;
  });
  for (let done = 0; done <= 10; done++) progress.show("Reading", done, 10);
  progress.clear();
  return said;
};

test("a log has a line at each quarter", () => {
  expect(shown("lines")).toBe(
    "Reading: 0 of 10\nReading: 3 of 10\nReading: 5 of 10\nReading: 8 of 10\nReading: 10 of 10\n",
  );
});

test("a terminal has one line, which is empty in the end", () => {
  expect(shown("bar")).toMatch(/^\rReading \[-{30}\] 0\/10.*\rReading \[#{30}\] 10\/10.*\r\S*$/s);
});

test.each([10, 22, 40])("a line fits a terminal of %i columns", (columns) => {
  const said: string[] = [];
  new Progress("bar", (text) => said.push(text), columns).show("Records", 100, 100, ", 12.5 MB");
  const [line = ""] = said.join("").slice(1).split("\u001b");
  expect(line.length).toBeLessThan(columns);
  if (columns === 40) expect(line).toMatch(/^Records \[#{12}\] 100\/100, 12\.5 MB$/);
});

test("nothing is said where nobody listens", () => {
  expect(shown("none")).toBe("");
  expect(progressMode(true, { isTTY: true } as never, {})).toBe("none");
});

test.each<[boolean, NodeJS.ProcessEnv, ProgressMode]>([
  [true, {}, "bar"],
  [true, { CI: "1" }, "lines"],
  [true, { TERM: "dumb" }, "lines"],
  [false, {}, "lines"],
])("a terminal: %j, with %j, shows %s", (isTTY, environment, mode) => {
  expect(progressMode(false, { isTTY } as never, environment)).toBe(mode);
});
