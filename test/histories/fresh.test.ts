import { afterAll, beforeAll, expect, test } from "vitest";
import { hasTurn } from "../turn";
import { draw } from "./draw.mts";
import { play, type Report } from "./play.mts";
import { startFresh } from "./providerProcess.mts";

const SEEDS = Array.from({ length: 12 }, (_, index) => 9001 + index).filter((_, index) => hasTurn(index, 2));

/** Before any process has all of its modules anew. */
const renewed: Report[] = [];

beforeAll(async () => {
  for (const seed of SEEDS) renewed.push(await play(draw(seed)));
  startFresh(true);
});

afterAll(() => startFresh(false));

/** Ids of passwords are drawn, and other ones where modules draw as well when they are loaded. */
const withoutIds = ({ log, ...report }: Report) => ({
  ...report,
  log: log.map((line) => line.replaceAll(/(ZonePassword \w+)\/[0-9a-f]{8}/g, "$1")),
});

// What a process has left behind in a module that is not renewed would make the next one do something else.
test.each(SEEDS.map((seed, index) => [seed, index]))(
  "the history of seed %i is the same where processes share no module",
  async (seed, index) => {
    expect(withoutIds(await play(draw(seed)))).toEqual(withoutIds(renewed[index] as Report));
  },
);
