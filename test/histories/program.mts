import { AsyncLocalStorage } from "node:async_hooks";
import * as crypto from "node:crypto";
import type { JsonObject } from "../../src/base/json.ts";
import type { Announcement, RunNotice } from "../../src/run/announcements.ts";
import { KEY, type Machine } from "./machine.mts";
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

/** What a program announces of a resource. */
interface Said {
  announcements: Announcement[];
  isTakeOver: boolean;
  /** What it announces when the engine has answered the registration. */
  answered: Announcement[];
}

/** Which of the package's entries a program imports; `foreign`: it is in another language, with the plugin's resources and no code of ours. */
export const FORMS = ["dynamic", "native", "foreign"] as const;

export type Form = (typeof FORMS)[number];

const MODULES: Readonly<Record<Exclude<Form, "foreign">, string>> = {
  dynamic: "pulumi-brightdata",
  native: "pulumi-brightdata/native",
};

/** A resource as a program registers it. */
export interface Declaration {
  urn: string;
  form: Form;
  /** What the program announces of it before anything is done. */
  announced: Promise<Said>;
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

/** A component by its type and name; `undefined` for what is none, such as the stack. */
export const componentOf = (urn: string): string | undefined => {
  const [, type, name] = /::test:index:(\w+)::(.+)$/.exec(urn) ?? [];
  return type === undefined ? undefined : `${type} ${name}`;
};

export const urnOf = (kind: string, name: string): string => `${kind} ${name}`;

/** Whether a state has a resource where the program has it, or where that says it was before. */
export const isOrWas = (
  { urn, parent }: { urn: string; parent?: string | undefined },
  { kind, name, aliases = [], options: { parent: own, wasIn = [] } = {} }: Resource,
): boolean =>
  [name, ...aliases].some((each) => urn === urnOf(kind, each)) && [own ?? null, ...wasIn].includes(parent ?? null);

interface Options {
  deleteBeforeReplace?: boolean;
  deletedWith?: unknown;
  provider?: Registered;
}

interface Registered {
  /** Tells it its URN: the engine has answered its registration. */
  answer(urn: string): void;
  properties: JsonObject;
  options: Options;
  /** What the program tells of its announcements. */
  notice: Promise<RunNotice | undefined>;
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

/** More than the promises between a constructor and what it announces last. */
const ANNOUNCING_TURNS = 200;

/** What the SDK has in place of what is not known in a preview. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What the program announces is kept here instead of on the disk. */
const listening = (hear: (text: string) => void) => ({
  mkdirSync: () => undefined,
  // The plugin is registered with the CLI.
  readdirSync: (folder: string) => (folder.includes("resource-brightdata-") ? ["pulumi-resource-brightdata"] : []),
  appendFileSync: (_file: string, text: string) => hear(text),
});

/** Where a resource is registered, whatever else is at the same time. */
interface Site {
  stack: string;
  /** What the program announces of it, in lines. */
  announced: { text: string };
}

/** What leads a program to its services. */
export interface Connections {
  /** The stack's configuration. */
  config: Readonly<Record<string, string>>;
  /** Those of its explicit providers. */
  args: JsonObject;
}

/** The program's process: what the real classes make of their arguments. */
export class Program {
  readonly #classes: Readonly<Record<keyof typeof MODULES, Readonly<Record<string, Class>>>>;
  readonly #known = new Map<string, Declaration>();
  readonly #site = new AsyncLocalStorage<Site>();
  /** Any other resource. */
  readonly #another: Registered;
  #connections: Connections = { config: {}, args: {} };

