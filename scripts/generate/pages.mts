import { posix } from "node:path";
import type { Service } from "../../src/declaration/connection.ts";
import type { Kind } from "../../src/declaration/kind.ts";
import type { ObjectShape, Properties, Property, VariantsShape } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import type { Product } from "../../src/model/products.ts";
import { defaultOf, idInWords, literal, meaningOf } from "./comment.mts";
import { CONNECTION, type Declared } from "./declarations.mts";
import { Failure } from "./failure.mts";
import { outputsOf } from "./outputs.mts";
import { pageOfFunction, TOPICS } from "./topics.mts";
import { isTag, namedIn, outermostIn, taggedOf, typeText } from "./types.mts";

/** The documents with what follows from the declarations put between their markers, and the pages of functions as a whole. */
export function pagesOf(
  kinds: readonly Declared<Kind>[],
  lookups: readonly Declared<Lookup>[],
  products: readonly Product[],
  read: (file: string) => string,
): [string, string][] {
  const pages = new Map<string, string>();
  const fill = (file: string, marker: string, content: string) =>
    pages.set(file, between(file, pages.get(file) ?? read(file), marker, content));
  const allKinds = kinds.map(({ declared }) => declared);
  const allLookups = lookups.map(({ declared }) => declared);
  const known = shapesOf(allKinds);
  for (const kind of allKinds) {
    fill(pageOf(kind), "inputs", inputsOf(kind, known));
    fill(pageOf(kind), "outputs", outputsTable(kind));
  }
  fill("docs/zone.md", "products", productsTable(products));
  fill("README.md", "resources", kindsTable(allKinds));
  fill("docs/_index.md", "resources", kindsList(allKinds));
  for (const [file, content] of functionPages(allLookups, known)) pages.set(file, content);
  fill("docs/functions.md", "functions", functionsTable(allLookups));
  return [...pages];
}

/** Name of the page of a kind. */
const pageName = (name: string): string => name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export const pageOf = ({ name }: Kind): string => `docs/${pageName(name)}.md`;

function between(file: string, page: string, marker: string, content: string): string {
  const [begin, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from)
    throw new Failure(`${file} has no place for its ${marker}: write ${begin} and ${end} where they belong.`);
  return `${page.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${page.slice(to)}`;
}

type Row = readonly string[];

