import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesOf, packedTemplate, SHARED, templateNames } from "../../scripts/templates.mts";

const shared = filesOf(SHARED);
const names = templateNames();

test("there are files that begin with a dot, and that are in folders that do", () => {
  expect(names).toEqual(["datasets", "fleet", "zone"]);
  expect(Object.keys(shared)).toEqual(expect.arrayContaining([".gitignore", ".vscode/settings.json", "package.json"]));
});

test("what lies in a template's folder and belongs to nobody else is not packed", () => {
  const folder = mkdtempSync(join(tmpdir(), "templates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const strays = [".env", "Pulumi.pr-1.yaml", "import.secrets.json", "package-lock.json", "node_modules/a/index.js"];
  const packed = [".gitignore", ".vscode/settings.json", "Pulumi.local.yaml", "index.ts"];
  for (const path of [...strays, ...packed]) {
    mkdirSync(dirname(join(folder, "zone", path)), { recursive: true });
    writeFileSync(join(folder, "zone", path), path);
  }
  expect(filesOf("zone", folder)).toEqual(Object.fromEntries(packed.map((path) => [path, path])));
});

test("Git has the lines of a template end on every system as Biome wants them", () => {
  expect(shared[".gitattributes"]).toMatch(/^\* text=auto eol=lf$/m);
  expect(JSON.parse(shared["biome.json"] ?? "").formatter).not.toHaveProperty("lineEnding");
});

test.each(names)("no environment of %s buys dedicated IPs that nobody has asked for", (name) => {
  const { files } = packedTemplate(name);
  const asked = Object.values(files).flatMap((text) => text.match(/^ {2}ips: \d+$/gm) ?? []);
  expect(asked.filter((line) => line !== "  ips: 0")).toEqual([]);
});

test.each(names)("the template %s has what all have alike: `npm run templates`", (name) => {
  expect(filesOf(name)).toMatchObject(shared);
});

test("what all templates have alike is shared", () => {
  const [first = {}, ...others] = names.map((name) => filesOf(name));
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
    // What an environment is stands in its file alone: a project's setting without a default is required of a pull request's, too.
    expect(lines[1]).toBe(`  production: ${stack === "Pulumi.production.yaml"}`);
    expect(keys.slice(1).filter((key) => key === undefined || !(key in config))).toEqual([]);
  }
});

test.each(names)("every setting of %s has a type and a description", (name) => {
  const types = ["string", "integer", "boolean", "array", "object"];
  for (const { type, description } of Object.values(packedTemplate(name).config)) {
    expect(types).toContain(type);
    expect(description).toMatch(/^[A-Z].*[.a-z0-9]$/);
  }
});
