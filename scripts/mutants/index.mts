// Plays histories on one change of the sources after the other until one goes wrong: npm run mutants:histories
//   --number N    how many histories each may survive; default 500
//   --seed N      from which on; default 1
//   --most N      how many of these are played at most, those first that are likely to tell of a mutant; default: all
//   --only TEXT   only the mutants whose file or name has this text
//   --scenes NAME,…   plays no other histories than these scenes, or such with these happenings
// Whether the histories notice what the tests beside the code do not: a mutant that survives is a hole in them, or changes nothing.
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compiled } from "../packed.mts";
import { ROOT } from "../root.mts";
import { MUTANTS, type Mutant } from "./mutants.mts";
import { LIKELY } from "./scenes.mts";
import type { Ending } from "./until.mts";

/** A process that has not played a history for so long never will: no clock of its own ends it. */
const LONGEST_MS = 120_000;

/** What a history is played with. */
const COPIED = ["package.json", "tsconfig.json", "dist", "src", "test", "scripts"];

/** @throws where a text does not stand once in its file: the sources have changed since */
async function mutated(
  folder: string,
  { name, file, text, becomes }: Mutant,
): Promise<{ before: string; after: string }> {
  const source = await readFile(join(folder, file), "utf8");
  if (source.split(text).length !== 2) throw new Error(`"${name}": its text does not stand once in ${file}.`);
  return { before: compiled(source), after: compiled(source.replace(text, () => becomes)) };
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mutants-"));
  for (const each of COPIED) await cp(join(ROOT, each), join(folder, each), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

interface Options {
  number: number;
  seed: number;
  most?: number | undefined;
  scenes?: string | undefined;
}

/** Plays in a process of its own: a mutant may take its time, or its memory. */
function played(folder: string, { number, seed, most, scenes = "" }: Options, likely = ""): Promise<Ending> {
  return new Promise((resolve) => {
    const given = [String(number), String(seed), String(most ?? number), scenes, likely];
    const child = spawn(process.execPath, ["scripts/mutants/until.mts", ...given], { cwd: folder });
    let output = "";
    const stop = () => child.kill("SIGKILL");
    let timer = setTimeout(stop, LONGEST_MS);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      clearTimeout(timer);
      timer = setTimeout(stop, LONGEST_MS);
    });
    let failure = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      failure += text;
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const lines = output.trim().split("\n");
      const last = lines.at(-1) ?? "";
      if (code === 0 && last.startsWith("{")) resolve(JSON.parse(last) as Ending);
      else
        resolve({
          number: lines.length,
          wrong: failure.split("\n").find((line) => /Error/.test(line)) ?? "never ends",
        });
    });
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      number: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: "" },
      scenes: { type: "string" },
      most: { type: "string" },
    },
  });
  const meant = MUTANTS.filter(({ name, file }) => `${file} ${name}`.includes(values.only));
  const folder = await scratch();
  try {
    const { number, seed, most = number, scenes } = values;
    await playAll(meant, folder, { number: Number(number), seed: Number(seed), most: Number(most), scenes });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function playAll(meant: readonly Mutant[], folder: string, options: Options): Promise<void> {
  const survivors: Mutant[] = [];
  for (const mutant of meant) {
    const { before, after } = await mutated(folder, mutant);
    const target = join(folder, mutant.file.replace(/^src/, "dist").replace(/ts$/, "js"));
    const built = await readFile(target, "utf8");
    if (before.trim() !== built.trim())
      throw new Error(`${mutant.file} is compiled to something else than the build has.`);
    await writeFile(target, after);
    const ending = await played(folder, options, LIKELY[mutant.name]);
    await writeFile(target, built);
    if (ending.seed !== undefined) await requireRight(folder, ending.seed, options);
    if (ending.wrong === undefined) survivors.push(mutant);
    const how = ending.wrong === undefined ? "survived" : `killed by seed ${ending.seed} (${ending.wrong})`;
    console.log(`${mutant.name}: ${how} after ${ending.number}`);
  }
  const killed = meant.length - survivors.length;
  console.log(`${killed} of ${meant.length} killed by ${options.number} histories, from seed ${options.seed}.`);
  for (const { name, file, breaks } of survivors) console.log(`survived: ${name} (${file}): ${breaks}`);
}

/** What goes wrong without a mutant would kill each of them. */
async function requireRight(folder: string, seed: number, { scenes }: Options): Promise<void> {
  const { wrong } = await played(folder, { number: 1, seed, scenes });
  if (wrong !== undefined) throw new Error(`Without a mutant, the history of seed ${seed} goes wrong: ${wrong}`);
}

await main();
