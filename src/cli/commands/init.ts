import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isFolder, writeNew } from "../../base/disk";
import { ArgumentError } from "../../base/errors";
import { inShort } from "../../base/inShort";
import { ownIn } from "../../base/json";
import { inShell } from "../report/inShell";
import { nativeTemplate } from "../templates/native";
import { projectNameOf, projectOf, requireDescription, requireProjectName } from "../templates/project";
import { readTemplates, type Template } from "../templates/template";
import { type Command, type Given, Misuse, type Options, pairOf } from "./command";
import { requireFolder } from "./place";
import { asking, isTerminal } from "./prompt";

type Config = Record<string, string>;

const OPTIONS = {
  name: { value: "name", says: "of the project; default: that of the folder" },
  description: { value: "text", says: "of the project; default: that of the template" },
  config: {
    value: "key=value",
    isList: true,
    isWhole: true,
    says: "for the stack `development`; a default for all where the template has none, asked for on a terminal",
  },
  native: { says: "with native resources, and their plugin" },
} as const satisfies Options;

export const init: Command<typeof OPTIONS> = {
  name: "init",
  usage: "<template> [folder] [options]",
  says: "Begins a project from a template: zone, fleet or datasets. Writes over no file.",
  options: OPTIONS,
  notes: "Exit status: 0 done, 1 failed, 2 called wrongly.\n",

  async run(given) {
    const { template, folder, ...wanted } = readArguments(given);
    const project = wanted.project ?? projectNameOf(basename(resolve(folder)));
    const description = wanted.description ?? template.description;
    requireProjectName(project);
    requireDescription(description);
    requireFolder(folder);
    const config = await completed(wanted.config, template);
    const files = projectOf(template, { name: project, description, config });
    refuseExisting(folder, [...files.keys()]);
    writeNew(folder, files);
    process.stdout.write(reportOf(folder, files.size, missingOf(config, template)));
    return 0;
  },
};

function readArguments({ options, positionals }: Given<typeof OPTIONS>) {
  const [name, folder = ".", ...more] = positionals;
  const templates = readTemplates();
  const names = Object.keys(templates).join(", ");
  if (name === undefined) throw new Misuse(`Which template? There are ${names}.`);
  const template = ownIn(templates, name);
  if (template === undefined) throw new Misuse(`There is no template "${name}": there are ${names}.`);
  if (more.length > 0) throw new Misuse(`One folder at a time, not also ${more.join(" ")}.`);
  return {
    template: options.native ? nativeTemplate(template) : template,
    folder,
    project: options.name,
    description: options.description,
    config: Object.fromEntries((options.config ?? []).map(pairOf)),
  };
}

/** Settings without which the program does not run. */
const missingOf = (config: Config, template: Template): string[] =>
  Object.keys(template.config).filter((key) => !template.config[key]?.hasDefault && config[key] === undefined);

async function completed(given: Config, template: Template): Promise<Config> {
  const missing = missingOf(given, template);
  if (missing.length === 0 || !isTerminal()) return given;
  const answers: Config = {};
  await asking(async (ask) => {
    for (const key of missing) {
      const answer = await ask(`${key}: ${template.config[key]?.description.replace(/\.$/, "")}`);
      if (answer !== "") answers[key] = answer;
    }
  });
  return { ...given, ...answers };
}

/** @throws {ArgumentError} when one of the files is there */
function refuseExisting(folder: string, paths: readonly string[]): void {
  const inTheWay = paths.flatMap((path) => {
    const parts = path.split("/");
    const above = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
    const file = above.find((each) => isThere(join(folder, each)) && !isFolder(join(folder, each)));
    return file ?? (isThere(join(folder, path)) ? path : []);
  });
  const there = [...new Set(inTheWay)];
  if (there.length === 0) return;
  throw new ArgumentError(
    `${folder} has ${inShort(there, 3)} already. Nothing was written. Name another folder: pulumi-brightdata init <template> <folder>.`,
  );
}

/** Also a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function reportOf(folder: string, count: number, missing: readonly string[]): string {
  const path = relative(".", folder);
  const commands = [
    ...(path === "" ? [] : [`cd ${inShell(path)}`]),
    "npm install",
    "npm run local   # without an account",
    ...(missing.length === 0
      ? []
      : [`# In Pulumi.yaml, a default for ${missing.join(" and one for ")}: pull requests have the defaults alone.`]),
    "pulumi stack init development",
    "pulumi config set --secret brightdata:apiToken",
    "pulumi up",
    ...unreadPipelines(resolve(folder)),
  ];
  return `Wrote ${count} files. Next:\n\n${commands.join("\n")}\n`;
}

/** What to do where the folder is below the root of a repository; nothing elsewhere. */
function unreadPipelines(folder: string): string[] {
  const root = repositoryOf(folder);
  if (root === undefined || root === folder) return [];
  return [
    `# Pipelines are read at the root of a repository alone. Give the project its own, or move .github and .gitlab-ci.yml to ${root}, and have their jobs run in ${relative(root, folder)}.`,
  ];
}

function repositoryOf(folder: string): string | undefined {
  const above = dirname(folder);
  if (existsSync(join(folder, ".git"))) return folder;
  return above === folder ? undefined : repositoryOf(above);
}
