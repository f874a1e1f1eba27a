import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { report, run } from "../histories/run.mts";
import { drawWide, type Feature } from "../histories/wide.mts";
import { FaultCount } from "./faultCount.ts";

const SEED = 1;
const NUMBER = 200;

/** What the package does not hold yet: that leaves the state without a call, before it is known whether the zone goes. */
const NOT_YET: ReadonlySet<Feature> = new Set(["deletedWith"]);

test("histories with all that the engine brings go as their programs say", async () => {
  const faults = new FaultCount();
  const failures = await run(NUMBER, SEED, {
    engineOf: boxEngines(inject("engineBox")),
    drawn: (seed) => drawWide(seed, NOT_YET),
    told: (_law, ending) => faults.hear(ending),
  });
  expect(failures.map(report).join("\n")).toBe("");
  faults.expectFew();
});
