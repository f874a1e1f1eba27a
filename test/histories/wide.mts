import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import { draw } from "./draw.mts";
import type { Edit } from "./engines.mts";
import type { History, RunStep, Step, Up } from "./history.mts";
import { type Resource, urnOf, type WideOptions } from "./program.mts";

const COMPONENTS = ["Group x", "Team x", "Group y"];
const PROVIDERS = ["other"];

/** Arguments that are left as they were, or lead to a replacement, without being what the thing is. */
const SOFT = ["count", "allowedIps", "deniedIps", "country", "logs", "requestStats", "defaults", "zone"];

/** What stands on a zone. */
const PARTS = /^Zone(Ips|Access|Password)$/;

/** A history of which only Pulumi's own engine can play all: a drawn one, with options of resources and of runs, and edited states. */
export function drawWide(seed: number): History {
  const chance = new Chance(seed + 0x57_1d_e0);
  const { stacks, steps } = draw(seed);
  const authors = stacks.map(() => new Widener(chance));
  let renamed = 0;
  const wide = steps.flatMap((step): Step[] => {
    if (step.do === "both") {
      const [first, second] = step.runs;
      return [{ do: "both", runs: [widened(first, authors, chance), widened(second, authors, chance)] }];
    }
    if (step.do !== "up" && step.do !== "refresh" && step.do !== "destroy") return [step];
    const run = widened(step, authors, chance);
    const edit = editBefore(run, chance, () => `renamed${renamed++}`);
    return edit === undefined ? [run] : [{ do: "edit", stack: step.stack, edit }, run];
  });
  return { seed, stacks, steps: wide };
}

function editBefore(run: RunStep, chance: Chance, nextName: () => string): Edit | undefined {
  if (!chance.oneIn(8)) return undefined;
  if (chance.oneIn(4)) return { what: "rename", to: nextName() };
  if (run.do !== "up" || run.program.length === 0) return undefined;
  const { kind, name } = chance.pick(run.program);
  return { what: chance.oneIn(3) ? "forget" : "taint", urn: urnOf(kind, name) };
}

function widened(run: RunStep, authors: readonly Widener[], chance: Chance): RunStep {
  const manner = {
    ...(chance.oneIn(2) ? { parallel: chance.pick([1, 2, 4]) } : {}),
    ...(run.interruption === undefined && chance.oneIn(12) ? { begun: chance.below(5) } : {}),
  };
  if (run.do !== "up") return { ...run, ...manner, ...(chance.oneIn(2) ? { isWithProgram: true } : {}) };
  const program = (authors[run.stack] as Widener).widened(run.program);
  return { ...run, program, ...manner, ...optionsOf(run, program, chance) };
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
  #options = new Map<string, WideOptions>();
  #dependsOn = new Map<string, string[]>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  widened(program: readonly Resource[]): Resource[] {
    const options = new Map<string, WideOptions>();
    const dependsOn = new Map<string, string[]>();
    const resources = zonesFirst(program).map((resource, index, all) => {
      const { kind, name, aliases = [] } = resource;
      const urns = [name, ...aliases].map((each) => urnOf(kind, each));
      const urn = urns[0] as string;
      const former = urns.find((each) => this.#options.has(each));
      const known = former === undefined ? {} : this.#options.get(former);
      const before = all.slice(0, index).map((each) => urnOf(each.kind, each.name));
      options.set(urn, former !== undefined && !this.#chance.oneIn(5) ? (known ?? {}) : this.#drawn(resource, known));
      dependsOn.set(urn, this.#dependencies(former ?? urn, before));
      return this.#part({ ...resource, dependsOn: dependsOn.get(urn) ?? [], options: { ...options.get(urn) } }, all);
    });
    this.#options = options;
    this.#dependsOn = dependsOn;
    return resources;
  }

  #dependencies(urn: string, before: readonly string[]): string[] {
    const known = this.#dependsOn.get(urn);
    if (known !== undefined && !this.#chance.oneIn(5)) return known.filter((each) => before.includes(each));
    return before.length > 0 && this.#chance.oneIn(3) ? [this.#chance.pick(before)] : [];
  }

  #drawn({ args }: Resource, known: WideOptions = {}): WideOptions {
    const chance = this.#chance;
    const soft = SOFT.filter((key) => key in args);
    const parent = chance.oneIn(3) ? chance.pick(COMPONENTS) : undefined;
    const wasIn = new Set([...(known.wasIn ?? []), known.parent ?? null]);
    wasIn.delete(parent ?? null);
    return {
      ...(parent === undefined ? {} : { parent }),
      ...(wasIn.size === 0 ? {} : { wasIn: [...wasIn] }),
      ...(chance.oneIn(12) ? { protect: true } : {}),
      ...(chance.oneIn(15) ? { retainOnDelete: true } : {}),
      ...(chance.oneIn(10) && soft.length > 0 ? { ignoreChanges: [chance.pick(soft)] } : {}),
      ...(chance.oneIn(10) && soft.length > 0 ? { replaceOnChanges: [chance.pick(soft)] } : {}),
      ...(chance.oneIn(8) ? { provider: chance.pick(PROVIDERS) } : {}),
    };
  }

  /** What can stand on a zone of the program does, now and then. */
  #part(resource: Resource, all: readonly Resource[]): Resource {
    const zone = all.find(({ kind, args }) => kind === "Zone" && typeof args.name === "string");
    if (zone === undefined || !PARTS.test(resource.kind) || !this.#chance.oneIn(2)) return resource;
    const urn = urnOf("Zone", zone.name);
    const args: JsonObject = { ...resource.args, zone: zone.args.name as string };
    // Who adopts what there is on a zone of another's making is not the question here.
    delete args.adopt;
    const options = { ...resource.options, refs: { zone: urn } };
    return { ...resource, args, options, ...(this.#chance.oneIn(3) ? { deletedWith: urn } : {}) };
  }
}

/** Zones, and then the rest: what stands on one comes after it. */
const zonesFirst = (program: readonly Resource[]): Resource[] => [
  ...program.filter(({ kind }) => kind === "Zone"),
  ...program.filter(({ kind }) => kind !== "Zone"),
];
