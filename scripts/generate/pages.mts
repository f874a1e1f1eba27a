import type { Service } from "../../src/declaration/connection.ts";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Properties, Property } from "../../src/declaration/property.ts";
import type { Product } from "../../src/model/products.ts";
import type { Lookup } from "../../src/program/lookup.ts";
import { defaultOf, idInWords, literal, meaningOf } from "./comment.mts";
import type { Declared } from "./declarations.mts";
import { Failure } from "./failure.mts";
import { outputsOf } from "./outputs.mts";
import { namedIn, typeText } from "./types.mts";

/** The documents with what follows from the declarations put between their markers. */
export function pagesOf(
  kinds: readonly Declared<Kind>[],
  lookups: readonly Declared<Lookup>[],
  products: readonly Product[],
  read: (file: string) => string,
): [string, string][] {
  const pages = new Map<string, string>();
  const fill = (file: string, marker: string, content: string) =>
    pages.set(file, between(file, pages.get(file) ?? read(file), marker, content));
  for (const { declared: kind } of kinds) {
    fill(pageOf(kind), "inputs", inputsOf(kind));
    fill(pageOf(kind), "outputs", outputsTable(kind));
  }
  for (const { declared: lookup } of lookups) {
    fill(pageOfLookup(lookup), "arguments", argumentsTable(lookup));
    fill(pageOfLookup(lookup), "result", resultTables(lookup.result));
    fill(pageOfLookup(lookup), "errors", errorsTable(lookup));
  }
  fill("docs/zone.md", "products", productsTable(products));
  for (const [file, folder] of [
    ["README.md", "docs/"],
    ["docs/_index.md", ""],
  ] as const) {
    fill(
      file,
      "resources",
      kindsTable(
        kinds.map(({ declared }) => declared),
        folder,
      ),
    );
    fill(
      file,
      "functions",
      functionsTable(
        lookups.map(({ declared }) => declared),
        folder,
      ),
    );
  }
  return [...pages];
}

/** Name of the page of a kind. */
const pageName = (name: string): string => name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export const pageOf = ({ name }: Kind): string => `docs/${pageName(name)}.md`;

const pageOfLookup = ({ name }: Lookup): string => `docs/functions/${name}.md`;

function between(file: string, page: string, marker: string, content: string): string {
  const [begin, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from)
    throw new Failure(`${file} has no place for its ${marker}: write ${begin} and ${end} where they belong.`);
  return `${page.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${page.slice(to)}`;
}

type Row = readonly string[];

