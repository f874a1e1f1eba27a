import { isDeepStrictEqual } from "node:util";
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { isObject, type JsonObject } from "../../src/base/json";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { StatusSchema } from "../../src/plugin/messages/google/rpc/status_pb";
import {
  DiffResponse_DiffChanges as Changes,
  ErrorResourceInitFailedSchema,
  ResourceProvider,
} from "../../src/plugin/messages/pulumi/provider_pb";
import { UNKNOWN_VALUE } from "../../src/pulumi/values";
import { PROVIDER_NAME } from "../../src/settings/settings";
import { answerTo } from "../histories/answers.mts";
import type { Answer, BoxEvent } from "../histories/box.mts";
import { type DynamicStart, PluginProcess } from "../histories/providerProcess.mts";
import type { Ask } from "../plugin/asking";
import type { Handlers, PartialResult } from "../protocol.mts";
import { claim } from "./claim";
import { kindOf } from "./engine";
import { machine, type Served } from "./served";

/** What the engine has of a resource besides its outputs: kept among these, where the laws' engine keeps nothing else. */
const INPUTS = "__inputs";

/** The plugin, as the engine calls it, in place of the dynamic provider: by messages. */
export const nativeProvider: Served = (start) => new NativeProcess(start);

class NativeProcess extends PluginProcess {
  readonly #configured: Promise<unknown>;

  constructor({ config, ...start }: DynamicStart) {
    super(machine, start);
    const { [PROVIDER_NAME]: name = "default", ...settings } = config;
    const args = Object.entries(settings).map(([key, value]) => [key.replace("brightdata:", ""), value]);
    this.#configured = this.#ask("configure", { args: Object.fromEntries(args), name });
  }

  async handlers(properties: JsonObject): Promise<Handlers> {
    await this.#configured;
    return new NativeHandlers(this.#ask, properties);
  }

  override answer(event: BoxEvent): Promise<Answer> {
    return answerTo(this, event);
  }

  readonly #ask: Ask = async (method, request) => {
    const { input, output }: DescMethod = ResourceProvider.method[method];
    const message = Buffer.from(toBinary(input, create(input, request as never))).toString("base64");
    const answer = await super.answer({ run: 0, kind: "call", method: method as "check", message });
    if (!("error" in answer)) return fromBinary(output, Buffer.from(answer.message ?? "", "base64")) as never;
    throw Object.assign(new Error(answer.error.message), { status: answer.error.status });
  };
}

/** What the engine asks the plugin of a resource. */
export class NativeHandlers implements Handlers {
  readonly #ask: Ask;
  readonly #text: unknown;
  readonly #kind: string;

  constructor(ask: Ask, properties: JsonObject) {
    this.#ask = ask;
    this.#text = properties.__provider;
    this.#kind = kindOf(properties);
  }

  async check(olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    const former = Object.keys(olds).length === 0 ? undefined : this.#without(olds);
    const { __program: told, ...declared } = news;
    const { name, run, preview } = isObject(told) ? told : {};
    const said = { place: news.__key, run, preview };
    const given = { ...this.#without(declared), __program: wire(said) };
    const { inputs = {}, failures } = await this.#ask("check", {
      urn,
      name: String(name ?? ""),
      olds: former,
      news: given,
    });
    return { inputs: this.#including(inputs, news), failures };
  }

  async diff(id: string, olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    const { state, inputs } = this.#held(olds);
    const request = { id, urn, olds: state, oldInputs: inputs, news: this.#without(news) };
    const { changes, replaces, deleteBeforeReplace } = await this.#ask("diff", request);
    return { changes: changes === Changes.DIFF_SOME, replaces, deleteBeforeReplace };
  }

  async create(inputs: JsonObject) {
    const urn = this.#urn(inputs);
    return this.#keeping(inputs, async () => {
      const request = { urn, properties: this.#without(inputs) };
      const { properties: foretold = {} } = await this.#ask("create", { ...request, preview: true });
      const { id, properties = {} } = await this.#ask("create", request);
      claimForetold(this.#kind, foretold, properties);
      return { id, outs: this.#including(properties, inputs, this.#without(inputs)) };
    });
  }

  async read(id: string, outputs: JsonObject) {
    const urn = this.#urn(outputs);
    const { state, inputs } = this.#held(outputs);
    const found = await this.#ask("read", { id, urn, properties: state, inputs });
    if (found.id === "") return {};
    const { properties = {}, inputs: declared = {} } = found;
    return {
      id: found.id,
      props: this.#including(properties, outputs, declared),
      inputs: this.#including(declared, outputs),
    };
  }

  async update(id: string, olds: JsonObject, news: JsonObject) {
    const urn = this.#urn(news);
    return this.#keeping(news, async () => {
      const { state, inputs } = this.#held(olds);
      const request = { id, urn, olds: state, oldInputs: inputs, news: this.#without(news) };
      const { properties: foretold = {} } = await this.#ask("update", { ...request, preview: true });
      const { properties = {} } = await this.#ask("update", request);
      claimForetold(this.#kind, foretold, properties);
      return { outs: this.#including(properties, news, this.#without(news)) };
    });
  }

  async delete(id: string, outputs: JsonObject) {
    const urn = this.#urn(outputs);
    const { state, inputs } = this.#held(outputs);
    await this.#ask("delete", { id, urn, properties: state, oldInputs: inputs });
  }

  #urn({ __key: place }: JsonObject): string {
    return `urn:pulumi:dev::laws::brightdata:index:${this.#kind}::${String(place)}`;
  }

  #held({ [INPUTS]: inputs, ...outputs }: JsonObject) {
    return { state: this.#without(outputs), inputs: inputs as JsonObject | undefined };
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
      const { status = "" } = error as { status?: string };
      const [detail] = fromBinary(StatusSchema, Buffer.from(status, "base64")).details;
      const made = detail && anyUnpack(detail, ErrorResourceInitFailedSchema);
      if (made === undefined) throw error;
      const { id, properties = {}, reasons } = made;
      const result: PartialResult = { id, properties: this.#including(properties, news, this.#without(news)) };
      throw Object.assign(error as Error, result, { reasons });
    }
  }
}

/** What a preview says of a property is what it becomes, or that it is not known yet. */
function claimForetold(kind: string, foretold: JsonObject, made: JsonObject): void {
  const { inputs, outputs, isAction, automaticName } = (LIFECYCLES[kind] as Lifecycle).declaration;
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
