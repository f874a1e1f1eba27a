import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pageOfFunction } from "../../scripts/generate/topics.mts";
import { ROOT } from "../../scripts/root.mts";
import * as brightdata from "../../src";
import { SETTINGS } from "../../src/settings/definitions";
import { complaints, vendored } from "./compile";
import { blocks, DOCUMENTS, prose, read } from "./documents";

/** Loading the compiler and the SDK's types is slow on a small machine. */
const COMPILING_MS = 120_000;

/** The lines between `<!-- part -->` and `<!-- /part -->`. */
function marked(document: string, part: string): string[] {
  const lines = read(document).split("\n");
  const [start, end] = [lines.indexOf(`<!-- ${part} -->`), lines.indexOf(`<!-- /${part} -->`)];
  expect(start, `${document} has no <!-- ${part} -->`).toBeGreaterThan(-1);
  expect(end, `${document} has no <!-- /${part} --> after it`).toBeGreaterThan(start);
  return lines.slice(start + 1, end);
}

/** The rows of all tables in these lines; a cell is trimmed. */
const rows = (lines: readonly string[]): string[][] =>
  lines
    .filter((line) => line.startsWith("|") && !/^[| -]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The lines below a heading, up to the next one of the same or a higher level. */
function below(lines: readonly string[], heading: string): string[] {
  const start = lines.indexOf(heading);
  expect(start, `there is no heading "${heading}"`).toBeGreaterThan(-1);
  const level = heading.indexOf(" ");
  const end = lines.findIndex((line, index) => index > start && /^#+ /.test(line) && line.indexOf(" ") <= level);
  return lines.slice(start, end === -1 ? undefined : end);
}

/** The resources of the README's table, each with its page. */
const pages = (): [name: string, document: string][] =>
  marked("README.md", "resources").flatMap((line) => {
    const [, name, document] = /^\| \[`(\w+)`\]\(([^)]+)\)/.exec(line) ?? [];
    return name === undefined || document === undefined ? [] : [[name, document]];
  });

const headings = (document: string): string[] =>
  [...prose(document).matchAll(/^## (.+)$/gm)].map((match) => match[1] as string);

describe("TypeScript blocks", () => {
  const wrong = { file: "docs/wrong.md.1.ts", text: "export const port: string = 24_000;\n" };
  const all = DOCUMENTS.flatMap((document) => blocks(document, "ts"));
  let found: string[];

  beforeAll(() => {
    found = complaints([...all, wrong]);
  }, COMPILING_MS);

  test("no two have one name", () => {
    expect(new Set(all.map(({ file }) => file)).size).toBe(all.length);
  });

  test("a wrong one is found", () => {
    expect(found).toContainEqual(expect.stringContaining(`${wrong.file}:1: Type 'number' is not assignable`));
  });

  test.each(all.map(({ file }) => file))("%s compiles", (file) => {
    expect(found.filter((line) => line.startsWith(`${file}:`))).toEqual([]);
  });

  test(
    "all compile in a project that has installed no compiler",
    () => {
      expect(complaints([...all, wrong], vendored())).toEqual([expect.stringContaining(wrong.file)]);
    },
    COMPILING_MS,
  );
});

test("the README is short", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("the repository's scripts are run by its own Node.js: the one that runs npm may be too old for them", () => {
  const scripts = read("CONTRIBUTING.md").match(/(?:npx )?\bnode \S+\.mts/g) ?? [];
  expect(scripts).not.toEqual([]);
  expect(scripts.filter((command) => !command.startsWith("npx "))).toEqual([]);
});

test("the README shows what its program does", () => {
  const [program] = blocks("README.md", "ts");
  const declared = [...(program?.text.matchAll(/new brightdata\.(\w+)\("(\w+)"/g) ?? [])];
  expect(declared.length).toBeGreaterThan(1);
  const picture = read("docs/images/up.svg");
  for (const [, kind, name] of declared) expect(picture).toContain(`dynamic/brightdata:${kind} ${name} `);
  expect(read("README.md")).toContain("](docs/images/up.svg)");
});

describe("tables", () => {
  test("the page on configuration has every setting", () => {
    const [, ...settings] = rows(
      below(read("docs/installation-configuration.md").split("\n"), "## Configuration options"),
    );
    const expected = Object.values(SETTINGS).map(({ key, environment, initial }) => [
      `\`brightdata:${key}\``,
      `\`${environment}\``,
      initial === undefined ? "–" : `\`${initial}\``,
    ]);
    expect(settings.map((cells) => cells.slice(0, 3))).toEqual(expected);
    expect(settings.map((cells) => cells[3]).filter((meaning) => !meaning)).toEqual([]);
  });

  describe.each(pages())("%s", (_kind, document) => {
    test("the page is in the order of the Pulumi Registry", () => {
      const order = [
        "Example usage",
        "Inputs",
        "Outputs",
        "Import",
        "Products",
        "Behavior",
        "Downloading",
        "Errors",
        "More examples",
      ];
      const found = headings(document);
      expect(found).toEqual(order.filter((heading) => found.includes(heading)));
      expect(found).toEqual(
        expect.arrayContaining(["Example usage", "Inputs", "Outputs", "Import", "Behavior", "Errors"]),
      );
    });
  });

  test("every function is on the page of its topic, and in the table of all", () => {
    const functions = Object.keys(brightdata).filter((name) => /^get[A-Z]/.test(name) && !name.endsWith("Output"));
    const linked = marked("docs/functions.md", "functions").flatMap(
      (line) => /^\| \[`(\w+)`\]\(functions\//.exec(line)?.[1] ?? [],
    );
    expect(linked.toSorted()).toEqual(functions.toSorted());
    for (const name of functions) {
      const section = below(read(pageOfFunction(name)).split("\n"), `## ${name}`);
      expect(section).toContainEqual(expect.stringMatching(/`(GET|POST) \//));
      expect(rows(section)).toContainEqual(expect.arrayContaining(["Result"]));
    }
  });
});

describe.each(DOCUMENTS)("%s", (document) => {
  test("every link within the repository leads somewhere", () => {
    const links = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
    const dead = links.filter((link) => !/^[a-z]+:/.test(link)).filter((link) => !leadsSomewhere(document, link));
    expect(dead).toEqual([]);
  });

  test("its tables are not padded: one longer word would change every row", () => {
    const rows = prose(document)
      .split("\n")
      .filter((line) => line.startsWith("|"));
    expect(rows.filter((row) => /[^|\s]\s{2,}\||\|\s{2,}[^|\s]|-{4,}/.test(row))).toEqual([]);
  });

  test("every npm script that it names exists", () => {
    const manifests = ["package.json", "templates/shared/package.json"].map(
      (file) => JSON.parse(read(file)) as { scripts: Record<string, string> },
    );
    const scripts = Object.assign({}, ...manifests.map((manifest) => manifest.scripts)) as Record<string, string>;
    const named = [...read(document).matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1] as string);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : relative(ROOT, join(ROOT, dirname(document), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchors(target).has(anchor);
}

/** The anchors that GitHub gives to the headings of a document. */
const anchors = (document: string): Set<string> =>
  new Set(
    [...prose(document).matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] as string)
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
