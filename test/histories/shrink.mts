import type { JsonObject } from "../../src/base/json.ts";
import type { EngineOf } from "./engines.mts";
import type { History, RunStep, Step, Up } from "./history.mts";
import { standing } from "./meant.mts";
import { lawOf, play } from "./play.mts";
import type { Resource } from "./program.mts";
import { urnOf } from "./program.mts";

/** The shortest history found that breaks the same law. */
export async function shrunk(history: History, engineOf?: EngineOf): Promise<History> {
  // Of a scene that lacks something, nobody knows how it has to end.
  if (history.scene !== undefined) return history;
  const law = lawOf(await play(history, engineOf));
  let best = history;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    // What made it shorter once is likely to do so again: go on from there.
    for (let index = 0; ; index++) {
      const candidate = nth(shorter(best), index);
      if (candidate === undefined) break;
      if (lawOf(await play(candidate, engineOf)) !== law) continue;
      best = candidate;
      isShorter = true;
      index--;
    }
  }
  return best;
}

function nth<T>(items: Iterable<T>, index: number): T | undefined {
  let place = 0;
  for (const item of items) if (place++ === index) return item;
  return undefined;
}

/** Histories that are a little shorter, those first that are much shorter. */
function* shorter(history: History): Generator<History> {
  const { stacks, steps } = history;
  const { oneUrl, ...apart } = history;
  if (oneUrl !== undefined) yield apart;
  const having = (changed: readonly Step[]): History => ({ ...history, steps: [...changed] });
  if (stacks.length > 1) {
    yield* [0, 1].map((stack) => ({
      ...history,
      stacks: stacks.slice(stack, stack + 1),
      steps: steps.flatMap((step) => onlyOf(step, stack)),
    }));
    yield* stacks.flatMap((stack, index) =>
      (["home", "service", "backend"] as const)
        .filter((what) => stack[what] !== 0)
        .map((what) => ({ ...history, stacks: stacks.with(index, { ...stack, [what]: 0 }) })),
    );
  }
  for (let size = steps.length >> 1; size >= 1; size >>= 1) {
    for (let index = steps.length - size; index >= 0; index--) yield having(steps.toSpliced(index, size));
  }
  const urns = new Set(runsOf(steps).flatMap((run) => (run.do === "up" ? run.program.map(urn) : [])));
  for (const name of urns) {
    const changed = steps.map((step) => mapped(step, (run) => dropping(run, name)));
    yield having(changed);
  }
  for (const [index, step] of steps.entries()) for (const each of simpler(step)) yield having(steps.with(index, each));
  for (const name of urns) yield* simplerArgs(history, name);
  for (const name of urns) yield* simplerOptions(history, name);
}

const urn = ({ kind, name }: Resource): string => urnOf(kind, name);

const runsOf = (steps: readonly Step[]): RunStep[] =>
  steps.flatMap((step) =>
    step.do === "both" ? step.runs : step.do === "up" || step.do === "refresh" || step.do === "destroy" ? [step] : [],
  );

function mapped(step: Step, change: (run: RunStep) => RunStep): Step {
  if (step.do === "both") return { ...step, runs: [change(step.runs[0]), change(step.runs[1])] };
  return step.do === "up" || step.do === "refresh" || step.do === "destroy" ? change(step) : step;
}

const dropping = (run: RunStep, name: string): RunStep =>
  run.do === "up" ? { ...run, program: standing(run.program.filter((each) => urn(each) !== name)) } : run;

/** What one stack does in a step, as that of the only stack. */
function onlyOf(step: Step, stack: number): Step[] {
  if (step.do === "wait" || step.do === "clock") return [step];
  if (step.do === "hand" || step.do === "see") return [{ ...step, service: 0 }];
  const own = step.do === "both" ? step.runs : [step];
  return own.filter((each) => each.stack === stack).map((each) => ({ ...each, stack: 0 }));
}

function* simpler(step: Step): Generator<Step> {
  if (step.do === "both") {
    yield* step.runs;
    const [first, second] = step.runs;
    for (const each of simplerRun(first)) yield { ...step, runs: [each, second] };
    for (const each of simplerRun(second)) yield { ...step, runs: [first, each] };
  } else if (step.do === "stranger") {
    const { trouble, ...rest } = step;
    if (trouble !== undefined) yield rest;
  } else if (step.do === "restore") {
    if (step.runs > 1) yield { ...step, runs: step.runs - 1 };
  } else if (step.do === "up" || step.do === "refresh" || step.do === "destroy") yield* simplerRun(step);
}

