import { expect, test } from "vitest";
import { isBelievable } from "../../src/declaration/believable";
import { any, choice, flag, list, map, number, object, type Property, text } from "../../src/declaration/property";

const TYPES: readonly [Property, unknown[], unknown[]][] = [
  [text({}), ["a", "7", ""], [7, true, [], {}]],
  [number({}), [7, "7", ""], ["seven", true, [], {}]],
  [flag({}), [true, "false", 1, "0", ""], ["yes", 2, [], {}]],
  [list(text({}), {}), [[], ["a"]], ["a", 7, true, {}, [7], ["a", {}]]],
  [object({ a: text({}) }, {}), [{}, { a: 7 }], ["a", 7, true, []]],
  [map(text({}), {}), [{}, { a: "b" }], ["a", 7, true, []]],
  [choice([text({}), flag({})], { expected: "" }), ["a", true], [7, [], {}]],
  [any({}), ["a", 7, true, [], {}], []],
];

test.each(TYPES)("of a service's answer, a value of $is is believed if it is one", (property, values, others) => {
  expect(values.filter((value) => !isBelievable(property, value))).toEqual([]);
  expect(others.filter((value) => isBelievable(property, value))).toEqual([]);
});
