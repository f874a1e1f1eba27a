import { judged, lockedSince, type Verdict } from "../pipeline/sweep";
import { type Command, type Given, isOn, Misuse, patternOf, refusePositionals, textOf, textsOf } from "./command";
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
      says: "only stacks of this project with such a name, such as pr-*; * is any text",
    },
    "older-than": { value: "age", says: "only those last updated so long ago, such as 12h or 3d; default: 1d" },
    to: {
      ...TO,
      says: "ask there, and keep those whose pull request, the number at the end of the name, is not closed",
    },
    yes: { says: "destroy them" },
    json: { says: "print the result as JSON" },
  },
  notes: `A stack with resources that are protected is not destroyed. A lock older than --older-than is lifted.

Exit status: 0 done, 1 failed, 2 called wrongly.
`,

  async run(given) {
    const { pattern, olderThanMs } = readArguments(given);
    const forge = forgeFrom(given);
    const isClosed = forge && ((number: number) => forge.isClosed(number));
    const now = new Date();
    const verdicts = await judged(stacks("project"), { pattern, olderThanMs, now, ...(isClosed && { isClosed }) });
    const results: Result[] = [];
    for (const verdict of verdicts) {
      const isMeant = verdict.kept === undefined && isOn(given, "yes");
      results.push({ ...verdict, ...(isMeant && (await destroyed(verdict.name, now.getTime() - olderThanMs))) });
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

function readArguments(given: Given) {
  refusePositionals(given);
  const pattern = patternOf(given, "match");
  if (pattern === undefined) throw new Misuse("Which stacks? --match is missing.");
  const vague = textsOf(given, "match")?.find((text) => text.replaceAll(/[*?]/g, "").length < 2);
  if (vague !== undefined)
    throw new Misuse(`--match takes a pattern with two characters or more that are no * or ?, not "${vague}".`);
  const age = textOf(given, "older-than") ?? "1d";
  const [, count, unit = ""] = /^(\d{1,4})([hd])$/.exec(age) ?? [];
  const { [unit]: length } = UNITS;
  if (count === undefined || length === undefined)
    throw new Misuse(`--older-than takes hours or days, such as 12h or 3d, not "${age}".`);
  return { pattern, olderThanMs: Number(count) * length };
}

/** @param locksUntil a lock taken before is of a process that is gone */
async function destroyed(stack: string, locksUntil: number): Promise<Pick<Result, "isDestroyed" | "failure">> {
  const destroy = () =>
    runPulumi(["destroy", "--stack", stack, "--yes", "--skip-preview", "--non-interactive", "--remove"], {
      isShown: true,
    });
  let ended = await destroy();
  const locked = lockedSince(ended.stderr + ended.stdout);
  if (ended.status !== 0 && locked !== undefined && locked.getTime() < locksUntil) {
    await runPulumi(["cancel", "--yes", stack], { isShown: true });
    ended = await destroy();
  }
  return ended.status === 0
    ? { isDestroyed: true }
    : { failure: `\`pulumi destroy --stack ${stack}\` ended with ${ended.status}; the log says why` };
}
