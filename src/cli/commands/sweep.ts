import { isOfTheGone, judged, lockedSince, patternFrom, type Sweep, type Verdict } from "../pipeline/sweep";
import { type Command, type Given, isOn, Misuse, refusePositionals, textOf, textsOf } from "./command";
import { runPulumi } from "./engine";
import { forgeFrom, TO } from "./forge";
import { stacks } from "./stack";

const FAILED = 1;

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

export const sweep: Command = {
  name: "sweep",
  usage: "--match <pattern> [options]",
  says: "Lists the stacks that closed pull requests have left, and with --yes destroys and removes them.",
  options: {
    match: {
      value: "pattern",
      isList: true,
      says: "stacks of this project with such a name, such as pr-*; * is the number of a pull request",
    },
    "older-than": { value: "age", says: "only those last updated so long ago, such as 12h or 3d; default: 1d" },
    to: {
      ...TO,
      says: "ask there, and keep those whose pull request is not closed",
    },
    yes: { says: "destroy them; needs --to" },
    json: { says: "print the result as JSON" },
  },
  notes: `A stack with resources that are protected is not destroyed. A lock older than
--older-than, and than a day, is lifted.

Exit status: 0 done, 1 failed, 2 called wrongly.
`,

  async run(given) {
    const sweep = readArguments(given);
    const results: Result[] = [];
    for (const verdict of await judgedNow(sweep)) {
      const isMeant = verdict.kept === undefined && isOn(given, "yes");
      results.push(isMeant ? await swept(verdict.name, sweep) : verdict);
    }
    process.stdout.write(
      isOn(given, "json")
        ? `${JSON.stringify(results, undefined, 2)}\n`
        : results.map((each) => `${lineOf(each)}\n`).join(""),
    );
    return results.some(({ failure }) => failure !== undefined) ? FAILED : 0;
  },
};

type Result = Verdict & { isDestroyed?: boolean; failure?: string };

function lineOf({ name, kept, isDestroyed, failure }: Result): string {
  if (kept !== undefined) return `${name}: kept, because ${kept}`;
  if (failure !== undefined) return `${name}: failed: ${failure}`;
  return isDestroyed === true ? `${name}: destroyed and removed` : `${name}: would be destroyed, with --yes`;
}

type Asked = Omit<Sweep, "now">;

function readArguments(given: Given): Asked {
  refusePositionals(given);
  const texts = textsOf(given, "match");
  if (texts === undefined) throw new Misuse("Which stacks? --match is missing.");
  const patterns = texts.map((text) => {
    const pattern = patternFrom(text);
    if (pattern !== undefined) return pattern;
    throw new Misuse(
      `--match takes two characters or more and one *, which is the number of a pull request, such as pr-*, not "${text}".`,
    );
  });
  const age = textOf(given, "older-than") ?? "1d";
  const [, count, unit = ""] = /^([1-9]\d{0,3})([hd])$/.exec(age) ?? [];
  const { [unit]: length } = UNITS;
  if (count === undefined || length === undefined)
    throw new Misuse(`--older-than takes hours or days, such as 12h or 3d, not "${age}".`);
  const forge = forgeFrom(given);
  if (forge === undefined && isOn(given, "yes"))
    throw new Misuse("--yes needs --to: only there it is known whose pull requests are closed.");
  return {
    patterns,
    olderThanMs: Number(count) * length,
    ...(forge && { isClosed: (number: number) => forge.isClosed(number) }),
  };
}

/** @param only the one stack that is asked for */
function judgedNow(sweep: Asked, only?: string): Promise<Verdict[]> {
  const listed = stacks("project").filter(({ name }) => only === undefined || name === only);
  return judged(listed, { ...sweep, now: new Date() });
}

/** Judges a stack again before it is destroyed: others may have taken long, and its pull request may be open again. */
async function swept(name: string, sweep: Asked): Promise<Result> {
  const [verdict] = await judgedNow(sweep, name);
  if (verdict === undefined) return { name, kept: "it is there no more" };
  return verdict.kept === undefined ? { name, ...(await destroyed(name, sweep)) } : verdict;
}

/** With a preview, which fails for a stack with protected resources before anything is deleted. */
async function destroyed(stack: string, { olderThanMs }: Asked): Promise<Pick<Result, "isDestroyed" | "failure">> {
  const destroy = () =>
    runPulumi(["destroy", "--stack", stack, "--yes", "--non-interactive", "--remove"], { isShown: true });
  let ended = await destroy();
  const locked = lockedSince(ended.stderr + ended.stdout);
  if (ended.status !== 0 && locked !== undefined && isOfTheGone(locked, { olderThanMs, now: new Date() })) {
    await runPulumi(["cancel", "--yes", stack], { isShown: true });
    ended = await destroy();
  }
  return ended.status === 0
    ? { isDestroyed: true }
    : { failure: `\`pulumi destroy --stack ${stack}\` ended with ${ended.status}; the log says why` };
}
