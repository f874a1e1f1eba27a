import { expect, test } from "vitest";
import { draw } from "./draw.mts";
import { FaultCount } from "./faultCount.ts";
import { play } from "./play.mts";
import { report, run } from "./run.mts";

const SEED = 1;
/** In continuous integration, another tier plays 600. */
const NUMBER = process.env.CI === undefined ? 100 : 50;

test("histories that a seed decides go as their programs say", async () => {
  const faults = new FaultCount();
  const failures = await run(NUMBER, SEED, { told: (_law, ending) => faults.hear(ending) });
  expect(failures.map(report).join("\n")).toBe("");
  faults.expectFew();
});

test("a history goes the same way each time", async () => {
  const history = draw(SEED);
  expect(await play(history)).toEqual(await play(history));
});
