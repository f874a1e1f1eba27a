/** A stack that may be one of a pull request that nobody works on any more. */
export interface Candidate {
  readonly name: string;
  readonly lastUpdate?: Date;
}

/** What is asked of a stack before it is destroyed. */
export interface Sweep {
  readonly pattern: RegExp;
  readonly olderThanMs: number;
  readonly now: Date;
  /** Whether the pull request of a number is closed; absent where nobody can be asked. */
  isClosed?(number: number): Promise<boolean | undefined>;
}

/** Whether a stack may be destroyed, and else why not. */
export interface Verdict {
  readonly name: string;
  /** Why it is kept; absent where it is not. */
  readonly kept?: string;
}

/** Judges the stacks whose names match. No other is in the result. */
export async function judged(stacks: readonly Candidate[], sweep: Sweep): Promise<Verdict[]> {
  const meant = stacks.filter(({ name }) => sweep.pattern.test(shortName(name)));
  return Promise.all(
    meant.map(async (stack) => {
      const kept = await reasonToKeep(stack, sweep);
      return { name: stack.name, ...(kept !== undefined && { kept }) };
    }),
  );
}

/** Without organization and project. */
const shortName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

async function reasonToKeep(
  { name, lastUpdate }: Candidate,
  { olderThanMs, now, isClosed }: Sweep,
): Promise<string | undefined> {
  if (lastUpdate === undefined) return "it was never updated";
  if (now.getTime() - lastUpdate.getTime() < olderThanMs) return `it was updated at ${lastUpdate.toISOString()}`;
  if (isClosed === undefined) return undefined;
  const number = /(\d+)$/.exec(shortName(name))?.[1];
  if (number === undefined) return "its name does not end with the number of a pull request";
  const closed = await isClosed(Number(number));
  if (closed === undefined) return `there is no pull request ${number}`;
  return closed ? undefined : `pull request ${number} is open`;
}

/** When the locks of a stack were taken, by what the CLI says of them. */
export function lockedSince(words: string): Date | undefined {
  if (!words.includes("currently locked")) return undefined;
  const times = [...words.matchAll(/ at (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))/g)].map(([, time]) =>
    Date.parse(time ?? ""),
  );
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
