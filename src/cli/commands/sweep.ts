import { BrightDataError } from "../../base/errors";
import { inShort } from "../../base/inShort";
import { filesIn, intentsFolder } from "../../run/intentFiles";
import { placeId } from "../../run/intents";
import { OF_NOBODY, type PendingCreation, pendingCreations } from "../pipeline/pending";
import {
  isOfTheGone,
  judged,
  type Lock,
  lockedWithoutAge,
  lockIn,
  patternFrom,
  type Sweep,
  type SweepVerdict,
} from "../pipeline/sweep";
import { type Command, FAILED, type Given, Misuse, type Options, refusePositionals } from "./command";
import { type Ended, runPulumi } from "./engine";
import { forgeFrom, TO, titleOf } from "./forge";
import { exported, type ListedStack, projectName, stacks } from "./stack";

const MOST_NAMES = 20;

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

const OPTIONS = {
  match: {
    value: "pattern",
    isList: true,
    says: "stacks of this project with such a name, such as pr-*; * is the number of a pull request",
  },
  stack: {
    value: "name",
    says: "only this one, whatever its age: with the program of its pull request, which takes up what a killed update has begun",
  },
  unlock: { says: "with --stack: lift its lock, whatever its age, because nothing else updates it" },
  "older-than": { value: "age", says: "only those last updated so long ago, such as 12h or 3d; default: 1d" },
  to: { ...TO, says: "with --match: ask there, and keep those whose pull request is not closed" },
  yes: { says: "destroy them; needs --to or --stack" },
  json: { says: "print the result as JSON" },
} as const satisfies Options;

export const sweep: Command<typeof OPTIONS> = {
  name: "sweep",
  usage: "--match <pattern> | --stack <name> [options]",
  says: "Lists the stacks that closed pull requests have left, and with --yes destroys and removes them.",
  options: OPTIONS,
  notes: `A stack with protected resources is not destroyed. A lock older than --older-than,
and than a day, is lifted. At Pulumi Cloud, locks have no age: only --unlock lifts
them. Where an update was killed while it created something, the stack is kept, and
names that.

Exit status: 0 done, 1 failed, 2 called wrongly.
`,

  async run({ options, positionals }) {
    refusePositionals(positionals);
    const { stack, json = false } = options;
    const results = await (stack === undefined ? sweptAll(options) : sweptOne(stack, options));
    const lines = results.map((each) => `${lineOf(each, options)}\n`);
    process.stdout.write(json ? `${JSON.stringify(results, undefined, 2)}\n` : lines.join(""));
    return results.some(({ failure }) => failure !== undefined) ? FAILED : 0;
  },
};

type SweptStack = SweepVerdict & { isDestroyed?: boolean; failure?: string };

type SweepOptions = Given<typeof OPTIONS>["options"];

function lineOf({ name, kept, isDestroyed, failure }: SweptStack, { stack, to }: SweepOptions): string {
  if (kept !== undefined) return `${name}: kept, because ${kept}`;
  if (failure !== undefined) return `${name}: failed: ${failure}`;
  if (isDestroyed === true) return `${name}: destroyed and removed`;
  const isAsked = stack !== undefined || to !== undefined;
  return `${name}: would be destroyed, with ${isAsked ? "" : "--to, if its pull request is closed, and "}--yes`;
}

async function sweptAll(options: SweepOptions): Promise<SweptStack[]> {
  const sweep = sweepBy(options);
  const listed = stacks("project");
  const verdicts = await judged(listed, sweep);
  if (verdicts.length === 0) process.stderr.write(noneOf(listed, options));
  const results: SweptStack[] = [];
  for (const verdict of verdicts) {
    const isMeant = verdict.kept === undefined && options.yes;
    results.push(isMeant ? await swept(verdict.name, sweep).catch(failed(verdict.name)) : verdict);
  }
  return results;
}

function noneOf(listed: readonly ListedStack[], { match = [] }: SweepOptions): string {
  const names = inShort(
    listed.map(({ name }) => name),
    MOST_NAMES,
  );
  const which = names === "" ? "this project has no stacks" : `the stacks of this project are ${names}`;
  return `Nothing matches ${match.join(", ")}: ${which}.\n`;
}

/** That one stack cannot be read keeps back neither the others nor what has become of them. */
const failed =
  (name: string) =>
  (error: unknown): SweptStack => {
    if (!(error instanceof BrightDataError)) throw error;
    return { name, failure: error.message };
  };

/** The stack of a pull request whose program is here: what was begun in it can be taken up. */
async function sweptOne(name: string, options: SweepOptions): Promise<SweptStack[]> {
  const { match, yes, to, unlock = false, "older-than": age } = options;
  if (match !== undefined) throw new Misuse("--match and --stack are two ways to name stacks: choose one.");
  if (to !== undefined)
    throw new Misuse("--to is for --match: with --stack, nobody is asked whether a pull request is closed.");
  if (age !== undefined)
    throw new Misuse("--older-than is for --match: with --stack, the age of a stack does not count.");
  const stack = stacks("project").find((each) => isNamed(each, name));
  if (stack === undefined) return [{ name, kept: "there is no such stack" }];
  if (!yes) return [{ name }];
  return [{ name, ...(await destroyed(name, { mayUnlock: () => unlock, takesUpOf: stack })) }];
}

