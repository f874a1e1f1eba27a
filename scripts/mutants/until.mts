// Plays histories until one goes wrong, for index.mts beside it: a line for each, and how it has ended.
import { draw } from "../../test/histories/draw.mts";
import { play } from "../../test/histories/play.mts";
import { sceneOf } from "../../test/histories/scenes.mts";

export interface Ending {
  /** How many were played. */
  number: number;
  /** What went wrong, and the seed; absent where nothing did. */
  wrong?: string;
  seed?: number;
}

interface Options {
  number: number;
  seed: number;
  only: readonly string[] | undefined;
  /** How many of them are played at most. */
  most: number;
  /** The scene that is played first. */
  likely: string | undefined;
}

async function until({ number, seed: first, most, only, likely }: Options): Promise<Ending> {
  const seeds = Array.from({ length: number }, (_, index) => first + index);
  const isFirst = (seed: number) => likely !== undefined && sceneOf(seed, only)?.scene === likely;
  const ordered = likely === undefined ? seeds : [...seeds.filter(isFirst), ...seeds.filter((seed) => !isFirst(seed))];
  for (const [index, seed] of ordered.slice(0, most).entries()) {
    const { wrong } = await play(draw(seed, only));
    if (wrong !== undefined) return { number: index + 1, seed, wrong: wrong.split("\n")[0] ?? "" };
    console.log(index + 1);
  }
  return { number: Math.min(number, most) };
}

if (import.meta.main) {
  const [number, seed, most, only, likely] = process.argv.slice(2);
  const names = only?.split(",").filter(Boolean) ?? [];
  const ending = await until({
    ...{ number: Number(number), seed: Number(seed), most: Number(most) },
    ...{ only: names.length === 0 ? undefined : names, likely: likely || undefined },
  });
  console.log(JSON.stringify(ending));
}
