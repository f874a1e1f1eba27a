import type { ChildProcess } from "node:child_process";
import type { JsonObject } from "../../src/base/json";
import { NativeHandlers } from "../laws/nativeServed";
import { type Ask, askingBy } from "../plugin/asking";
import { addressOf, engineLog, RealPlugin } from "../plugin/realPlugin";
import { HOME, type ProviderProcess } from "../provider-process/providerProcess";

type Called = Pick<ProviderProcess, "diff" | "delete"> & {
  check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject }>;
  create(inputs: JsonObject): Promise<{ id: string; properties: JsonObject }>;
  read(id: string, properties: JsonObject): Promise<{ id: string; properties: JsonObject }>;
  update(id: string, olds: JsonObject, news: JsonObject): Promise<JsonObject>;
};

/** A process of either form, as the engine calls it. */
export interface Engine extends Called {
  child: ChildProcess;
}

/** The plugin's process, driven as that of dynamic resources is. */
export class PluginProcess implements Engine {
  readonly child: ChildProcess;
  readonly #ask: Ask;

  private constructor(plugin: RealPlugin) {
    this.child = plugin.child;
    this.#ask = askingBy(async ({ name }, message) => {
      const answered = await plugin.ask(name, Buffer.from(message).toString("base64"));
      if ("error" in answered) throw new Error(answered.error.message);
      return Buffer.from(answered.message, "base64");
    });
  }

  /** @param config as a stack has it */
  static async start(config: Record<string, string>, environment: Record<string, string>): Promise<PluginProcess> {
    const log = await engineLog(() => {});
    const env = { PATH: process.env.PATH, PULUMI_HOME: HOME, ...environment };
    const started = new PluginProcess(new RealPlugin(addressOf(log), env));
    const args = Object.entries(config).map(([key, value]) => [key.replace("brightdata:", ""), value]);
    await started.#ask("configure", { args: Object.fromEntries(args) });
    return started;
  }

  check = (olds: JsonObject, news: JsonObject) => this.#of(news).check(olds, news);

  diff = (id: string, olds: JsonObject, news: JsonObject) => this.#of(news).diff(id, olds, news);

  async create(inputs: JsonObject) {
    const { id, outs } = await this.#of(inputs).create(inputs);
    return { id, properties: outs };
  }

  async read(id: string, outputs: JsonObject) {
    const { id: found = "", props = {} } = await this.#of(outputs).read(id, outputs);
    return { id: found, properties: props };
  }

  async update(id: string, olds: JsonObject, news: JsonObject) {
    return (await this.#of(news).update(id, olds, news)).outs;
  }

  delete = (id: string, outputs: JsonObject) => this.#of(outputs).delete(id, outputs);

  #of(properties: JsonObject): NativeHandlers {
    return new NativeHandlers(this.#ask, properties);
  }
}
