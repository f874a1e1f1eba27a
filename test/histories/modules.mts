import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative } from "node:path";
import { compileFunction } from "node:vm";

/** What modules find instead of the built-in modules and the globals of Node.js. */
export interface Surroundings {
  modules: Readonly<Record<string, unknown>>;
  globals: Readonly<Record<string, unknown>>;
}

interface Source {
  evaluate: (...given: unknown[]) => void;
  /** Names as they are required, and the files of the package that these are. */
  own: ReadonlyMap<string, string>;
  /** Whether it has something outside of all functions that can change. */
  remembers: boolean;
}

type Exports = Record<string, unknown>;

const GLOBALS = [
  "process",
  "console",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "Date",
  "performance",
  "AbortSignal",
  "Math",
  "Promise",
];

/**
 * The modules of the built package that hold what a provider's process remembers: `house.test.ts` sees that there are no others,
 * and `fresh.test.ts` proves it.
 */
const HOLDERS: readonly string[] = ["provider.js", "kinds/zonePassword/lifecycle.js"];

/** What runs when it is loaded. */
const PROGRAM = "plugin.js";

const require = createRequire(join(process.cwd(), "program.js"));
const built = dirname(require.resolve("pulumi-brightdata/provider"));
const sources = new Map<string, Source>();
const paths = new Map<string, string>();

/** Modules of which all is known that they read while they are evaluated. */
const surveyed = new Set<string>();

/** By module: those that read what it exports while they are evaluated themselves. */
const readers = new Map<string, Set<string>>();

/**
 * The built package's modules as a process has them. They are made once and used by one process after another: what remembers
 * something is evaluated anew for each, in the place where the others find it.
 */
export class Modules {
  readonly #surroundings: Surroundings;
  readonly #exports = new Map<string, Exports>();
  readonly #proxies = new Map<string, Exports>();
  readonly #underWay: string[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** @param name such as `pulumi-brightdata/provider` */
  require(name: string): unknown {
    let path = paths.get(name);
    if (path === undefined) {
      path = require.resolve(name);
      paths.set(name, path);
    }
    return this.#load(path);
  }

  /** Evaluates all that a module requires at any time, which tells for all others what reads what. */
  survey(name: string): void {
    const all = new Set<string>();
    const add = (path: string): void => {
      if (all.has(path)) return;
      all.add(path);
      for (const other of sourceOf(path).own.values()) add(other);
    };
    add(require.resolve(name));
    for (const path of all) {
      this.#load(path);
      surveyed.add(path);
    }
  }

  /**
   * Makes them as they are in a new process.
   *
   * @param isWhole whether all are evaluated again, which takes longer, and needs nothing to be known of them
   */
  renew(isWhole: boolean): void {
    if (isWhole) {
      this.#exports.clear();
      this.#proxies.clear();
      return;
    }
    const renewed = new Set<string>();
    const add = (path: string): void => {
      if (renewed.has(path)) return;
      renewed.add(path);
      for (const reader of readers.get(path) ?? []) add(reader);
    };
    for (const path of this.#exports.keys()) if (sourceOf(path).remembers) add(path);
    for (const [path, exports] of this.#exports) if (renewed.has(path)) this.#evaluate(path, exports);
  }

  #load(path: string): Exports {
    const known = this.#exports.get(path);
    if (known !== undefined) return known;
    const exports: Exports = {};
    this.#evaluate(path, exports);
    // In the order in which they were ready: what another needs comes before it.
    this.#exports.set(path, exports);
    return exports;
  }

  #evaluate(path: string, exports: Exports): void {
    const { evaluate, own } = sourceOf(path);
    const { modules, globals } = this.#surroundings;
    const load = surveyed.has(path) ? (file: string) => this.#load(file) : (file: string) => this.#watched(file);
    const required = (name: string): unknown => {
      const file = own.get(name);
      if (file !== undefined) return load(file);
      if (isAbsolute(name)) return load(require.resolve(name));
      return name in modules ? modules[name] : createRequire(path)(name);
    };
    const values = GLOBALS.map((name) => globals[name] ?? (globalThis as Record<string, unknown>)[name]);
    this.#underWay.push(path);
    const module = { exports };
    evaluate(exports, required, module, path, dirname(path), ...values);
    // A bundle has an object of its own.
    if (module.exports !== exports) Object.assign(exports, module.exports);
    this.#underWay.pop();
  }

  /** What a module exports, in a form that tells which others read it while they are evaluated. */
  #watched(path: string): Exports {
    const exports = this.#load(path);
    const known = this.#proxies.get(path);
    if (known !== undefined) return known;
    const proxy = new Proxy(exports, {
      get: (target, key) => {
        const reader = this.#underWay.at(-1);
        if (reader !== undefined && reader !== path) readers.set(path, (readers.get(path) ?? new Set()).add(reader));
        return target[key as string];
      },
    });
    this.#proxies.set(path, proxy);
    return proxy;
  }
}

function sourceOf(path: string): Source {
  let source = sources.get(path);
  if (source === undefined) {
    const text = readFileSync(path, "utf8")
      .replace(/^#!.*/, "")
      .replaceAll(/(Object\.defineProperty\(exports, "\w+", \{)( enumerable: true, get:)/g, "$1 configurable: true,$2");
    const fromHere = createRequire(path);
    const own = new Map<string, string>();
    for (const [, name = ""] of text.matchAll(/\brequire\("([^"]+)"\)/g)) {
      if (!/^\.|^pulumi-brightdata/.test(name)) continue;
      const resolved = fromHere.resolve(name);
      if (resolved.endsWith(".js") && !relative(built, resolved).startsWith("..")) own.set(name, resolved);
    }
    const names = ["exports", "require", "module", "__filename", "__dirname", ...GLOBALS];
    const evaluate = compileFunction(text, names, { filename: path }) as Source["evaluate"];
    const remembers = [...HOLDERS, PROGRAM].includes(relative(built, path));
    source = { evaluate, own, remembers };
    sources.set(path, source);
  }
  return source;
}
