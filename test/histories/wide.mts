import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import { draw } from "./draw.mts";
import type { Edit } from "./engines.mts";
import type { History, RunStep, Step, Up } from "./history.mts";
import { type Resource, urnOf, type WideOptions } from "./program.mts";

const COMPONENTS = ["Group x", "Team x", "Group y"];

/** Arguments that are left as they were, or lead to a replacement, without being what the thing is. */
const SOFT = ["count", "allowedIps", "deniedIps", "country", "logs", "requestStats", "defaults"];

/** Names of zones that nobody else has. */
const OWN = /^(alpha|beta)/;

/** What stands on a zone. */
const PARTS = /^Zone(Ips|Access|Password)$/;

/** What can be left out. */
export type Feature = "deletedWith" | "isOldSdk";

/** A history of which only Pulumi's own engine can play all: a drawn one, with options of resources and of runs, and edited states. */
export function drawWide(seed: number, without: ReadonlySet<Feature> = new Set(), only?: readonly string[]): History {
  const history = draw(seed, only);
  // Of a scene one knows how it ends.
  if (history.scene !== undefined) return history;
  const { steps, ...rest } = history;
  const { stacks } = rest;
  const wide = new Wide(new Chance(seed + 0x57_1d_e0), without, stacks.length);
  return { ...rest, steps: steps.flatMap((step) => wide.step(step)) };
}

class Wide {
  readonly #chance: Chance;
  readonly #without: ReadonlySet<Feature>;
  readonly #wideners: Widener[];
  #renamed = 0;

  constructor(chance: Chance, without: ReadonlySet<Feature>, stacks: number) {
    this.#chance = chance;
    this.#without = without;
    this.#wideners = Array.from({ length: stacks }, () => new Widener(chance, without));
  }

