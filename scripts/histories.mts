// Plays histories of stacks, each decided by its seed, and prints the shortest that goes wrong in each way: npm run histories
//   NUMBER [SEED]   how many, from which seed on; default: 10000 from the seed of the day
//   FILE            plays the history of a file, and prints what it does
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { History } from "../test/histories/history.mts";
import { isKnown, KNOWN } from "../test/histories/known.mts";
import { play } from "../test/histories/play.mts";
import { type Failure, report, run } from "../test/histories/run.mts";

/** Between two reports of how far it is. */
const REPORT_MS = 10_000;

interface Share {
  number: number;
  seed: number;
}

type Message = { played: number } | { failures: Failure[] };

async function replay(file: string): Promise<void> {
  const { wrong, log } = await play(JSON.parse(readFileSync(file, "utf8")) as History);
  console.log(log.join("\n"));
  console.log(wrong ?? "Nothing is wrong.");
  process.exitCode = wrong === undefined ? 0 : 1;
}

async function playShare({ number, seed }: Share): Promise<void> {
  const failures = await run(number, seed, { told: (played) => parentPort?.postMessage({ played }) });
  parentPort?.postMessage({ failures });
}

async function playAll(number: number, seed: number): Promise<void> {
  const shares = availableParallelism();
  const began = performance.now();
  const played = new Array<number>(shares).fill(0);
  const rate = () => {
    const all = played.reduce((sum, each) => sum + each, 0);
    return `${all} histories, ${Math.round(all / ((performance.now() - began) / 1000))} a second`;
  };
  const timer = setInterval(() => console.log(rate()), REPORT_MS);
  const size = Math.ceil(number / shares);
  const found = await Promise.all(
    played.map((_, index) => {
      const share: Share = { number: Math.min(size, number - index * size), seed: seed + index * size };
      return failuresOf(share, (each) => {
        played[index] = each;
      });
    }),
  );
  clearInterval(timer);
  const failures = new Map<string, Failure>();
  for (const failure of found.flat()) {
    const known = failures.get(failure.law);
    failures.set(failure.law, known === undefined ? failure : { ...known, times: known.times + failure.times });
  }
  const all = [...failures.values()].sort((one, other) => other.times - one.times);
  for (const failure of all) console.log(report(failure));
  const unknown = all.filter(({ wrong }) => !isKnown(wrong));
  console.log(`From seed ${seed}: ${rate()}, ${all.length} ways to go wrong, ${unknown.length} of them not known.`);
  if (KNOWN.length > 0) for (const { why } of KNOWN) console.log(`Known: ${why}.`);
  process.exitCode = unknown.length === 0 ? 0 : 1;
}

function failuresOf(share: Share, told: (played: number) => void): Promise<Failure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once("error", reject);
    worker.on("message", (message: Message) => {
      if ("played" in message) told(message.played);
      else resolve(message.failures);
    });
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