/** A table of Markdown, without the columns that are empty: its cells are not aligned, as one word would change each line. */
function table(head: Row, rows: readonly Row[]): string {
  const filled = head.map((_, column) => rows.some((row) => row[column] !== ""));
  const line = (row: Row) => {
    const cells = row.filter((_, column) => filled[column]).map((cell) => cell.replaceAll("\n", " "));
    return `| ${cells.join(" | ")} |`;
  };
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

const HEAD = ["Name", "Type", "Default", "[A change](how-it-works.md#what-a-change-does)", "Meaning"];
const EFFECT = 3;
const HEAD_OF_RESULT = ["Name", "Type", "Meaning"];

/** Properties that a page describes, under a heading that can be linked to. */
interface Shape {
  name: string;
  page: string;
  anchor: string;
  properties: Properties;
}

/** How many properties two shapes have in common where one of them is described by the other. */
const MANY = 8;

/** What the pages of kinds describe: the inputs of each, and the objects in them. Of two that are alike, the first. */
function shapesOf(kinds: readonly Kind[]): readonly Shape[] {
  const all = kinds.flatMap((kind) => {
    const page = pageOf(kind);
    const shape = (named: string, properties: Properties) => ({
      name: `${named}Args`,
      page,
      anchor: `${named.toLowerCase()}args`,
      properties,
    });
    const variants = variantsIn(kind.inputs).map((property) =>
      shape(property.named, Object.assign({}, ...taggedOf(property).map((one) => one.properties))),
    );
    const objects = plainObjectsIn(kind.inputs).map(([named, properties]) => shape(named, properties));
    return [{ name: kind.name, page, anchor: "inputs", properties: kind.inputs }, ...variants, ...objects];
  });
  return all.filter(({ name }, index) => all.findIndex((shape) => shape.name === name) === index);
}

const variantsIn = (properties: Properties) => namedIn(properties).filter((property) => property.is === "variants");

/** The objects that are not one of several. */
function plainObjectsIn(properties: Properties): Named[] {
  const others = variantsIn(properties).flatMap((property) => objectsIn({ property }).map(([named]) => named));
  return objectsIn(properties).filter(([named]) => !others.includes(named));
}

/** The shape that describes most of these properties too, if any does: what it does not describe, and what it has besides. */
function sharedWith(known: readonly Shape[], properties: Properties, isSame = isAlike) {
  const restOf = (shape: Shape) =>
    Object.fromEntries(
      Object.entries(properties).filter(([name, property]) => !isSame(property, shape.properties[name])),
    );
  const [best] = known
    .map((shape) => ({ shape, rest: restOf(shape) }))
    .sort((left, right) => Object.keys(left.rest).length - Object.keys(right.rest).length);
  if (best === undefined || Object.keys(properties).length - Object.keys(best.rest).length < MANY) return undefined;
  const missing = Object.keys(best.shape.properties).filter((name) => !(name in properties));
  return { ...best, missing: missing.filter((name) => !OF_THE_PACKAGE.includes(name)) };
}

const OF_THE_PACKAGE = ["adopt", "timeouts", "account", "manager"];

/** Whether one of the two only says more than the other. */
function isAlike({ says }: Property, other: Property | undefined): boolean {
  if (says === undefined || other?.says === undefined) return false;
  return says.startsWith(other.says) || other.says.startsWith(says);
}

/** The same in its row of the table of inputs, whatever a change of the whole replaces. */
const isSameInput = (property: Property, other: Property | undefined): boolean =>
  other !== undefined && withoutEffect(property) === withoutEffect(other);

const withoutEffect = (property: Property): string => inputRow("", property).with(EFFECT, "").join();

const linkTo = ({ name, page, anchor }: Shape, from: string): string =>
  `[\`${name}\`](${page === from ? "" : posix.relative(posix.dirname(from), page)}#${anchor})`;

/** An object of inputs: its table, or the page that describes most of it. */
function inputObject([named, properties, says]: Named, kind: Kind, known: readonly Shape[]): string {
  const page = pageOf(kind);
  const home = known.find(({ name }) => name === `${named}Args`);
  if (home !== undefined && home.page !== page) return "";
  const others = known.filter((shape) => shape.page !== page);
  const shared = sharedWith(others, properties, isSameInput);
  const head = `### ${named}Args\n\n${says === undefined ? "" : `${says}\n\n`}`;
  if (shared === undefined) return head + table(HEAD, partRows(Object.entries(properties)));
  return `${head}As for a ${linkTo(shared.shape, page)}, except:\n\n${table(HEAD, partRows(Object.entries(shared.rest)))}`;
}

/** The inputs of a kind, under the headings of their groups, and those of its objects. */
function inputsOf(kind: Kind, known: readonly Shape[]): string {
  const groups = new Map<string, [string, Property][]>();
  let group = "";
  for (const [name, property] of Object.entries(kind.inputs)) {
    if (isShared(kind, name)) continue;
    group = property.group ?? (group !== "" && property.onChange === "recorded" ? "Options of the package" : group);
    groups.set(group, [...(groups.get(group) ?? []), [name, property]]);
  }
  const tables = [...groups].map(([heading, inputs]) => {
    const rows = inputs.map(([name, property]) => inputRow(name, property));
    return `${heading === "" ? "" : `### ${heading}\n\n`}${table(HEAD, rows)}`;
  });
  const objects = plainObjectsIn(kind.inputs).map((object) => inputObject(object, kind, known));
  return [
    ...tables,
    sharedInputs(kind, tables.length === 0),
    ...variantsIn(kind.inputs).map(variantsTables),
    ...objects,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Inputs that mean the same with every kind that has them. */
const isShared = (kind: Kind, name: string): boolean =>
  name === "timeouts" || name === CONNECTION[kind.service] || (name === "triggers" && isOfAnAction(kind));

const isOfAnAction = ({ inputs }: Kind): boolean => inputs.triggers?.onChange === "again";

/** @param isAll whether there are no others */
function sharedInputs(kind: Kind, isAll: boolean): string {
  const connection = CONNECTION[kind.service];
  const triggers = isOfAnAction(kind) ? "[`triggers`](how-it-works.md#actions), " : "";
  const timeouts = `[\`timeouts\`](reliability.md#time-limits) in seconds (default: ${kind.inputs.timeouts?.defaultSays})`;
  return `${isAll ? "" : "Also "}${triggers}[\`${connection}\`](connections.md#named-connections) and ${timeouts}.`;
}

/** One of several objects: the fields that each has, and what the fields mean. */
function variantsTables(property: VariantsShape & { named: string }): string {
  const meanings = new Map<string, [string, Property]>();
  const namesIn = (properties: Properties): string[] =>
    Object.entries(properties)
      .filter(([, part]) => !isTag(part))
      .map(([name, part]) => {
        const inner = objectsBeside(part).map((object) => namesIn(object.properties).join(", "));
        const isTold = inner.length > 0 || isPlain(name, part) || meanings.has(name + part.says);
        if (!isTold) meanings.set(name + part.says, [name, part]);
        return `${code(part.required ? name : `${name}?`)}${inner.length === 0 ? "" : ` (${inner.join("; or ")})`}`;
      });
  const rows = taggedOf(property).map((one) => [
    one.tag.oneOf.map((value) => code(JSON.stringify(value))).join(", "),
    one.says ?? "",
    namesIn(one.properties).join(", "),
  ]);
  const parts = partRows([...meanings.values()]).map((row) => row.map((cell) => (cell === "required" ? "" : cell)));
  return [
    `### ${property.named}Args`,
    table([code(property.by), "What it is", "Fields"], rows),
    table(HEAD, parts),
  ].join("\n\n");
}

/** Whether all that is said of a property is its name. */
function isPlain(name: string, property: Property): boolean {
  if (property.example !== undefined || cellOf(property) !== "") return false;
  const inName = wordsOf(name.replaceAll(/[A-Z]/g, " $&"));
  return wordsOf(property.says ?? "").every((word) => inName.includes(word) || WITHOUT_MEANING.includes(word));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

const WITHOUT_MEANING = ["the", "name", "id", "of", "to", "use"];

/** The objects that a property may be. */
const objectsBeside = (property: Property): ObjectShape[] => {
  if (property.is === "object") return [property];
  return property.is === "choice" ? property.of.flatMap(objectsBeside) : [];
};

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
function partRows(properties: readonly (readonly [string, Property])[]): Row[] {
  const differ = properties.some(([, { replaces, onChange }]) => replaces || onChange !== undefined);
  return properties.map(([name, property]) => {
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
  return replaces ? "replacement" : "";
}

/** An object by its name, with its properties and what is said of it. */
type Named = [string, Properties, string | undefined];

/** The named objects that properties have, each once, and before its parts; what a row of a table says of one is not said again. */
function objectsIn(properties: Properties): Named[] {
  const objects = new Map<string, Named>();
  for (const property of namedIn(properties)) {
    if (property.is !== "object" || property.named === "Timeouts" || objects.has(property.named)) continue;
    objects.set(property.named, [property.named, property.properties, property.says]);
  }
  const tables = [properties, ...[...objects.values()].map(([, parts]) => parts)];
  const told = tables.flatMap((parts) => Object.values(parts).map(({ says }) => says));
  return [...objects.values()].map(([named, parts, says]) => [named, parts, told.includes(says) ? undefined : says]);
}

function outputsTable(kind: Kind): string {
  const rows = Object.entries(outputsOf(kind))
    .filter(([name]) => !(name in kind.inputs) || isTold(kind.inputs[name] as Property))
    .map(([name, property]) => resultRow(name, property));
  // What has the inputs' own properties is told with these.
  const isTable = (property: Property) =>
    !property.hidden &&
    (property.is !== "object" || !Object.keys(property.properties).every((name) => name in kind.inputs));
  const shown = Object.entries(kind.outputs).filter(([, property]) => isTable(property));
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

/** The pages of functions, one for each topic. */
const functionPages = (lookups: readonly Lookup[], known: readonly Shape[]): [string, string][] => {
  for (const { name } of lookups) pageOfFunction(name);
  return TOPICS.map(({ page, title, functions }) => {
    const all = functions.map((name) => lookups.find((lookup) => lookup.name === name) as Lookup);
    const file = `docs/functions/${page}.md`;
    const told = [...known];
    const head = `<!-- Generated by \`npm run generate\`. -->\n\n# ${title}\n\n${ALIKE[all[0]?.service ?? "remote"]}`;
    return [file, `${[head, ...all.map((lookup) => functionSection(lookup, file, told))].join("\n\n")}\n`];
  });
};

const ALL = "[What all functions have in common](../functions.md) is not repeated here:";

const ALIKE = {
  remote: `${ALL} the two forms, the argument \`account\`, the options, and errors of requests.`,
  manager: `${ALL} the two forms, the argument \`manager\`, the options, and errors of requests.`,
};

/** What is said of a function. What it describes is told from then on. */
function functionSection(lookup: Lookup, file: string, told: Shape[]): string {
  const { name, says, endpoints, outputExample, notes } = lookup;
  const own = Object.fromEntries(
    Object.entries(lookup.arguments).filter(([argument]) => argument !== CONNECTION[lookup.service]),
  );
  return [
    `## ${name}`,
    `${says} ${endpoints.map(code).join(", ")}.`,
    `\`\`\`ts\nimport * as brightdata from "pulumi-brightdata";\n\n${outputExample}\n\`\`\``,
    ...argumentsOf(own),
    resultTables({ name, result: without(lookup.result, own) }, file, told),
    notes ?? "",
    errorsOf(lookup),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The arguments: those that say what is looked up by their names alone. */
function argumentsOf(own: Properties): string[] {
  const [subjects, others] = [true, false].map((wanted) =>
    Object.entries(own).filter(([, property]) => isSubject(property) === wanted),
  ) as [Parts, Parts];
  const names = subjects.map(([name]) => code(name)).join(", ");
  if (others.length === 0) return names === "" ? [] : [`Argument: ${names}.`];
  const rest = Object.fromEntries(others);
  return [names === "" ? "" : `Arguments: ${names}, and:`, argumentRows(rest), objectTables(rest, argumentRows)];
}

type Parts = [string, Property][];

/** Whether an argument is what `docs/functions.md` says of all functions: the zone, port or snapshot that is looked up. */
const isSubject = ({ required, says = "" }: Property): boolean =>
  required === true && ["Name of the zone.", "Number of the port.", "Id of the snapshot."].includes(says);

const argumentRows = (properties: Properties): string =>
  table(
    ["Argument", "Type", "Default", "Meaning"],
    Object.entries(properties).map(([name, property]) => {
      const [first = "", , initial = "", , says = ""] = inputRow(name, property);
      return [first, code(typeText(property, "plain")), initial, says];
    }),
  );

const RESULT = ["Result", "Type", "Meaning"];

/** What a result has besides the arguments that it repeats. */
const without = (result: Properties, own: Properties): Properties =>
  Object.fromEntries(
    Object.entries(result).filter(([name, { says }]) => own[name]?.says !== says || says === undefined),
  );

/** What a function gives: a table, and one for each object in it that no page describes yet. */
function resultTables({ name, result }: Pick<Lookup, "name" | "result">, file: string, told: Shape[]): string {
  const shared = sharedWith(told, result);
  const rest = shared?.rest ?? result;
  const first = [shared && fieldsOf(shared, file), resultRows(rest, RESULT)];
  const isTold = ([named]: Named) => told.some((shape) => shape.page === file && shape.name === named);
  const parts = (of: Properties): string[] =>
    objectsOf(of).flatMap((object) => {
      const [named, properties, says] = object;
      if (isTold(object)) return [];
      const alike = sharedWith(told, properties);
      told.push({ name: named, page: file, anchor: named.toLowerCase(), properties });
      const isSaid = Object.values(of).some((property) => property.says === says);
      const own = alike?.rest ?? properties;
      const table = Object.keys(own).length === 0 ? undefined : resultRows(own);
      return [`### ${named}`, alike ? fieldsOf(alike, file) : isSaid ? undefined : says, table, ...parts(own)].filter(
        (text) => text !== undefined,
      );
    });
  told.push({ name, page: file, anchor: name.toLowerCase(), properties: result });
  return [...first, ...parts(rest)].filter(Boolean).join("\n\n");
}

/** The named objects that properties have, without those in their parts. */
const objectsOf = (properties: Properties): Named[] =>
  outermostIn(properties).flatMap((property) =>
    property.is === "object" ? [[property.named, property.properties, property.says]] : [],
  );

type Shared = NonNullable<ReturnType<typeof sharedWith>>;

function fieldsOf({ shape, missing, rest }: Shared, file: string): string {
  const others = missing.length === 0 ? "" : ` but ${missing.map(code).join(", ")}`;
  return `All fields of ${linkTo(shape, file)}${others}${Object.keys(rest).length === 0 ? "." : ", and:"}`;
}

/** A table of what a result has; what has no known meaning is only named. */
function resultRows(properties: Properties, head: Row = HEAD_OF_RESULT): string {
  const all = Object.entries(properties);
  const known = all.filter(([, property]) => meaningOf(property) !== "");
  const others = all.filter(([, property]) => meaningOf(property) === "").map(([name]) => code(name));
  return [
    table(
      head,
      known.map(([name, property]) => resultRow(name, property)),
    ),
    others.length === 0 ? "" : `Not documented by the vendor: ${others.join(", ")}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const objectTables = (properties: Properties, rowsOf: (parts: Properties) => string = resultRows): string =>
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

/** Resources before actions, and what is remote before what is local. */
const byNature = (left: Kind, right: Kind): number =>
  Number(left.isAction) - Number(right.isAction) || byService(left, right);

const byService = (left: { service: Service }, right: { service: Service }): number =>
  Number(left.service === "manager") - Number(right.service === "manager");

/** What a function fails for besides what every function fails for. */
function errorsOf({ fails }: Lookup): string {
  const own = fails.filter(
    ([name, when]) => name !== "ArgumentError" && !/^there is no such (zone|snapshot)/.test(when),
  );
  return own.length === 0 ? "" : `Errors: ${own.map(([name, when]) => `${code(name)} (${when})`).join(", ")}.`;
}

const kindsTable = (kinds: readonly Kind[]): string =>
  table(
    ["Resource", "What it is"],
    kinds
      .toSorted(byNature)
      .map((kind) => [
        `[\`${kind.name}\`](${pageOf(kind)})`,
        kind.isAction ? `Action: ${kind.brief}` : capital(kind.brief),
      ]),
  );

/** The kinds alone, for the page beside theirs. */
const kindsList = (kinds: readonly Kind[]): string =>
  kinds
    .toSorted(byNature)
    .map(({ name }) => `- [\`${name}\`](${pageName(name)}.md)`)
    .join("\n");

const functionsTable = (lookups: readonly Lookup[]): string =>
  table(
    ["Function", "What it looks up"],
    TOPICS.flatMap(({ page, functions }) =>
      functions.map((name) => [
        `[\`${name}\`](functions/${page}.md#${name.toLowerCase()})`,
        lookups.find((lookup) => lookup.name === name)?.brief ?? "",
      ]),
    ),
  );
