import { draw } from "./draw.mts";
import type { History } from "./history.mts";
import { lawOf, play } from "./play.mts";
import { shrunk } from "./shrink.mts";

/** A law that histories break, with the shortest of them. */
export interface Failure {
  law: string;
  seed: number;
  wrong: string;
  history: History;
  log: string[];
  /** How many break it. */
  times: number;
}

interface Options {
  /** Leaves failures out. Default: none. */
  isKnown?(wrong: string): boolean;
  /** Told after each. */
  told?(played: number): void;
}

/** Plays so many histories, of seeds that follow a seed. Of all that break a law in one way, the first is made short. */
export async function run(number: number, seed: number, { isKnown, told }: Options = {}): Promise<Failure[]> {
  const failures = new Map<string, Failure>();
  for (let played = 0; played < number; played++) {
    const drawn = draw(seed + played);
    const found = await play(drawn);
    const law = lawOf(found);
    const known = law === undefined ? undefined : failures.get(law);
    if (known !== undefined) known.times++;
    else if (law !== undefined && isKnown?.(found.wrong ?? "") !== true) {
      const history = await shrunk(drawn);
      const { wrong = "", log } = await play(history);
      failures.set(law, { law, seed: seed + played, wrong, history, log, times: 1 });
    }
    told?.(played + 1);
  }
  return [...failures.values()];
}

/** A history as a file of `kept` has it, a step on each line. */
export function written({ seed, stacks, steps }: History): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`).join(",\n");
  return `{\n  "seed": ${seed},\n  "stacks": ${JSON.stringify(stacks)},\n  "steps": [\n${lines}\n  ]\n}\n`;
}

export const report = ({ seed, wrong, history, log, times }: Failure): string =>
  `--- ${times} such histories, the first of seed ${seed}: ${wrong}\n${written(history)}${log.map((line) => `  | ${line}\n`).join("")}`;
