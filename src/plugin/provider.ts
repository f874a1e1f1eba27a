import { AsyncLocalStorage } from "node:async_hooks";
import type { JsonObject } from "../base/json";
import { once } from "../base/once";
import type { Lifecycle } from "../lifecycle/lifecycle";
import type { Lookup } from "../lookups/lookup";
import { Configuration } from "../pulumi/configuration";
import { kindIn } from "../pulumi/types";
import { Session } from "../run/session";
import { adviceOnConfiguration, configurationOf, homeIn } from "./configuration";
import { type FunctionAnswer, invoke } from "./invoke";
import { ResourceProtocol } from "./resource";

/** Where the plugin has what it serves: nothing is loaded before it is asked for. */
export interface ServedKinds {
  lifecycleOf(kind: string): Lifecycle | undefined;
  lookupOf(name: string): Promise<Lookup | undefined>;
}

/** What a plugin says to the person who runs the update, by way of the engine. */
export interface Speech {
  words: string;
  isWarning: boolean;
  /** Whether the next words of the resource replace these. */
  isProgress: boolean;
  /** The resource that it is about, as far as that is known. */
  urn: string | undefined;
}

/** One process of the plugin: the default provider, or an explicit one. */
export class PluginProvider {
  readonly #served: ServedKinds;
  #controller = new AbortController();
  readonly #resources = new Map<string, ResourceProtocol>();
  readonly #asked = new AsyncLocalStorage<string>();
  readonly #tell: (speech: Speech) => void;
  #configuration = new Configuration(() => undefined);
  #engine: string | undefined;
  readonly #folder: string;
  #session: Session | undefined;

  /**
   * @param engine its address, as the plugin was started with it
   * @param folder one of the program's project; what the engine calls the program's in a handshake is the plugin's
   */
  constructor(served: ServedKinds, engine: string | undefined, folder: string, tell: (speech: Speech) => void) {
    this.#served = served;
    this.#engine = engine;
    this.#folder = folder;
    this.#tell = tell;
  }

  /** An engine's greeting. What is started by hand serves one run after another: each begins anew. */
  handshake(engine: string): void {
    this.#engine = engine;
    if (!this.#controller.signal.aborted) return;
    this.#controller = new AbortController();
    this.#session = undefined;
    this.#resources.clear();
  }

  /**
   * Says what a person should know of the stack's configuration, too: only here does the engine tell what is a secret.
   *
   * @param name logical name of the provider's resource; empty where the engine does not tell it
   */
  configure(args: JsonObject | undefined, name: string, urn?: string): void {
    this.#configuration = configurationOf(args, name);
    if (homeIn(args, name) !== undefined) return;
    for (const words of adviceOnConfiguration(args ?? {}))
      this.#tell({ words, isWarning: true, isProgress: false, urn });
  }

  /** Runs a task for a resource. What is said meanwhile is said of that one. */
  async on<T>(urn: string, task: (resource: ResourceProtocol) => Promise<T>): Promise<T> {
    return this.#asked.run(urn, () => task(this.#of(urn)));
  }

  /** @returns `undefined` where there is no such function */
  async invoke(token: string, args: JsonObject | undefined): Promise<FunctionAnswer | undefined> {
    const [, , name = ""] = token.split(":");
    const lookup = await this.#served.lookupOf(name);
    return lookup && invoke(lookup, args, this.#inSession, this.#configuration);
  }

  /** Ends waits, not requests. The engine asks for it at the end of every command, too. */
  cancel(): void {
    this.#controller.abort();
  }

  #of(urn: string): ResourceProtocol {
    const kind = kindIn(typeIn(urn)) ?? "";
    return once(this.#resources, kind, () => {
      const lifecycle = this.#served.lifecycleOf(kind);
      if (lifecycle === undefined) throw new Error(`This version of the plugin does not know the type of ${urn}.`);
      return new ResourceProtocol(kind, lifecycle, this.#inSession, () => this.#configuration);
    });
  }

  get #inSession(): Session {
    this.#session ??= new Session({
      isPlugin: true,
      lifecycleOf: (kind) => this.#served.lifecycleOf(kind),
      engine: this.#engine,
      cancelled: this.#controller.signal,
      folder: this.#folder,
      say: (words, isProgress = false) => this.#hear(words, isProgress),
    });
    return this.#session;
  }

  #hear(words: string, isProgress: boolean): void {
    const isWarning = words.startsWith(WARNING);
    const said = isWarning ? words.slice(WARNING.length) : words;
    this.#tell({ words: said, isWarning, isProgress, urn: this.#asked.getStore() });
  }
}

const WARNING = "warning: ";

/** The type of a URN's resource, without those of its parents. */
const typeIn = (urn: string): string | undefined => urn.split("::")[2]?.split("$").at(-1);
