import { draw } from "./draw.mts";
import type { EngineOf } from "./engines.mts";
import type { History } from "./history.mts";
import { lawOf, play, type Report } from "./play.mts";
import { shrunk } from "./shrink.mts";

/** A law that histories break, with the shortest of them. */
export interface Failure {
  law: string;
  seed: number;
  wrong: string;
  history: History;
  log: string[];
}

interface Options {
  /** Happenings that are to be in each, and no other ones. */
  only?: readonly string[] | undefined;
  /** Told after each history how it has gone, with the law that it breaks. */
  told?(law: string | undefined, report: Report): void;
  /** Handed each failure as soon as its history is made short. */
  found?(failure: Failure): void;
  /** What plays them. Default: the imitation of the engine. */
  engineOf?: EngineOf;
  /** What a seed decides. Default: what an imitation of the engine can play, too. */
  drawn?: (seed: number) => History;
}

/** Plays so many histories, of seeds that follow a seed. Of all that break a law in one way, the first is made short. */
export async function run(
  number: number,
  seed: number,
  { only, told, found, engineOf, drawn: historyOf = (each) => draw(each, only) }: Options = {},
): Promise<Failure[]> {
  const failures = new Map<string, Failure>();
  for (let next = seed; next < seed + number; next++) {
    const drawn = historyOf(next);
    const ending = await play(drawn, engineOf);
    const law = lawOf(ending);
    if (law !== undefined && !failures.has(law)) {
      const short = await shrunk(drawn, engineOf);
      const again = await play(short, engineOf);
      // What does not happen again is told as it was.
      const [history, { wrong = "", log }] = again.wrong === undefined ? [drawn, ending] : [short, again];
      const failure = { law, seed: next, wrong, history, log };
      failures.set(law, failure);
      found?.(failure);
    }
    told?.(law, ending);
  }
  return [...failures.values()];
}

/** A history as a file of `kept` has it, a step on each line. */
export function written({ seed, stacks, oneUrl, strict, scene, steps }: History): string {
  const more = Object.entries({ oneUrl, strict, scene }).filter(([, value]) => value !== undefined);
  const head = more.map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`).join("");
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`).join(",\n");
  return `{\n  "seed": ${seed},\n  "stacks": ${JSON.stringify(stacks)},\n${head}  "steps": [\n${lines}\n  ]\n}\n`;
}

export const report = ({ seed, wrong, history, log }: Failure): string =>
  `--- seed ${seed}: ${wrong}\n${written(history)}${log.map((line) => `  | ${line}\n`).join("")}`;
