import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createSourceFile,
  forEachChild,
  isExpressionStatement,
  isFunctionLike,
  isNewExpression,
  isVariableStatement,
  type Node,
  NodeFlags,
  preProcessFile,
  ScriptTarget,
  type SourceFile,
} from "typescript";
import { expect, test } from "vitest";
import { PROTOCOL_KEYS } from "../src/pulumi/keys";

const ROOT = join(__dirname, "..");

/** The floors of the house, from the bottom to the top: what is on one may import what is on it and below. */
const FLOORS = {
  "base/": "what knows nothing of the package: JSON, spelling, errors",
  "declaration/": "what declarations are written in: plain data, and what it means",
  "model/": "plain data that several floors need: plans, products, fields of ports",
  "generated/types/": "the types that follow from the model",
  "settings/": "every setting, and the connections that have names",
  "http/": "one transport: time limits, repetition, rate, errors, hiding secrets",
  "remote/": "the client of Bright Data's API: a file for each noun",
  "manager/": "the client of the Proxy Manager: a file for each noun",
  "download/": "a large snapshot to a file",
  "lookups/": "what functions that look something up share; loads no Pulumi",
  "lifecycle/": "what the lifecycles of all kinds share: check, diff, creations, verdicts, claims, scopes",
  "run/": "one run of the engine: its session, announcements, planning, operations, intents, peers",
  "pulumi/": "what both protocols share: unknown values, secrets, special keys, ids, types, states, errors",
  "dynamic/": "the protocol of dynamic resources: special inputs, changed keys, partial failures, cancellation",
  "plugin/": "the protocol of plugins: URNs, old inputs, changed paths, previews, functions",
  "program/": "what resources and functions share in the program's process; loads no HTTP",
  "kinds/": "a folder for each kind of resource: its declaration, and what then happens",
  "functions/": "a file for each function that looks something up: its declaration",
  "generated/": "what follows from the declarations: classes, functions, the table of lifecycles",
  "exports.ts": "what a program imports in either form",
  "index.ts": "what a program imports: dynamic resources, and functions that run in the program",
  "native.ts": "the same in the form of the plugin",
  "provider.ts": "what the provider process loads",
  "plugin.ts": "what the plugin's process runs",
  "cli/account/": "what there is in accounts and Proxy Managers, and what stacks hold of it",
  "cli/import/": "a living account as a program, and as a file to import",
  "cli/pipeline/": "what pipelines say of a change and of drift, and where: plans, money, forges",
  "cli/report/": "what zones have cost and carried: read once, shown in several forms",
  "cli/templates/": "projects to begin with",
  "cli/outputs/": "a stack's outputs as variables, for programs of any language",
  "cli/commands/": "a file for each command, and what they share",
  "cli/index.ts": "the command line: which command it is",
};

const ORDER = Object.keys(FLOORS);
const floorOf = (file: string): number => ORDER.findIndex((floor) => file.startsWith(floor));

/** What a file of a folder imports of the others, types included, by all files. Nothing leads out of the folder. */
function importsOf(folder: string): Map<string, string[]> {
  const cwd = join(ROOT, folder);
  const files = globSync("**/*.ts", { cwd }).sort();
  const found = (path: string): string => {
    const file = [`${path}.ts`, `${path}/index.ts`].find((candidate) => files.includes(candidate));
    if (file === undefined) throw new Error(`${path} is no file of ${folder}`);
    return file;
  };
  const imported = (file: string) => {
    const { importedFiles } = preProcessFile(readFileSync(join(cwd, file), "utf8"), true, true);
    const own = importedFiles.filter(({ fileName }) => fileName.startsWith("."));
    return own.map(({ fileName }) => found(join(dirname(file), fileName.replace(/\.js$/, ""))));
  };
  return new Map(files.map((file) => [file, imported(file)]));
}

const IMPORTS = importsOf("src");
const FILES = [...IMPORTS.keys()];

