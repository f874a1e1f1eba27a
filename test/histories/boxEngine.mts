import type { JsonObject } from "../../src/base/json.ts";
import { Box, type BoxEvent, type Registration, type Start } from "./box.mts";
import { BoxRun } from "./boxRun.mts";
import { type Deployment, entriesOf, givenKey, shortUrn, typeOf } from "./boxState.mts";
import type { Entry, Manner, Outcome, UpOptions } from "./engine.mts";
import type { EngineOf, Site, StackEngine } from "./engines.mts";
import type { Declaration } from "./program.mts";

/** As many steps as the engine takes at the same time unless it is told otherwise. */
const MANY = 16;

const RUNS_OF_A_HISTORY = 1000;

/** @param program path of what `scripts/engine-box.mts` builds */
export function boxEngines(program: string): EngineOf {
  const box = new Box(program);
  return (site) => new BoxEngine(box, site);
}

/** Pulumi's own engine, for one stack. */
class BoxEngine implements StackEngine {
  readonly #box: Box;
  readonly #site: Site;
  #deployment: Deployment = {};
  #entries: Entry[] = [];
  /** What programs gave for what is in the state, and was. */
  readonly #given = new Map<string, JsonObject>();
  /** States as others know them. */
  readonly #known = new WeakMap<Entry[], Deployment>();
  #runs = 0;

  constructor(box: Box, site: Site) {
    this.#box = box;
    this.#site = site;
    this.#known.set(this.#entries, this.#deployment);
  }

  get state(): Entry[] {
    return this.#entries;
  }

  set state(entries: Entry[]) {
    const deployment = this.#known.get(entries);
    if (deployment === undefined) throw new Error("The state has never been that.");
    this.#deployment = deployment;
    this.#entries = entries;
  }

