import type { JsonObject } from "../../src/base/json.ts";
import type { Machine } from "./machine.mts";
import { sorted } from "./sorted.mts";

/** A resource as a history's data have it. */
export interface Resource {
  kind: string;
  name: string;
  args: JsonObject;
  /** Names that it had before. */
  aliases?: string[];
  /** URNs of those that it depends on. */
  dependsOn?: string[];
  /** The URN of what it is deleted with. */
  deletedWith?: string;
  /** The name of its explicit provider. */
  provider?: string;
  options?: WideOptions;
}

/** What only the engine itself can do something with. */
export interface WideOptions {
  /** A component, by its type and name. */
  parent?: string;
  /** Components that it was in before, or `null` where it was in none. */
  wasIn?: (string | null)[];
  protect?: true;
  retainOnDelete?: true;
  ignoreChanges?: string[];
  replaceOnChanges?: string[];
  /** Inputs that come from other resources, by those URNs. */
  refs?: Record<string, string>;
}

/** A resource as a program registers it. */
export interface Declaration {
  urn: string;
  /** What the program announces of it before anything is done, as a line. */
  announced(): string;
  aliases: string[];
  properties: JsonObject;
  deleteBeforeReplace: boolean | undefined;
  dependencies: string[];
  deletedWith?: string | undefined;
  provider?: string | undefined;
  options?: WideOptions;
}

/** What the program calls its run: the address of its engine, which no other has, tells it from others. */
export const RUN = "run";
export const componentUrnOf = (stack: string, component: string): string => {
  const [type = "", name = ""] = component.split(" ");
  return `urn:pulumi:${stack}::project::${componentTypeOf(type)}::${name}`;
};

export const componentTypeOf = (type: string): string => `test:index:${type}`;

export const urnOf = (kind: string, name: string): string => `${kind} ${name}`;

interface Options {
  deleteBeforeReplace?: boolean;
  provider?: Registered;
}

interface Registered {
  properties: JsonObject;
  options: Options;
}

type Class = new (name: string, args: JsonObject, options?: object) => Registered;

/** What the SDK knows a resource's class by. */
const TYPE = "__pulumiType";

/** A promise that is kept at once, and whose value shows in JSON: that of an input. */
class KeptPromise<T> extends Promise<T> {
  #value: T | undefined;

  constructor(execute: (resolve: (value: T) => void, reject: (error: Error) => void) => void) {
    let kept: T | undefined;
    super((resolve, reject) =>
      execute((value) => {
        kept = value;
        resolve(value);
      }, reject),
    );
    this.#value = kept;
  }

  toJSON(): T | undefined {
    return this.#value;
  }
}

const MOST_KNOWN = 10_000;

/** What the program announces is kept here instead of on the disk: each run has it in a file of its own. */
const listening = (hear: (text: string) => void) => ({
  mkdirSync: () => undefined,
  readdirSync: () => [],
  appendFileSync: (_file: string, text: string) => hear(text),
});

/** The program's process: what the real classes make of their arguments. */
export class Program {
  readonly #classes: Readonly<Record<string, Class>>;
  readonly #known = new Map<string, Declaration>();
  /** By the place of the resource that was registered there last: what the program announces of it, as a line. */
  readonly #announced = new Map<string, { line: string }>();
  #stack = "";

  constructor(machine: Machine) {
    class CustomResource implements Registered {
      readonly properties: JsonObject;
      readonly options: Options;

      constructor(_type: string, _name: string, inputs: JsonObject, options: Options = {}) {
        this.properties = JSON.parse(JSON.stringify(inputs)) as JsonObject;
        this.options = options;
      }
    }
    class ProviderResource extends CustomResource {
      readonly [TYPE] = "pulumi:providers:pulumi-nodejs";
    }
    const output = (value: unknown) => ({ apply: (task: (value: unknown) => unknown) => output(task(value)) });
    const sdk = {
      CustomResource,
      ProviderResource,
      ComponentResource: CustomResource,
      Resource: CustomResource,
      Output: { isInstance: () => false },
      output,
      all: (values: unknown) => output(values),
      interpolate: output,
      secret: (value: unknown) => value,
      unsecret: (value: unknown) => value,
      mergeOptions: (one: object, other: object) => ({ ...one, ...other }),
      getOrganization: () => "organization",
      getProject: () => "project",
      getStack: () => this.#stack,
      log: { warn: () => {} },
      runtime: {
        isDryRun: () => false,
        getEngine: () => ({ getChannel: () => ({ getTarget: () => "dns:127.0.0.1:1" }) }),
        hasEngine: () => true,
        allConfig: () => ({}),
        getConfig: () => undefined,
        isConfigSecret: () => false,
        getStackResource: () => undefined,
        serializeProperty: async (_label: string, value: unknown) => value,
      },
    };
    const hear = (text: string) => {
      for (const line of text.split("\n").filter(Boolean)) {
        const said = this.#announced.get((JSON.parse(line) as { place: string }).place);
        if (said !== undefined) said.line = `${line}\n`;
      }
    };
    const modules = machine.modules({
      process,
      console,
      modules: { "@pulumi/pulumi": sdk, "node:fs": listening(hear) },
      globals: { Promise: KeptPromise },
      owner: () => this,
    });
    this.#classes = modules.require("pulumi-brightdata") as Record<string, Class>;
  }

  declared(stack: string, resource: Resource): Declaration {
    const key = JSON.stringify([stack, resource]);
    const known = this.#known.get(key) ?? this.#register(stack, resource);
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  /** What an explicit provider is configured with. */
  configOf(provider: string, args: JsonObject): Readonly<Record<string, string>> {
    return new (this.#classes.Provider as Class)(provider, args).properties as Record<string, string>;
  }

  #register(stack: string, resource: Resource): Declaration {
    const { kind, name, args, aliases = [], dependsOn = [], deletedWith, provider, options: wide = {} } = resource;
    const given = provider === undefined ? {} : { provider: new (this.#classes.Provider as Class)(provider, {}) };
    this.#stack = stack;
    const announced = { line: "" };
    const all = { ...optionsOf(stack, wide), ...given };
    const { properties, options } = new (this.#classes[kind] as Class)(name, args, all);
    this.#announced.set(String(properties.__key), announced);
    return {
      urn: urnOf(kind, name),
      aliases: aliases.map((alias) => urnOf(kind, alias)),
      properties: sorted({ ...properties, __run: RUN }) as JsonObject,
      announced: () => announced.line,
      deleteBeforeReplace: options.deleteBeforeReplace,
      dependencies: dependsOn,
      deletedWith,
      provider,
      options: wide,
    };
  }
}

/** Options as the classes are given them. */
function optionsOf(stack: string, { parent, ignoreChanges, replaceOnChanges }: WideOptions): object {
  const resource = { getProvider: () => undefined };
  return {
    ...(parent === undefined ? {} : { parent: { ...resource, urn: componentUrnOf(stack, parent) } }),
    ...(ignoreChanges === undefined ? {} : { ignoreChanges }),
    ...(replaceOnChanges === undefined ? {} : { replaceOnChanges }),
  };
}
