import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeOf } from "./base/projectFile";
import { VERSION } from "./base/version";
import { KINDS, LOOKUPS } from "./generated/kinds";
import type { Lifecycle } from "./lifecycle/lifecycle";
import type { Lookup } from "./lookups/lookup";
import { EngineLog } from "./plugin/engineLog";
import { ResourceProvider } from "./plugin/messages/pulumi/provider_pb";
import { methodsOf } from "./plugin/methods";
import { requireNode } from "./plugin/nodeVersion";
import { PluginProvider, type Speech } from "./plugin/provider";
import { endingWith, serve } from "./plugin/server";
import { spellingFor } from "./plugin/spelling";
import { BEFORE_KILL, engineAddress } from "./pulumi/engine";

/** A module of the package, loaded when it is asked for: most runs are of few kinds. */
const load = (...path: string[]): Record<string, unknown> => require(join(__dirname, ...path));

const lifecycles = new Map<string, Lifecycle>();

function lifecycleOf(kind: string): Lifecycle | undefined {
  if (!lifecycles.has(kind) && KINDS.includes(kind)) {
    const name = kind.charAt(0).toLowerCase() + kind.slice(1);
    lifecycles.set(kind, load("kinds", name, "lifecycle")[`${name}Lifecycle`] as Lifecycle);
  }
  return lifecycles.get(kind);
}

async function lookupOf(name: string): Promise<Lookup | undefined> {
  return LOOKUPS.includes(name) ? (load("functions", name)[name] as Lookup) : undefined;
}

/** Serves until the engine that has started it is gone. The first line is the port; nothing else stands on standard output. */
async function main(): Promise<void> {
  requireNode(process.versions.node);
  const engine = engineAddress();
  const log = engine === undefined ? undefined : new EngineLog(engine);
  const schema = () => readFileSync(join(__dirname, "../schema.json"), "utf8");
  const folder = process.cwd();
  const spelled = spellingFor(runtimeOf(folder), schema);
  const tell = (speech: Speech) => log?.tell({ ...speech, words: spelled(speech.words) });
  const provider = new PluginProvider({ lifecycleOf, lookupOf }, engine, folder, tell);
  const methods = methodsOf(provider, { version: VERSION, schema, spelled }, async () => log?.heard);
  // The engine asks for it at the end of every command, too, and kills its plugins then.
  const cancel: typeof methods.cancel = async (request) => {
    const answer = await methods.cancel?.(request);
    process.emit(BEFORE_KILL as never);
    return answer ?? {};
  };
  const served = await serve(ResourceProvider, { ...methods, cancel });
  if (engine !== undefined) endingWith(served, () => provider.cancel());
  console.log(served.port);
}

void main();
