import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { drawCrossed } from "../histories/crossed.mts";
import { FaultCount } from "../histories/faultCount.ts";
import { report, run } from "../histories/run.mts";
import { hasTurn } from "../turn";

const NUMBER = 60;
/** A quarter of those that are tried. */
const SEEDS = [0, 1, 2, 3].filter((quarter) => hasTurn(quarter, 4)).map((quarter) => 1 + quarter * NUMBER);

test("histories of two things that change hands while something goes wrong go as their programs say", async () => {
  const faults = new FaultCount();
  for (const seed of SEEDS) {
    const failures = await run(NUMBER, seed, {
      engineOf: boxEngines(inject("engineBox")),
      drawn: drawCrossed,
      told: (_law, ending) => faults.hear(ending),
    });
    expect(failures.map(report).join("\n")).toBe("");
  }
  faults.expectFew();
});