  step(step: Step): Step[] {
    if (step.do === "both") return [{ do: "both", runs: [this.#run(step.runs[0]), this.#run(step.runs[1])] }];
    if (step.do === "import") this.#wideners[step.stack]?.find(step.resource);
    // What an explicit provider is given comes before the environment.
    if (step.do === "stranger") return [{ ...step, what: "up" }];
    if (step.do !== "up" && step.do !== "refresh" && step.do !== "destroy") return [step];
    const run = this.#run(step);
    const edit = this.#editBefore(run);
    return edit === undefined ? [run] : [{ do: "edit", stack: step.stack, edit }, run];
  }

  #run(run: RunStep): RunStep {
    const chance = this.#chance;
    const manner = {
      ...(chance.oneIn(2) ? { parallel: chance.pick([1, 2, 4]) } : {}),
      ...(run.interruption === undefined && chance.oneIn(12) ? { begun: chance.below(5) } : {}),
    };
    if (run.do !== "up") return { ...run, ...manner, ...(chance.oneIn(2) ? { isWithProgram: true } : {}) };
    const program = (this.#wideners[run.stack] as Widener).widened(run.program);
    const { isOldSdk = run.isOldSdk, ...options } = optionsOf(run, program, chance);
    const { isOldSdk: _, ...rest } = run;
    const isOld = isOldSdk === true && !this.#without.has("isOldSdk");
    return { ...rest, program, ...manner, ...options, ...(isOld ? { isOldSdk } : {}) };
  }

  #editBefore(run: RunStep): Edit | undefined {
    const chance = this.#chance;
    if (!chance.oneIn(8)) return undefined;
    if (chance.oneIn(4)) return { what: "rename", to: `renamed${this.#renamed++}` };
    if (run.do !== "up" || run.program.length === 0) return undefined;
    const { kind, name } = chance.pick(run.program);
    return { what: chance.oneIn(3) ? "forget" : "taint", urn: urnOf(kind, name) };
  }
}

function optionsOf({ target }: Up, program: readonly Resource[], chance: Chance): Partial<Up> {
  const urns = program.map(({ kind, name }) => urnOf(kind, name));
  const isExcluding = target === undefined && urns.length > 0 && chance.oneIn(12);
  return {
    ...(target !== undefined && chance.oneIn(2) ? { targetDependents: true } : {}),
    ...(isExcluding ? { exclude: [chance.pick(urns)] } : {}),
    ...(isExcluding && chance.oneIn(2) ? { excludeDependents: true } : {}),
    ...(chance.oneIn(8) ? { continueOnError: true } : {}),
    ...(chance.oneIn(8) ? { isOldSdk: true } : {}),
  };
}

/** Gives the resources of one program their options, and keeps them from step to step. */
class Widener {
  readonly #chance: Chance;
  readonly #without: ReadonlySet<Feature>;
  #options = new Map<string, WideOptions>();
  #dependsOn = new Map<string, string[]>();

  constructor(chance: Chance, without: ReadonlySet<Feature>) {
    this.#chance = chance;
    this.#without = without;
  }

  /** The state has something without any options. */
  find({ kind, name }: Resource): void {
    this.#options.set(urnOf(kind, name), {});
  }

  widened(program: readonly Resource[]): Resource[] {
    const options = new Map<string, WideOptions>();
    const dependsOn = new Map<string, string[]>();
    const resources = zonesFirst(program).map((resource, index, all) => {
      const { kind, name, aliases = [] } = resource;
      const urns = [name, ...aliases].map((each) => urnOf(kind, each));
      const urn = urns[0] as string;
      const former = urns.find((each) => this.#options.has(each));
      const known = former === undefined ? {} : (this.#options.get(former) ?? {});
      const before = all.slice(0, index).map((each) => urnOf(each.kind, each.name));
      const isKept = former !== undefined && !this.#chance.oneIn(5);
      options.set(urn, this.#placed(isKept ? known : this.#drawn(resource), urns));
      dependsOn.set(urn, this.#dependencies(former ?? urn, before));
      return this.#part({ ...resource, dependsOn: dependsOn.get(urn) ?? [], options: { ...options.get(urn) } }, all);
    });
    // What is not declared any more may be in the state all the same.
    this.#options = new Map([...this.#options, ...options]);
    this.#dependsOn = new Map([...this.#dependsOn, ...dependsOn]);
    return resources;
  }

  #dependencies(urn: string, before: readonly string[]): string[] {
    const known = this.#dependsOn.get(urn);
    if (known !== undefined && !this.#chance.oneIn(5)) return known.filter((each) => before.includes(each));
    return before.length > 0 && this.#chance.oneIn(3) ? [this.#chance.pick(before)] : [];
  }

  /** With all places where it was before, under any of its names. */
  #placed({ wasIn: _, ...options }: WideOptions, urns: readonly string[]): WideOptions {
    const former = urns.flatMap((urn) => this.#options.get(urn) ?? []);
    const places = new Set(former.flatMap(({ parent = null, wasIn = [] }) => [parent, ...wasIn]));
    places.delete(options.parent ?? null);
    return places.size === 0 ? options : { ...options, wasIn: [...places] };
  }

  #drawn({ args }: Resource): WideOptions {
    const chance = this.#chance;
    const soft = SOFT.filter((key) => key in args);
    const parent = chance.oneIn(3) ? chance.pick(COMPONENTS) : undefined;
    return {
      ...(parent === undefined ? {} : { parent }),
      ...(chance.oneIn(12) ? { protect: true } : {}),
      ...(chance.oneIn(15) ? { retainOnDelete: true } : {}),
      ...(chance.oneIn(10) && soft.length > 0 ? { ignoreChanges: [chance.pick(soft)] } : {}),
      ...(chance.oneIn(10) && soft.length > 0 ? { replaceOnChanges: [chance.pick(soft)] } : {}),
    };
  }

  /** What can stand on a zone of the program does, now and then. */
  #part(resource: Resource, all: readonly Resource[]): Resource {
    const zone = all.find(({ kind, args }) => kind === "Zone" && OWN.test(String(args.name)));
    if (zone === undefined || !PARTS.test(resource.kind) || !this.#chance.oneIn(2)) return resource;
    const urn = urnOf("Zone", zone.name);
    const args: JsonObject = { ...resource.args, zone: zone.args.name as string };
    // Who adopts what there is on a zone of another's making is not the question here.
    delete args.adopt;
    const isWith = this.#chance.oneIn(3) && !this.#without.has("deletedWith");
    const options = { ...resource.options, refs: { zone: urn } };
    return { ...resource, args, options, ...(isWith ? { deletedWith: urn } : {}) };
  }
}

/** Zones, and then the rest: what stands on one comes after it. */
const zonesFirst = (program: readonly Resource[]): Resource[] => [
  ...program.filter(({ kind }) => kind === "Zone"),
  ...program.filter(({ kind }) => kind !== "Zone"),
];
