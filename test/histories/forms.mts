import { Chance } from "./chance.mts";
import type { History, RunStep, Step } from "./history.mts";
import type { Form, Resource } from "./program.mts";

/**
 * A history with the form of its resources, as its seed decides: dynamic in one of four, the plugin's in one of four, half of these by
 * programs in another language, and else now dynamic, now native. Only Pulumi's own engine can play it.
 *
 * @param form whatever the seed decides
 */
export function inForms({ strict, ...history }: History, form?: Form): History {
  const chance = new Chance(history.seed + 0xf0_44_75);
  const forms: readonly (readonly Form[])[] = [["dynamic"], ["native"], ["dynamic", "native"], ["dynamic", "native"]];
  const drawn = form === undefined ? chance.pick(forms) : [form];
  const isForeign = form === "foreign" || (form === undefined && drawn.every(isNative) && chance.oneIn(2));
  const latest = new Map<number, Form>();
  const inForm = (run: RunStep): RunStep => {
    if (run.do !== "up") return run;
    // The engine finds nothing to replace under a URN that is new in the program.
    const kept = run.replace === undefined ? undefined : latest.get(run.stack);
    const form = isForeign ? "foreign" : (kept ?? chance.pick(drawn));
    latest.set(run.stack, form);
    return { ...run, form, program: isForeign ? run.program.map(withoutDeletedWith) : run.program };
  };
  const steps = history.steps.map((step): Step => {
    if (step.do === "both") return { ...step, runs: [inForm(step.runs[0]), inForm(step.runs[1])] };
    return step.do === "up" ? (inForm(step) as Step) : step;
  });
  // Who announces nothing is not told of take-overs in time.
  return { ...history, ...(strict === undefined || isForeign ? {} : { strict }), steps };
}

const isNative = (form: Form): boolean => form === "native";

/** Of what the engine forgets without a call, only the package's classes know. */
const withoutDeletedWith = ({ deletedWith: _, ...resource }: Resource): Resource => resource;
