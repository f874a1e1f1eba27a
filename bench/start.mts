// How long a plugin takes until it listens, and how much of a processor, on Linux: npm run bench:start [-- COMMAND [ARGUMENT...]]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "../scripts/root.mts";

const TIMES = 15;

/** The shortest time, and the median of the processor's, in milliseconds. */
const taken: number[] = [];
const used: number[] = [];

const nanosecondsIn = (file: string): number => Number(readFileSync(file, "utf8").split(" ")[0]);

async function start([command = "", ...args]: readonly string[]): Promise<void> {
  const begun = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(createInterface({ input: child.stdout }), "line");
  taken.push(performance.now() - begun);
  const threads = globSync(`/proc/${child.pid}/task/*/schedstat`).map(nanosecondsIn);
  used.push(threads.reduce((sum, each) => sum + each, 0) / 1e6);
  child.kill();
  await once(child, "exit");
}

const given = process.argv.slice(2);
const command = given.length > 0 ? given : [process.execPath, join(ROOT, "dist/plugin.js")];
for (let time = 0; time < TIMES; time++) await start(command);
const [shortest = 0] = taken.sort((left, right) => left - right);
const median = used.sort((left, right) => left - right)[Math.floor(TIMES / 2)] ?? 0;
console.log(`${shortest.toFixed(0)} ms, ${median.toFixed(0)} ms of CPU time`);
