import { expect, test } from "vitest";
import { opened } from "../../src/plugin/properties";
import { SECRET_MARK, UNKNOWN_VALUE } from "../../src/pulumi/values";

const secret = (value: unknown) => ({ ...SECRET_MARK, value });

test.each<[what: string, value: object, plain: object, secrets: string[][]]>([
  ["nothing", {}, {}, []],
  ["no secret", { a: 1, b: { c: [true, null] } }, { a: 1, b: { c: [true, null] } }, []],
  ["a secret", { a: secret("x"), b: 1 }, { a: "x", b: 1 }, [["a"]]],
  ["a secret in an object", { a: { "b.c": secret(2) } }, { a: { "b.c": 2 } }, [["a", "b.c"]]],
  ["an object that is one", { a: secret({ b: 1 }) }, { a: { b: 1 } }, [["a"]]],
  ["a secret in a secret", { a: secret({ b: secret(1) }) }, { a: { b: 1 } }, [["a"]]],
  ["a secret of a secret", { a: secret(secret(1)) }, { a: 1 }, [["a"]]],
  ["a secret in a list", { a: [1, secret(2)] }, { a: [1, 2] }, [["a"]]],
  ["several in a list", { a: [secret(1), secret(2)] }, { a: [1, 2] }, [["a"]]],
  ["one in an object of a list", { a: { b: [{ c: secret(1) }] } }, { a: { b: [{ c: 1 }] } }, [["a", "b"]]],
  ["one in a list of lists", { a: [[secret(1)], []] }, { a: [[1], []] }, [["a"]]],
  ["what is not known yet", { a: secret(UNKNOWN_VALUE) }, { a: UNKNOWN_VALUE }, [["a"]]],
  ["a secret null", { a: secret(null) }, { a: null }, [["a"]]],
  ["a marked object that is no secret", { a: { "4dabf18193072939515e22adb298388d": "x" } }, expect.anything(), []],
])("of %s, the plain properties and the paths of secrets are known", (_, value, plain, secrets) => {
  expect(opened(value as Record<string, unknown>)).toEqual({ plain, secrets });
});

test("keys are in order at every depth, in whichever the engine has sent them, and lists are as they were", () => {
  const one = { b: { "n-10": secret(1), "n-2": [{ y: 1, x: 2 }, 3] }, a: secret({ d: 1, c: 2 }) };
  const other = { a: secret({ c: 2, d: 1 }), b: { "n-2": [{ x: 2, y: 1 }, 3], "n-10": secret(1) } };
  const { plain, secrets } = opened(one);
  expect(JSON.stringify(plain)).toBe('{"a":{"c":2,"d":1},"b":{"n-10":1,"n-2":[{"x":2,"y":1},3]}}');
  expect(secrets).toEqual([["a"], ["b", "n-10"]]);
  expect(JSON.stringify(opened(other))).toBe(JSON.stringify({ plain, secrets }));
});

test("properties that are not there have neither", () => {
  expect(opened(undefined)).toEqual({ plain: {}, secrets: [] });
});
