import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { FaultCount } from "../histories/faultCount.ts";
import { inForms } from "../histories/forms.mts";
import { report, run } from "../histories/run.mts";
import { drawWide } from "../histories/wide.mts";

const SEED = 1;
const NUMBER = 130;

test("histories with all that the engine brings, in either form of resources, go as their programs say", async () => {
  const faults = new FaultCount();
  const failures = await run(NUMBER, SEED, {
    engineOf: boxEngines(inject("engineBox")),
    drawn: (seed) => inForms(drawWide(seed)),
    told: (_law, ending) => faults.hear(ending),
  });
  expect(failures.map(report).join("\n")).toBe("");
  faults.expectFew();
});
