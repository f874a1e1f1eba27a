import type { JsonObject } from "../src/base/json.ts";

/** What the engine hands over with a failed creation or update of a thing that exists all the same. */
export interface PartialResult {
  id?: string;
  properties?: JsonObject;
  reasons?: string[];
}

/** The calls of the provider protocol, with the values that go over the wire. */
export interface Handlers {
  check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures: { reason: string }[] }>;
  diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  /** Rejects with an error that is a {@link PartialResult} too where something was made. */
  create(inputs: JsonObject): Promise<{ id: string; outs: JsonObject }>;
  read(id: string, outputs: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }>;
  /** Rejects as `create` does. */
  update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }>;
  delete(id: string, outputs: JsonObject): Promise<void>;
}

type Dynamic = Handlers & {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
};

/** The providers of one process, as the engine's process for dynamic resources evaluates and calls them. */
export class Providers {
  readonly #byText = new Map<string, Handlers>();
  readonly #require: (name: string) => unknown;
  readonly #config: Readonly<Record<string, string>>;

  constructor(require: (name: string) => unknown, config: Readonly<Record<string, string>>) {
    this.#require = require;
    this.#config = config;
  }

  /** The handlers for a resource with these properties. */
  async handlers({ __provider: text }: JsonObject): Promise<Handlers> {
    if (typeof text !== "string") throw new Error("The text of the provider is missing.");
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const exported: { handler?: () => Dynamic } = {};
    new Function("exports", "require", text).call(exported, exported, this.#require);
    const provider = exported.handler?.() as Dynamic;
    const handlers = withProviderText(provider);
    this.#byText.set(text, handlers);
    await provider.configure({ config: { get: (key) => this.#config[key] } });
    return handlers;
  }
}

/** What the process adds to results: the text, without which nothing could be done with them later. */
function withProviderText(provider: Dynamic): Handlers {
  const including = (result: JsonObject | undefined, { __provider }: JsonObject) => ({ ...result, __provider });
  return {
    diff: (id, olds, news) => provider.diff(id, olds, news),
    delete: (id, outputs) => provider.delete(id, outputs),
    async check(olds, news) {
      const { inputs, failures } = await provider.check(olds, news);
      return { inputs: including(inputs, news), failures };
    },
    async create(inputs) {
      const { id, outs } = await provider.create(inputs);
      return { id, outs: including(outs, inputs) };
    },
    async read(id, outputs) {
      const { inputs, props, ...found } = await provider.read(id, outputs);
      if (found.id === undefined) return {};
      return {
        ...found,
        props: including(props, outputs),
        ...(inputs === undefined ? {} : { inputs: including(inputs, outputs) }),
      };
    },
    async update(id, olds, news) {
      const { outs } = await provider.update(id, olds, news);
      return { outs: including(outs, news) };
    },
  };
}

/** The mark of a resource, which the program's process is answered with when its state is saved. */
export const markOf = ({ __mark: mark }: JsonObject): string | undefined =>
  typeof mark === "string" ? mark : undefined;

/** The key that marks the envelope of a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Values as the engine keeps and sends them to a provider that does not ask for secrets: without their envelopes. */
export const unsealed = (values: JsonObject): JsonObject => opened(values) as JsonObject;

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (value === undefined) throw new TypeError("Unexpected struct type: undefined.");
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value) return opened((value as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}
