import { withEscapes } from "../../base/escapes";
import { printable } from "../../base/printable";

/** Text in which nothing of others is left that a browser would take for markup. */
export class Markup {
  constructor(readonly text: string) {}
}

type MarkupPart = string | number | Markup | readonly Markup[];

/**
 * Markup of a template, whose values are escaped unless they are markup themselves.
 *
 * @example
 * html`<td>${name}</td>`
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup =>
  new Markup(strings.map((text, index) => text + escaped(parts[index] ?? "")).join(""));

function escaped(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return printable(String(part)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in a page, where a script could read it. */
export const dataIsland = (id: string, value: unknown): Markup =>
  html`<script type="application/json" id="${id}">${new Markup(withEscapes(JSON.stringify(value), /[<\u2028\u2029]/g))}</script>`;
