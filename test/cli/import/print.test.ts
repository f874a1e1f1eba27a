import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { identifier, Names } from "../../../src/cli/import/names";
import { Code, FunctionCall, printedStatement } from "../../../src/cli/import/print";
import { asRanges } from "../../../src/cli/import/ranges";

const BIOME = join(__dirname, "../../../node_modules/.bin/biome");

const text = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom("it's", 'say "x"', "\u202e", "a\nb"));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(new Code("web.name"), new FunctionCall("config.requireSecret", ["key"])),
    fc.array(fc.nat(70_000), { maxLength: 20 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("zone", "port", "us-1", "2x", "internalName", "a b"), tie("value")),
  ),
}));

test("values are written as a formatter writes them, and are what they are", () => {
  const values = fc.sample(value, { numRuns: 200, seed: 3 });
  const program = values
    .map((each) => printedStatement(new FunctionCall("keep", ["name", { each }, { protect: true }])))
    .join("");
  const args = ["format", "--indent-style=space", "--line-width=80", "--stdin-file-path=it.ts"];
  expect(program).toBe(execFileSync(BIOME, args, { cwd: tmpdir(), input: program, encoding: "utf8" }));
  const kept: unknown[] = [];
  const keep = (_name: string, { each }: { each: unknown }) => kept.push(each);
  const known = {
    web: { name: new Code("web.name") },
    config: { requireSecret: (key: string) => new FunctionCall("config.requireSecret", [key]) },
  };
  new Function("keep", "web", "config", program)(keep, known.web, known.config);
  expect(kept).toEqual(values);
});

test.each([
  ["Web-Old", "webOld"],
  ["web_old", "webOld"],
  ["WEB", "web"],
  ["fooBar", "fooBar"],
  ["class", "classZone"],
  ["2nd zone", "zone2ndZone"],
  ["zürich-日本", "zürich日本"],
  ["---", "zone"],
  ["💥", "zone"],
  ["Config", "configZone"],
])("%s is called %s", (name, called) => {
  expect(identifier(name, "zone")).toBe(called);
});

test("no two have the same name", () => {
  const names = new Names(["taken"]);
  const all: [string, string][] = [
    ["web", "web"],
    ["web", "webZone"],
    ["web", "webZone"],
    ["taken", "taken"],
    ["port1", "port1"],
    ["port1", "port1"],
  ];
  expect(all.map((candidates) => names.take(...candidates))).toEqual([
    "web",
    "webZone",
    "webZone2",
    "taken2",
    "port1",
    "port1_2",
  ]);
});

test("ports that differ in consecutive numbers alone are ranges", () => {
  const numbered = (from: number, count: number, settings = {}) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`port-${from + index}`, { port: from + index, ...settings }]),
    );
  const printed = (ports: object) => printedStatement(new FunctionCall("of", [asRanges({ ...ports })]));
  expect(printed(numbered(24_000, 50))).toBe(
    'of(brightdata.portRange({ from: 24000, count: 50, prefix: "port-" }));\n',
  );
  expect(
    printed({ ...numbered(24_000, 3, { country: "us" }), "us-1": { port: 24_003 }, ...numbered(24_004, 2) }),
  ).toBe(`of({
  ...brightdata.portRange(
    { from: 24000, count: 3, prefix: "port-" },
    { country: "us" },
  ),
  "us-1": { port: 24003 },
  "port-24004": { port: 24004 },
  "port-24005": { port: 24005 },
});
`);
});
