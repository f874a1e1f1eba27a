import { expect, test } from "vitest";
import { csvRows } from "../../src/download/csv";

test.each<[string, string, string[][]]>([
  ["nothing", "", []],
  ["names alone", "url,country\n", [["url", "country"]]],
  [
    "rows, the last without an end",
    "a,b\n1,2\n3,",
    [
      ["a", "b"],
      ["1", "2"],
      ["3", ""],
    ],
  ],
  ["the line ends of Windows, and blank lines", "a\r\n\r\n1\r\n", [["a"], ["1"]]],
  ["quoted cells", '"a,b","c""d","e\nf",""\n', [["a,b", 'c"d', "e\nf", ""]]],
  ["a quote that begins and ends a cell", '"""a"""\n', [['"a"']]],
  ["a quote inside a bare cell", 'a"b,c\n', [['a"b', "c"]]],
  ["a byte order mark", "\uFEFFurl\nx\n", [["url"], ["x"]]],
  ["an empty quoted cell alone", 'a\n""\n', [["a"], [""]]],
])("reads %s", (_, csv, rows) => {
  expect(csvRows(csv)).toEqual(rows);
});
