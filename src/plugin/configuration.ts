import { ConfigurationError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import type { Properties } from "../declaration/property";
import { sameJson } from "../declaration/values";
import { containsUnknown } from "../lifecycle/diff";
import { Configuration } from "../pulumi/configuration";
import { DEFAULT_PROVIDER } from "../pulumi/types";
import { fromEngine } from "../pulumi/values";
import { configurationAdvice } from "../settings/configurationAdvice";
import { SETTINGS } from "../settings/definitions";
import { PROVIDER_NAME, type ReadConfig, readSettings } from "../settings/settings";
import { parsed } from "../settings/values";
import { opened } from "./properties";
import { asDeclared } from "./spelling";

const NAMESPACE = "brightdata:";

const OWN_NAME = PROVIDER_NAME.replace(NAMESPACE, "");

/** What the engine and its SDKs add to a provider's inputs. */
const OWN_KEYS: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "__internal"]);

/** The name of an explicit provider; `undefined` for the default one. One that is named like that says so. */
export function homeIn(args: JsonObject | undefined, name: string): string | undefined {
  const isExplicit = name !== "" && (!DEFAULT_PROVIDER.test(name) || args?.[OWN_NAME] === name);
  return isExplicit ? name : undefined;
}

/** @param name logical name of the provider's resource */
export const configurationOf = (args: JsonObject | undefined, name: string): Configuration =>
  new Configuration(reader(opened(args).plain, homeIn(args, name)));

/** What is wrong with a provider's inputs, as far as they are known. */
export function configurationFailures(args: JsonObject, name: string): string[] {
  try {
    readSettings(reader(opened(args).plain, homeIn(args, name)));
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

/** What a person should know of a provider's inputs: those that are no settings, and credentials in plain text. */
export function adviceOnConfiguration(args: JsonObject): string[] {
  const { plain, secrets } = opened(args);
  const own = Object.entries(plain).filter(([key, value]) => !OWN_KEYS.has(key) && isKnown(value));
  const all = Object.fromEntries(own.map(([key, value]) => [`${NAMESPACE}${key}`, textOf(key, value)]));
  return configurationAdvice(all, (key) => secrets.some(([first]) => `${NAMESPACE}${first}` === key));
}

/** Whether two providers' inputs are the same settings; those of a provider of dynamic resources have the namespace before them. */
export function isSameConfiguration(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  const settings = (args: JsonObject | undefined) =>
    Object.entries(opened(args).plain)
      .map(([key, value]) => [key.replace(NAMESPACE, ""), value] as const)
      .map(([key, value]) => [key, meaningOf(textOf(key, value))] as const)
      .filter(([key]) => !OWN_KEYS.has(key) && key !== OWN_NAME);
  return sameJson(Object.fromEntries(settings(one)), Object.fromEntries(settings(other)));
}

/** What a setting's text stands for, where that has names in any order. */
const meaningOf = (text: string): unknown => (text.startsWith("{") ? (parsed(text) ?? text) : text);

function reader(args: JsonObject, home: string | undefined): ReadConfig {
  return (key) => {
    if (key === PROVIDER_NAME) return home;
    const name = key.slice(NAMESPACE.length);
    const value = args[name];
    return isKnown(value) ? textOf(name, value) : undefined;
  };
}

const isKnown = (value: unknown): boolean =>
  value !== undefined && value !== null && !containsUnknown(fromEngine(value));

/** A setting as the stack's configuration has it. Pulumi's SDK for Python sends an object with keys in snake case, as a text. */
function textOf(key: string, value: unknown): string {
  const object = typeof value === "string" ? parsed(value) : value;
  if (isObject(object)) return JSON.stringify(asDeclared(DECLARED, { [key]: object })[key]);
  return typeof value === "string" ? value : JSON.stringify(value);
}

const DECLARED: Properties = Object.fromEntries(Object.values(SETTINGS).map(({ key, property }) => [key, property]));