/** A table of Markdown with its columns aligned. */
function table(head: Row, rows: readonly Row[]): string {
  const filled = head.map((_, column) => rows.some((row) => row[column] !== ""));
  const kept = [head, ...rows].map((row) =>
    row.filter((_, column) => filled[column]).map((cell) => cell.replaceAll("\n", " ")),
  );
  const widths = (kept[0] ?? []).map((_, column) => Math.max(3, ...kept.map((row) => (row[column] ?? "").length)));
  const line = (row: Row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...others] = kept;
  return [line(first), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others.map(line)].join("\n");
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

const HEAD = ["Name", "Type", "Default", "A change", "Meaning"];
const EFFECT = HEAD.indexOf("A change");

/** The inputs of a kind, under the headings of their groups, and those of its objects. */
function inputsOf(kind: Kind): string {
  const groups = new Map<string, [string, Property][]>();
  let group = "";
  for (const [name, property] of Object.entries(kind.inputs)) {
    group = property.group ?? (group !== "" && property.onChange === "recorded" ? "Options of the package" : group);
    groups.set(group, [...(groups.get(group) ?? []), [name, property]]);
  }
  const tables = [...groups].map(([heading, inputs]) => {
    const rows = inputs.map(([name, property]) => inputRow(name, property));
    return `${heading === "" ? "" : `### ${heading}\n\n`}${table(HEAD, rows)}`;
  });
  const objects = objectsIn(kind.inputs).map(
    ([named, properties, says]) =>
      `### ${named}Args\n\n${says === undefined ? "" : `${says}\n\n`}${table(HEAD, partRows(properties))}`,
  );
  return [...tables, ...objects].join("\n\n");
}

const inputRow = (name: string, property: Property): Row => [
  code(name),
  code(typeText(property, "input").replaceAll(/pulumi\.Input<((?:[^<>]|<[^<>]*>)*)>/g, "$1")),
  property.required ? "required" : cellOf(property),
  effectOf(property),
  [
    property.secret ? "**Secret.**" : "",
    property.writeOnly ? "Written only." : "",
    meaningOf(property),
    exampleOf(property),
  ]
    .filter(Boolean)
    .join(" "),
];

/** Of the parts of an object, what a change does is only told where they differ: otherwise it is that of the whole. */
function partRows(properties: Properties): Row[] {
  const differ = Object.values(properties).some(({ replaces, onChange }) => replaces || onChange !== undefined);
  return Object.entries(properties).map(([name, property]) => {
    const row = inputRow(name, property);
    return differ ? row : row.with(EFFECT, "");
  });
}

const cellOf = (property: Property): string => {
  const text = defaultOf(property) ?? "";
  return property.default !== undefined && property.defaultSays === undefined
    ? code(text)
    : text.replaceAll("|", "\\|");
};

function exampleOf({ example, says = "" }: Property): string {
  const text = example === undefined ? "" : JSON.stringify(example);
  return text === "" || says.includes(text) ? "" : `Example: ${code(text)}.`;
}

function effectOf({ replaces, onChange }: Property): string {
  if (onChange !== undefined) return onChange;
  return replaces ? "replacement" : "in place";
}

/** The named objects that properties have, each once, and before its parts. */
function objectsIn(properties: Properties): [string, Properties, string | undefined][] {
  const objects = new Map<string, [string, Properties, string | undefined]>();
  for (const property of namedIn(properties)) {
    if (property.is !== "object" || property.named === "Timeouts" || objects.has(property.named)) continue;
    objects.set(property.named, [property.named, property.properties, property.says]);
  }
  return [...objects.values()];
}

function outputsTable(kind: Kind): string {
  const rows = Object.entries(outputsOf(kind))
    .filter(([name]) => !(name in kind.inputs) || isTold(kind.inputs[name] as Property))
    .map(([name, property]) => resultRow(name, property));
  const shown = Object.entries(kind.outputs).filter(([, { hidden }]) => !hidden);
  const objects = objectTables(Object.fromEntries(shown));
  return [table(["Name", "Type", "Meaning"], [["`id`", "`string`", idSentence(kind)], ...rows]), objects]
    .filter(Boolean)
    .join("\n\n");
}

/** An input that is an output of its own accord. */
const isTold = ({ known, output, outputSays }: Property): boolean =>
  known === true || output !== undefined || outputSays !== undefined;

const resultRow = (name: string, property: Property): Row => [
  code(name),
  code(`${typeText(property, "output")}${property.required || property.is === "any" ? "" : " | undefined"}`),
  `${property.secret ? "**Secret.** " : ""}${meaningOf(property)}`,
];

function argumentsTable(lookup: Lookup): string {
  if (Object.keys(lookup.arguments).length === 0) return "None.";
  return [argumentRows(lookup.arguments), objectTables(lookup.arguments, argumentRows)].filter(Boolean).join("\n\n");
}

const argumentRows = (properties: Properties): string =>
  table(
    ["Name", "Type", "Default", "Meaning"],
    Object.entries(properties).map(([name, property]) => {
      const [first = "", , initial = "", , says = ""] = inputRow(name, property);
      return [first, code(typeText(property, "plain")), initial, says];
    }),
  );

const resultTables = (result: Properties): string =>
  [resultRows(result), objectTables(result)].filter(Boolean).join("\n\n");

const resultRows = (properties: Properties): string =>
  table(
    ["Name", "Type", "Meaning"],
    Object.entries(properties).map(([name, property]) => resultRow(name, property)),
  );

const objectTables = (properties: Properties, rowsOf = resultRows): string =>
  objectsIn(properties)
    .map(([named, parts, says]) => `### ${named}\n\n${says === undefined ? "" : `${says}\n\n`}${rowsOf(parts)}`)
    .join("\n\n");

const idSentence = (kind: Kind): string => `${idInWords(kind.id).replace(/^./, (letter) => letter.toUpperCase())}.`;

const productsTable = (products: readonly Product[]): string =>
  table(
    ["Product", "Needed in `plan`", "Also possible", "`plan.product`"],
    products.map(({ name, type, when, needs, takes, calls }) => [
      name,
      [
        ...Object.entries({ type, ...when }).map(([field, value]) => code(`${field}: ${literal(value)}`)),
        ...needs.map(code),
      ].join(", "),
      takes.map(code).join(", "),
      (calls ?? []).map(code).join(", "),
    ]),
  );

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const small = (text: string): string =>
  text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");

/** Resources before actions, and what is remote before what is local. */
const byNature = (left: Kind, right: Kind): number =>
  Number(left.isAction) - Number(right.isAction) || byService(left, right);

const byService = (left: { service: Service }, right: { service: Service }): number =>
  Number(left.service === "manager") - Number(right.service === "manager");

const REQUEST_ERRORS = {
  remote:
    "`AuthenticationError` (401), `PermissionError` (403), `RateLimitError` (429), `ServerError` (5xx), `ConnectionError`, `TimeoutError`, `ResponseFormatError`",
  manager:
    "`PermissionError` (403: this machine is not on the manager's list), `RateLimitError` (429), `ServerError` (5xx), `ConnectionError`, `TimeoutError`, `ResponseFormatError`",
};

function errorsTable({ service, fails }: Lookup): string {
  const isRemote = service === "remote";
  const refused = `The ${isRemote ? "service" : "manager"} rejects the request${fails.length === 0 ? "" : " for another reason"}`;
  return table(
    ["Class", "When"],
    [
      ...fails.map(([name, when]) => [code(name), `${capitalized(when)}.${name === "ArgumentError" ? UNSENT : ""}`]),
      [code("RequestError"), `${refused}, or cannot be reached: ${REQUEST_ERRORS[service]}.`],
      [
        code("ConfigurationError"),
        `${isRemote ? "There is no token, or a setting cannot be used." : "A setting cannot be used."}${UNSENT}`,
      ],
    ],
  );
}

const UNSENT = " Nothing was sent.";

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a resource is identified by; an example, where the words have none. */
function identity({ says, example }: Pick<Kind["id"], "says" | "example">): string {
  const inCode = `\`${example}\``;
  return says.includes(inCode) ? small(says) : `${small(says)}, such as ${inCode}`;
}

const kindsTable = (kinds: readonly Kind[], folder: string): string =>
  table(
    ["Resource", "What it is", "Identified by"],
    kinds
      .toSorted(byNature)
      .map((kind) => [
        `[\`${kind.name}\`](${folder}${pageName(kind.name)}.md)`,
        kind.isAction ? `Action: ${kind.brief}` : capital(kind.brief),
        identity(kind.id.lookUp ?? kind.id),
      ]),
  );

const functionsTable = (lookups: readonly Lookup[], folder: string): string =>
  table(
    ["Function", "What it looks up"],
    lookups.toSorted(byService).map(({ name, brief }) => [`[\`${name}\`](${folder}functions/${name}.md)`, brief]),
  );
