/** Of things that a state has: those that are listed, those that are certainly gone, and those of which nobody can tell. */
export interface Witnessed {
  there: string[];
  gone: string[];
  doubtful: string[];
}

/** Who says that a thing is gone. */
export interface Witnesses {
  /** What the service lists, asked anew each time. */
  list(): Promise<readonly string[]>;
  /** Whether something else that the service tells agrees with what it lists. */
  agrees(listed: readonly string[]): Promise<boolean>;
}

/**
 * Looks for things that are paid for. To forget one is to buy another, so one answer is not enough: a thing is gone when two lists
 * lack it, and a witness of another kind agrees with them.
 */
export async function sightingOf(things: readonly string[], { list, agrees }: Witnesses): Promise<Witnessed> {
  const listed = new Set(await list());
  const missing = () => things.filter((thing) => !listed.has(thing));
  if (missing().length > 0) for (const thing of await list()) listed.add(thing);
  const lacked = missing();
  const there = things.filter((thing) => listed.has(thing));
  if (lacked.length === 0) return { there, gone: [], doubtful: [] };
  const isAgreed = await agrees([...listed]);
  return { there, gone: isAgreed ? lacked : [], doubtful: isAgreed ? [] : lacked };
}
