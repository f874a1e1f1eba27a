import { ArgumentError } from "../../base/errors";
import { ownIn } from "../../base/json";
import { meant } from "../../base/nearest";
import { yamlText } from "../../base/yamlText";
import { parsed } from "../../settings/values";
import type { Setting, Template } from "./template";

/** The stack whose configuration gets the given values, unless they have no default. */
const FIRST_STACK = "Pulumi.development.yaml";

export interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly config: Readonly<Record<string, string>>;
}

/** The name of a project and of its npm package that a folder's name gives. */
export const projectNameOf = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "") || "proxies";

/** @throws {ArgumentError} for a name that Pulumi or npm does not accept, or that no zone could have in its own beside a stack's */
export function requireProjectName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,39}$/.test(name)) return;
  throw new ArgumentError(
    `"${name}" cannot be the name of a project: expected up to 40 of the characters a–z, 0–9, "-", "_" and ".", the first a letter or digit. Give it with --name.`,
  );
}

/** @throws {ArgumentError} for a description that a heading could not have */
export function requireDescription(description: string): void {
  if (/^\P{Cc}+$/u.test(description)) return;
  throw new ArgumentError("--description takes one line of text.");
}

/**
 * The files of a new project: those of `pulumi new` for the same template.
 *
 * @throws {ArgumentError} for a value that the template has no use for
 */
export function projectOf(template: Template, { name, description, config }: Wanted): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(template.files)) {
    const written = path.endsWith(".yaml") ? yamlOf : (told: string): string => told;
    files.set(
      path,
      text.replace(/\$\{(PROJECT|DESCRIPTION)\}/g, (_, variable) =>
        written(variable === "PROJECT" ? name : description),
      ),
    );
  }
  // What describes the template is not the project's.
  files.set("Pulumi.yaml", (files.get("Pulumi.yaml") ?? "").replace(/^template:\n(?:[ #].*\n|\n)*/m, ""));
  for (const [key, value] of Object.entries(config)) {
    const text = written(key, value, template);
    // Every stack needs a value, that of a pull request too, which has the defaults alone.
    const isForAll = template.config[key]?.hasDefault === false;
    const path = isForAll ? "Pulumi.yaml" : FIRST_STACK;
    const old = files.get(path) ?? "config:\n";
    files.set(path, isForAll ? withDefault(old, key, text) : withValue(old, key, text));
  }
  return files;
}

/** A project's file in which a setting has a default. */
const withDefault = (project: string, key: string, value: string): string =>
  project.replace(new RegExp(`^  ${key}:\\n(?: {4}.*\\n)+`, "m"), (setting) => `${setting}    default: ${value}\n`);

/** A stack's file in which a setting has a value. */
function withValue(stack: string, key: string, value: string): string {
  const start = `  ${key}: `;
  const line = `${start}${value}\n`;
  const old = stack.split("\n").find((each) => each.startsWith(start));
  return old === undefined ? `${stack}${line}` : stack.replace(`${old}\n`, () => line);
}

/** A text as YAML takes it for one; bare where it can be: a word that means something else to some reader cannot. */
const yamlOf = (text: string): string =>
  /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z](?:[\w ,.()-]*[\w.)])?$/i.test(text) ? text : yamlText(text);

interface Form {
  like(value: string): boolean;
  expected: string;
}

const FORMS: Readonly<Record<Setting["type"], Form>> = {
  string: { like: () => true, expected: "a text" },
  integer: { like: (value) => /^-?\d{1,15}$/.test(value), expected: "a whole number" },
  boolean: { like: (value) => /^(true|false)$/.test(value), expected: "true or false" },
  array: {
    like: (value) => !/^\s*\[/.test(value) || Array.isArray(parsed(value)),
    expected: "texts, separated by commas",
  },
  object: { like: (value) => /^\s*\{/.test(value) && parsed(value) !== undefined, expected: "an object in JSON" },
};

function written(key: string, value: string, { config }: Template): string {
  const setting = ownIn(config, key);
  if (setting === undefined) {
    const near = meant(key, Object.keys(config));
    const advice = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new ArgumentError(
      `The template has no setting \`${key}\`: it has ${Object.keys(config).join(", ")}.${advice}`,
    );
  }
  const meaning = typedValue(key, value, setting.type);
  return setting.type === "string" || typeof meaning === "object" ? JSON.stringify(meaning) : value;
}

/**
 * A value from the command line as a setting of a type has it: lists and objects are no texts.
 *
 * @throws {ArgumentError} for a value of another type
 */
export function typedValue(key: string, value: string, type: string): string | object {
  const form = ownIn<Form>(FORMS, type) ?? FORMS.string;
  if (!form.like(value)) throw new ArgumentError(`The setting \`${key}\` takes ${form.expected}, not "${value}".`);
  if (type === "array" && !/^\s*\[/.test(value)) return listOf(key, value);
  return type === "array" || type === "object" ? Object(parsed(value)) : value;
}

function listOf(key: string, value: string): string[] {
  const items = value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const twice = items.find((item, index) => items.indexOf(item) < index);
  if (twice !== undefined) throw new ArgumentError(`The setting \`${key}\` has "${twice}" twice.`);
  return items;
}
