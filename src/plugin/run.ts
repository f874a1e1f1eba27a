import { nodeProblem } from "../base/nodeVersion";
import { runtimeOf } from "../base/projectFile";
import { VERSION } from "../base/version";
import type { Lifecycle } from "../lifecycle/lifecycle";
import type { Lookup } from "../lookups/lookup";
import { BEFORE_KILL, engineAddress } from "../pulumi/engine";
import { EngineLog } from "./engineLog";
import { ResourceProvider } from "./messages/pulumi/provider_pb";
import { methodsOf } from "./methods";
import { PluginProvider, type ServedKinds, type Speech } from "./provider";
import { endingWith, serve } from "./server";
import { spellingFor } from "./spelling";

type LoadedModule = Record<string, unknown>;

/** What there is, and what loads a module of it when it is asked for: most runs are of few kinds. */
export interface Loader {
  kinds: readonly string[];
  lookups: readonly string[];
  /** @param folder the kind's, below `kinds` */
  lifecycle(folder: string): LoadedModule;
  /** @param file the function's, below `functions` */
  lookup(file: string): LoadedModule;
}

const servedBy = (loader: Loader): ServedKinds => ({
  lifecycleOf(kind) {
    if (!loader.kinds.includes(kind)) return undefined;
    const folder = kind.charAt(0).toLowerCase() + kind.slice(1);
    return loader.lifecycle(folder)[`${folder}Lifecycle`] as Lifecycle;
  },
  lookupOf: async (name) => (loader.lookups.includes(name) ? (loader.lookup(name)[name] as Lookup) : undefined),
});

/** Serves until the engine that has started it is gone. The first line is the port; nothing else stands on standard output. */
export async function run(loader: Loader, schema: () => string): Promise<void> {
  requireNode();
  const engine = engineAddress();
  const given = engine === undefined ? undefined : new EngineLog(engine);
  let log = given;
  const folder = process.cwd();
  const runtime = runtimeOf(folder);
  const spelled = spellingFor(runtime, schema);
  const tell = (speech: Speech) => log?.tell({ ...speech, words: spelled(speech.words) });
  const provider = new PluginProvider(servedBy(loader), engine, folder, tell);
  const methods = methodsOf(provider, { version: VERSION, schema, spelled, runtime }, async () => log?.heard);
  const server = await serve(ResourceProvider, {
    ...methods,
    // What is started by hand hears only so where its engine is.
    handshake(request) {
      log = given ?? new EngineLog(request.engineAddress);
      return methods.handshake(request);
    },
    // The engine asks for it at the end of every command, too, and kills its plugins then.
    async cancel() {
      const answer = await methods.cancel();
      process.emit(BEFORE_KILL as never);
      return answer;
    },
  });
  console.log(server.port);
  if (given !== undefined) endingWith(server, given.connection(), () => provider.cancel());
}

/** Ends the process where it runs on a Node.js that is too old. */
function requireNode(): void {
  const problem = nodeProblem("The plugin brightdata", process.versions.node);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
