import type { JsonObject } from "../../src/base/json";
import { Machine } from "../histories/machine.mts";
import { type DynamicStart, type PluginProcess, ProviderProcess } from "../histories/providerProcess.mts";
import type { Handlers } from "../protocol.mts";

/** Where all scenes of a file take place, one after the other. */
export const machine = new Machine();

/** A process of a provider: it lives for one run of the engine. */
export type Process = (PluginProcess | ProviderProcess) & {
  /** The handlers for a resource with these properties. */
  handlers(properties: JsonObject): Promise<Handlers>;
};

/** A way to serve the kinds. */
export type Served = (start: DynamicStart) => Process;

/** The dynamic provider, as the engine's process for such providers evaluates and calls it. */
export const dynamicProvider: Served = (start) => new ProviderProcess(machine, start);