/** The first way that leads back to where it began. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return [];
    done.add(name);
    for (const next of imports.get(name) ?? []) {
      const circle = visit(next, [...way, name]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  for (const name of imports.keys()) {
    const circle = visit(name, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test("the design says the same, from the top to the bottom", () => {
  const width = 4 + Math.max(...ORDER.map((floor) => floor.length));
  const lines = Object.entries(FLOORS).map(([floor, says]) => `    src/${floor.padEnd(width)}${says}\n`);
  expect(readFileSync(join(ROOT, "DESIGN.md"), "utf8")).toContain(`\n\n${lines.reverse().join("")}\n`);
});

test("every file of the sources is on a floor", () => {
  expect(FILES.filter((file) => floorOf(file) < 0)).toEqual([]);
  expect(ORDER.filter((_, floor) => !FILES.some((file) => floorOf(file) === floor))).toEqual([]);
});

test("no import goes up", () => {
  const up = [...IMPORTS].flatMap(([file, imports]) =>
    imports.filter((other) => floorOf(other) > floorOf(file)).map((other) => `${file} imports ${other}`),
  );
  expect(up).toEqual([]);
});

test("what the plugin's process runs loads no SDK", () => {
  const files = globSync(["src/plugin.ts", "src/{plugin,pulumi}/**/*.ts"], { cwd: ROOT });
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes('"@pulumi/pulumi'))).toEqual([]);
});

/** The folders with code of their own, besides the sources: all that is run, installed or begun with. */
const NEIGHBOURS = ["simulator", "policies", "templates", "examples"];

test("nothing outside of the command line imports it", () => {
  const isOfCli = (file: string) => file.startsWith("cli/");
  const inside = [...IMPORTS].flatMap(([file, imports]) =>
    isOfCli(file) ? [] : imports.filter(isOfCli).map((other) => `${file} imports ${other}`),
  );
  expect(inside).toEqual([]);
  expect(FILES.filter(isOfCli).length).toBeGreaterThan(50);
  const others = globSync(
    NEIGHBOURS.map((folder) => `${folder}/**/*.ts`),
    {
      cwd: ROOT,
      exclude: ["**/node_modules/**"],
    },
  );
  expect(others.length).toBeGreaterThan(50);
  const through = others.filter((file) =>
    preProcessFile(readFileSync(join(ROOT, file), "utf8"), true, true).importedFiles.some(({ fileName }) =>
      /(src|dist)\/cli\b/.test(fileName),
    ),
  );
  expect(through).toEqual([]);
});

/** Where nothing belongs to one protocol alone: what speaks to a person and where the program is, a protocol says. */
const SHARED = [
  "base/",
  "declaration/",
  "model/",
  "remote/",
  "manager/",
  "lookups/",
  "lifecycle/",
  "run/",
  "kinds/",
  "functions/",
];

test("what all protocols share imports nothing of one", () => {
  const ofProtocols = (file: string) => /^(pulumi|dynamic|plugin|program)\//.test(file);
  const found = [...IMPORTS].flatMap(([file, imports]) =>
    SHARED.some((floor) => file.startsWith(floor))
      ? imports.filter(ofProtocols).map((other) => `${file}: ${other}`)
      : [],
  );
  expect(found).toEqual([]);
});

