import { expect, test } from "vitest";
import { svgOf } from "../../scripts/picture-svg.mts";

const ESC = "\u001b[";

/** The lines of text of an image, without the frame. */
const textOf = (svg: string): string[] => svg.split("\n").filter((line) => line.startsWith("<text"));

test("every line has a place, and every colour begins where its text does", () => {
  const svg = svgOf(`$ ls\n\n ${ESC}1m${ESC}38;5;2m+ ${ESC}0m Zone ${ESC}38;5;1mold${ESC}0m`, "ls");
  expect(textOf(svg)).toEqual([
    '<text y="56"><tspan x="20.0" fill="#cdd6f4">$ ls</tspan></text>',
    '<text y="96"><tspan x="28.4" fill="#a6e3a1" font-weight="bold">+ </tspan>' +
      '<tspan x="45.2" fill="#cdd6f4"> Zone </tspan><tspan x="95.6" fill="#f38ba8">old</tspan></text>',
  ]);
});

test("what has a meaning in XML is escaped", () => {
  const svg = svgOf("a <b> & c", "<title>");
  expect(svg).toContain("<title>&#60;title&#62;</title>");
  expect(textOf(svg)).toEqual(['<text y="56"><tspan x="20.0" fill="#cdd6f4">a &#60;b&#62; &#38; c</tspan></text>']);
});

test("the image is as wide as its longest line", () => {
  expect(svgOf(`short\n${"x".repeat(100)}`, "wide")).toContain('width="880"');
});
