import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { draw } from "../histories/draw.mts";
import { play } from "../histories/play.mts";

const SEEDS = [1, 2, 3];

test.each(SEEDS)("the history of seed %i goes the same way each time, in another engine too", async (seed) => {
  const history = draw(seed);
  const first = await play(history, boxEngines(inject("engineBox")));
  expect(first.log).not.toEqual([]);
  expect(await play(history, boxEngines(inject("engineBox")))).toEqual(first);
});
