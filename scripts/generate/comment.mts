import type { Kind } from "../../src/declaration/kind.ts";
import type { Property } from "../../src/declaration/property.ts";

const WIDTH = 120;

/** A comment of TSDoc, its paragraphs wrapped, in one line where it fits. */
export function comment(paragraphs: readonly (string | undefined)[], indent = ""): string {
  const given = paragraphs.filter((paragraph) => paragraph !== undefined && paragraph !== "") as string[];
  if (given.length === 0) return "";
  const line = `${indent}/** ${given[0]} */`;
  if (given.length === 1 && line.length <= WIDTH && !line.includes("\n")) return `${line}\n`;
  const lines = given.flatMap((paragraph, index) => [
    ...(index > 0 && !(isTag(paragraph) && isTag(given[index - 1] ?? "")) ? [""] : []),
    ...paragraph.split("\n").flatMap((text) => wrapped(text, WIDTH - indent.length - 3)),
  ]);
  return `${indent}/**\n${lines.map((text) => `${indent} * ${text}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

const isTag = (paragraph: string): boolean => paragraph.startsWith("@") && !paragraph.includes("\n");

/** Code and the beginnings of its lines stay as they are. */
function wrapped(text: string, width: number): string[] {
  if (/^\s/.test(text) || /^[\w{}(].*[;{(,]$/.test(text)) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/(?:`[^`]*`|[^ `])+/g) ?? []) {
    if (line !== "" && `${line} ${word}`.length > width) {
      lines.push(line);
      line = text.startsWith("@") ? `  ${word}` : word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** What an id is, with an example, as a part of a sentence. */
export function idInWords(id: Pick<Kind["id"], "says" | "example">): string {
  const says = id.says.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  return says.includes(`\`${id.example}\``) ? says : `${says}, such as \`${id.example}\``;
}

/** What is said of an input where the program gives it. */
export function saysOfInput(property: Property): (string | undefined)[] {
  const effect = property.onChange === "recorded" ? "" : effectOf(property);
  return [
    [saysOfOutput(property), property.writeOnly ? WRITE_ONLY : "", effect].filter(Boolean).join(" "),
    defaultOf(property, "@default "),
    property.example === undefined ? undefined : `@example ${literal(property.example)}`,
  ];
}

/** What a property means, with its unit. */
export function meaningOf({ says = "", unit }: Property): string {
  const tellsUnit = unit === undefined || says.toLowerCase().includes(unit.toLowerCase());
  return [says, tellsUnit ? "" : `In ${unit}.`].filter(Boolean).join(" ");
}

/** What is said of an output, or of a part of a result. */
export const saysOfOutput = (property: Property): string =>
  [meaningOf(property), property.secret ? "Secret." : ""].filter(Boolean).join(" ");

const WRITE_ONLY = "Written only: it is sent again when the program's value changes.";

function effectOf({ replaces, onChange }: Property): string {
  if (onChange === "again") return "A change runs the action again.";
  if (onChange !== undefined) return `A change: ${onChange}.`;
  return replaces ? "A change replaces the resource." : "";
}

/** What the absence of a property means, where that is known. */
export function defaultOf(property: Property, before = ""): string | undefined {
  const { default: value, defaultSays } = property;
  if (defaultSays !== undefined) return `${before}${defaultSays}`;
  if (property.initial !== undefined) return `${before}left alone (initially ${literal(property.initial)})`;
  return value === undefined ? undefined : `${before}${literal(value)}`;
}

/** A value as a program writes it. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => `${name}: ${literal(item)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return JSON.stringify(value);
}
