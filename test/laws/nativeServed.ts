import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../src/base/json";
import type { PluginProvider } from "../../src/plugin/provider";
import type { Held, InitFailed } from "../../src/plugin/resource";
import { UNKNOWN_VALUE } from "../../src/pulumi/values";
import { acknowledge } from "../../src/run/intents";
import { PROVIDER_NAME } from "../../src/settings/settings";
import { type Handlers, markOf, type PartialResult } from "../protocol.mts";
import { claim } from "./claim";
import type { Served } from "./served";

// The built modules, as those of the dynamic provider: to compile one on the way would take time that nothing passes for.
const require = createRequire(join(process.cwd(), "program.js"));
const built = dirname(require.resolve("pulumi-brightdata/provider"));
const { LIFECYCLES } = require(join(built, "generated/lifecycles.js"));
const plugin: { PluginProvider: typeof PluginProvider } = require(join(built, "plugin/provider.js"));
const failures: { InitFailed: typeof InitFailed } = require(join(built, "plugin/resource.js"));

/** What the engine has of a resource besides its outputs: kept among these, where the laws' engine keeps nothing else. */
const INPUTS = "__inputs";

/** The plugin, as the engine calls it, in place of the dynamic provider. */
export const nativeProvider: Served = {
  start(config) {
    const provider = new plugin.PluginProvider(
      { lifecycleOf: (kind) => LIFECYCLES[kind], lookupOf: async () => undefined },
      undefined,
      process.cwd(),
      ({ words }) => console.log(words),
    );
    const { [PROVIDER_NAME]: name = "default", ...settings } = config;
    const args = Object.entries(settings).map(([key, value]) => [key.replace("brightdata:", ""), value]);
    provider.configure(Object.fromEntries(args), name);
    return {
      handlers: async (properties) => new NativeHandlers(provider, properties),
      recorded(properties) {
        const mark = markOf(properties);
        if (mark !== undefined) acknowledge(new Set([mark]), process.cwd());
      },
      end: () => provider.cancel(),
      kill: () => {},
    };
  },
};

class NativeHandlers implements Handlers {
  readonly #provider: PluginProvider;
  readonly #text: unknown;
  readonly #kind: string;

  constructor(provider: PluginProvider, { __provider: text }: JsonObject) {
    this.#provider = provider;
    this.#text = text;
    this.#kind = /resource\('(\w+)'/.exec(String(text))?.[1] ?? "";
  }

  async check(olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    const former = Object.keys(olds).length === 0 ? undefined : this.#without(olds);
    const { __called: name, __run: run, __preview: preview, ...declared } = news;
    const said = { place: news.__key, run, preview };
    const { inputs, failures } = await this.#provider.on(urn, (resource) =>
      resource.check(
        { urn, name: String(name ?? "") },
        former,
        { ...this.#without(declared), __program: said },
        undefined,
      ),
    );
    return { inputs: this.#including(inputs, news), failures: failures.map((reason) => ({ reason })) };
  }

  async diff(id: string, olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    return this.#provider.on(urn, (resource) => resource.diff(this.#held(id, urn, olds), this.#without(news)));
  }

  async create(inputs: JsonObject) {
    const urn = this.#urn(inputs);
    return this.#keeping(inputs, async () => {
      const created = (isPreview: boolean) =>
        this.#provider.on(urn, (resource) => resource.create(urn, this.#without(inputs), isPreview, undefined));
      const { properties: foretold } = await created(true);
      const { id, properties } = await created(false);
      claimForetold(this.#kind, wire(foretold), wire(properties));
      return { id, outs: this.#including(properties, inputs, this.#without(inputs)) };
    });
  }

  async read(id: string, outputs: JsonObject) {
    const urn = this.#urn(outputs);
    const found = await this.#provider.on(urn, (resource) => resource.read(this.#held(id, urn, outputs)));
    if (found === undefined) return {};
    return {
      id: found.id,
      props: this.#including(found.properties, outputs, found.inputs),
      inputs: this.#including(found.inputs, outputs),
    };
  }

  async update(id: string, olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    return this.#keeping(news, async () => {
      const held = this.#held(id, urn, olds);
      const updated = (isPreview: boolean) =>
        this.#provider.on(urn, (resource) => resource.update(held, this.#without(news), isPreview, undefined));
      const { properties: foretold } = await updated(true);
      const { properties } = await updated(false);
      claimForetold(this.#kind, wire(foretold), wire(properties));
      return { outs: this.#including(properties, news, this.#without(news)) };
    });
  }

  async delete(id: string, outputs: JsonObject) {
    const urn = this.#urn(outputs);
    await this.#provider.on(urn, (resource) => resource.delete(this.#held(id, urn, outputs), undefined));
  }

  #urn({ __key: place }: JsonObject): string {
    return `urn:pulumi:dev::laws::brightdata:index:${this.#kind}::${String(place)}`;
  }

  #held(id: string, urn: string, { [INPUTS]: inputs, ...outputs }: JsonObject): Held {
    return { id, urn, state: this.#without(outputs), inputs: inputs as JsonObject | undefined };
  }

  /** What the laws' engine goes by is nothing that the plugin is given. */
  #without({ __provider, __key, [INPUTS]: _, ...own }: JsonObject): JsonObject {
    return wire(own);
  }

  #including(values: JsonObject, { __key }: JsonObject, inputs?: JsonObject): JsonObject {
    const own = { __provider: this.#text, ...(__key === undefined ? {} : { __key }) };
    return { ...wire(values), ...own, ...(inputs && { [INPUTS]: wire(inputs) }) };
  }

  async #keeping<T>(news: JsonObject, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof failures.InitFailed)) throw error;
      const { id, properties, shown } = error;
      const result: PartialResult = { id, properties: this.#including(properties, news, this.#without(news)) };
      throw Object.assign(shown, result, { reasons: [shown.message] });
    }
  }
}

/** What a preview says of a property is what it becomes, or that it is not known yet. */
function claimForetold(kind: string, foretold: JsonObject, made: JsonObject): void {
  const { inputs, outputs, isAction, automaticName } = LIFECYCLES[kind].declaration;
  for (const name of Object.keys({ ...foretold, ...made })) {
    // The service may have an automatic name already: another one follows from it.
    if (name.startsWith("__") || outputs[name]?.hidden || name === automaticName) continue;
    // An action keeps the inputs that it has run with.
    if (isAction && (name in inputs || name === "timeouts") && foretold[name] === undefined) continue;
    if (!isAsForetold(foretold[name], made[name])) claim(`${name} in a preview`, foretold[name], made[name]);
  }
}

function isAsForetold(foretold: unknown, made: unknown): boolean {
  if (foretold === UNKNOWN_VALUE) return true;
  if (!isObject(foretold) || !isObject(made)) return isDeepStrictEqual(foretold, made);
  return Object.keys({ ...foretold, ...made }).every((key) => isAsForetold(foretold[key], made[key]));
}

/** As values come over the wire. */
const wire = (values: JsonObject): JsonObject => JSON.parse(JSON.stringify(values));