  constructor(machine: Machine) {
    class CustomResource implements Registered {
      readonly properties: JsonObject;
      readonly options: Options;
      readonly notice: Promise<RunNotice | undefined>;
      readonly #awaiting: ((urn: string) => void)[] = [];
      readonly urn = { apply: (task: (urn: string) => void) => this.#awaiting.push(task) };
      /** Where it is not, what the engine has answered says so. */
      readonly id = { isKnown: Promise.resolve(true) };

      static isInstance(value: unknown): boolean {
        return value instanceof CustomResource;
      }

      constructor(_type: string, _name: string, registered: JsonObject, options: Options = {}) {
        const { __program = {}, ...inputs } = registered;
        const { run, ...said } = __program as JsonObject;
        this.notice = Promise.resolve(run as RunNotice | undefined);
        this.properties = JSON.parse(JSON.stringify({ ...inputs, __program: said })) as JsonObject;
        this.options = options;
      }

      answer(urn: string): void {
        for (const task of this.#awaiting) task(urn);
      }
    }
    class ProviderResource extends CustomResource {
      readonly [TYPE]: string;
      readonly __name: string;

      constructor(type: string, name: string, inputs: JsonObject, options?: Options) {
        super(type, name, inputs, options);
        this[TYPE] = `pulumi:providers:${type}`;
        this.__name = name;
        Object.assign(this, this.properties);
      }
    }
    this.#another = new CustomResource("", "", {});
    const output = (value: unknown) => ({ value, apply: (task: (value: unknown) => unknown) => output(task(value)) });
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
      getStack: () => this.#site.getStore()?.stack,
      log: { warn: () => {} },
      runtime: {
        isDryRun: () => false,
        getEngine: () => ({ getChannel: () => ({ getTarget: () => "dns:127.0.0.1:1" }) }),
        allConfig: () => ({}),
        getConfig: (key: string) => this.#connections.config[key],
        isConfigSecret: () => false,
        unknownValue: UNKNOWN,
        getStackResource: () => this.#site.getStore()?.announced,
        serializeProperty: async (_label: string, value: unknown) =>
          typeof value === "object" && value !== null && "apply" in value && "value" in value ? value.value : value,
      },
    };
    const hear = (text: string) => {
      const { announced } = this.#site.getStore() ?? {};
      if (announced !== undefined) announced.text += text;
    };
    const randomBytes = (length: number) => (length === KEY.length ? KEY : machine.bytes(length));
    const randomness = { ...crypto, randomBytes };
    const modules = machine.modules({
      process,
      console,
      modules: { "@pulumi/pulumi": sdk, "node:fs": listening(hear), "node:crypto": randomness },
      globals: { Promise: KeptPromise },
      owner: () => this,
    });
    const classesOf = (form: keyof typeof MODULES) => modules.require(MODULES[form]) as Record<string, Class>;
    this.#classes = { dynamic: classesOf("dynamic"), native: classesOf("native") };
  }

  declared(stack: string, resource: Resource, connections: Connections, form: Form): Declaration {
    const key = JSON.stringify([stack, resource, connections, form]);
    this.#connections = connections;
    const known =
      this.#known.get(key) ?? (form === "foreign" ? foreign(resource) : this.#register(stack, resource, form));
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  /** What an explicit provider is configured with. */
  configOf(provider: string, args: JsonObject): Readonly<Record<string, string>> {
    return new (this.#classes.dynamic.Provider as Class)(provider, args).properties as Record<string, string>;
  }

  #register(stack: string, resource: Resource, form: keyof typeof MODULES): Declaration {
    const site = { stack, announced: { text: "" } };
    return this.#site.run(site, () => this.#registeredAt(site, resource, form));
  }

  #registeredAt({ stack, announced }: Site, resource: Resource, form: keyof typeof MODULES): Declaration {
    const classes = this.#classes[form];
    const { kind, name, args, aliases = [], dependsOn = [], deletedWith, provider, options: wide = {} } = resource;
    const given =
      provider === undefined ? {} : { provider: new (classes.Provider as Class)(provider, this.#connections.args) };
    const all = {
      ...optionsOf(stack, wide),
      ...given,
      ...(deletedWith === undefined ? {} : { deletedWith: this.#another }),
      aliases: formerOf(stack, aliases, wide),
    };
    const registered = new (classes[kind] as Class)(name, args, all);
    const { properties, options, notice } = registered;
    // Its class has it deleted by itself, and before that.
    const isApart = deletedWith !== undefined && options.deletedWith === undefined;
    return {
      urn: urnOf(kind, name),
      form,
      aliases: aliases.map((alias) => urnOf(kind, alias)),
      properties: sorted(properties) as JsonObject,
      announced: notice.then(async (known) => {
        // What is known later is announced before the engine tells of anything, as with an SDK.
        for (let turn = 0; turn < ANNOUNCING_TURNS; turn++) await undefined;
        const announcements = linesOf(announced.text);
        announced.text = "";
        registered.answer(`urn:pulumi:${stack}::project::${kind}::${name}`);
        for (let turn = 0; turn < ANNOUNCING_TURNS; turn++) await undefined;
        return { announcements, isTakeOver: known?.isTakeOver === true, answered: linesOf(announced.text) };
      }),
      deleteBeforeReplace: options.deleteBeforeReplace,
      dependencies: isApart ? [...new Set([...dependsOn, deletedWith])] : dependsOn,
      deletedWith: isApart ? undefined : deletedWith,
      provider,
      options: wide,
    };
  }
}

/** What a program registers that has no class of ours. */
const foreign = ({ kind, name, args, aliases = [], dependsOn = [], deletedWith, provider, options }: Resource) => ({
  urn: urnOf(kind, name),
  form: "foreign" as const,
  aliases: aliases.map((alias) => urnOf(kind, alias)),
  properties: sorted(args) as JsonObject,
  announced: Promise.resolve({ announcements: [], isTakeOver: false, answered: [] }),
  // As the documents say: the classes of the package do so by themselves.
  deleteBeforeReplace: kind === "ManagerSettings" ? true : undefined,
  dependencies: dependsOn,
  deletedWith,
  ...(provider === undefined ? {} : { provider }),
  ...(options === undefined ? {} : { options }),
});

const linesOf = (text: string): Announcement[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Announcement);

/** Under each name that it had, in each place. */
function formerOf(stack: string, aliases: readonly string[], { wasIn = [] }: WideOptions): object[] {
  const names = aliases.map((name) => ({ name }));
  const places = wasIn.map((parent) => ({
    parent: parent === null ? undefined : { urn: componentUrnOf(stack, parent) },
  }));
  return [...names, ...places, ...names.flatMap((name) => places.map((place) => ({ ...name, ...place })))];
}

/** Options as the classes are given them. */
function optionsOf(stack: string, { parent, ignoreChanges, replaceOnChanges, retainOnDelete }: WideOptions): object {
  const resource = { getProvider: () => undefined };
  return {
    ...(parent === undefined ? {} : { parent: { ...resource, urn: componentUrnOf(stack, parent) } }),
    ...(ignoreChanges === undefined ? {} : { ignoreChanges }),
    ...(retainOnDelete === undefined ? {} : { retainOnDelete }),
    ...(replaceOnChanges === undefined ? {} : { replaceOnChanges }),
  };
}
