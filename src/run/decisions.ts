import { inShort } from "../base/inShort";
import { mostSimilar } from "../base/nearest";
import { wholes } from "../lifecycle/holdings";
import type { Unheard } from "./announcements";

/** What is known when a resource is to be deleted. */
export interface Deleting {
  /** What its state has, and of that, what another resource of the run has, or takes over. */
  things: readonly string[];
  others: readonly string[];
  /** Of these, what another resource is to take over, and has not yet. */
  awaited: readonly string[];
  /** Whether there may be more than the state names: a creation had an outcome that nobody knows. */
  mayHaveMore: boolean;
  /** Whether all that it has goes with a thing that is made anew: should that stay, it is not to be without it. */
  isGoing: boolean;
  /** Whether the program has something in its place: that may have the same things. */
  isReplaced?: boolean;
}

/** What a deletion does, and what a person is told of it. */
export interface Deletion {
  /** What is deleted; nothing at all where it is `undefined`. */
  gone: readonly string[] | undefined;
  words: readonly string[];
}

export function deletion({ things, others, awaited, mayHaveMore, isGoing, isReplaced = false }: Deleting): Deletion {
  // Where the state names nothing, there may be something all the same.
  const isMore = others.length === 0 || others.length < things.length || mayHaveMore;
  const gone = things.filter((thing) => !others.includes(thing));
  return {
    gone: isMore && !isGoing ? gone : undefined,
    words: keptFor(others, awaited, !isMore, isReplaced),
  };
}

/**
 * Why nothing is done to a resource that would lose these things, while nobody can tell what the program takes over.
 *
 * @param title the resource, by its kind and id
 * @returns `undefined` where nothing speaks against it
 */
export function refusalToLose(
  title: string,
  things: readonly string[],
  unheard: Unheard | undefined,
): string | undefined {
  if (unheard === undefined || things.length === 0) return undefined;
  const { file, code, is } = unheard;
  const [done, help] =
    is === "unwritten" ? ["written to", "Make room there, or make it writable"] : ["read from", "Make it readable"];
  return `Nothing was done to ${title}: another resource of this program may be about to take over ${named(things)}. What the program takes over (\`adopt: true\`) could not be ${done} ${file} (${code}). ${help} to the user who runs the update, and run again; or take \`adopt: true\` from the resources that the state has already.`;
}

/**
 * Why nothing is done to a resource that the program has dropped, where something has failed.
 *
 * @param title the resource, by its kind and id
 * @param wanted what another resource of the program declares of what this one has, or stands on, and has not got
 * @param by names of resources that the update has not come to; whether they certainly declare that, as not all of it may be known;
 *   and whether something certainly has failed
 */
export function refusalOfWanted(
  title: string,
  wanted: readonly string[],
  { names, isSure, failure }: { names: readonly string[]; isSure: boolean; failure: "certain" | "likely" },
): string {
  const declares = isSure ? "declares" : "may declare";
  const quoted = names.map((name) => JSON.stringify(name));
  const those = names.length === 0 ? "" : ` (${inShort(quoted, MOST_NAMES)})`;
  const [remedy, destruction] =
    failure === "certain"
      ? ["See to what has failed", ""]
      : ["If something has failed, see to that", " With `pulumi destroy`, leave out `--run-program`."];
  return `Nothing was done to ${title}: this program ${declares} ${named(wanted)} by another name${those}, and has not got that yet. ${remedy}, or give what was renamed its former name in \`aliases\`, and run again. To have it deleted first, take the new resource out of the program, run, and put it back.${destruction}`;
}

const MOST_NAMES = 20;

function keptFor(others: readonly string[], awaited: readonly string[], isAll: boolean, isReplaced: boolean): string[] {
  const had = wholes(others.filter((thing) => !awaited.includes(thing)));
  const words = keptUntilTaken(awaited);
  if (had.length === 0) return words;
  const isOne = had.length === 1;
  const [belong, its, another, are] = isOne
    ? ["belongs", "its", "another resource", "is"]
    : ["belong", "their", "other resources", "are"];
  return [
    `${named(had)} ${belong} to ${isReplaced ? `${its} replacement or ` : ""}${another} of this program now, and ${are} kept${isAll ? ": nothing is deleted" : ""}.`,
    ...words,
  ];
}

/** Tells of what is left to a resource that has not got it yet, and may never. */
export function keptUntilTaken(awaited: readonly string[]): string[] {
  if (awaited.length === 0) return [];
  const [are, them] = wholes(awaited).length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    `${named(awaited)} ${are} kept: another resource of this program is to take ${them} over. Should that fail, and the program not ask for it again, declare ${them} again, with \`adopt: true\` where the resource has that input, or delete ${them} by hand.`,
  ];
}

export const named = (things: readonly string[]): string => inShort(wholes(things).map(inWords), MOST_NAMES);

/** What tells one password from another in a run tells a person nothing. */
const inWords = (thing: string): string => thing.replace(/^password \S+ of/, "a password of");

const MOST_SIMILAR = 3;

/** What was looked up by its id, and is not there. */
interface NotFound {
  connection: string | undefined;
  /** Whether a resource of the program is to have it, as in a preview before it is made. */
  isDeclared: boolean;
  /** Ids of what is there. */
  others: readonly string[] | undefined;
}

export function notFound(id: string, { connection, isDeclared, others = [] }: NotFound): string {
  const full = (one: string) => (connection === undefined ? one : `${connection}/${one}`);
  const nothing = `There is nothing with the id ${JSON.stringify(full(id))} to look up`;
  if (isDeclared) return `${nothing} yet: this program declares it. Use that resource instead of \`get\`.`;
  const near = mostSimilar(full(id), others.map(full), MOST_SIMILAR);
  return `${nothing}${near === undefined ? "" : `; ${near}`}.`;
}
