/** What is known when a resource is to be deleted. */
export interface Deleting {
  /** What its state has, and of that, what another resource of the run has, or takes over. */
  things: readonly string[];
  others: readonly string[];
  /** Whether there may be more than the state names: a creation had an outcome that nobody knows. */
  mayHaveMore: boolean;
  /** Whether all that it has goes with a thing that is made anew: should that stay, it is not to be without it. */
  isGoing: boolean;
}

/** What a deletion does, and what a person is told of it. */
export interface Deletion {
  /** What is deleted; nothing at all where it is `undefined`. */
  gone: readonly string[] | undefined;
  words: readonly string[];
}

export function deletion({ things, others, mayHaveMore, isGoing }: Deleting): Deletion {
  // Where the state names nothing, there may be something all the same.
  const isMore = others.length === 0 || others.length < things.length || mayHaveMore;
  const gone = things.filter((thing) => !others.includes(thing));
  return {
    gone: isMore && !isGoing ? gone : undefined,
    words: others.length === 0 ? [] : [keptFor(others, !isMore)],
  };
}

/** What is known when a resource is to be changed. */
export interface Changing {
  /** What its state has. */
  things: readonly string[];
  /** What it keeps of that. */
  kept: readonly string[];
  /** What another resource has taken over, or deleted, in this run. */
  lost: readonly string[];
  isAnothers(thing: string): boolean;
}

/** What is taken out of a state before it is changed: what it gives up and another has, or takes over, is that one's by now. */
export const othersIn = ({ things, kept, lost, isAnothers }: Changing): string[] => [
  ...things.filter((thing) => !kept.includes(thing) && isAnothers(thing)),
  ...lost,
];

const MOST_NAMES = 20;

function keptFor(others: readonly string[], isAll: boolean): string {
  const [belong, are] =
    others.length === 1 ? ["belongs to another resource", "is"] : ["belong to other resources", "are"];
  const more = others.length - MOST_NAMES;
  const named = others.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${named} ${belong} of this program now, and ${are} kept${isAll ? ": nothing is deleted" : ""}.`;
}
