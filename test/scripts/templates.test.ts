import { expect, test } from "vitest";
import { filesOf, packedTemplate, SHARED, templateNames } from "../../scripts/templates.mts";

const shared = filesOf(SHARED);
const names = templateNames();

test("there are files that begin with a dot, and that are in folders that do", () => {
  expect(names).toEqual(["datasets", "fleet", "zone"]);
  expect(Object.keys(shared)).toEqual(expect.arrayContaining([".gitignore", ".vscode/settings.json", "package.json"]));
});

test.each(names)("the template %s has what all have alike: `npm run templates`", (name) => {
  expect(filesOf(name)).toMatchObject(shared);
});

test("what all templates have alike is shared", () => {
  const [first = {}, ...others] = names.map(filesOf);
  const alike = Object.keys(first).filter((path) => others.every((other) => other[path] === first[path]));
  expect(alike.sort()).toEqual(Object.keys(shared).sort());
});

test.each(names)("the README of %s has every setting, and no other", (name) => {
  const { config, files } = packedTemplate(name);
  const [settings = ""] = files["README.md"]?.split("| Output ") ?? [];
  const rows = [...settings.matchAll(/^\| `(\w+)` +\|/gm)].map(([, key]) => key);
  expect(rows).toEqual(Object.keys(config));
});

test.each(names)("every stack's file of %s sets what the project has", (name) => {
  const { config, files } = packedTemplate(name);
  const stacks = Object.keys(files).filter((path) => /^Pulumi\..+\.yaml$/.test(path));
  expect(stacks).toEqual(["development", "local", "production"].map((stack) => `Pulumi.${stack}.yaml`));
  for (const stack of stacks) {
    const lines = files[stack]?.split("\n") ?? [];
    // Settings are added at the end, and have no namespace: `pulumi new` breaks lines after the project's name.
    expect(lines[0]).toBe("config:");
    const keys = lines
      .slice(1)
      .filter((line) => !/^ +#|^$/.test(line))
      .map((line) => /^ {2}(\w+): /.exec(line)?.[1]);
    expect(keys.filter((key) => key === undefined || !(key in config))).toEqual([]);
  }
});

test.each(names)("every setting of %s has a type and a description", (name) => {
  const types = ["string", "integer", "boolean", "array", "object"];
  for (const { type, description } of Object.values(packedTemplate(name).config)) {
    expect(types).toContain(type);
    expect(description).toMatch(/^[A-Z].*[.a-z0-9]$/);
  }
});
