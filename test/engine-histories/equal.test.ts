import { expect, inject, test } from "vitest";
import { bothEngines } from "../histories/boxEngine.mts";
import { FaultCount } from "../histories/faultCount.ts";
import { report, run } from "../histories/run.mts";

const SEED = 1;
const NUMBER = 400;

test("the imitation differs from Pulumi's own engine in no call and no state, and histories go as their programs say", async () => {
  const faults = new FaultCount();
  const engineOf = bothEngines(inject("engineBox"));
  const failures = await run(NUMBER, SEED, { engineOf, told: (_law, ending) => faults.hear(ending) });
  expect(failures.map(report).join("\n")).toBe("");
  faults.expectFew();
});
