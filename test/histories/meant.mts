import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json.ts";
import type { Entry } from "./engine.mts";
import type { RunStep, Up } from "./history.mts";
import { KINDS } from "./kinds.mts";
import { type Resource, urnOf } from "./program.mts";

/** What a run comes to with all of its options, said by those that the books know. */
export function meant(step: RunStep, state: readonly Entry[]): RunStep {
  if (step.do !== "up") return step;
  const ignoring = step.program.map((resource) => withIgnored(resource, entryOf(resource, step, state)));
  const { replace, changed } = replacedBy({ ...step, program: ignoring }, state);
  // What is replaced is made as it is declared.
  const isNew = (urn: string) => replace.includes(urn) || changed.has(urn);
  const program = step.program.map((each, index) =>
    isNew(urnOf(each.kind, each.name)) ? each : (ignoring[index] as Resource),
  );
  const target = targetOf(step, state);
  return { ...step, program, ...(replace.length > 0 && { replace }), ...(target !== undefined && { target }) };
}

function entryOf(
  { kind, name, aliases = [] }: Resource,
  { form = "dynamic" }: Up,
  state: readonly Entry[],
): Entry | undefined {
  const urns = [name, ...aliases].map((each) => urnOf(kind, each));
  const there = urns.flatMap((urn) => state.filter((entry) => entry.urn === urn && !entry.doomed));
  // The engine looks for its own type under all of its names first.
  const found = there.find(({ isNative }) => (isNative === true) === (form !== "dynamic")) ?? there[0];
  return found?.recreated ? undefined : found;
}

/** What is ignored is as it was. */
function withIgnored(resource: Resource, entry: Entry | undefined): Resource {
  const args: JsonObject = { ...resource.args };
  if (entry === undefined) return resource;
  for (const key of resource.options?.ignoreChanges ?? []) {
    if (entry.declared[key] === undefined) delete args[key];
    else args[key] = entry.declared[key];
  }
  return { ...resource, args };
}

/** Types of what a state has as the program gives it. */
const PLAIN: ReadonlySet<string> = new Set(["number", "string"]);

/** Whether it is replaced for a change that a person has asked that for. */
function isReplacedAnyway(
  entry: Entry,
  { args, options: { replaceOnChanges = [] } = {} }: Resource,
  step: Up,
): boolean {
  const isOther = (key: string) => !isDeepStrictEqual(args[key], entry.declared[key]);
  // What a refresh, or an earlier update, has found to be unlike is a change, too.
  const isFound = (key: string) => PLAIN.has(typeof entry.outputs[key]) && entry.outputs[key] !== args[key];
  return (
    entry.tainted === true || replaceOnChanges.some((key) => step.refresh === true || isFound(key) || isOther(key))
  );
}

/** URNs of what is replaced besides what its kind says, and of what that is. */
function replacedBy(step: Up, state: readonly Entry[]): { replace: string[]; changed: ReadonlySet<string> } {
  const { program, replace = [] } = step;
  const replaced = new Set(replace);
  const changed = new Set<string>();
  for (const resource of program) {
    const { kind, name, args } = resource;
    const entry = entryOf(resource, step, state);
    if (entry === undefined) continue;
    const isOther = (key: string) => !isDeepStrictEqual(args[key], entry.declared[key]);
    if (isReplacedAnyway(entry, resource, step)) replaced.add(urnOf(kind, name));
    if (KINDS[kind]?.identity.some(isOther)) changed.add(urnOf(kind, name));
  }
  // What a thing stands on goes, and it goes with that.
  for (let size = -1; size !== replaced.size; ) {
    size = replaced.size;
    for (const { kind, name, options: { refs = {} } = {} } of program) {
      const isLost = Object.values(refs).some((urn) => replaced.has(urn) || changed.has(urn));
      if (isLost) replaced.add(urnOf(kind, name));
    }
  }
  return { replace: [...replaced], changed };
}

/** URNs of what a run is about, where that is not all. */
function targetOf(step: Up, state: readonly Entry[]): string[] | undefined {
  const { program, target = [], exclude, targetDependents, excludeDependents } = step;
  const urns = new Set([...program.map(({ kind, name }) => urnOf(kind, name)), ...state.map(({ urn }) => urn)]);
  if (exclude !== undefined) {
    const excluded = excludeDependents === true ? withDependents(exclude, program, state) : new Set(exclude);
    return [...urns].filter((urn) => !excluded.has(urn));
  }
  return targetDependents === true && target.length > 0 ? [...withDependents(target, program, state)] : step.target;
}

function withDependents(
  urns: readonly string[],
  program: readonly Resource[],
  state: readonly Entry[],
): ReadonlySet<string> {
  const found = new Set(urns);
  const declared = new Set(program.map(({ kind, name }) => urnOf(kind, name)));
  // What the program declares depends on what it says by now.
  const others = state.filter(({ urn }) => !declared.has(urn));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { kind, name, dependsOn = [], deletedWith = "", options: { refs = {} } = {} } of program) {
      const needed = [...dependsOn, deletedWith, ...Object.values(refs)];
      if (needed.some((urn) => found.has(urn))) found.add(urnOf(kind, name));
    }
    for (const { urn, dependencies = [] } of others) if (dependencies.some((each) => found.has(each))) found.add(urn);
  }
  return found;
}

/** A program without what stands on something that is not in it. */
export function standing(program: readonly Resource[]): Resource[] {
  const urns = new Set(program.map(({ kind, name }) => urnOf(kind, name)));
  const left = program.filter(({ options: { refs = {} } = {} }) => Object.values(refs).every((urn) => urns.has(urn)));
  return left.length === program.length ? left : standing(left);
}

/** A resource without what keeps it from being what its arguments say. */
export function plain(resource: Resource): Resource {
  if (resource.options === undefined) return resource;
  const { protect: _, retainOnDelete: __, ignoreChanges: ___, replaceOnChanges: ____, ...options } = resource.options;
  return { ...resource, options };
}
