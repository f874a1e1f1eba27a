import * as pulumi from "@pulumi/pulumi";
import { expect, vi } from "vitest";
import * as brightdata from "../../../src";
import { isObject, type JsonObject } from "../../../src/base/json";
import { type LeftOut, listed } from "../../../src/cli/account/inventory";
import { sources } from "../../../src/cli/account/source";
import { described } from "../../../src/cli/import/described";
import { filesOf } from "../../../src/cli/import/files";
import { LIFECYCLES } from "../../../src/generated/lifecycles";
import * as native from "../../../src/native";
import { PluginProvider } from "../../../src/plugin/provider";
import { resource } from "../../../src/provider";
import { kindIn } from "../../../src/pulumi/types";
import { readSettings } from "../../../src/settings/settings";
import { run } from "../../docs/program";

const NAMES = { accounts: undefined, managers: undefined };
const STYLE = {
  prefix: "",
  protect: true,
  taken: new Set<string>(),
  configuredKeys: new Set<string>(),
  mainFile: "index.ts",
  suffix: "",
  areSets: true,
  isNative: false,
};

/** What the command writes for what an environment leads to. */
export async function imported(environment: NodeJS.ProcessEnv, style: Partial<typeof STYLE> = {}, kinds?: string[]) {
  const settings = readSettings(() => undefined, environment);
  const things = await listed(sources(settings, NAMES), { kinds, isMeant: () => true });
  const { found, leftOut } = await described(things.found, () => {});
  const { files } = await filesOf(found, { ...STYLE, ...style });
  return { found, files, leftOut: [...things.leftOut, ...leftOut] as LeftOut[] };
}

interface Entry extends JsonObject {
  type: string;
  name: string;
  logicalName: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
}

/** The resources in the text of an import file, their secrets opened. */
export const entriesIn = (text = ""): Entry[] => (opened(JSON.parse(text)) as { resources: Entry[] }).resources;

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  if (typeof value.plaintext === "string") return JSON.parse(value.plaintext);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}

/** Imports and previews what the command has written, and returns all that would change, in words. */
export async function differences(files: ReadonlyMap<string, string>): Promise<string[]> {
  const entries = entriesIn(files.get("import.json"));
  const registered = await registrations(files, entries);
  const keyOf = (type: string, name: string) => `${type}::${name}`;
  const left = new Map(entries.map((entry) => [keyOf(entry.type, entry.logicalName), entry]));
  expect([...registered.keys()].sort()).toEqual([...left.keys()].sort());
  const found: string[] = [];
  for (const [key, inputs] of registered) {
    const entry = left.get(key);
    if (entry === undefined) continue;
    const { failures, changes, replaces } = await (entry.type.startsWith("brightdata:") ? byPlugin : byDynamic)(
      entry,
      inputs,
    );
    found.push(...failures.map((failure) => `${key}: ${failure}`));
    if (changes)
      found.push(
        `${key} changes ${replaces.join()} from ${JSON.stringify(entry.outputs)} to ${JSON.stringify(inputs)}`,
      );
  }
  return found;
}

interface Previewed {
  failures: string[];
  changes: boolean;
  replaces: readonly string[];
}

async function byDynamic({ type, id, inputs, outputs }: Entry, news: JsonObject): Promise<Previewed> {
  const adapter = resource(kindIn(type) ?? "");
  await adapter.configure({ config: { get: () => undefined } });
  const first = await adapter.check({}, inputs);
  const checked = await adapter.check(plain(first.inputs), news);
  const failures = [...first.failures, ...checked.failures].map(({ reason }) => reason);
  return { failures, ...(await adapter.diff(id, outputs, plain(checked.inputs))) };
}

/** By a process for the import, and another one for the preview. */
async function byPlugin({ type, id, logicalName: name, inputs, outputs }: Entry, news: JsonObject): Promise<Previewed> {
  const urn = `urn:pulumi:dev::proxies::${type}::${name}`;
  const first = await pluginProcess().on(urn, (taken) => taken.check({ urn, name }, undefined, inputs, undefined));
  const taken = plain(first.inputs);
  return pluginProcess().on(urn, async (resource) => {
    const checked = await resource.check({ urn, name }, taken, news, undefined);
    const compared = await resource.diff({ id, urn, state: outputs, inputs: taken }, plain(checked.inputs));
    return { failures: [...first.failures, ...checked.failures], ...compared };
  });
}

function pluginProcess(): PluginProvider {
  const served = { lifecycleOf: (kind: string) => LIFECYCLES[kind], lookupOf: async () => undefined };
  const provider = new PluginProvider(served, undefined, process.cwd(), () => {});
  provider.configure({}, "default");
  return provider;
}

/** The inputs that the program registers, by type and name, where the engine has what is imported. */
async function registrations(
  files: ReadonlyMap<string, string>,
  entries: readonly Entry[],
): Promise<Map<string, JsonObject>> {
  const registered = new Map<string, JsonObject>();
  const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
    const entry = entries.find((each) => each.type === type && each.logicalName === name);
    registered.set(`${type}::${name}`, plain(inputs));
    return { id: entry?.id ?? "", state: entry?.outputs ?? inputs };
  };
  const config = JSON.parse(files.get("import.secrets.json") ?? "{}") as Record<string, { value: string }>;
  const values = Object.entries(config).map(([key, { value }]) => [`proxies:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(values));
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "proxies", "dev", false, "acme");
  const modules: Record<string, unknown> = {
    "@pulumi/pulumi": pulumi,
    "pulumi-brightdata": brightdata,
    "pulumi-brightdata/native": native,
  };
  for (const [file, text] of files) {
    if (file.endsWith(".ts")) modules[`./${file.slice(0, -3)}`] = once(() => run(text, modules));
  }
  (modules["./index"] as () => unknown)();
  await vi.waitFor(() => expect(registered.size).toBeGreaterThanOrEqual(entries.length), { timeout: 10_000 });
  return registered;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Values without the envelopes of secrets. */
function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map(plain) as T;
  if (!isObject(value)) return value;
  if ("4dabf18193072939515e22adb298388d" in value) return plain(value.value) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])) as T;
}
