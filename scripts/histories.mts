// Plays histories of stacks, each decided by its seed, and prints at once the shortest that goes wrong in each way: npm run histories
//   NUMBER [SEED [HAPPENING,…]]   how many, from which seed on; default: 10000 from the seed of the day. With names of happenings,
//                                 these are in each of them, also where they are switched off, and no other ones; with names of
//                                 scenes, each is one of these
//   FILE                          plays the history of a file, and prints what it does
//   --engine NAME                 what plays them: `imitation` (default), `pulumi` for its own engine, built where it is not there, or
//                                 `both`, where the imitation is not to differ in any call or state. With `pulumi`, resources are
//                                 dynamic ones, native ones, or now the one, now the other, as each seed decides
//   --form NAME                   instead: all `dynamic`, all `native`, or all `foreign`: those of a program in another language
//   --wide                        draws what only Pulumi's own engine can do, too
//   --crossed                     draws short ones: of two things of one kind, something goes wrong while they change hands
//   --without NAME                of that, leaves out `deletedWith` or `isOldSdk`; may be given several times
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { bothEngines, boxEngines, imitation } from "../test/histories/boxEngine.mts";
import { drawCrossed } from "../test/histories/crossed.mts";
import { draw } from "../test/histories/draw.mts";
import type { EngineOf } from "../test/histories/engines.mts";
import { inForms } from "../test/histories/forms.mts";
import { WORLD } from "../test/histories/happenings.mts";
import type { History } from "../test/histories/history.mts";
import { play } from "../test/histories/play.mts";
import { FORMS, type Form } from "../test/histories/program.mts";
import { type Failure, report, run } from "../test/histories/run.mts";
import { SCENES } from "../test/histories/scenes.mts";
import { drawWide, type Feature } from "../test/histories/wide.mts";
import { engineBox } from "./engine-box.mts";

/** Between two reports of how far it is. */
const REPORT_MS = 10_000;

interface Share {
  number: number;
  seed: number;
  only: string[] | undefined;
  /** What plays, and where the program is that is the engine. */
  engine: Engine;
  box: string;
  isWide: boolean;
  isCrossed: boolean;
  form: Form | undefined;
  without: readonly string[];
}

/** How a history has gone: which law it breaks, why it has ended early, and whether anything was excused. */
interface Played {
  law: string | undefined;
  ended: string | undefined;
  isExcused: boolean;
}

/** A failure that was found, or that a history was played. */
type Message = { found: Failure } | Played;

type Engine = keyof typeof ENGINES;

const ENGINES = {
  imitation: () => imitation,
  pulumi: boxEngines,
  both: bothEngines,
} satisfies Readonly<Record<string, (box: string) => EngineOf>>;

const isEngine = (name: string): name is Engine => Object.hasOwn(ENGINES, name);

const isForm = (name: string): name is Form => FORMS.some((form) => form === name);

async function replay(file: string, engine: EngineOf): Promise<void> {
  const history = JSON.parse(readFileSync(file, "utf8")) as History;
  const { wrong, ended, log } = await play(history, engine);
  console.log(log.join("\n"));
  console.log(wrong ?? `Nothing is wrong${ended === undefined ? "" : `, and it has ended early: ${ended}`}.`);
  process.exitCode = wrong === undefined ? 0 : 1;
}

async function playShare({ number, seed, only, engine, box, isWide, isCrossed, form, without }: Share): Promise<void> {
  const post = (message: Message) => parentPort?.postMessage(message);
  const drawnOf = (each: number) => (isWide ? drawWide(each, new Set(without as Feature[]), only) : draw(each, only));
  await run(number, seed, {
    only,
    told: (law, { ended, excused }) => post({ law, ended, isExcused: excused.length > 0 }),
    found: (found) => post({ found }),
    engineOf: ENGINES[engine](box),
    ...(engine === "pulumi" ? { drawn: (each) => (isCrossed ? drawCrossed(each) : inForms(drawnOf(each), form)) } : {}),
  });
}

async function playAll({ number, seed, ...how }: Share): Promise<void> {
  const tally = new Tally();
  const timer = setInterval(() => console.log(tally.rate), REPORT_MS);
  const size = Math.ceil(number / availableParallelism());
  const seeds = Array.from({ length: Math.ceil(number / size) }, (_, index) => seed + index * size);
  await Promise.all(
    seeds.map((first) => inWorker({ number: Math.min(size, seed + number - first), seed: first, ...how }, tally)),
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

function requireEngine({
  engine,
  isWide,
  isCrossed,
  form,
}: Pick<Share, "engine" | "isWide" | "isCrossed" | "form">): void {
  const asked = isWide ? "Wide" : isCrossed ? "Crossed" : form;
  if (asked !== undefined && engine !== "pulumi") throw new Error(`${asked} histories need --engine pulumi.`);
  if (isCrossed && form !== undefined) throw new Error("Crossed histories have the forms that their seeds draw.");
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      engine: { type: "string", default: "imitation" },
      wide: { type: "boolean", default: false },
      crossed: { type: "boolean", default: false },
      form: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const { engine, wide: isWide, crossed: isCrossed, form, without } = values;
  if (!isEngine(engine)) throw new Error(`There is no engine ${engine}.`);
  if (form !== undefined && !isForm(form)) throw new Error(`There is no form ${form}: ${FORMS.join(", ")}.`);
  requireEngine({ engine, isWide, isCrossed, form });
  const [what = "10000", given, names] = positionals;
  const only = names?.split(",");
  const known = Object.keys({ ...WORLD, ...SCENES });
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no happening or scene ${unknown}: ${known.join(", ")}.`);
  const box = engine === "imitation" ? "" : await engineBox();
  const seed = given === undefined ? seedOfTheDay() : Number(given);
  if (what.endsWith(".json")) await replay(what, ENGINES[engine](box));
  else await playAll({ number: Number(what), seed, only, engine, box, isWide, isCrossed, form, without });
}

if (isMainThread) await main();
else await playShare(workerData as Share);
