import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { composeOf } from "../../../src/cli/outputs/compose";
import { dotenvOf } from "../../../src/cli/outputs/dotenv";
import { kubernetesOf } from "../../../src/cli/outputs/kubernetes";
import { variableName, variablesOf } from "../../../src/cli/outputs/variables";

// The parser that the SDK has.
const { load } = createRequire(require.resolve("@pulumi/pulumi"))("js-yaml") as { load(text: string): unknown };

const folder = mkdtempSync(join(tmpdir(), "outputs-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the name of a variable", () => {
  test.each([
    ["proxyUrl", "PROXY_URL"],
    ["proxyURL", "PROXY_URL"],
    ["HTTPProxy", "HTTP_PROXY"],
    ["web-zone.name", "WEB_ZONE_NAME"],
    ["ALREADY_ONE", "ALREADY_ONE"],
    ["port2Url", "PORT2_URL"],
    ["2captcha", "_2CAPTCHA"],
  ])("of %s is %s", (output, name) => {
    expect(variableName(output)).toBe(name);
  });
});

test("texts stay as they are, what has parts becomes JSON, and what is nothing is left out", () => {
  const outputs = { aText: "it's", aNumber: 1.5, isIt: false, list: ["a"], parts: { b: 1 }, nothing: null };
  expect(variablesOf(outputs)).toEqual({
    A_TEXT: "it's",
    A_NUMBER: "1.5",
    IS_IT: "false",
    LIST: '["a"]',
    PARTS: '{"b":1}',
  });
});

test("two outputs that would be the same variable are refused", () => {
  expect(() => variablesOf({ proxyUrl: "a", proxy_url: "b" })).toThrow(
    'The outputs "proxyUrl" and "proxy_url" would both be PROXY_URL. Rename one of them.',
  );
});

const READABLE = [
  "",
  "plain",
  "http://brd-customer-hl_1-zone-web:p%40ss@brd.superproxy.io:44445",
  "with blanks  and\ttabs",
  "# no comment",
  "$HOME $(id) `id` {$}",
  'double "quotes"',
  "it's one",
  "it's\nin two lines",
  "two\nlines",
  "back\\slash and \\n",
  '{"json":["ä","€","😀"]}',
  "!history & | ; < > * ? ~",
  "=",
];

describe("a file of variables", () => {
  const variables = Object.fromEntries(READABLE.map((value, index) => [`V_${index}`, value]));
  const text = dotenvOf(variables, "");

  test("Node.js reads every value as it was", () => {
    expect(parseEnv(text)).toEqual(variables);
  });

  test("a shell reads every value as it was", () => {
    const file = join(folder, ".env");
    writeFileSync(file, text);
    const script = `set -a; . ${file}; exec ${JSON.stringify(process.execPath)} -p 'JSON.stringify(process.env)'`;
    const found = JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8", env: {} })) as object;
    expect(found).toMatchObject(variables);
  });

  test.each([
    "it's $5",
    'it\'s "x"',
    "it's `x`",
    "it's \\",
    "a$\u007bHOME}",
    "two\\\\",
    "at its end\\",
    "a\r\nb",
    "a\0b",
  ])("%j is refused, without being shown, because readers differ", (value) => {
    expect(() => dotenvOf({ PASSWORD: value }, "")).toThrow(
      /^The value of PASSWORD cannot be written so that all readers/,
    );
    expect(() => dotenvOf({ PASSWORD: value }, "")).not.toThrow(value);
  });
});

const ALL = [
  ...READABLE,
  "$\u007bHOME}",
  "it's $5 `x` \\ \"",
  "a\r\nb",
  "\u2028\u0085\ufeff\ufffe\uffff\u0007",
  "yes",
  "0x10",
  "null",
  "- a: b",
];
const variables = Object.fromEntries(ALL.map((value, index) => [`V_${index}`, value]));

test("a Kubernetes Secret has every value as it was", () => {
  expect(load(kubernetesOf(variables, "proxies"))).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "proxies" },
    type: "Opaque",
    stringData: variables,
  });
});

test("no character stands in it that kubectl's reader refuses", () => {
  expect(kubernetesOf(variables, "proxies")).not.toMatch(
    /[^\n\x20-\x7e\x85\u00a0-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u,
  );
});

test("a file for Docker Compose has every value, with dollar signs that stay dollar signs", () => {
  const doubled = Object.entries(variables).map(([name, value]) => [name, value.replace(/\$/g, "$$$$")] as const);
  expect(load(composeOf(variables, "scraper"))).toEqual({
    services: { scraper: { environment: Object.fromEntries(doubled) } },
  });
  expect(composeOf({ A: "$5" }, "scraper")).toBe('services:\n  "scraper":\n    environment:\n      "A": "$$5"\n');
});

test("names that are no texts in YAML 1.1, as kubectl reads it, are in quotes", () => {
  const outputs = { Y: "a", NO: "b", ON: "c", NULL: "d" };
  const lines = (indent: string) => Object.entries(outputs).map(([name, value]) => `${indent}"${name}": "${value}"\n`);
  expect(kubernetesOf(outputs, "a")).toContain(`stringData:\n${lines("  ").join("")}`);
  expect(composeOf(outputs, "a")).toContain(`environment:\n${lines("      ").join("")}`);
});

test("no outputs are no values", () => {
  expect(load(composeOf({}, "scraper"))).toEqual({ services: { scraper: { environment: {} } } });
  expect(load(kubernetesOf({}, "a"))).toMatchObject({ stringData: {} });
  expect(dotenvOf({}, "")).toBe("");
});
