import type { JsonObject } from "../../base/json";
import { KIND_NAMES } from "../account/kinds";
import type { Described } from "./described";
import { importFileOf } from "./importFile";
import { named, programOf, type Resource, type Style } from "./program";
import { secretsOf } from "./secrets";
import { grouped } from "./sets";

export const IMPORT_FILE = "import.json";

/** What `pulumi config set-all --json` takes: the values of the secrets that the program reads, in as many files as it takes. */
const secretsFile = (number: number): string => `import.secrets${number === 1 ? "" : `-${number}`}.json`;

export const isSecretsFile = (file: string): boolean => file.startsWith("import.secrets");

/** In bytes: what a shell hands to a command ends at 128 KiB on Linux. */
const LARGEST = 100_000;

export interface Files {
  resources: Resource[];
  files: Map<string, string>;
}

/**
 * What there is as a program, with what is needed to import it.
 *
 * @param style.areSets whether ports that are alike are declared together
 */
export async function filesOf(found: readonly Described[], style: Style & { areSets: boolean }): Promise<Files> {
  const ofSource = [...Map.groupBy(found, ({ source }) => source).values()].map(async (own) => {
    const { ports = [], rest = [] } = Object.groupBy(own, ({ kind }) => (kind === "ProxyPort" ? "ports" : "rest"));
    return [...rest, ...(style.areSets ? await grouped(ports) : ports)].sort(byKind);
  });
  const resources = named((await Promise.all(ofSource)).flat(), style);
  const files = programOf(resources, style);
  files.set(IMPORT_FILE, jsonText(await importFileOf(resources, style.isNative)));
  for (const [index, secrets] of inParts(secretsOf(resources)).entries()) {
    files.set(secretsFile(index + 1), jsonText(secrets));
  }
  return { resources, files };
}

function inParts(secrets: JsonObject): JsonObject[] {
  const parts: JsonObject[] = [];
  let size = LARGEST;
  for (const [key, value] of Object.entries(secrets)) {
    const own = Buffer.byteLength(jsonText({ [key]: value }));
    size += own;
    if (size > LARGEST) {
      parts.push({});
      size = own;
    }
    Object.assign(parts.at(-1) ?? {}, { [key]: value });
  }
  return parts;
}

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Sets of ports stand among the ports. */
const byKind = (left: Described, right: Described): number => {
  const [one, other] = [left, right].map(({ kind }) => KIND_NAMES.indexOf(kind === "ProxyPorts" ? "ProxyPort" : kind));
  return (one ?? 0) - (other ?? 0);
};
