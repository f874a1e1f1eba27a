import { grouped } from "../../base/counted";
import { printable } from "../../base/printable";

/** Text between backticks, in which a forge sees neither markup nor names of people. */
export function code(text: string): string {
  const flat = printable(text.replaceAll(/\s+/g, " "));
  const fence = "`".repeat(longestRun(flat) + 1);
  return flat.includes("`") ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}

/** The same in a table, whose cells end with a bar, also between backticks. */
export const codeCell = (text: string): string => code(text.replaceAll("|", "\\|"));

/** Words of others within a line: nothing in them is markup, mentions anybody or refers to anything. */
export const words = (text: string): string =>
  printable(text.replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_{}[\]<>|~&]/g, "\\$&")
    // A character of no width: a forge looks for names and numbers in what is left of the markup.
    .replaceAll(/[@#!](?=\w)/g, "$&\u200b");

/** Parts of a text, but for those without words, with a blank line between them. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

export function verbatim(lines: readonly string[]): string {
  const text = lines.join("\n").split("\n").map(printable).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** A table; cells are Markdown. Heads of columns with numbers end with a colon. Behind so many rows, it says how many more there are. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  most = Number.POSITIVE_INFINITY,
  noun = "rows",
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const plain = heads.map((head) => head.replace(/:$/, ""));
  const rule = heads.map((head) => (head.endsWith(":") ? "---:" : "---"));
  const more = rows.length > most ? ["", beyond(rows.length - most, noun)] : [];
  return [line(plain), line(rule), ...rows.slice(0, most).map(line), ...more].join("\n");
}

const beyond = (count: number, noun: string): string => `… and ${grouped(count)} more ${noun}.`;

export const details = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

const LONGEST_TEXT = 2_000;

/** What others say, as long as it is of use. */
export const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** A forge refuses comments beyond 65,536 characters. */
const LONGEST = 60_000;

export const fits = (text: string): boolean => text.length <= LONGEST;

/** So many rows of each list are written in any case. */
export const FEWEST = 3;

/**
 * A text as long as a forge takes it.
 *
 * @param write writes it with so many rows of each list at most
 */
export function fitting(write: (most: number) => string): string {
  const whole = write(Number.POSITIVE_INFINITY);
  if (fits(whole)) return whole;
  let [most, tooMany, text] = [FEWEST, LONGEST, write(FEWEST)];
  while (tooMany - most > 1) {
    const between = Math.floor((most + tooMany) / 2);
    const longer = write(between);
    if (fits(longer)) [most, text] = [between, longer];
    else tooMany = between;
  }
  return text;
}

/** The first of some rows, and a line that says how many there are beyond. */
export function atMost(rows: readonly string[], most: number, noun: string): readonly string[] {
  return rows.length <= most ? rows : [...rows.slice(0, most), beyond(rows.length - most, noun)];
}
