/** A stack that may be one of a pull request that nobody works on any more. */
export interface Candidate {
  readonly name: string;
  readonly lastUpdate?: Date;
}

/** What the stacks of pull requests are called: what stands before their number, and after it. */
export interface Pattern {
  readonly before: string;
  readonly after: string;
}

export interface Sweep {
  readonly patterns: readonly Pattern[];
  readonly olderThanMs: number;
  readonly now: Date;
  /** Whether the pull request of a number is closed; absent where nobody can be asked. */
  isClosed?(number: number): Promise<boolean | undefined>;
}

export interface Verdict {
  readonly name: string;
  /** Why it is kept; absent where it is not. */
  readonly kept?: string;
}

/**
 * Reads a pattern such as `pr-*`.
 *
 * @returns `undefined` unless it has one `*`, two other characters, and no digit beside the `*`, where it could be one of the number
 */
export function patternFrom(text: string): Pattern | undefined {
  const [, before, after] = /^([^*?/]*)(?<!\d)\*(?!\d)([^*?/]*)$/.exec(text) ?? [];
  return before === undefined || after === undefined || before.length + after.length < 2
    ? undefined
    : { before, after };
}

/** Judges the stacks of this project whose names match. No other is in the result. */
export async function judged(stacks: readonly Candidate[], sweep: Sweep): Promise<Verdict[]> {
  const meant = stacks.flatMap((stack) => {
    const texts = sweep.patterns.flatMap((pattern) => textBetween(pattern, stack.name) ?? []);
    return texts.length === 0 ? [] : [{ stack, number: texts.find((text) => /^[1-9]\d*$/.test(text)) }];
  });
  return Promise.all(
    meant.map(async ({ stack, number }) => {
      const kept = await reasonToKeep(stack, number, sweep);
      return { name: stack.name, ...(kept !== undefined && { kept }) };
    }),
  );
}

/** What the `*` stands for. A name with an organization or a project is that of a stack elsewhere. */
function textBetween({ before, after }: Pattern, name: string): string | undefined {
  const isMeant =
    !name.includes("/") &&
    name.length >= before.length + after.length &&
    name.startsWith(before) &&
    name.endsWith(after);
  return isMeant ? name.slice(before.length, name.length - after.length) : undefined;
}

async function reasonToKeep(
  { lastUpdate }: Candidate,
  number: string | undefined,
  { olderThanMs, now, isClosed }: Sweep,
): Promise<string | undefined> {
  if (number === undefined) return "its name has no number of a pull request there";
  if (lastUpdate === undefined) return "it was never updated";
  if (now.getTime() - lastUpdate.getTime() < olderThanMs) return `it was updated at ${lastUpdate.toISOString()}`;
  if (isClosed === undefined) return undefined;
  const closed = await isClosed(Number(number));
  if (closed === undefined) return `there is no pull request ${number}`;
  return closed ? undefined : `pull request ${number} is open`;
}

const DAY_MS = 86_400_000;

/** An update that still runs has a lock, too: only what is older than any update is of a process that is gone. */
export const isOfTheGone = (lock: Date, { olderThanMs, now }: Pick<Sweep, "olderThanMs" | "now">): boolean =>
  now.getTime() - lock.getTime() > Math.max(olderThanMs, DAY_MS);

/** When the locks of a stack were taken, by what the CLI says of them. */
export function lockedSince(words: string): Date | undefined {
  if (!words.includes("currently locked")) return undefined;
  const times = [...words.matchAll(/ at (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))/g)].map(([, time]) =>
    Date.parse(time ?? ""),
  );
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
