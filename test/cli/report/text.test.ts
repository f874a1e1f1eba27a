import { expect, test } from "vitest";
import { printable } from "../../../src/base/printable";
import { dataIsland, html } from "../../../src/cli/report/markup";
import { decimal, dollars, microsOf } from "../../../src/cli/report/money";
import { sparkline } from "../../../src/cli/report/terminal";
import { cut, padEnd, padStart, widthOf } from "../../../src/cli/report/text";

test.each([
  [0, "0.00", "0.00"],
  [0.6772, "0.6772", "0.68"],
  [45.2, "45.20", "45.20"],
  [1234567.895, "1234567.895", "1,234,567.90"],
  [0.000001, "0.000001", "<0.01"],
  [-1.5, "-1.50", "-1.50"],
])("%d dollars are %s exactly, and %s for people", (value, exact, shown) => {
  expect(decimal(microsOf(value))).toBe(exact);
  expect(dollars(microsOf(value))).toBe(shown);
});

test("sums of money are exact", () => {
  expect(decimal([0.1, 0.2, 0.3].map(microsOf).reduce((sum, value) => sum + value))).toBe("0.60");
});

test.each([
  ["zone", 4],
  ["日本", 4],
  ["e\u0301", 1],
  ["👩‍💻", 2],
  ["ｗ", 2],
])("%s takes %d columns", (text, columns) => {
  expect(widthOf(text)).toBe(columns);
  expect([padEnd(text, 6), padStart(text, 6)].map(widthOf)).toEqual([6, 6]);
});

test("a text that is too wide is cut between characters", () => {
  expect([cut("日本語のゾーン", 9), cut("web", 3)]).toEqual(["日本語...", "web"]);
});

test("names cannot move the cursor, turn the words around them or end a line", () => {
  expect(printable("a\u001b[2J\u202eb\u2028c\nd")).toBe("a\ufffd[2J\ufffdb\ufffdc d");
});

test("values of a template are escaped, and markup is not", () => {
  const cell = html`<b>${"</b>&\"'"}</b>`;
  expect(html`<td>${cell}${[cell]}</td>`.text).toBe(
    "<td><b>&#60;/b&#62;&#38;&#34;&#39;</b><b>&#60;/b&#62;&#38;&#34;&#39;</b></td>",
  );
});

test("data in a page ends no script", () => {
  const { text } = dataIsland("x", { name: "</script><!--\u2028\u2029" });
  expect(text).toBe(
    '<script type="application/json" id="x">{"name":"\\u003c/script>\\u003c!--\\u2028\\u2029"}</script>',
  );
});

test("a sparkline has a bar for each value, and a blank for nothing", () => {
  expect([sparkline([0, 1, 4, 8]), sparkline([]), sparkline(undefined)]).toEqual([" ▁▄█", "", ""]);
  expect(sparkline([...Array(32).fill(1), 2, 2])).toBe(`${"▄".repeat(16)}█`);
});
