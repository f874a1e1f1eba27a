import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaFile } from "../scripts/generate/schema.mts";
import { isObject } from "../src/base/json";
import { named, text } from "../src/declaration/property";

const THING = named("Part", "A part.", {
  size: text({ says: "How large it is.", oneOf: ["small", "large"], default: "small" }),
});

type Members = Record<string, { language?: { csharp?: { name: string } } }>;

type Declared = Record<string, { properties?: Members; inputProperties?: Members }>;

const { config, ...others } = JSON.parse(readFileSync(join(__dirname, "../schema.json"), "utf8")) as {
  config: unknown;
  resources: Declared;
  types: Declared;
  functions: Record<string, { description: string }>;
};

/** The paths of all defaults in a part of the schema; a property may be called so, too. */
function defaultsIn(value: unknown, path = ""): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const isProperty = /\/(properties|inputProperties)$/.test(path);
    const here = !isProperty && /^default(Info)?$/.test(key) ? [`${path}/${key}`] : [];
    return [...here, ...defaultsIn(item, `${path}/${key}`)];
  });
}

test("an SDK that is generated from the schema declares nothing that the program does not", () => {
  expect(defaultsIn(others)).toEqual([]);
  expect(defaultsIn({ config })).toContain("/config/variables/baseUrl/default");
});

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

test("no class of .NET has a member of its own name, which C# refuses", () => {
  const declared = Object.entries({ ...others.resources, ...others.types });
  const clashing = declared.flatMap(([token, { properties, inputProperties }]) =>
    [properties, inputProperties].flatMap((members = {}) =>
      Object.entries(members).flatMap(([name, { language }]) => {
        const member = language?.csharp?.name ?? pascal(name);
        return token.endsWith(`:${member}`) ? [`${token}.${member}`] : [];
      }),
    ),
  );
  expect(declared.length).toBeGreaterThan(0);
  expect(clashing).toEqual([]);
});

test("no example calls a plain function, which gives secrets in clear in Python and fails for them in Go", () => {
  const examples = Object.values(others.functions).map(({ description }) => description);
  const called = examples.flatMap((text) => text.match(/brightdata\.(?:get_\w+\(|(?:Get|Lookup)\w+\(ctx)/g) ?? []);
  expect(called).toHaveLength(2 * examples.length);
  expect(called.filter((call) => !/output\(/i.test(call))).toEqual([]);
});

test("a default is told in words", () => {
  expect(JSON.stringify(others)).toContain("Default: false.");
});

test("values and defaults are told in words, also of what is within an input that an output shares", () => {
  const shape = text({ says: "`round`.", oneOf: ["round"] });
  const kind = { name: "Thing", says: "A thing.", inputs: { shape }, outputs: { thing: THING } };
  const lookup = { name: "getThing", says: "A thing.", arguments: { thing: THING }, result: {} };
  const manifest = JSON.stringify({ version: "1.0.0", pulumi: { pluginDownloadURL: "" } });
  const declared = (one: object) => [{ declared: one }] as never;
  const { types, resources } = JSON.parse(
    schemaFile(declared(kind), declared(lookup), [], manifest, (_, says) => says),
  );
  expect(types["brightdata:index:Part"].properties).toMatchObject({
    size: { description: 'How large it is. One of `small`, `large`. Default: "small".' },
  });
  expect(resources["brightdata:index:Thing"].inputProperties).toMatchObject({ shape: { description: "`round`." } });
});

test("the schema says where the executables are once the manifest does", () => {
  const urlIn = (pulumi: object) => {
    const manifest = { version: "1.0.0", description: "Zones.", license: "MIT", pulumi };
    return JSON.parse(schemaFile([], [], [], JSON.stringify(manifest), (_, says) => says)).pluginDownloadURL;
  };
  const pluginDownloadURL = "github://api.github.com/somebody/a-package";
  expect(urlIn({ pluginDownloadURL })).toBe(pluginDownloadURL);
  expect(urlIn({ pluginDownloadURL: "" })).toBe(undefined);
});

test("with a page of releases, the schema says whose the package is, and where its source and its logo are", () => {
  const about = (pluginDownloadURL: string) => {
    const manifest = JSON.stringify({ version: "1.2.3", pulumi: { pluginDownloadURL } });
    const { publisher, repository, logoUrl } = JSON.parse(schemaFile([], [], [], manifest, (_, says) => says));
    return { publisher, repository, logoUrl };
  };
  expect(about("github://api.github.com/somebody/a-package")).toEqual({
    publisher: "somebody",
    repository: "https://github.com/somebody/a-package",
    logoUrl: "https://raw.githubusercontent.com/somebody/a-package/v1.2.3/docs/images/logo.svg",
  });
  expect(about("https://example.com/releases")).toEqual({});
  expect(about("")).toEqual({});
});
