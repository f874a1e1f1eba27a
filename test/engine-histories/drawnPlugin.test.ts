import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { draw } from "../histories/draw.mts";
import { inForms } from "../histories/forms.mts";
import type { History, RunStep, Step } from "../histories/history.mts";
import { play } from "../histories/play.mts";
import { RealMachine } from "./realMachine";

/** In each, an engine dies alone, and some resources have a process of an explicit provider. */
const HAPPENINGS = ["engineDies", "providers", "dependencies"];

/** In some of them the engine dies in the middle of something. */
const SEEDS = [4, 9, 21, 27, 40, 43, 1_000_000];

/** A history of the plugin's resources, without all that needs a network, a disk or a clock of its own. */
function real({ steps, ...history }: History): History {
  const run = ({ trouble: _, full: __, notes: ___, busyMs: ____, late: _____, meanwhile: ______, ...rest }: RunStep) =>
    (rest.do === "up" && rest.form === "dynamic" ? { ...rest, form: "native" } : rest) as RunStep;
  const all = steps.flatMap((step): Step[] => {
    if (step.do === "both") return step.runs.map(run);
    if (step.do === "up" || step.do === "refresh" || step.do === "destroy") return [run(step)];
    return step.do === "wait" || step.do === "clock" ? [] : [step];
  });
  return { ...history, steps: all };
}

test.each(SEEDS)("the plugin as a process goes through the history of seed %i as its programs say", async (seed) => {
  const machine = new RealMachine();
  const history = real(inForms(draw(seed, HAPPENINGS)));
  const engineOf = boxEngines(inject("engineBox"));
  const { wrong, fault, log } = await play(history, (site) => engineOf({ ...site, plugins: machine }), machine);
  expect(wrong, log.join("\n")).toBeUndefined();
  expect(fault).toBeUndefined();
});