  up(program: readonly Declaration[], options: UpOptions = {}): Promise<Outcome> {
    const { target = [], replace = [], refresh = false, together = false, bystander } = options;
    const urns = (names: readonly string[]) => names.map((name) => this.#urnOf(name));
    return this.#run("update", options, program, {
      isInTurn: !together,
      ...(bystander === undefined ? {} : { bystander }),
      options: { parallel: options.parallel ?? MANY, refresh, targets: urns(target), replace: urns(replace) },
    });
  }

  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.#run("preview", {}, program, {});
  }

  refresh(manner: Manner = {}): Promise<Outcome> {
    return this.#run("refresh", manner, [], {});
  }

  destroy(manner: Manner = {}): Promise<Outcome> {
    return this.#run("destroy", manner, [], {});
  }

  /** As `pulumi import --file` does with outputs in the file, and a refresh of that then, or none. */
  async import(entry: Entry, isRead: boolean): Promise<Outcome> {
    const [kind = "", name = ""] = entry.urn.split(" ");
    const urn = this.#urnOf(entry.urn);
    this.#given.set(givenKey(urn, entry.id), entry.declared);
    const { id, inputs, outputs } = entry;
    const made = await this.#run("import", {}, [], { imports: [{ type: typeOf(kind), name, id, inputs, outputs }] });
    if (!isRead || made.errors.length > 0) return made;
    return this.#run("refresh", {}, [], { options: { parallel: MANY, targets: [urn] } });
  }

  async #run(
    what: Start["what"],
    manner: Manner,
    program: readonly Declaration[],
    { bystander, isInTurn = false, options, ...rest }: Partial<Start> & { bystander?: number; isInTurn?: boolean },
  ): Promise<Outcome> {
    const { seed, stack, config } = this.#site;
    const { interruption, unsaved } = manner;
    const start: Start = {
      what,
      stack,
      config: { ...config, ...manner.config },
      state: this.#deployment.resources === undefined ? null : this.#deployment,
      seed: seed * RUNS_OF_A_HISTORY + this.#runs++,
      program: this.#registrations(program, bystander, isInTurn),
      options: { parallel: manner.parallel ?? MANY, ...options },
      broken: {
        ...(unsaved === undefined ? {} : { unsaved }),
        ...(interruption?.when === "recorded" && interruption.by === "kill" ? { recorded: interruption.after } : {}),
      },
      ...rest,
    };
    const byUrn = new Map(program.map((declaration) => [this.#urnOf(declaration.urn), declaration]));
    const isTarget = (name: string) => (manner as UpOptions).target?.includes(name) ?? true;
    let run: BoxRun | undefined;
    this.#box.start(start, (number) => {
      run = new BoxRun(this.#box, this.#site, number, manner, {
        propertiesOf: (urn) => byUrn.get(urn)?.properties,
        recorded: (event) => this.#record(event, byUrn, isTarget),
      });
      return run;
    });
    const outcome = await (run as unknown as BoxRun).outcome;
    const state = (run as unknown as BoxRun).state;
    if (state !== undefined) this.#keep(state);
    return outcome;
  }

  #keep(deployment: Deployment): void {
    this.#deployment = deployment;
    this.#entries = entriesOf(deployment, this.#given);
    this.#known.set(this.#entries, deployment);
  }

  #record(
    { urn = "", id = "", op = "" }: BoxEvent,
    program: ReadonlyMap<string, Declaration>,
    isTarget: (name: string) => boolean,
  ): void {
    const declaration = program.get(urn);
    if (declaration === undefined || !GIVING.has(op)) return;
    const former = [declaration.urn, ...declaration.aliases].map((name) =>
      this.#given.get(givenKey(this.#urnOf(name), id)),
    );
    const given = isTarget(shortUrn(urn) ?? "") ? declaration.properties : former.find(Boolean);
    if (given !== undefined) this.#given.set(givenKey(urn, id), given);
  }

  /**
   * What a program registers, with another provider's resource after so many.
   *
   * @param isInTurn whether it waits for each before it goes on to the next
   */
  #registrations(program: readonly Declaration[], bystander: number | undefined, isInTurn: boolean): Registration[] {
    const all: (Declaration | undefined)[] = [...program];
    if (bystander !== undefined) all.splice(bystander, 0, undefined);
    return all.map((declaration, index) => {
      const awaited = (declaration?.dependencies ?? []).map((name) => all.findIndex((each) => each?.urn === name));
      return {
        request: declaration === undefined ? BYSTANDER : this.#request(declaration),
        after: [...awaited.filter((place) => place !== -1), ...(isInTurn && index > 0 ? [index - 1] : [])],
      };
    });
  }

  #request(declaration: Declaration): JsonObject {
    const { urn, aliases, properties, deleteBeforeReplace, dependencies, deletedWith } = declaration;
    const [kind = "", name = ""] = urn.split(" ");
    const urns = dependencies.map((each) => this.#urnOf(each));
    return {
      type: typeOf(kind),
      name,
      custom: true,
      object: properties,
      acceptSecrets: true,
      acceptResources: true,
      aliasSpecs: true,
      supportsPartialValues: true,
      supportsResultReporting: true,
      aliases: aliases.map((alias) => ({ spec: { name: alias.slice(kind.length + 1) } })),
      dependencies: urns,
      propertyDependencies: Object.fromEntries(Object.keys(properties).map((key) => [key, { urns }])),
      ...(deletedWith === undefined ? {} : { deletedWith: this.#urnOf(deletedWith) }),
      ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace, deleteBeforeReplaceDefined: true }),
    };
  }

  #urnOf(name: string): string {
    const [kind = "", own = ""] = name.split(" ");
    return `urn:pulumi:${this.#site.stack}::project::${typeOf(kind)}::${own}`;
  }
}

/** Steps after which the state has what the program gave. */
const GIVING = new Set(["create", "create-replacement", "same", "update"]);

const BYSTANDER: JsonObject = {
  type: "bystander:index:Bystander",
  name: "bystander",
  custom: true,
  acceptSecrets: true,
  object: {},
};
