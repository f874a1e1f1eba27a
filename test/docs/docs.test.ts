import { existsSync, globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/pulumi-home.mts";
import { SETTINGS } from "../../src/config";
import { blocks, DOCUMENTS, read } from "./documents";

/** Loading the compiler and the SDK's types is slow on a small machine. */
const COMPILING_MS = 120_000;

const prose = (document: string): string => read(document).replace(/^```[\s\S]*?^```/gm, "");

/** The rows of all tables below a heading, up to the next one of the same or a higher level; a cell is trimmed. */
function rows(document: string, heading: string): string[][] {
  const lines = read(document).split("\n");
  const start = lines.indexOf(heading);
  expect(start, `${document} has no heading "${heading}"`).toBeGreaterThan(-1);
  const level = heading.indexOf(" ");
  const isEnd = (line: string) => /^#+ /.test(line) && line.indexOf(" ") <= level;
  const end = lines.findIndex((line, index) => index > start && isEnd(line));
  return lines
    .slice(start, end === -1 ? undefined : end)
    .filter((line) => line.startsWith("|") && !/^[| -]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What stands in the first column in code: the names that a table is about. */
const names = (table: string[][]): string[] =>
  table.flatMap(([cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string)).sort();

describe("TypeScript blocks", () => {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    paths: {
      "pulumi-brightdata": [join(ROOT, "src/index.ts")],
      "pulumi-brightdata/simulator": [join(ROOT, "src/simulator/index.ts")],
      "@pulumi/policy": [join(__dirname, "policy.d.ts")],
    },
    // A block is a module, even one that imports nothing.
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noEmit: true,
  };
  // A block is a file that only the compiler sees, beside the others of this package: it finds the same modules.
  const all = DOCUMENTS.flatMap((document) => blocks(document, "ts"));
  const sources = new Map(all.map(({ file, text }) => [join(ROOT, file), text] as const));
  let complaints: string[];

  beforeAll(() => {
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (file) => sources.has(file) || fileExists(file);
    host.readFile = (file) => sources.get(file) ?? readFile(file);
    host.getSourceFile = (file, languageVersion, ...rest) => {
      const text = sources.get(file);
      if (text === undefined) return getSourceFile(file, languageVersion, ...rest);
      return ts.createSourceFile(file, text, languageVersion);
    };
    const program = ts.createProgram([...sources.keys()], options, host);
    complaints = [...sources.keys()]
      .map((file) => program.getSourceFile(file) as ts.SourceFile)
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(complaint);
  }, COMPILING_MS);

  test("there are some on each resource's page", () => {
    const pages = ["zone", "zone-access", "zone-ip-refresh", "zone-ips", "zone-password", "proxy-port", "whitelist-ip"];
    for (const document of pages.map((page) => `docs/${page}.md`)) {
      expect(blocks(document, "ts").length, document).toBeGreaterThan(1);
    }
  });

  test("no two have one name", () => {
    expect(sources.size).toBe(all.length);
  });

  test.each(all.map(({ file }) => file))("%s compiles", (file) => {
    expect(complaints.filter((line) => line.startsWith(`${file}:`))).toEqual([]);
  });
});

describe("the README", () => {
  test("is short", () => {
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });

  test("shows what its program does", () => {
    const [program] = blocks("README.md", "ts");
    const declared = [...(program?.text.matchAll(/new brightdata\.(\w+)\("(\w+)"/g) ?? [])];
    expect(declared.length).toBeGreaterThan(1);
    const picture = read("docs/images/up.svg");
    for (const [, kind, name] of declared) expect(picture).toContain(`dynamic/brightdata:${kind} ${name} `);
    expect(read("README.md")).toContain("](docs/images/up.svg)");
  });
});

describe("tables", () => {
  const interfaces = globSync("src/{kinds/**,program}/*.ts", { cwd: ROOT });
  const members = new Map(interfaces.flatMap((file) => [...declarations(file)]));
  const membersOf = (name: string) => [...(members.get(name) ?? [])].sort();

  test("the page on configuration has every setting", () => {
    const [, ...settings] = rows("docs/installation-configuration.md", "## Configuration options");
    const expected = Object.values(SETTINGS).map(({ key, environment, initial }) => [
      `\`brightdata:${key}\``,
      `\`${environment}\``,
      initial === undefined ? "–" : `\`${initial}\``,
    ]);
    expect(settings.map((cells) => cells.slice(0, 3))).toEqual(expected);
    expect(settings.map((cells) => cells[3]).filter((meaning) => !meaning)).toEqual([]);
  });

  test.each([
    ["docs/zone.md", "## Arguments", ["ZoneArgs", "ZonePlanArgs"]],
    ["docs/zone.md", "### plan", ["ZonePlanArgs"]],
    ["docs/zone-access.md", "## Arguments", ["ZoneAccessArgs"]],
    ["docs/zone-ip-refresh.md", "## Arguments", ["ZoneIpRefreshArgs"]],
    ["docs/zone-ips.md", "## Arguments", ["ZoneIpsArgs"]],
    ["docs/zone-password.md", "## Arguments", ["ZonePasswordArgs"]],
    ["docs/proxy-port.md", "## Arguments", ["ProxyPortArgs"]],
    ["docs/whitelist-ip.md", "## Arguments", ["WhitelistIpArgs"]],
    ["docs/dataset-collection.md", "## Arguments", ["DatasetCollectionArgs"]],
    ["docs/snapshot-delivery.md", "## Arguments", ["SnapshotDeliveryArgs", "DeliveryFilenameArgs"]],
    ["docs/snapshot-delivery.md", "### filename", ["DeliveryFilenameArgs"]],
    ["docs/manager-settings.md", "## Arguments", ["ManagerSettingsArgs"]],
    ["docs/banned-ip.md", "## Arguments", ["BannedIpArgs"]],
    ["docs/manager-user.md", "## Arguments", ["ManagerUserArgs"]],
    ["docs/port-ip-unban.md", "## Arguments", ["PortIpUnbanArgs"]],
    ["docs/port-session-refresh.md", "## Arguments", ["PortSessionRefreshArgs"]],
    ["docs/port-ssl-enable.md", "## Arguments", ["PortSslEnableArgs"]],
    ["docs/port-ip-refresh.md", "## Arguments", ["PortIpRefreshArgs"]],
    ["docs/manager-api-key.md", "## Arguments", ["ManagerApiKeyArgs"]],
    ["docs/manager-upgrade.md", "## Arguments", ["ManagerUpgradeArgs"]],
    ["docs/manager-restart.md", "## Arguments", ["ManagerRestartArgs"]],
  ])("%s, %s: exactly the members of %s", (document, heading, types) => {
    expect(types.flatMap(membersOf)).not.toEqual([]);
    expect(names(rows(document, heading))).toEqual(types.flatMap(membersOf).sort());
  });

  test.each([
    ["docs/zone.md", "Zone", "ZoneArgs"],
    ["docs/zone-access.md", "ZoneAccess", "ZoneAccessArgs"],
    ["docs/zone-ip-refresh.md", "ZoneIpRefresh", "ZoneIpRefreshArgs"],
    ["docs/zone-ips.md", "ZoneIps", "ZoneIpsArgs"],
    ["docs/zone-password.md", "ZonePassword", "ZonePasswordArgs"],
    ["docs/proxy-port.md", "ProxyPort", "ProxyPortArgs"],
    ["docs/whitelist-ip.md", "WhitelistIp", "WhitelistIpArgs"],
    ["docs/dataset-collection.md", "DatasetCollection", "DatasetCollectionArgs"],
    ["docs/snapshot-delivery.md", "SnapshotDelivery", "SnapshotDeliveryArgs"],
    ["docs/manager-settings.md", "ManagerSettings", "ManagerSettingsArgs"],
    ["docs/banned-ip.md", "BannedIp", "BannedIpArgs"],
    ["docs/manager-user.md", "ManagerUser", "ManagerUserArgs"],
    ["docs/port-ip-unban.md", "PortIpUnban", "PortIpUnbanArgs"],
    ["docs/port-session-refresh.md", "PortSessionRefresh", "PortSessionRefreshArgs"],
    ["docs/port-ssl-enable.md", "PortSslEnable", "PortSslEnableArgs"],
    ["docs/port-ip-refresh.md", "PortIpRefresh", "PortIpRefreshArgs"],
    ["docs/manager-api-key.md", "ManagerApiKey", "ManagerApiKeyArgs"],
    ["docs/manager-upgrade.md", "ManagerUpgrade", "ManagerUpgradeArgs"],
    ["docs/manager-restart.md", "ManagerRestart", "ManagerRestartArgs"],
  ])("%s: every output of %s that is no argument, and no other", (document, kind, args) => {
    const own = membersOf(kind).filter((name) => !membersOf(args).includes(name));
    const listed = names(rows(document, "## Outputs")).filter((name) => !membersOf(args).includes(name));
    expect(listed.filter((name) => name !== "id")).toEqual(own);
  });

  test("the README lists every resource and function", () => {
    const index = read("src/index.ts");
    const resources = [...index.matchAll(/^(?!export type).*from "\.\/kinds\/(\w+)\/resource"/gm)].map(
      (match) => match[1],
    );
    const functions = [...read("src/functions/index.ts").matchAll(/"\.\/(\w+)"/g)].map((match) => match[1]);
    const kinds = names(rows("README.md", "## Resources").map(([first = ""]) => [first]));
    expect(kinds.map((kind) => kind[0]?.toLowerCase() + kind.slice(1))).toEqual(resources.sort());
    expect(names(rows("README.md", "## Functions"))).toEqual(functions.sort());
  });
});

describe.each(DOCUMENTS)("%s", (document) => {
  test("every link within the repository leads somewhere", () => {
    const links = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
    const dead = links.filter((link) => !/^[a-z]+:/.test(link)).filter((link) => !leadsSomewhere(document, link));
    expect(dead).toEqual([]);
  });

  test("every npm script that it names exists", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1] as string);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

/** A complaint as `docs/zone.md.12.ts:3: …`, where 12 is the block's line in the document and 3 the line in the block. */
function complaint({ file, start = 0, messageText }: ts.Diagnostic): string {
  const words = ts.flattenDiagnosticMessageText(messageText, " ");
  if (file === undefined) return words;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relative(ROOT, file.fileName)}:${line + 1}: ${words}`;
}

/** The names of the properties of each interface, and of the outputs of each class, that a file declares. */
function declarations(file: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isClassDeclaration(statement)) continue;
    const members: readonly (ts.TypeElement | ts.ClassElement)[] = statement.members;
    const properties = members.filter(
      (member) =>
        ts.isPropertySignature(member) ||
        (ts.isPropertyDeclaration(member) &&
          member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true),
    );
    found.set(
      statement.name?.text ?? "",
      properties.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : [])),
    );
  }
  return found;
}

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
