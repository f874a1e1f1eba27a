import type { JsonObject } from "../../src/base/json";
import { acknowledge, placeId } from "../../src/run/notes";
import { FreshModules } from "./freshModules";

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

/** A process of a provider: it lives for one run of the engine. */
export interface ProviderProcess {
  /** The handlers for a resource with these properties. */
  handlers(properties: JsonObject): Promise<Handlers>;
  /** Tells the program of a resource with these properties that its state is saved. */
  recorded(properties: JsonObject): void;
  /** Ends it in good order: the engine has recorded all that it was told. */
  end(): void;
  /** Ends it without a word. */
  kill(): void;
}

/** A way to serve the kinds. */
export interface Served {
  start(config: Readonly<Record<string, string>>): ProviderProcess;
}

type Dynamic = Handlers & {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
};

/** The dynamic provider, as the engine's process for such providers evaluates and calls it. */
export const dynamicProvider: Served = {
  start(config) {
    const modules = new FreshModules();
    const byText = new Map<string, Dynamic>();
    return {
      async handlers({ __provider: text }) {
        if (typeof text !== "string") throw new Error("The text of the provider is missing.");
        let provider = byText.get(text);
        if (provider === undefined) {
          const exported: { handler?: () => Dynamic } = {};
          const require = (name: string) => modules.require(name);
          new Function("exports", "require", text).call(exported, exported, require);
          provider = exported.handler?.() as Dynamic;
          byText.set(text, provider);
          await provider.configure({ config: { get: (key) => config[key] } });
        }
        return withProviderText(provider);
      },
      recorded({ __key: place, __provider: text }) {
        const [, kind] = /resource\('(\w+)'/.exec(String(text)) ?? [];
        if (typeof place === "string" && kind !== undefined) acknowledge(new Set([placeId(kind, place)]), 0);
      },
      end: () => modules.interrupt(),
      kill: () => modules.forget(),
    };
  },
};

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
