import { importFileOf } from "./importFile";
import type { Found } from "./inventory";
import { KIND_NAMES } from "./kinds";
import { named, programOf, type Resource, type Style } from "./program";
import { secretsOf } from "./secrets";
import { grouped } from "./sets";

export const IMPORT_FILE = "import.json";

/** What `pulumi config set-all --json` takes: the values of the secrets that the program reads. */
export const SECRETS_FILE = "import.secrets.json";

/** What is written. */
export interface Files {
  resources: Resource[];
  /** Their texts, by their names. */
  files: Map<string, string>;
}

/**
 * What there is as a program, with what is needed to import it.
 *
 * @param style.mainFile what the program's first file is called
 * @param style.areSets whether ports that are alike are declared together
 */
export async function filesOf(
  found: readonly Found[],
  style: Style & { mainFile: string; areSets: boolean },
): Promise<Files> {
  const ofSource = [...new Set(found.map(({ source }) => source))].map(async (source) => {
    const own = found.filter((each) => each.source === source);
    const ports = own.filter(({ kind }) => kind === "ProxyPort");
    const rest = own.filter(({ kind }) => kind !== "ProxyPort");
    return [...rest, ...(style.areSets ? await grouped(ports) : ports)].sort(byKind);
  });
  const resources = named((await Promise.all(ofSource)).flat(), style);
  const files = new Map(
    [...programOf(resources, style)].map(([file, text]) => [file === "index.ts" ? style.mainFile : file, text]),
  );
  files.set(IMPORT_FILE, jsonText(await importFileOf(resources)));
  const secrets = secretsOf(resources);
  if (Object.keys(secrets).length > 0) files.set(SECRETS_FILE, jsonText(secrets));
  return { resources, files };
}

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Sets of ports stand among the ports. */
const byKind = (left: Found, right: Found): number => {
  const [one, other] = [left, right].map(({ kind }) => KIND_NAMES.indexOf(kind === "ProxyPorts" ? "ProxyPort" : kind));
  return (one ?? 0) - (other ?? 0);
};
