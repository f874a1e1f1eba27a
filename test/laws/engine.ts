import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json";
import { Box, type Registration, type Start } from "../histories/box.mts";
import { BoxRun } from "../histories/boxRun.mts";
import { type Deployment, shortUrn, typeOf } from "../histories/boxState.mts";
import type { Interruption } from "../histories/engine.mts";
import { ImitatedEngine } from "../histories/imitation/engine.mts";
import type { DynamicStart } from "../histories/providerProcess.mts";
import type { Handlers, PartialResult } from "../protocol.mts";
import { machine, type Process, type Served } from "./served";
import { plain, sealedTexts } from "./wire";

/** A resource as a program registers it. */
export interface Declaration {
  name: string;
  properties: JsonObject;
  options?: { deleteBeforeReplace?: boolean; aliases?: string[] };
}

/** A resource in the state. */
export interface Entry {
  name: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  initErrors: string[];
  /** It has been replaced, and is to be deleted at the end of the run, or of a later one. */
  doomed?: true;
  /** It has been deleted to make room for its replacement, which is not there yet. */
  recreated?: true;
}

/** What came of a run. */
export interface Outcome {
  /** Such as `create z`; what stays the same is not among them. */
  steps: string[];
  errors: string[];
}

/** What is otherwise than usual in a run. */
interface Manner {
  program?: readonly Declaration[];
  imports?: readonly Entry[];
  /** Names of the resources that `--replace` names. */
  replace?: readonly string[];
  /** Whether all are registered at once. Otherwise, each waits for the one before it. */
  isTogether?: boolean;
  parallel?: number;
  /** Nothing can be saved. */
  isUnsaved?: boolean;
  interruption?: Interruption;
}

const STACK = "laws";
const PROJECT = `urn:pulumi:${STACK}::project::`;
const STACK_URN = `${PROJECT}pulumi:pulumi:Stack::project-${STACK}`;
const PROVIDER = "pulumi:providers:pulumi-nodejs";
const PROVIDER_URN = `${PROJECT}${PROVIDER}::default`;

const ENV = { PULUMI_HOME: "/home/laws" };

const MANY = 16;

const CALLS = ["check", "diff", "create", "read", "update", "delete"] as const;

/** What a preview says of a resource, besides how it would be done. */
const PLANNED = /^(create|update|replace|delete) /;

