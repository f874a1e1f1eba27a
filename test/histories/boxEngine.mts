import type { JsonObject } from "../../src/base/json.ts";
import { announced } from "./announced.mts";
import { Both } from "./both.mts";
import { Box, type BoxEvent, type Exchange, Line, type Start } from "./box.mts";
import { BoxProgram } from "./boxProgram.mts";
import { BoxRun } from "./boxRun.mts";
import { type Deployment, edited, entriesOf, givenKey, shortUrn, typeOf, withOnly } from "./boxState.mts";
import type { Entry, Manner, Outcome } from "./engine.mts";
import type { Edit, EngineOf, Site, StackEngine, WideOther, WideUp } from "./engines.mts";
import { ImitatedEngine } from "./imitation/engine.mts";
import type { Declaration, Form } from "./program.mts";

/** As many steps as the engine takes at the same time unless it is told otherwise. */
const MANY = 16;

const RUNS_OF_A_HISTORY = 1000;

/** Steps after which the state has what the program gave. */
const GIVING = new Set(["create", "create-replacement", "same", "update"]);

function enginesOf(connect: () => Exchange): EngineOf {
  const box = new Box(connect);
  return (site) => new BoxEngine(box, site);
}

/** @param program path of what `scripts/engine-box.mts` builds */
export const boxEngines = (program: string): EngineOf => enginesOf(() => new Line(program));

/** What needs no Go. */
export const imitation: EngineOf = enginesOf(() => new ImitatedEngine());

/** Pulumi's own engine, of which the imitation is not to differ in anything. */
export const bothEngines = (program: string): EngineOf =>
  enginesOf(() => new Both(new Line(program), new ImitatedEngine()));

type Options = WideUp & { isWithProgram?: boolean };

/** What of a run is not in its options. */
type What = Pick<Start, "what"> & Partial<Pick<Start, "imports">> & { program?: readonly Declaration[] };

/** What tells the engine when to save its state. */
const savingOf = ({ isSavedLast }: Manner): Record<string, string> =>
  isSavedLast === true ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {};

