import { ArgumentError } from "../../base/errors";
import { yamlText } from "../../base/escapes";
import { ownIn } from "../../base/json";
import { meant } from "../../base/nearest";
import { parsed } from "../../settings/values";
import type { Template, TemplateSetting } from "./template";

/** The stack whose configuration gets the given values, unless they have no default. */
const FIRST_STACK = "Pulumi.development.yaml";

export interface WantedProject {
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
export function projectOf(template: Template, { name, description, config }: WantedProject): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(template.files)) {
    const told = (_: string, variable: string) => {
      const value = variable === "PROJECT" ? name : description;
      return path.endsWith(".yaml") ? yamlOf(value) : value;
    };
    files.set(path, text.replace(/\$\{(PROJECT|DESCRIPTION)\}/g, told));
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

interface SettingForm {
  /** What a text means; `undefined` where it is none of these. */
  read(text: string, key: string): string | object | undefined;
  expected: string;
}

const isList = (text: string): boolean => /^\s*\[/.test(text);

const FORMS: Readonly<Record<TemplateSetting["type"], SettingForm>> = {
  string: { read: (text) => text, expected: "a text" },
  integer: { read: (text) => /^-?\d{1,15}$/.exec(text)?.[0], expected: "a whole number" },
  boolean: { read: (text) => /^(true|false)$/.exec(text)?.[0], expected: "true or false" },
  array: {
    read: (text, key) => (isList(text) ? objectIn(text) : listOf(key, text)),
    expected: "texts, separated by commas",
  },
  object: { read: (text) => (isList(text) ? undefined : objectIn(text)), expected: "an object in JSON" },
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
  const form = ownIn<SettingForm>(FORMS, type) ?? FORMS.string;
  const meaning = form.read(value, key);
  if (meaning !== undefined) return meaning;
  throw new ArgumentError(`The setting \`${key}\` takes ${form.expected}, not "${value}".`);
}

function objectIn(json: string): object | undefined {
  const value = parsed(json);
  return typeof value === "object" && value !== null ? value : undefined;
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
