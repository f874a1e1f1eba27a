import * as diagnostics from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative } from "node:path";
import { compileFunction } from "node:vm";
import { HOLDERS } from "../histories/modules.mts";

interface Source {
  evaluate(
    exports: object,
    require: (name: string) => unknown,
    module: { exports: object },
    filename: string,
    dirname: string,
    process: NodeJS.Process,
  ): void;
  /** What a name leads to: a module that is evaluated anew by its path, another one as it is. */
  find(name: string): string | { exports: unknown };
}

const require = createRequire(join(process.cwd(), "program.js"));
const built = dirname(require.resolve("pulumi-brightdata/provider"));
const sources = new Map<string, Source>();

/** What remembers something, or hears what the engine says to its process. */
const OF_A_PROCESS = new Set(
  [...HOLDERS, "dynamic/cancellation.js", "pulumi/engine.js"].map((name) => join(built, name)),
);

/** By the path of a module: whether a process has one of its own. */
const renewed = new Map<string, boolean>();

/**
 * The built package's modules as a new process has them: what remembers anything is evaluated anew, and hears the signals of its
 * own process. All else is shared, as the package's dependencies are.
 */
export class FreshModules {
  readonly #modules = new Map<string, { exports: object }>();
  readonly #hearers: (() => void)[] = [];
  readonly #subscriptions: (() => void)[] = [];
  readonly #process: NodeJS.Process;

  constructor() {
    const hear = (event: string, hearer: () => void): NodeJS.Process => {
      if (event === "SIGINT") this.#hearers.push(hearer);
      return this.#process;
    };
    this.#process = Object.create(process, {
      on: { value: hear },
      once: { value: hear },
      kill: { value: () => true },
      exit: { value: () => {} },
    }) as NodeJS.Process;
  }

  require(name: string): unknown {
    return this.#load(require.resolve(name));
  }

  /** The process is interrupted, as the engine does when all is recorded. */
  interrupt(): void {
    for (const hearer of this.#hearers) hearer();
    this.forget();
  }

  /** The process is gone, without a word to it. */
  forget(): void {
    for (const end of this.#subscriptions) end();
  }

  #load(path: string): object {
    const known = this.#modules.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(path, module);
    const { evaluate, find } = sourceOf(path);
    const required = (name: string): unknown => {
      if (name === "node:diagnostics_channel") return this.#diagnostics();
      const found = find(name);
      return typeof found === "string" ? this.#load(found) : found.exports;
    };
    evaluate(module.exports, required, module, path, dirname(path), this.#process);
    return module.exports;
  }

  #diagnostics(): object {
    const subscribe: typeof diagnostics.subscribe = (channel, hearer) => {
      diagnostics.subscribe(channel, hearer);
      this.#subscriptions.push(() => diagnostics.unsubscribe(channel, hearer));
    };
    return { ...diagnostics, subscribe };
  }
}

/** Whether a module is to be evaluated anew: it is of a process, or requires what is. */
function isRenewed(path: string): boolean {
  let known = renewed.get(path);
  if (known === undefined) {
    renewed.set(path, OF_A_PROCESS.has(path));
    const required = [...readFileSync(path, "utf8").matchAll(/\brequire\("(\.[^"]+)"\)/g)];
    const fromHere = createRequire(path);
    known = OF_A_PROCESS.has(path) || required.some(([, name = ""]) => isRenewed(fromHere.resolve(name)));
    renewed.set(path, known);
  }
  return known;
}

function sourceOf(path: string): Source {
  let source = sources.get(path);
  if (source === undefined) {
    // An `import()` would find the module of the first process in the cache of the loader.
    const text = readFileSync(path, "utf8").replaceAll(/\bimport\(("[^"]+")\)/g, "Promise.resolve(require($1))");
    const names = ["exports", "require", "module", "__filename", "__dirname", "process"];
    const evaluate = compileFunction(text, names, { filename: path }) as Source["evaluate"];
    source = { evaluate, find: finder(path) };
    sources.set(path, source);
  }
  return source;
}

/** Finds once what a module requires. */
function finder(path: string): Source["find"] {
  const fromHere = createRequire(path);
  const known = new Map<string, ReturnType<Source["find"]>>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      const resolved = fromHere.resolve(name);
      const isOwn = extname(resolved) === ".js" && !relative(built, resolved).startsWith("..");
      found = isOwn && isRenewed(resolved) ? resolved : { exports: fromHere(name) };
      known.set(name, found);
    }
    return found;
  };
}