function* simplerRun(run: RunStep): Generator<RunStep> {
  const options = [
    "trouble",
    "interruption",
    "unsaved",
    "full",
    "bystander",
    "refresh",
    "replace",
    "target",
    "together",
    "parallel",
    "begun",
    "targetDependents",
    "exclude",
    "excludeDependents",
    "continueOnError",
    "isOldSdk",
    "isWithProgram",
    "notes",
    "busyMs",
    "late",
    "meanwhile",
  ] as const;
  for (const name of options) {
    if (!(name in run)) continue;
    const { [name]: _, ...rest } = run as Up & { isWithProgram?: true };
    yield rest as RunStep;
  }
  if (run.trouble !== undefined && run.trouble.after > 0) {
    yield { ...run, trouble: { ...run.trouble, after: run.trouble.after - 1 } };
  }
  if (run.interruption !== undefined && run.interruption.after > 0) {
    yield { ...run, interruption: { ...run.interruption, after: run.interruption.after - 1 } };
  }
  if (run.meanwhile !== undefined && run.meanwhile.after > 0) {
    yield { ...run, meanwhile: { ...run.meanwhile, after: run.meanwhile.after - 1 } };
  }
  if (run.unsaved !== undefined && run.unsaved > 0) yield { ...run, unsaved: run.unsaved - 1 };
  if (run.do === "up") yield* simplerProgram(run);
}

function* simplerProgram(run: Up): Generator<Up> {
  for (const [index, { aliases = [], ...rest }] of run.program.entries()) {
    yield { ...run, program: standing(run.program.toSpliced(index, 1)) };
    if (aliases.length > 0) yield { ...run, program: run.program.with(index, rest) };
    if (rest.dependsOn !== undefined) {
      const { dependsOn: _, ...free } = rest;
      yield { ...run, program: run.program.with(index, { ...free, aliases }) };
    }
    if (aliases.length < 2) continue;
    for (const alias of aliases) yield { ...run, program: run.program.with(index, { ...rest, aliases: [alias] }) };
  }
}

/** Without an option of a resource, wherever it stands. */
function* simplerOptions(history: History, name: string): Generator<History> {
  const resources = runsOf(history.steps).flatMap((run) => (run.do === "up" ? run.program : []));
  const own = resources.filter((each) => urn(each) === name);
  const having = (change: (resource: Resource) => Resource): History => ({
    ...history,
    steps: history.steps.map((step) =>
      mapped(step, (run) =>
        run.do === "up"
          ? { ...run, program: run.program.map((each) => (urn(each) === name ? change(each) : each)) }
          : run,
      ),
    ),
  });
  if (own.some(({ dependsOn = [] }) => dependsOn.length > 0)) yield having(({ dependsOn: _, ...rest }) => rest);
  if (own.some(({ deletedWith }) => deletedWith !== undefined)) yield having(({ deletedWith: _, ...rest }) => rest);
  const keys = new Set(own.flatMap(({ options = {} }) => Object.keys(options)));
  // Who says nothing of where a thing was before has it made anew elsewhere.
  if (keys.has("parent")) keys.delete("wasIn");
  keys.delete("refs");
  for (const key of keys) {
    yield having(({ options = {}, ...rest }) => {
      const left = Object.fromEntries(Object.entries(options).filter(([each]) => each !== key));
      return Object.keys(left).length === 0 ? rest : { ...rest, options: left };
    });
  }
}

/** Whether another resource takes something of it: what stands there instead of that is what its arguments say. */
const isReferredTo = (resources: readonly Resource[], name: string): boolean =>
  resources.some(({ options }) => Object.values(options?.refs ?? {}).includes(name));

const REQUIRED = new Set(["zone", "plan", "count", "ip", "ports", "email", "defaults"]);

/** Without an argument of a resource, wherever it stands. */
function* simplerArgs(history: History, name: string): Generator<History> {
  const resources = runsOf(history.steps).flatMap((run) => (run.do === "up" ? run.program : []));
  const keys = new Set(resources.filter((each) => urn(each) === name).flatMap(({ args }) => Object.keys(args)));
  for (const key of keys) {
    if (REQUIRED.has(key) || isReferredTo(resources, name)) continue;
    const change = (run: RunStep): RunStep => {
      if (run.do !== "up") return run;
      const program = run.program.map((each) => {
        if (urn(each) !== name) return each;
        const { [key]: _, ...args } = each.args as JsonObject;
        return { ...each, args };
      });
      return { ...run, program };
    };
    yield { ...history, steps: history.steps.map((step) => mapped(step, change)) };
  }
}
