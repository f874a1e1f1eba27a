import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { codeOf, messageOf } from "../../src/base/cause";

// As Node.js's own errors are to what Jest runs.
test("an error of another context has its code and its message", () => {
  const error: unknown = runInNewContext(`Object.assign(new Error("no such file"), { code: "ENOENT" })`);
  expect(error).not.toBeInstanceOf(Error);
  expect([codeOf(error), messageOf(error)]).toEqual(["ENOENT", "no such file"]);
});
