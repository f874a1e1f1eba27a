import { DAY_MS } from "../../base/day";
/** A stack that may be one of a pull request that nobody works on any more. */
export interface Candidate {
  readonly name: string;
  /** When it was last updated; absent where it never was, or is being. */
  readonly lastUpdate?: Date;
  /** Whether an update runs, or was killed: the backend does not tell these apart. */
  readonly isUpdating?: boolean;
}

export interface Sweep {
  /** What finds the text that is the number of a pull request in the name of a stack. */
  readonly patterns: readonly RegExp[];
  readonly olderThanMs: number;
  /** Whether the pull request of a number is closed; absent where nobody can be asked. */
  isClosed?(number: number): Promise<boolean | undefined>;
}

export interface SweepVerdict {
  readonly name: string;
  /** Why it is kept; absent where it is not. */
  readonly kept?: string;
}

/**
 * Reads a pattern such as `pr-*`. A name with an organization or a project is that of a stack elsewhere.
 *
 * @returns `undefined` unless it has one `*`, two other characters, and no digit beside the `*`, where it could be one of the number
 */
export function patternFrom(text: string): RegExp | undefined {
  if (!/^[^*?/]*(?<!\d)\*(?!\d)[^*?/]*$/.test(text) || text.length < 3) return undefined;
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace("*", "([^/]*)")}$`);
}

/** Judges the stacks of this project whose names match. No other is in the result. */
export async function judged(stacks: readonly Candidate[], sweep: Sweep): Promise<SweepVerdict[]> {
  const meant = stacks.flatMap((stack) => {
    const texts = sweep.patterns.flatMap((pattern) => pattern.exec(stack.name)?.[1] ?? []);
    return texts.length === 0 ? [] : [{ stack, number: texts.find((text) => /^[1-9]\d*$/.test(text)) }];
  });
  return Promise.all(
    meant.map(async ({ stack, number }) => {
      const kept = await reasonToKeep(stack, number, sweep);
      return { name: stack.name, ...(kept !== undefined && { kept }) };
    }),
  );
}

async function reasonToKeep(
  { name, lastUpdate, isUpdating = false }: Candidate,
  number: string | undefined,
  { olderThanMs, isClosed }: Sweep,
): Promise<string | undefined> {
  if (number === undefined) return "its name has no number of a pull request there";
  if (lastUpdate === undefined && !isUpdating) return "it was never updated";
  if (lastUpdate !== undefined && Date.now() - lastUpdate.getTime() < olderThanMs)
    return `it was updated at ${lastUpdate.toISOString()}`;
  const closed = isClosed === undefined || (await isClosed(Number(number)));
  if (closed === undefined) return `there is no pull request ${number}`;
  if (!closed) return `pull request ${number} is open`;
  return isUpdating ? lockedWithoutAge(name) : undefined;
}

/** The lock of a stack. */
export interface Lock {
  /** When it was taken; absent where the backend does not say, as Pulumi Cloud. */
  readonly since?: Date;
}

export const lockedWithoutAge = (stack: string): string =>
  `an update has locked it, and the backend does not say since when. If that update was killed, \`npx pulumi-brightdata sweep --stack ${stack} --unlock --yes\` lifts the lock`;

/** An update that still runs has a lock, too: only what is older than any update is of a process that is gone. */
export const isOfTheGone = ({ since }: Lock, olderThanMs: number): boolean =>
  since !== undefined && Date.now() - since.getTime() > Math.max(olderThanMs, DAY_MS);

/** What the CLI says of a lock: first the backends of one's own, then Pulumi Cloud. */
const LOCKED = /the stack is currently locked by|\[409\] Conflict: Another update is currently in progress/;

/** The lock of a stack, by what the CLI says of it; of several, the youngest. */
export function lockIn(words: string): Lock | undefined {
  if (!LOCKED.test(words)) return undefined;
  const times = [...words.matchAll(/ at (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))/g)].map(([, time]) =>
    Date.parse(time ?? ""),
  );
  return times.length === 0 ? {} : { since: new Date(Math.max(...times)) };
}
