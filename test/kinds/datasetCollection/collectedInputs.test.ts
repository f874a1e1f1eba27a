import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { areInputsIn } from "../../../src/kinds/datasetCollection/collectedInputs";

test.each<[string, string, JsonObject[], boolean | undefined]>([
  ["the same", "url\nhttps://a\n", [{ url: "https://a" }], true],
  [
    "another order of rows and columns",
    "b,a\n2,1\n4,3\n",
    [
      { a: 3, b: 4 },
      { a: "1", b: "2" },
    ],
    true,
  ],
  ["columns that some rows lack", "a,b\n1,\n,2\n", [{ a: "1" }, { b: 2, a: null }], true],
  ["objects, in any spelling", 'a\n"{""x"": 1, ""w"": [2]}"\n', [{ a: { w: [2], x: 1 } }], true],
  ["a text that only looks like JSON", "a\n{x\n", [{ a: "{x" }], true],
  ["columns of the service's own without values", "a,note\n1,\n", [{ a: 1 }], true],
  ["columns with values that were not asked for", "a,country\n1,us\n", [{ a: 1 }], undefined],
  ["another value", "a\n2\n", [{ a: 1 }], false],
  ["a row more", "a\n1\n1\n", [{ a: 1 }], false],
  ["a row less", "a\n1\n", [{ a: 1 }, { a: 2 }], false],
  ["other columns", "b\n1\n", [{ a: 1 }], false],
  ["nothing yet", "", [{ a: 1 }], undefined],
  ["no row yet", "a\n", [{ a: 1 }], undefined],
  ["booleans in another spelling", "a\nTrue\n", [{ a: true }], undefined],
  ["numbers in another spelling", "a\n1.0\n1e3\n", [{ a: 1 }, { a: 1000 }], undefined],
  ["blanks around a text", "a\nx\n", [{ a: " x " }], undefined],
  [
    "one row for inputs that are alike",
    "a,b\n1,x\n",
    [
      { a: 1, b: "x" },
      { a: 1, b: "x" },
    ],
    undefined,
  ],
  ["one row for inputs that are alike, and not the other", "a\n1\n", [{ a: 1 }, { a: 1 }, { a: 2 }], false],
])("tells a file that has %s", (_, csv, inputs, expected) => {
  expect(areInputsIn(csv, inputs)).toBe(expected);
});