test("the keys that the package hides among properties are known in one file", () => {
  const key = new RegExp(`\\b(${PROTOCOL_KEYS.join("|")})\\b`);
  const knowing = FILES.filter((file) => key.test(readFileSync(join(ROOT, "src", file), "utf8")));
  expect(knowing).toEqual(["pulumi/keys.ts"]);
  const users = FILES.filter((file) => IMPORTS.get(file)?.some((other) => other === "dynamic/keys.ts"));
  expect(users.filter((file) => !/^(pulumi|dynamic|plugin|program|cli)\//.test(file))).toEqual([]);
});

test("what all protocols share loads no Pulumi, prints nothing and reads no working directory", () => {
  const shared = FILES.filter((file) => SHARED.some((floor) => file.startsWith(floor)));
  expect(shared.length).toBeGreaterThan(200);
  const found = shared.filter((file) =>
    /@pulumi\/|^(?! \*).*(console\.|process\.(cwd|stdout|stderr))/m.test(readFileSync(join(ROOT, "src", file), "utf8")),
  );
  expect(found).toEqual([]);
});

test.each([
  ["src", IMPORTS],
  ["simulator", importsOf("simulator")],
])("no file of %s imports itself, in however many steps", (_, imports) => {
  expect(imports.size).toBeGreaterThan(50);
  expect(circleIn(imports)).toEqual([]);
});

test("no room of a floor imports itself by way of another", () => {
  const rooms = new Map<string, string[]>();
  for (const [file, imports] of IMPORTS) {
    const room = dirname(file);
    const others = imports.map(dirname).filter((other) => other !== room && dirname(other) === dirname(room));
    rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
  }
  expect(circleIn(rooms)).toEqual([]);
});

/** The modules that remember or do something when they are loaded: all others hand down what a run remembers. */
const HOLDERS: Record<string, string> = {
  "base/memory.ts": "what a process has once",
  "cli/index.ts": "the command line",
  "http/undici.ts": "what undici does when all of it is loaded",
  "plugin.ts": "the native plugin",
  "provider.ts": "the session of a dynamic provider",
};

/** What a text has outside of all functions that can change, is random, or is done when it is loaded. */
function remembered(text: string): string[] {
  const source = createSourceFile("module.ts", text, ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const words = statement.getText(source);
    if (isExpressionStatement(statement)) return [words];
    if (!isVariableStatement(statement)) return [];
    const { flags, declarations } = statement.declarationList;
    if (!(flags & NodeFlags.Const)) return [words];
    const values = declarations.filter(({ type }) => !/^(Readonly|Declared$)/.test(type?.getText(source) ?? ""));
    return values.flatMap(({ initializer }) => (initializer === undefined ? [] : changeableIn(initializer, source)));
  });
}

function changeableIn(value: Node, source: SourceFile): string[] {
  const isWhole = /^(\{\}|\[\])$/.test(value.getText(source));
  const found = isWhole ? [value.getText(source)] : [];
  const visit = (node: Node): void => {
    if (isFunctionLike(node)) return;
    const words = node.getText(source);
    const isMade = isNewExpression(node) && !/^new (\w*Error|RegExp|Intl\.\w+)\(/.test(words);
    if (isMade || /^random\w+\([^()]*\)$/.test(words)) found.push(words);
    forEachChild(node, visit);
  };
  visit(value);
  return found;
}

test.each([
  ["let found: string | undefined;", ["let found: string | undefined;"]],
  ["export const known = new Map<string, string>();", ["new Map<string, string>()"]],
  ["const known: Record<string, string> = {};", ["{}"]],
  ["const known: string[] = [];", ["[]"]],
  ["const RUN = randomBytes(6).toString();", ["randomBytes(6)"]],
  ["subscribe(() => {});", ["subscribe(() => {});"]],
  ["const NAMES: ReadonlySet<string> = new Set(NAME);", []],
  ["const FORM = new RegExp(NAME);", []],
  ["const make = () => new Map(); const NONE = new ArgumentError(NO);", []],
])("what a module remembers is seen: %s", (text, found) => {
  expect(remembered(text)).toEqual(found);
});

test("nothing remembers anything outside of the objects that are handed down, but for what is named here", () => {
  expect(FILES.length).toBeGreaterThan(250);
  const found = FILES.flatMap((file) =>
    remembered(readFileSync(join(ROOT, "src", file), "utf8")).map((words) => `${file}: ${words}`),
  );
  const isHeld = (words: string) => Object.keys(HOLDERS).some((holder) => words.startsWith(`${holder}: `));
  expect(found.filter((words) => !isHeld(words))).toEqual([]);
  expect(Object.keys(HOLDERS).filter((holder) => !found.some((words) => words.startsWith(holder)))).toEqual([]);
});

test("no two types have one name, but for what every kind has, and the protocol's own messages", () => {
  const isOfKind = (name: string) => /^(Inputs|State|Outputs)$/.test(name);
  const files = new Map<string, string[]>();
  for (const file of FILES.filter((each) => !/^(generated|plugin\/messages)\//.test(each)))
    for (const [, name = ""] of readFileSync(join(ROOT, "src", file), "utf8").matchAll(TYPE))
      if (!(file.startsWith("kinds/") && isOfKind(name))) files.set(name, [...(files.get(name) ?? []), file]);
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
});

const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

test("no file has more lines than can be read at once, but for data", () => {
  const isData = (file: string) => /^(generated|model|plugin\/messages)\//.test(file);
  const length = (file: string) => readFileSync(join(ROOT, "src", file), "utf8").split("\n").length - 1;
  expect(FILES.filter((file) => !isData(file) && length(file) > 320)).toEqual([]);
});
