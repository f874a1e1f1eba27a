import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { draw } from "../histories/draw.mts";
import { play } from "../histories/play.mts";
import { report, run } from "../histories/run.mts";
import { FaultCount } from "./faultCount.ts";

const SEED = 1;
const NUMBER = 200;

const engineOf = boxEngines(inject("engineBox"));

test("histories that a seed decides go as their programs say on Pulumi's own engine", async () => {
  const faults = new FaultCount();
  const failures = await run(NUMBER, SEED, { engineOf, told: (_law, ending) => faults.hear(ending) });
  expect(failures.map(report).join("\n")).toBe("");
  faults.expectFew();
});

test("a history goes the same way each time, in another engine too", async () => {
  const history = draw(SEED);
  const first = await play(history, engineOf);
  expect(first.log).not.toEqual([]);
  expect(await play(history, boxEngines(inject("engineBox")))).toEqual(first);
});
