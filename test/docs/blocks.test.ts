import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mts";
import { Account } from "../../simulator/account/account";
import { COMMANDS } from "../../src/cli/commands/all";
import { helpOf } from "../../src/cli/commands/command";
import { RemoteClient } from "../../src/remote/client";
import { readSettings } from "../../src/settings/settings";
import { blocks, DOCUMENTS, read } from "./documents";

// The blocks that are not TypeScript, each checked by what reads it. `test/engine/commands.test.ts` has the commands of Pulumi.

/** Programs that check a block of a language, given on standard input. */
const CHECKS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  sh: ["bash", "-n"],
  python: ["python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"],
  js: [process.execPath, "--check", "-"],
  json: [process.execPath, "-e", 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))'],
};

/** What is read by eye: diagrams, and the files of services. */
const UNCHECKED = ["ts", "mermaid", "yaml", "text"];

/** What is wrong with a block; `undefined` where there is nothing to check it with. */
function complaint(language: string, text: string): string | undefined {
  const [command = "", ...args] = CHECKS[language] ?? [];
  // `<key>` stands for a value.
  const input = language === "sh" ? text.replace(/<[\w ]+>/g, "value") : text;
  const { error, status, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
  return error !== undefined || status === 0 ? undefined : stderr;
}

test("every block says its language, which is known here", () => {
  const opening = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/^ *```(.*)\n[\s\S]*?^ *```$/gm)].map(([, language]) => language as string),
  );
  expect([...new Set(opening)].filter((language) => !(language in CHECKS) && !UNCHECKED.includes(language))).toEqual(
    [],
  );
});

describe.each(Object.keys(CHECKS))("blocks of %s", (language) => {
  const all = DOCUMENTS.flatMap((document) =>
    blocks(document, language).map((block) => [block.file, block.text] as const),
  );

  test.each(all)("%s", (_file, text) => {
    expect(complaint(language, text)).toBeUndefined();
  });
});

test.each([
  ["sh", 'pulumi up "'],
  ["json", '{ "a": }'],
])("a wrong block of %s is found", (language, text) => {
  expect(complaint(language, text)).toBeDefined();
});

test("the options of the package's own command are those that its help lists", () => {
  const used = DOCUMENTS.flatMap((document) => blocks(document, "sh"))
    .flatMap(({ text }) => [...text.matchAll(/npx pulumi-brightdata (\w+)(.*)/g)])
    .flatMap(([, name, options = ""]) => (options.match(/--[\w-]+/g) ?? []).map((option) => [name, option] as const));
  const isListed = (name: string | undefined, option: string) =>
    COMMANDS.some((command) => command.name === name && helpOf(command).includes(`  ${option} `));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(([name, option]) => !isListed(name, option))).toEqual([]);
});

test("the help of each command is in a page", () => {
  const helps = DOCUMENTS.flatMap((document) => blocks(document, "text"))
    .map(({ text }) => text)
    .filter((text) => text.startsWith("Usage: pulumi-brightdata "));
  expect(helps.sort()).toEqual(COMMANDS.map(helpOf).sort());
});

test.each([
  [
    "pulumi-brightdata-simulator",
    "simulator/cli.ts",
    (option: string) => new RegExp(`^  "?${option.slice(2)}"?: \\[`, "m"),
  ],
])("the options of %s in the documents are those that its help lists", (command, source, listed) => {
  const used = DOCUMENTS.flatMap((document) => [...blocks(document, "sh"), ...blocks(document, "yaml")])
    .flatMap(({ text }) => text.split("\n").map((line) => line.split(` ${command} `)[1]?.split("#")[0] ?? ""))
    .flatMap((options) => options.match(/--[\w-]+/g) ?? []);
  const help = readFileSync(join(ROOT, source), "utf8");
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((option) => !listed(option).test(help))).toEqual([]);
});

test("an address that a document's service is given is one that a token is sent to", () => {
  const addresses = DOCUMENTS.flatMap((document) => blocks(document, "yaml")).flatMap(({ text }) =>
    [...text.matchAll(/BRIGHTDATA_BASE_URL: (\S+)/g)].map(([, address]) => address as string),
  );
  expect(addresses.length).toBeGreaterThan(0);
  for (const BRIGHTDATA_BASE_URL of addresses) {
    const settings = readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: "test", BRIGHTDATA_BASE_URL });
    expect(() => new RemoteClient(settings)).not.toThrow();
  }
});

test("the datasets that the documents name exist in a simulator", () => {
  const named = DOCUMENTS.flatMap((document) => read(document).match(/\bgd_\w{6,}/g) ?? []);
  expect([...new Set(named)].filter((id) => !new Account().datasets.has(id))).toEqual([]);
});