/** The kind of a resource with these properties. */
export const kindOf = ({ __provider: text }: JsonObject): string => /resource\('(\w+)'/.exec(String(text))?.[1] ?? "";

const typeIn = (properties: JsonObject): string => typeOf(kindOf(properties));

const urnOf = (name: string, properties: JsonObject): string => `${PROJECT}${typeIn(properties)}::${name}`;

const nameIn = (urn: string): string => urn.split("::")[3] ?? "";

/** The histories' engine with one stack, whose provider is the one that is configured now, as with `--run-program`. */
export class Engine {
  state: Entry[] = [];
  /** All that was ever printed or reported. */
  readonly words: string[] = [];
  /** Texts that came, or went, in the envelope of a secret. */
  readonly secrets = new Set<string>();
  /** What the provider of the resources is given. */
  config: Readonly<Record<string, string>>;
  readonly #served: Served;
  readonly #box = new Box(() => new ImitatedEngine());

  constructor(served: Served, config: Readonly<Record<string, string>>) {
    this.#served = served;
    this.config = config;
  }

  entry(name: string): Entry | undefined {
    return this.state.find((entry) => entry.name === name && !entry.doomed);
  }

  /** @param replace names of the resources that `--replace` names */
  up(program: readonly Declaration[], replace: readonly string[] = []): Promise<Outcome> {
    return this.#run("update", { program, replace });
  }

  /** The same where no resource waits for another. */
  upTogether(program: readonly Declaration[], order: "at once" | "one by one"): Promise<Outcome> {
    return this.#run("update", { program, isTogether: true, parallel: order === "at once" ? MANY : 1 });
  }

  /** An `up` that is killed, and its provider with it, when something is made and before it is recorded. */
  async killedUp(program: readonly Declaration[]): Promise<void> {
    await this.#run("update", { program, interruption: { by: "kill", when: "made", after: 0 } });
  }

  /** An `up` whose state cannot be saved: the provider is ended in good order all the same. */
  async unsavedUp(program: readonly Declaration[]): Promise<void> {
    await this.#run("update", { program, isUnsaved: true });
  }

  /** What `up` would do. */
  async preview(program: readonly Declaration[]): Promise<Outcome> {
    const { steps, errors } = await this.#run("preview", { program });
    return { steps: steps.filter((step) => PLANNED.test(step)), errors };
  }

  /** Steps: `change z` where another value was found, `forget z` where nothing was. */
  async refresh(): Promise<Outcome> {
    const before = this.state;
    const { errors } = await this.#run("refresh", {});
    const steps = before.flatMap((entry) => {
      const { name, id, outputs, doomed } = entry;
      const now = this.state.find((other) => other.name === name && other.doomed === doomed);
      if (now === undefined) return `forget ${name}`;
      const isSame = isDeepStrictEqual([id, stated(outputs)], [now.id, stated(now.outputs)]);
      return isSame ? [] : `change ${name}`;
    });
    return { steps, errors };
  }

  destroy(): Promise<Outcome> {
    return this.#run("destroy", {});
  }

  /** Takes what a file says into the state. Nothing is read, only checked. */
  import(entries: readonly Pick<Entry, "name" | "id" | "inputs" | "outputs">[]): Promise<Outcome> {
    return this.#run("import", { imports: entries.map((entry) => ({ ...entry, initErrors: [] })) });
  }

  /** A process of the provider. */
  process(): Process {
    return this.#newProcess({
      ...{ env: ENV, engine: machine.nextEngine(), config: this.config },
      hear: (words) => this.words.push(words),
      watcher: () => ({ arrived: () => true, done: () => {} }),
    });
  }

  async #run(what: Start["what"], manner: Manner): Promise<Outcome> {
    const { program = [], imports = [], replace = [], parallel = MANY, interruption, isUnsaved = false } = manner;
    const properties = new Map(program.map((each) => [urnOf(each.name, each.properties), each.properties]));
    for (const text of sealedTexts([...properties.values()])) this.secrets.add(text);
    const start: Start = {
      ...{ what, stack: STACK, config: this.config, state: this.#deployment(), seed: 0 },
      program: registrations(manner),
      imports: imports.map((entry) => ({ ...entry, type: typeIn(entry.inputs) })),
      options: { parallel, replace: [...properties.keys()].filter((urn) => replace.includes(nameIn(urn))) },
      broken: isUnsaved ? { unsaved: 0 } : {},
    };
    const { config } = this;
    const site = { machine, stack: STACK, seed: 0, config, providers: {}, env: ENV, engine: machine.nextEngine() };
    const processOf: Served = (given) => this.#newProcess(given);
    let run: BoxRun | undefined;
    this.#box.start(start, (number) => {
      run = new BoxRun(this.#box, { ...site, processOf }, number, interruption === undefined ? {} : { interruption }, {
        declaredAt: (urn) => (properties.has(urn) ? urn : undefined),
        answered: () => {},
        isAcknowledging: true,
        recorded: () => {},
      });
      return run;
    });
    const begun = run as unknown as BoxRun;
    const { steps, errors, words } = await machine.time.until(begun.outcome);
    this.words.push(...words, ...errors);
    if (begun.state !== undefined) this.state = entriesIn(begun.state);
    return { steps: steps.map((step) => step.replace(/ \w+ /, " ")), errors };
  }

  #newProcess(start: DynamicStart): Process {
    const process = this.#served(start);
    const { handlers } = process;
    process.handlers = async (properties) => this.#watched(await handlers.call(process, properties));
    return process;
  }

  /** Looks at what comes from the provider. */
  #watched(handlers: Handlers): Handlers {
    const see = (values: object = {}) => {
      plain(values as JsonObject);
      for (const text of sealedTexts(values)) this.secrets.add(text);
    };
    const watching =
      (name: keyof Handlers) =>
      async (...given: unknown[]) => {
        const call = handlers[name] as (...given: unknown[]) => Promise<object>;
        try {
          const result = await call.apply(handlers, given);
          see(result);
          return result;
        } catch (error) {
          this.words.push((error as Error).stack ?? "");
          see((error as PartialResult).properties);
          throw error;
        }
      };
    return Object.fromEntries(CALLS.map((name) => [name, watching(name)])) as unknown as Handlers;
  }

  #deployment(): Deployment {
    const config = { ...this.config };
    const none = { custom: false, inputs: {}, outputs: {} };
    return {
      resources: [
        { ...none, urn: STACK_URN, type: "pulumi:pulumi:Stack" },
        { urn: PROVIDER_URN, type: PROVIDER, custom: true, id: "id", inputs: config, outputs: config },
        ...this.state.map(({ name, doomed, recreated, ...rest }) => ({
          ...rest,
          ...{ urn: urnOf(name, rest.inputs), type: typeIn(rest.inputs), custom: true },
          ...{ parent: STACK_URN, provider: `${PROVIDER_URN}::id` },
          ...(doomed && { delete: true }),
          ...(recreated && { pendingReplacement: true }),
        })),
      ],
    };
  }
}

const registrations = ({ program = [], isTogether = false }: Manner): Registration[] =>
  program.map(({ name, properties, options: { aliases = [], deleteBeforeReplace } = {} }, index) => ({
    request: {
      ...{ type: typeIn(properties), name, custom: true, object: properties, deleteBeforeReplace },
      aliases: aliases.map((alias) => ({ spec: { name: alias } })),
    },
    ...(!isTogether && index > 0 && { awaits: index - 1 }),
  }));

const entriesIn = ({ resources = [] }: Deployment): Entry[] =>
  resources
    .filter(({ urn }) => shortUrn(urn) !== undefined)
    .map(({ urn, id = "", inputs = {}, outputs = {}, initErrors = [], ...rest }) => ({
      ...{ name: nameIn(urn), id, inputs, outputs, initErrors },
      ...(rest.delete && { doomed: true }),
      ...(rest.pendingReplacement && { recreated: true }),
    }));

/** What a state has without the inputs that the plugin's engine keeps apart. */
const stated = ({ __inputs, ...outputs }: JsonObject): JsonObject => outputs;
