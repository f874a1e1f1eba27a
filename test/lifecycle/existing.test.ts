import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { existsAlready } from "../../src/lifecycle/existing";

test.each([
  [["do this"], "Otherwise do this."],
  [["do this", "do that"], "Otherwise do this or do that."],
  [["do this", "do that", "do nothing"], "Otherwise do this, do that or do nothing."],
])("what exists already is refused with the ways out: %j", (ways, words) => {
  const cause = new Error("taken");
  const error = existsAlready("It is there", ways, cause);
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.cause).toBe(cause);
  expect(error.message).toMatch(/^It is there\. If this program created it, .*`aliases`/);
  expect(error.message.endsWith(words)).toBe(true);
});
