// Plays histories of stacks, each decided by its seed, and prints those that go wrong: npm run histories -- NUMBER [SEED]
import { report, run } from "../test/histories/run.mts";

const [number = "10000", given] = process.argv.slice(2);
// By day, so that each day's run plays others, and the day tells which.
const seed =
  Number(given ?? new Date().toISOString().slice(0, 10).replaceAll("-", "")) * (given === undefined ? 1000 : 1);

const began = performance.now();
let told = began;
const failures = await run(Number(number), seed, (played) => {
  if (performance.now() - told < 10_000) return;
  told = performance.now();
  console.log(`${played} of ${number}: ${Math.round(played / ((told - began) / 1000))} a second`);
});
const seconds = (performance.now() - began) / 1000;
for (const failure of failures) console.log(report(failure));
const rate = Math.round(Number(number) / seconds);
console.log(`${number} histories from seed ${seed}, ${rate} a second: ${failures.length} ways to go wrong.`);
process.exitCode = failures.length === 0 ? 0 : 1;
