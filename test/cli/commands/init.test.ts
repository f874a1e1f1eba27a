import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesOf, packedTemplate, templateNames } from "../../../scripts/templates.mts";
import { ArgumentError } from "../../../src/base/errors";
import { init } from "../../../src/cli/commands/init";
import { asking } from "../../../src/cli/commands/prompt";
import { projectNameOf, projectOf } from "../../../src/cli/templates/project";
import { readTemplates, type Template } from "../../../src/cli/templates/template";
import { NEW_ZONE_NAME } from "../../../src/kinds/zone/automaticName";
import { spoken } from "./spoken";

// The parser that the SDK reads the same files with.
const { load } = createRequire(require.resolve("@pulumi/pulumi"))("js-yaml") as { load(text: string): unknown };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");

test("the package has the templates as they are in the repository", () => {
  expect(readTemplates()).toEqual(Object.fromEntries(templateNames().map((name) => [name, packedTemplate(name)])));
});

test.each(templateNames())("%s is the template's files, with the project's name and description", async (name) => {
  const project = join(folder, "My Proxies");
  const { code, said } = await spoken(init, name, project, "--description", 'Proxies: "all"');
  const files = filesOf(name);
  expect(code).toBe(0);
  expect(said).toMatch(/^Wrote \d+ files\. Next:\n\ncd .*\nnpm install\nnpm run local {3}# without an account\n/);
  const written = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = written.map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1));
  expect(paths.sort()).toEqual(Object.keys(files).sort());
  for (const path of [".gitignore", "index.ts", ".vscode/settings.json"])
    expect(text("My Proxies", path)).toBe(files[path]);
  expect(JSON.parse(text("My Proxies", "package.json"))).toMatchObject({ name: "my-proxies" });
  const pulumi = text("My Proxies", "Pulumi.yaml");
  expect(pulumi).toMatch(/^name: my-proxies\ndescription: "Proxies: \\"all\\""\n/);
  expect(pulumi).not.toMatch(/^template:|\$\{/m);
});

test.each(templateNames())(
  "%s for the plugin registers it wherever it is installed, and is the same otherwise",
  async (name) => {
    await spoken(init, name, join(folder, "native"), "--native", "--name", "a");
    await spoken(init, name, join(folder, "dynamic"), "--name", "a");
    const changed = Object.keys(filesOf(name)).filter((path) => text("native", path) !== text("dynamic", path));
    expect(changed).toEqual([".github/actions/setup/action.yml", ".gitlab-ci.yml", "index.ts", "package.json"]);
    expect(text("native", "index.ts")).toContain('\nimport * as brightdata from "pulumi-brightdata/native";\n');
    expect(Object.entries(JSON.parse(text("native", "package.json")).scripts).slice(0, 2)).toEqual([
      ["postinstall", "pulumi-brightdata plugin install || exit 0"],
      ["prelocal", "pulumi-brightdata plugin install --check || pulumi-brightdata plugin install"],
    ]);
    const line = "npx pulumi-brightdata plugin install";
    const { runs } = load(text("native", ".github/actions/setup/action.yml")) as {
      runs: { steps: { uses?: string }[] };
    };
    const cli = runs.steps.findIndex(({ uses }) => uses?.startsWith("pulumi/actions@"));
    expect(runs.steps[cli + 1]).toEqual({ run: line, shell: "bash" });
    const { default: jobs, test } = load(text("native", ".gitlab-ci.yml")) as Record<
      string,
      { before_script: string[] }
    >;
    const install = `npm ci --ignore-scripts --no-audit --no-fund && ${line}`;
    expect([jobs?.before_script[0], test?.before_script]).toEqual([install, [install]]);
  },
);

test("values are the configuration of the first stack, and those without a default that of all", async () => {
  const config = ["datasetId=gd_$&", "urls=https://a.example, https://b.example", "maxUrls=5", "edition=a=b"];
  const { said } = await spoken(init, "datasets", folder, ...config.flatMap((each) => ["--config", each]));
  expect(text("Pulumi.development.yaml")).toBe(`config:
  production: false
  maxUrls: 5
  edition: "a=b"
`);
  const { config: all } = load(text("Pulumi.yaml")) as { config: Record<string, object> };
  expect(all.datasetId).toMatchObject({ type: "string", default: "gd_$&" });
  expect(all.urls).toMatchObject({ type: "array", default: ["https://a.example", "https://b.example"] });
  expect(all.maxUrls).toMatchObject({ default: 2 });
  expect(said).not.toContain("datasetId");
});

test("without a terminal, what has no default is said to be missing", async () => {
  const { said } = await spoken(init, "datasets", folder, "--name", "records");
  expect(said).toContain(
    "# In Pulumi.yaml, a default for datasetId and one for urls: pull requests have the defaults alone.\n",
  );
});

test("below the root of a repository, where no forge looks for pipelines, it says so", async () => {
  mkdirSync(join(folder, ".git"));
  const { said } = await spoken(init, "zone", join(folder, "infra", "proxies"));
  expect(said).toContain(
    `# Pipelines are read at the root of a repository alone. Give the project its own, or move .github and .gitlab-ci.yml to ${folder}, and have their jobs run in infra/proxies.\n`,
  );
  expect((await spoken(init, "zone", folder, "--name", "a")).said).not.toContain("# Pipelines");
});

