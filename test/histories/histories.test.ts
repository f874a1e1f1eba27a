import { expect, test } from "vitest";
import { draw } from "./draw.mts";
import { play } from "./play.mts";
import { report, run } from "./run.mts";

const SEED = 1;
const NUMBER = 300;

/** What Pulumi's own engine does wrong with `--continue-on-error`, and the imitation like it. */
const ENGINES_OWN = /^The engine deletes what the program declares/;

test("histories that a seed decides go as their programs say", async () => {
  const faults: string[] = [];
  const failures = await run(NUMBER, SEED, { told: (_law, { fault }) => fault !== undefined && faults.push(fault) });
  expect(faults.filter((fault) => !ENGINES_OWN.test(fault))).toEqual([]);
  expect(failures.map(report).join("\n")).toBe("");
});

test("a history goes the same way each time", async () => {
  const history = draw(SEED);
  expect(await play(history)).toEqual(await play(history));
});
