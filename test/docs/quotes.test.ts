import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mts";
import { DOCUMENTS, prose } from "./documents";

// What the documents quote of messages is what the code says: every stretch of a quote stands in a text of the code, except for
// values, such as names and numbers, what a service has answered, and what "…" leaves out. Whether the code puts its texts together
// so, and when, is not checked.

/** Shorter than this, the beginning or the end of a text stands anywhere by chance. */
const SHORTEST_CUT = 10;

const TEXTS = texts();
const QUOTING = DOCUMENTS.map((document) => [document, quotes(document)] as const).filter(([, all]) => all.length > 0);

test("the check of quotes finds them", () => {
  expect(QUOTING.flatMap(([, all]) => all).length).toBeGreaterThan(100);
});

test.each([
  "`port` is 80: expected a whole number from 1000 to 65535.",
  "does not know the port's zone any more, or … in.",
  "GET https://api.brightdata.com/zone answered 418: this is a teapot.",
])("the check of quotes takes %s", (quote) => {
  expect(unsaid(quote)).toEqual([]);
});

test.each([
  ["`port` is 80: expected an entire number from 1000 to 65535.", "an entire number"],
  ["does not know the zone of the port any more, or … in.", "the port any more, or"],
])("the check of quotes does not take %s", (quote, stretch) => {
  expect(unsaid(quote)).toEqual([expect.stringContaining(stretch)]);
});

test.each(QUOTING)("%s quotes what the code says", (_document, all) => {
  const wrong = all.map((quote) => ({ quote, unsaid: unsaid(quote) })).filter(({ unsaid }) => unsaid.length > 0);
  expect(wrong).toEqual([]);
});

/** The quotes of messages in a document: block quotes, the cells of the column "Message", and sentences set as code. */
function quotes(document: string): string[] {
  const text = prose(document);
  const blocks = [...text.matchAll(/^ *> .*(?:\n *> .*)*/gm)].map(([block]) => block.replace(/^ *> /gm, ""));
  const cells = [...text.matchAll(/^\| Message .*(?:\n\|.*)*/gm)].flatMap(([table]) =>
    [...table.matchAll(/^\| ([^|]*)/gm)].flatMap(([, cell]) => code(cell as string)),
  );
  const sentences = code(text.replace(/^ *[|>].*/gm, "")).filter((words) => /^(\S+\s+){4,}.*[.…]$/s.test(words));
  return [...blocks.filter((block) => !block.startsWith("[!")), ...cells, ...sentences].map((quote) =>
    quote.replace(/\s+/g, " "),
  );
}

/** What is set as code. */
function code(text: string): string[] {
  return [...text.matchAll(/(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/gs)].map((match) => match[2] as string);
}

/** What the code of the package, of the examples and of the templates can say: each text in one part, or the parts of a template that have words. */
function texts(): string[][] {
  const found: string[][] = [];
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node).filter((part) => words(part) > 0);
    if (parts.length > 1 || parts.some((part) => words(part) > 1)) found.push(parts);
    ts.forEachChild(node, visit);
  };
  for (const folder of ["src", "simulator", "examples", "templates"]) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.includes("node_modules")) continue;
      visit(ts.createSourceFile(file, readFileSync(join(ROOT, folder, file), "utf8"), ts.ScriptTarget.Latest));
    }
  }
  return found;
}

function partsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

/** The stretches of a quote that no text says, if they have more words than a name and what it is the name of. */
function unsaid(quoted: string): string[] {
  const quote = quoted.replace(/(?<=answered \d{3}: )[^.…]+/, "…");
  const left = quote.split("");
  for (const { 0: fragment, index } of quote.matchAll(/[^…\s][^…]*(?<!\s)/g)) {
    for (const [start, end] of TEXTS.flatMap((parts) => placesOfText(parts, fragment))) {
      left.fill("\0", index + start, index + end);
    }
  }
  return left
    .join("")
    .replace(/[\d,]+ of [\d,]+|"[^"\0]*"|`[^`\0]*`/g, "")
    .split(/[\0…]+/)
    .filter((stretch) => words(stretch) > 2);
}

/** Words of a language: what has other signs than letters is a value, or the name of something. */
function words(text: string): number {
  return text.split(" ").filter((word) => /^\W?[A-Za-z][a-z']+\W?$/.test(word)).length;
}

type Place = [start: number, end: number];

/** Where a text stands in a fragment of a quote. A part of one word is anywhere by chance, and counts only beside the others. */
function placesOfText(parts: readonly string[], fragment: string): Place[] {
  const places = parts.map((part) => placesOfPart(part, fragment));
  const isWhole = places.every((found) => found.length > 0);
  return places.filter((_, index) => isWhole || words(parts[index] as string) > 1).flat();
}

/** Where a part of a text stands in a fragment of a quote: as a whole, or cut by the ends of the fragment. */
function placesOfPart(part: string, fragment: string): Place[] {
  const places: Place[] = [];
  for (let at = fragment.indexOf(part); at !== -1; at = fragment.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (!isWithinWord(fragment, at) && !isWithinWord(fragment, end)) places.push([at, end]);
  }
  if (places.length > 0 || fragment.length < SHORTEST_CUT) return places;
  if (part.includes(fragment)) return [[0, fragment.length]];
  const beginning = part.slice(0, part.indexOf(fragment.slice(-SHORTEST_CUT)) + SHORTEST_CUT);
  const end = part.slice(part.lastIndexOf(fragment.slice(0, SHORTEST_CUT)));
  if (beginning.length >= SHORTEST_CUT && fragment.endsWith(beginning)) {
    return [[fragment.length - beginning.length, fragment.length]];
  }
  return end.length >= SHORTEST_CUT && fragment.startsWith(end) ? [[0, end.length]] : [];
}

function isWithinWord(text: string, at: number): boolean {
  return /^\w\w$/.test(text.slice(Math.max(at - 1, 0), at + 1));
}
