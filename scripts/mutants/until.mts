// Plays histories until one goes wrong, for index.mts beside it: a line for each, and how it has ended.
import { draw } from "../../test/histories/draw.mts";
import { play } from "../../test/histories/play.mts";

export interface Ending {
  /** How many were played. */
  number: number;
  /** What went wrong; absent where nothing did. */
  wrong?: string;
}

async function until(number: number, seed: number, only: readonly string[] | undefined): Promise<Ending> {
  for (let played = 1; played <= number; played++) {
    const { wrong } = await play(draw(seed + played - 1, only));
    if (wrong !== undefined) return { number: played, wrong: wrong.split("\n")[0] ?? "" };
    console.log(played);
  }
  return { number };
}

if (import.meta.main) {
  const [number, seed, only] = process.argv.slice(2);
  console.log(JSON.stringify(await until(Number(number), Number(seed), only?.split(","))));
}
