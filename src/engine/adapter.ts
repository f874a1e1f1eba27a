import { type ReadConfig, readSettings } from "../config";
import { ArgumentError, BrightDataError } from "../errors";
import type { JsonObject } from "../http/case";
import { isObject } from "../http/case";
import { redact, secretsIn } from "../http/redact";
import { Context } from "../lifecycle/context";
import { Deadline } from "../lifecycle/deadline";
import { type Declared, type Lifecycle, PartialFailure, type Run, type Timeouts } from "../lifecycle/lifecycle";
import { leafPaths, pick } from "../lifecycle/paths";
import { DECLARED_KEY, PROVIDER_KEY, propertiesFromEngine, sealed, toEngine } from "./values";

/** The request that the engine's process hands to `configure`. */
interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

interface CheckFailure {
  property: string;
  reason: string;
}

// One for each configuration: resources of all kinds share connections, lists and limits.
const contexts = new Map<string, Context>();

/**
 * Speaks the protocol of Pulumi's dynamic providers for one kind of resource: the only place that knows of its special keys,
 * its unknown values and what it makes of errors.
 */
export class Adapter {
  readonly #lifecycle: Lifecycle;
  #readConfig: ReadConfig = () => undefined;

  constructor(lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
  }

  /** Must not wait for anything: the engine's process lets other calls through before it has finished. */
  async configure(request: ConfigureRequest): Promise<void> {
    this.#readConfig = (key) => request.config.get(key);
  }

