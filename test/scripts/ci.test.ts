import { join } from "node:path";
import { expect, test } from "vitest";
import { countVitest, failures, inWords, sum, type VitestReport } from "../../scripts/ci.mts";
import { ROOT } from "../../scripts/root.mts";

const report = (part: Partial<VitestReport>): VitestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...part,
});
const file = (status: string, ...tests: string[]) => ({
  name: join(ROOT, "test/some.test.ts"),
  status,
  message: status === "failed" ? "It could not be loaded." : "",
  assertionResults: tests.map((each, index) => ({
    status: each,
    fullName: `a title ${index}`,
    failureMessages: each === "failed" ? ["expected 1 to be 2\n    at here"] : [],
  })),
});

test("a run without a failure", () => {
  const good = report({ numPassedTests: 3, numPendingTests: 2, numTodoTests: 1, testResults: [file("passed")] });
  expect(countVitest(good, true)).toEqual({ passed: 3, failed: 0, skipped: 3 });
});

test("failed tests are not counted again with their file or their run", () => {
  const bad = report({
    numPassedTests: 1,
    numFailedTests: 2,
    testResults: [file("failed", "failed", "failed", "passed")],
  });
  expect(countVitest(bad, false)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});

test("a file that failed as a whole counts as one", () => {
  const bad = report({
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [file("failed"), file("failed", "skipped", "skipped"), file("failed", "failed")],
  });
  expect(countVitest(bad, false)).toEqual({ passed: 0, failed: 3, skipped: 2 });
});

test("a run that went wrong outside of every test counts as one", () => {
  expect(countVitest(report({ numPassedTests: 5, testResults: [file("passed", "passed")] }), false)).toEqual({
    passed: 5,
    failed: 1,
    skipped: 0,
  });
});

test("what failed is told by its file, its title and the beginning of its message", () => {
  expect(failures(report({ testResults: [file("passed", "passed"), file("failed", "passed", "failed")] }))).toEqual([
    "test/some.test.ts > a title 1\n    expected 1 to be 2\n        at here",
  ]);
  expect(failures(report({ testResults: [file("failed", "skipped")] }))).toEqual([
    "test/some.test.ts\n    It could not be loaded.",
  ]);
});

test("a run without a report has failed", () => {
  expect(countVitest(undefined, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countVitest(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("the sum of the tiers in words", () => {
  const tallies = [
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 20, failed: 3, skipped: 4 },
  ];
  expect(inWords(sum(tallies))).toBe("21 passed, 3 failed, 4 skipped");
  expect(inWords(sum([]))).toBe("0 passed, 0 failed");
});
