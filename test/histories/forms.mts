import { Chance } from "./chance.mts";
import type { History, RunStep, Step } from "./history.mts";
import type { Form } from "./program.mts";

/**
 * A history with the form of its resources, as its seed decides: dynamic in one of four, native in one of four, and else now the one,
 * now the other. Only Pulumi's own engine can play it.
 */
export function inForms(history: History): History {
  const chance = new Chance(history.seed + 0xf0_44_75);
  const forms: readonly (readonly Form[])[] = [["dynamic"], ["native"], ["dynamic", "native"], ["dynamic", "native"]];
  const drawn = chance.pick(forms);
  const inForm = (run: RunStep): RunStep => (run.do === "up" ? { ...run, form: chance.pick(drawn) } : run);
  const steps = history.steps.map((step): Step => {
    if (step.do === "both") return { ...step, runs: [inForm(step.runs[0]), inForm(step.runs[1])] };
    return step.do === "up" ? (inForm(step) as Step) : step;
  });
  return { ...history, steps };
}