test("an empty list has nothing in it", async () => {
  await spoken(init, "fleet", folder, "--config", "countries=", "--config", "clients=1.2.3.4, ,5.6.7.8,");
  expect(load(text("Pulumi.development.yaml"))).toEqual({
    config: { production: false, countries: [], clients: ["1.2.3.4", "5.6.7.8"] },
  });
});

test("a file in the place of a folder is found before anything is written", async () => {
  writeFileSync(join(folder, ".vscode"), "mine");
  await expect(spoken(init, "zone", folder)).rejects.toThrow(`${folder} has .vscode already. Nothing was written.`);
  expect(readdirSync(folder)).toEqual([".vscode"]);
});

test.each([["file"], ["file/below"]])("a folder cannot be %s: that is said before anything is asked", async (path) => {
  writeFileSync(join(folder, "file"), "mine");
  await expect(spoken(init, "zone", join(folder, path))).rejects.toThrow(
    new ArgumentError(`${join(folder, "file")} is a file. Nothing was written. Name a folder.`),
  );
  expect(text("file")).toBe("mine");
});

test("a file that is there stays as it is, and nothing is written beside it", async () => {
  writeFileSync(join(folder, "index.ts"), "mine");
  await expect(spoken(init, "zone", folder)).rejects.toThrow(
    `${folder} has index.ts already. Nothing was written. Name another folder`,
  );
  expect(readdirSync(folder)).toEqual(["index.ts"]);
  expect(text("index.ts")).toBe("mine");
});

test.each(["index.ts", ".vscode"])("a link %s that leads nowhere is in the way, too", async (path) => {
  symlinkSync("nowhere", join(folder, path));
  await expect(spoken(init, "zone", folder, "--name", "a")).rejects.toThrow(
    `${folder} has ${path} already. Nothing was written.`,
  );
  expect(readdirSync(folder)).toEqual([path]);
});

test("a link to a folder is taken for that folder", async () => {
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync("elsewhere", join(folder, ".vscode"));
  expect(await spoken(init, "zone", folder, "--name", "a")).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["extensions.json", "settings.json"]);
});

test.each([
  [[], "Which template? There are datasets, fleet, zone."],
  [["zones"], 'There is no template "zones": there are datasets, fleet, zone.'],
  [["constructor"], 'There is no template "constructor"'],
  [["zone", "a", "b"], "One folder at a time, not also b."],
  [["zone", "--config", "country"], '--config takes key=value, not "country".'],
  [["zone", "--name", "A b"], '"A b" cannot be the name of a project'],
  [["zone", "--name", "a".repeat(41)], "expected up to 40 of the characters"],
  [["zone", "--description", "a\nb"], "--description takes one line of text."],
  [
    ["zone", "--config", "contry=us"],
    "The template has no setting `contry`: it has country, ips, maxIps, proxyHost, proxyPort. Did you mean country?",
  ],
  [["fleet", "--config", "countries=us,de, us"], 'The setting `countries` has "us" twice.'],
  [["zone", "--config", "ips=few"], 'The setting `ips` takes a whole number, not "few".'],
])("%j is refused, and nothing is written", async (args, words) => {
  const [template, target = join(folder, "x"), ...rest] = args;
  const isOption = target.startsWith("--");
  const all = template === undefined ? [] : [template, ...(isOption ? [join(folder, "x"), target] : [target]), ...rest];
  await expect(spoken(init, ...all)).rejects.toThrow(words);
  expect(readdirSync(folder)).toEqual([]);
});

test("the longest name of a project leaves room for that of a stack in what the templates name", async () => {
  const project = "a".repeat(40);
  expect(await spoken(init, "fleet", folder, "--name", project)).toMatchObject({ code: 0 });
  expect(["web_us", project, "development"].join("_")).toMatch(NEW_ZONE_NAME);
});

test.each([
  ["My Proxies", "my-proxies"],
  ["_x_", "x"],
  ["..", "proxies"],
  ["Ünïcode", "n-code"],
])("the folder %s is the project %s", (name, project) => {
  expect(projectNameOf(name)).toBe(project);
});

test.each(["2026", "null", "true", "1e3", "0x1f", "2026-01-01", "no", "3.10", "a-b"])(
  "the project %s has its name as a text, and as a description too",
  (name) => {
    const files = projectOf(readTemplates().zone as Template, { name, description: name, config: {} });
    expect(load(files.get("Pulumi.yaml") ?? "")).toMatchObject({ name, description: name });
    expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({ name });
  },
);

test("what a description looks like to a replacement does not matter", () => {
  const variable = (name: string): string => `$\{${name}}`;
  const description = `$& ${variable("PROJECT")} $1`;
  const template = {
    description: "",
    config: {},
    files: { "a.md": `# ${variable("PROJECT")}: ${variable("DESCRIPTION")}` },
  };
  const files = projectOf(template, { name: "a", description, config: {} });
  expect(files.get("a.md")).toBe(`# a: ${description}`);
});

test("a question is answered by a line, which may be empty", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answers = asking(async (ask) => [await ask("datasetId"), await ask("region")], input, output);
  input.write("gd_1\n");
  await new Promise((resolve) => setImmediate(resolve));
  input.write("\n");
  expect(await answers).toEqual(["gd_1", ""]);
  expect(String(output.read())).toBe("datasetId: region: ");
});

test("the end of the answers is an interruption", async () => {
  const input = new PassThrough();
  const answers = asking(async (ask) => ask("datasetId"), input, new PassThrough());
  input.end();
  await expect(answers).rejects.toThrow("Interrupted. Nothing was written.");
});
