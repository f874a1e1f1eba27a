import type { JsonObject } from "../../src/base/json";
import { acknowledge } from "../../src/run/intents";
import { type Handlers, markOf, Providers } from "../protocol.mts";
import { FreshModules } from "./freshModules";

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

/** The dynamic provider, as the engine's process for such providers evaluates and calls it. */
export const dynamicProvider: Served = {
  start(config) {
    const modules = new FreshModules();
    const providers = new Providers((name) => modules.require(name), config);
    return {
      handlers: (properties) => providers.handlers(properties),
      recorded(properties) {
        const mark = markOf(properties);
        if (mark !== undefined) acknowledge(new Set([mark]), process.cwd());
      },
      end: () => modules.interrupt(),
      kill: () => modules.forget(),
    };
  },
};
