// Plays histories of stacks, each decided by its seed, and prints at once the shortest that goes wrong in each way: npm run histories
//   NUMBER [SEED]   how many, from which seed on; default: 10000 from the seed of the day
//   FILE            plays the history of a file, and prints what it does
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { History } from "../test/histories/history.mts";
import { play } from "../test/histories/play.mts";
import { type Failure, report, run } from "../test/histories/run.mts";

/** Between two reports of how far it is. */
const REPORT_MS = 10_000;

interface Share {
  number: number;
  seed: number;
}

/** How a history has gone: which law it breaks, why it has ended early, and whether anything was excused. */
interface Played {
  law: string | undefined;
  ended: string | undefined;
  isExcused: boolean;
}

/** A failure that was found, or that a history was played. */
type Message = { found: Failure } | Played;

async function replay(file: string): Promise<void> {
  const { wrong, ended, log } = await play(JSON.parse(readFileSync(file, "utf8")) as History);
  console.log(log.join("\n"));
  console.log(wrong ?? `Nothing is wrong${ended === undefined ? "" : `, and it has ended early: ${ended}`}.`);
  process.exitCode = wrong === undefined ? 0 : 1;
}

async function playShare({ number, seed }: Share): Promise<void> {
  const post = (message: Message) => parentPort?.postMessage(message);
  await run(number, seed, {
    told: (law, { ended, excused }) => post({ law, ended, isExcused: excused.length > 0 }),
    found: (found) => post({ found }),
  });
}

async function playAll(number: number, seed: number): Promise<void> {
  const tally = new Tally();
  const timer = setInterval(() => console.log(tally.rate), REPORT_MS);
  const size = Math.ceil(number / availableParallelism());
  const seeds = Array.from({ length: Math.ceil(number / size) }, (_, index) => seed + index * size);
  await Promise.all(
    seeds.map((first) => inWorker({ number: Math.min(size, seed + number - first), seed: first }, tally)),
  );
  clearInterval(timer);
  for (const failure of tally.failures) console.log(tally.lineOf(failure));
  for (const line of tally.ends) console.log(line);
  console.log(`From seed ${seed}: ${tally.rate}, ${tally.failures.length} ways to go wrong.`);
  process.exitCode = tally.failures.length === 0 ? 0 : 1;
}

/** What all workers have played. Each failure is printed as it comes: a run may be ended long before its end. */
class Tally {
  readonly #began = performance.now();
  readonly #found = new Map<string, Failure>();
  readonly #played: Played[] = [];

  get failures(): Failure[] {
    return [...this.#found.values()];
  }

  get rate(): string {
    const seconds = (performance.now() - this.#began) / 1000;
    const number = this.#played.length;
    return `${number} histories, ${Math.round(number / seconds)} a second`;
  }

  /** How many have not reached their last check, and why, and in how many something was excused. */
  get ends(): string[] {
    const counts = new Map<string, number>();
    for (const { ended } of this.#played) if (ended !== undefined) counts.set(ended, (counts.get(ended) ?? 0) + 1);
    const early = [...counts].map(([reason, count]) => `${count} ended early: ${reason}`);
    const excused = this.#played.filter(({ isExcused }) => isExcused).length;
    return [...early, `In ${excused}, something that is in no state was excused by its name.`];
  }

  hear(message: Message): void {
    if ("law" in message) this.#played.push(message);
    else if (!this.#found.has(message.found.law)) {
      this.#found.set(message.found.law, message.found);
      console.log(report(message.found));
    }
  }

  lineOf({ law, seed, wrong }: Failure): string {
    return `${this.#played.filter((each) => each.law === law).length} times, seed ${seed}: ${wrong}`;
  }
}

function inWorker(share: Share, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once("error", reject);
    worker.once("exit", () => resolve());
    worker.on("message", (message: Message) => tally.hear(message));
  });
}

/** By day, so that each day's run plays others, and the day tells which. */
const seedOfTheDay = (): number => Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) * 1000;

if (!isMainThread) await playShare(workerData as Share);
else {
  const [what = "10000", seed] = process.argv.slice(2);
  if (what.endsWith(".json")) await replay(what);
  else await playAll(Number(what), seed === undefined ? seedOfTheDay() : Number(seed));
}
