import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { FaultCount } from "../histories/faultCount.ts";
import { inForms } from "../histories/forms.mts";
import { report, run } from "../histories/run.mts";
import { drawWide } from "../histories/wide.mts";
import { hasTurn } from "../turn";

const NUMBER = 65;
/** Half of those that are tried. */
const SEEDS = [1, 1 + NUMBER].filter((_, half) => hasTurn(half, 2));

test("histories with all that the engine brings, in either form of resources, go as their programs say", async () => {
  const faults = new FaultCount();
  for (const seed of SEEDS) {
    const failures = await run(NUMBER, seed, {
      engineOf: boxEngines(inject("engineBox")),
      drawn: (each) => inForms(drawWide(each)),
      told: (_law, ending) => faults.hear(ending),
    });
    expect(failures.map(report).join("\n")).toBe("");
  }
  faults.expectFew();
});