/** Whether a stack of this project has a name, which may have the organization and the project before it. */
function isNamed({ name, organization = OF_NOBODY }: ListedStack, asked: string): boolean {
  if (name === asked) return true;
  if (!asked.includes("/")) return false;
  const project = projectName();
  return titleOf(project, name.includes("/") ? name : `${organization}/${name}`) === titleOf(project, asked);
}

function sweepBy({ match, unlock, yes, to, "older-than": age = "1d" }: SweepOptions): Sweep {
  if (match === undefined) throw new Misuse("Which stacks? --match is missing.");
  if (unlock) throw new Misuse("--unlock needs --stack: of several, only locks that are old are lifted.");
  const patterns = match.map((text) => {
    const pattern = patternFrom(text);
    if (pattern !== undefined) return pattern;
    throw new Misuse(
      `--match takes two characters or more and one *, which is the number of a pull request, such as pr-*, not "${text}".`,
    );
  });
  const [, count, unit = ""] = /^([1-9]\d{0,3})([hd])$/.exec(age) ?? [];
  const { [unit]: length } = UNITS;
  if (count === undefined || length === undefined)
    throw new Misuse(`--older-than takes hours or days, such as 12h or 3d, not "${age}".`);
  const forge = forgeFrom(to);
  if (forge === undefined && yes)
    throw new Misuse("--yes needs --to: only there it is known whose pull requests are closed.");
  return {
    patterns,
    olderThanMs: Number(count) * length,
    ...(forge && { isClosed: (number: number) => forge.isClosed(number) }),
  };
}

/** Judges a stack again before it is destroyed: others may have taken long, and its pull request may be open again. */
async function swept(name: string, sweep: Sweep): Promise<SweptStack> {
  const listed = stacks("project").filter((stack) => stack.name === name);
  const [verdict] = await judged(listed, sweep);
  if (verdict === undefined) return { name, kept: "it is there no more" };
  const mayUnlock = (lock: Lock) => isOfTheGone(lock, sweep.olderThanMs);
  return verdict.kept === undefined ? { name, ...(await destroyed(name, { mayUnlock })) } : verdict;
}

interface Means {
  /** Whether a lock is of a process that is gone. */
  mayUnlock(lock: Lock): boolean;
  /** The stack, where what was begun is taken up first, by the program that is here. */
  takesUpOf?: ListedStack;
}

/** With a preview, which fails for a stack with protected resources before anything is deleted. */
async function destroyed(stack: string, means: Means): Promise<Pick<SweptStack, "isDestroyed" | "failure">> {
  const run = (...args: string[]) => runUnlocked(stack, args, means);
  if (means.takesUpOf !== undefined) await takeUp(means.takesUpOf, run);
  const pending = pendingCreations(exported(stack)).map(({ title }) => title);
  const ended = await run("destroy", ...(pending.length === 0 ? ["--remove"] : []));
  if (ended.status !== 0) return { failure: failureOf(stack, ended, means) };
  if (pending.length === 0) return { isDestroyed: true };
  return {
    failure: `an update was killed while it created ${pending.join(", ")}, which may be there and billed. All else is destroyed. Look at the service, delete it there, then run \`pulumi refresh --clear-pending-creates --stack ${stack}\` and sweep again`,
  };
}

function failureOf(stack: string, ended: Ended, { mayUnlock }: Means): string {
  const lock = lockOf(ended);
  return lock !== undefined && lock.since === undefined && !mayUnlock(lock)
    ? lockedWithoutAge(stack)
    : `\`pulumi destroy --stack ${stack}\` ended with ${ended.status}; the log says why`;
}

const lockOf = ({ stderr, stdout }: Ended): Lock | undefined => lockIn(stderr + stdout);

type RunPulumi = (...args: string[]) => Promise<Ended>;

/** Has the program take up what notes on this machine tell of. Without a note, it could only buy the same again. */
async function takeUp({ name, organization }: ListedStack, run: RunPulumi): Promise<void> {
  const noted = pendingCreations(exported(name), organization).filter(isNoted);
  if (noted.length === 0) return;
  await run("up", "--skip-preview", ...noted.flatMap(({ urn }) => ["--target", urn]));
}

function isNoted({ kind, places }: PendingCreation): boolean {
  const ids = places.map((place) => placeId(kind, place));
  return filesIn(intentsFolder()).some((intent) => ids.includes(intent.place) && intent.read()?.is === "open");
}

/** Runs a command on a stack, again where it was locked by a process that is gone. */
async function runUnlocked(stack: string, [command = "", ...options]: string[], { mayUnlock }: Means): Promise<Ended> {
  const once = () =>
    runPulumi([command, "--stack", stack, "--yes", "--non-interactive", ...options], { isShown: true });
  const ended = await once();
  const lock = lockOf(ended);
  if (ended.status === 0 || lock === undefined || !mayUnlock(lock)) return ended;
  await runPulumi(["cancel", "--yes", stack], { isShown: true });
  return once();
}