/** An engine, for one stack. */
class BoxEngine implements StackEngine {
  readonly #box: Box;
  readonly #site: Site;
  #stack: string;
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
    this.#stack = site.stack;
    this.#known.set(this.#entries, this.#deployment);
  }

  get state(): Entry[] {
    return this.#entries;
  }

  set state(entries: Entry[]) {
    const deployment = this.#known.get(entries) ?? withOnly(this.#deployment, entries);
    this.#known.set(entries, deployment);
    this.#deployment = deployment;
    this.#entries = entries;
    for (const { urn, id = "" } of deployment.resources ?? []) {
      const entry = entries.find((each) => each.urn === shortUrn(urn) && each.id === id);
      if (entry !== undefined) this.#given.set(givenKey(urn, id), entry.declared);
    }
  }

  up(program: readonly Declaration[], options: WideUp = {}): Promise<Outcome> {
    return this.#run({ what: "update", program }, options);
  }

  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.#run({ what: "preview", program }, { together: true });
  }

  refresh({ program, ...manner }: WideOther = {}): Promise<Outcome> {
    const isWithProgram = program !== undefined;
    return this.#run({ what: "refresh", program: program ?? [] }, { ...manner, together: true, isWithProgram });
  }

  destroy({ program, ...manner }: WideOther = {}): Promise<Outcome> {
    const isWithProgram = program !== undefined;
    return this.#run({ what: "destroy", program: program ?? [] }, { ...manner, together: true, isWithProgram });
  }

  /** As `pulumi import --file` does with outputs in the file, and a refresh of that then, or none. */
  async import(entry: Entry, isRead: boolean, form: Form): Promise<Outcome> {
    const [kind = "", name = ""] = entry.urn.split(" ");
    const { id, inputs, outputs } = entry;
    const type = typeOf(kind, form);
    this.#given.set(givenKey(`urn:pulumi:${this.#stack}::project::${type}::${name}`, id), entry.declared);
    const made = await this.#run({ what: "import", imports: [{ type, name, id, inputs, outputs }] }, {});
    if (!isRead || made.errors.length > 0) return made;
    return this.#run({ what: "refresh" }, { target: [entry.urn] });
  }

  edit(edit: Edit): void {
    const state = edited(this.#deployment, this.#stack, edit);
    if (edit.what === "rename") {
      for (const [key, given] of this.#given) this.#given.set(key.replace(this.#stack, edit.to), given);
      this.#stack = edit.to;
    }
    this.#keep(state);
  }

  async #run({ what, program = [], imports }: What, options: Options): Promise<Outcome> {
    const { machine, plugins } = this.#site;
    const env = { ...this.#site.env, ...options.env, ...savingOf(options) };
    const engine = plugins === undefined ? machine.nextEngine() : await plugins.listen();
    const site = { ...this.#site, engine, env };
    const { program: registered, answered } = await announced(machine, site, program);
    const declared = new BoxProgram(this.#stack, registered);
    const { seed, providers } = this.#site;
    const config = { ...this.#site.config, ...options.config };
    const { bystander, together = false } = options;
    const start: Start = {
      what,
      stack: this.#stack,
      config,
      state: this.#deployment.resources === undefined ? null : this.#deployment,
      seed: seed * RUNS_OF_A_HISTORY + this.#runs++,
      program: declared.registrations({ settings: providers, bystander, isInTurn: !together }),
      ...(imports === undefined ? {} : { imports }),
      options: this.#flags(declared, options),
      broken: brokenBy(options),
    };
    let run: BoxRun | undefined;
    const before = this.state;
    this.#box.start(start, (number) => {
      run = new BoxRun(this.#box, site, number, options, {
        declaredAt: (urn) => declared.nowAt(urn),
        answered: (urn, isSkipped, mark) => {
          const known = before.find(({ outputs }) => outputs.__mark === mark);
          answered(declared.at(urn)?.urn ?? "", isSkipped, mark, known?.outputs);
        },
        isAcknowledging: !program.some(({ form }) => form === "foreign"),
        recorded: (event, isChecked) => this.#record(event, declared, isChecked),
      });
      return run;
    });
    const begun = run as unknown as BoxRun;
    const outcome = await begun.outcome;
    const isLost = options.isSavedLast === true && !outcome.isRecorded;
    if (begun.state !== undefined && !isLost) this.#keep(begun.state);
    return outcome;
  }

  #flags(program: BoxProgram, options: Options): Start["options"] {
    const urns = (names: readonly string[] = []) => names.map((name) => this.#urnOf(name, program));
    const { target, exclude, replace, parallel = MANY, refresh = false } = options;
    return {
      parallel,
      refresh,
      targets: urns(target),
      excludes: urns(exclude),
      replace: urns(replace),
      targetDependents: options.targetDependents === true,
      excludeDependents: options.excludeDependents === true,
      continueOnError: options.continueOnError === true,
      runProgram: options.isWithProgram === true,
      isOldSdk: options.isOldSdk === true,
    };
  }

  #keep(deployment: Deployment): void {
    this.#deployment = deployment;
    this.#entries = entriesOf(deployment, this.#given);
    this.#known.set(this.#entries, deployment);
  }

  #record({ urn = "", id = "", op = "", isPartial = false }: BoxEvent, program: BoxProgram, isChecked: boolean): void {
    const declaration = program.at(urn);
    if (declaration === undefined || !GIVING.has(op)) return;
    const known = this.#entries.filter(
      (entry) => entry.id === id && [declaration.urn, ...declaration.aliases].includes(entry.urn),
    );
    // The engine looks for its own type under all of its names first.
    const isOfForm = ({ isNative }: Entry) => (isNative === true) === (declaration.form !== "dynamic");
    const before = (known.find(isOfForm) ?? known[0])?.declared;
    const isNew = op !== "same" && op !== "update";
    // What is no target of the run stays as it is, under another name at most, and so do the inputs of what was not done whole.
    const given =
      isChecked && !(isPartial && op === "update") ? withIgnored(declaration, isNew ? undefined : before) : before;
    if (given !== undefined) this.#given.set(givenKey(urn, id), given);
  }

  /** A resource's whole URN, where it stands in the program, or in the state. */
  #urnOf(name: string, program: BoxProgram): string {
    const known = this.#deployment.resources?.find(({ urn }) => shortUrn(urn) === name)?.urn;
    const [kind = "", own = ""] = name.split(" ");
    return program.urnOf(name) ?? known ?? `urn:pulumi:${this.#stack}::project::${typeOf(kind)}::${own}`;
  }
}

/** What the program gave, as far as the engine hears of it. */
function withIgnored({ properties, options = {} }: Declaration, before: JsonObject | undefined): JsonObject {
  const given = { ...properties };
  if (before === undefined) return given;
  for (const key of options.ignoreChanges ?? []) {
    if (before[key] === undefined) delete given[key];
    else given[key] = before[key];
  }
  return given;
}

function brokenBy({ interruption, unsaved, begun }: Options): Start["broken"] {
  const isAtRecord = interruption?.when === "recorded" && !/^(cancel|provider)$/.test(interruption.by);
  return {
    ...(unsaved === undefined ? {} : { unsaved }),
    ...(isAtRecord ? { recorded: interruption.after } : {}),
    ...(begun === undefined ? {} : { begun }),
  };
}