  async check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures: CheckFailure[] }> {
    return this.#guarded(news, olds, () => {
      const known = propertiesFromEngine(olds);
      const previous = Object.keys(known).length === 0 ? undefined : known;
      const { inputs, failures } = this.#lifecycle.check(propertiesFromEngine(news), previous);
      if (failures.length === 0) this.#announce(inputs, previous);
      // The engine prints the value of a property that is named, secret or not: the sentence says it all instead.
      return { inputs: toEngine(inputs), failures: failures.map((reason) => ({ property: "", reason })) };
    });
  }

  async diff(
    _id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }> {
    return this.#guarded(news, olds, () => {
      const { changed, replaces, deleteBeforeReplace } = this.#lifecycle.diff(
        propertiesFromEngine(olds),
        declaredIn(olds) ?? new Set(),
        propertiesFromEngine(news),
      );
      return { changes: changed.length > 0, replaces, deleteBeforeReplace };
    });
  }

  async create(props: JsonObject): Promise<{ id: string; outs: JsonObject }> {
    const inputs = propertiesFromEngine(props);
    return this.#run("create", props, {}, async (run) => {
      const { id, state } = await this.#lifecycle.create(inputs, run);
      return { id, outs: this.#outputs(state, inputs) };
    });
  }

  async read(id: string, props: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }> {
    const declared = declaredIn(props);
    const state = propertiesFromEngine(props);
    const inputs = declared === undefined ? undefined : pick(state, declared);
    return this.#run("read", props, {}, async (run) => {
      const found = await this.#read(id, inputs, state, run);
      const isLookUp = declared === undefined && Object.keys(state).length === 0;
      if (found === undefined && isLookUp) {
        throw new ArgumentError(`There is nothing with the id ${JSON.stringify(id)} to look up.`);
      }
      // No id: the engine forgets the resource.
      if (found === undefined) return {};
      if (declared === undefined) return { id, props: this.#sealed(found) };
      const inputsNow = pick(found, declared);
      return { id, props: this.#outputs(found, inputsNow), inputs: this.#sealed(inputsNow) };
    });
  }

  async update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }> {
    const inputs = propertiesFromEngine(news);
    return this.#run("update", news, olds, async (run) => {
      const declared = declaredIn(olds) ?? new Set<string>();
      const state = await this.#lifecycle.update(id, propertiesFromEngine(olds), declared, inputs, run);
      return { outs: this.#outputs(state, inputs) };
    });
  }

  async delete(id: string, props: JsonObject): Promise<void> {
    await this.#run("delete", props, {}, (run) => this.#lifecycle.delete(id, propertiesFromEngine(props), run));
  }

  async #read(
    id: string,
    inputs: JsonObject | undefined,
    state: JsonObject,
    run: Run,
  ): Promise<JsonObject | undefined> {
    if (this.#lifecycle.read !== undefined)
      return this.#lifecycle.read(id, inputs, run, inputs === undefined ? {} : state);
    if (inputs !== undefined) return state;
    throw new ArgumentError("This resource does something once: there is nothing to look up by an id.");
  }

  #sealed(values: JsonObject): JsonObject {
    return sealed(values, this.#lifecycle.secrets ?? []);
  }

  #outputs(state: JsonObject, inputs: JsonObject): JsonObject {
    return this.#sealed({ ...state, [DECLARED_KEY]: leafPaths(inputs) });
  }

  /** The engine shows what its process prints, in a preview as in an update. */
  #announce(inputs: JsonObject, previous: JsonObject | undefined): void {
    const words = this.#lifecycle.announce?.(inputs, previous);
    if (words !== undefined) say(words);
  }

  async #run<T>(
    operation: keyof Timeouts,
    props: JsonObject,
    olds: JsonObject,
    task: (run: Run) => Promise<T>,
  ): Promise<T> {
    return this.#guarded(props, olds, async () => {
      const asked = isObject(props.timeouts) ? props.timeouts[operation] : undefined;
      const seconds = typeof asked === "number" ? asked : this.#lifecycle.timeouts[operation];
      const deadline = new Deadline(seconds, `timeouts.${operation}`, say);
      try {
        return await task({ context: this.#context(), deadline, say });
      } finally {
        deadline.release();
      }
    });
  }

  async #guarded<T>(props: JsonObject, olds: JsonObject, task: () => T | Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      throw this.#presentable(error, props, olds);
    }
  }

  #context(): Context {
    const settings = readSettings(this.#readConfig);
    const key = JSON.stringify(settings);
    let context = contexts.get(key);
    if (context === undefined) {
      context = new Context(settings);
      contexts.set(key, context);
    }
    return context;
  }

  /** An error as a person should see it: no secret, and a stack only where the fault is ours. */
  #presentable(error: unknown, props: JsonObject, olds: JsonObject): Error {
    const own = error instanceof BrightDataError || error instanceof PartialFailure;
    const cause = error instanceof PartialFailure ? error.cause : error;
    const expected = own && (!(error instanceof PartialFailure) || cause instanceof BrightDataError);
    const state = error instanceof PartialFailure ? error.state : {};
    const secrets = [...secretsIn([props, olds, state]), ...this.#credentials()];
    const words = error instanceof Error ? error.message : String(error);
    const message = redact(
      expected ? words : `${words} (This is a defect of pulumi-brightdata: please report it.)`,
      secrets,
    );
    const presentable = new Error(message);
    presentable.name = "pulumi-brightdata";
    presentable.stack = expected ? "" : redact((cause as Error | undefined)?.stack ?? "", secrets);
    if (error instanceof PartialFailure) {
      const known = this.#outputs(error.state, propertiesFromEngine(props));
      const properties = { ...known, [PROVIDER_KEY]: props[PROVIDER_KEY] };
      // Only the reasons are printed, never the message; and without the provider's text nothing could be done with it later.
      Object.assign(presentable, { id: error.id, properties, reasons: [message] });
    }
    return presentable;
  }

  #credentials(): string[] {
    const environment = [process.env.BRIGHTDATA_API_TOKEN, process.env.BRIGHTDATA_MANAGER_API_KEY];
    const config = ["brightdata:apiToken", "brightdata:managerApiKey"].map((key) => this.#readConfig(key));
    return [...environment, ...config].filter((value) => value !== undefined);
  }
}

const say = (words: string): void => console.log(`brightdata: ${words}`);

function declaredIn(props: JsonObject): Declared | undefined {
  const declared = props[DECLARED_KEY];
  return Array.isArray(declared) ? new Set(declared.map(String)) : undefined;
}
