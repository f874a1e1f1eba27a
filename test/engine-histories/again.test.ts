import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import { draw } from "../histories/draw.mts";
import { inForms } from "../histories/forms.mts";
import { play } from "../histories/play.mts";

/** Of dynamic resources, of a program in another language, of both forms, and of native ones. */
const SEEDS = [1, 2, 3, 9];

test.each(SEEDS)("the history of seed %i goes the same way each time, in another engine too", async (seed) => {
  const history = inForms(draw(seed));
  const first = await play(history, boxEngines(inject("engineBox")));
  expect(first.log).not.toEqual([]);
  expect(await play(history, boxEngines(inject("engineBox")))).toEqual(first);
});
