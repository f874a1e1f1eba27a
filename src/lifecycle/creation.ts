import { AuthenticationError, BrightDataError, PermissionError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { EndedError } from "./deadline";
import { type Noted, PartialFailure, type Run } from "./lifecycle";
import { isUnsettled, settleSignal } from "./settle";

/** How long what a killed process began is looked for before it is begun again, and how young that must be. */
export const LATECOMER_SECONDS = 10;
const YOUNG_MS = 120_000;

/** After so many looks, about eight seconds, a request that may be sent again is sent again. */
const LOOKS_BEFORE_REPETITION = 6;

/** Whether what a killed process began may be under way yet. */
export const isYoung = ({ began }: Pick<Noted, "began">): boolean => Date.now() - Date.parse(began) < YOUNG_MS;

/** A request that creates something, each time that it is sent. */
export interface Creation<Thing> {
  /** What it creates, as in `zone "web"`. */
  title: string;
  /** What helps to recognise it later, noted before the request is sent: what was there before, or a mark. No secrets. */
  facts: JsonObject;
  /** Whether what an earlier process noted was to create the same. Default: it was. */
  isSame?(facts: JsonObject): boolean;
  /** Finds what has come since the facts were noted and is as it was asked to be. Fails when it cannot tell. */
  look(facts: JsonObject, signal: AbortSignal): Promise<readonly Thing[]>;
  /** How many things the request creates. Default 1. */
  count?: number;
  send(signal: AbortSignal): Promise<readonly Thing[]>;
  /** Whether the thing's own name keeps it from being created twice, so that the request may be sent again. Default no. */
  isRepeatable?(lost: Error): boolean;
  /** What a person can do where the outcome stays unknown. */
  remedy: string;
  /** What a person should know where the program asks for it no more, in whole sentences. */
  advice: string;
  /** What it creates, as resources claim it, where that is known. */
  thing?: string;
  /** The resource that is kept where the outcome stays unknown. Default: none. */
  kept?: { id: string; state: JsonObject } | undefined;
}

/** Tells of what was created for a program that asks for it no more. */
export const leftBehind = (thing: string, advice: string): string =>
  `An update that was cut short may have created ${thing}, which was in no state when this update began. ${advice}`;

/** Whether a request was carried out is not known, and neither is what it may have created. */
export class UnknownOutcomeError extends BrightDataError {}

/** What was to be created is there already, and somebody else has created it. */
export class TakenError extends BrightDataError {}

/**
 * Creates something once. What an earlier process began and did not live to tell is taken up. An answer that was lost is settled
 * by looking, again and again until the operation's time is over: what there is then is what was created, if it is as asked for
 * and there is exactly as much of it.
 *
 * @throws {UnknownOutcomeError} when it cannot be told what became of the request; as a {@link PartialFailure} where something is kept
 */
export async function createOnce<Thing>(creation: Creation<Thing>, run: Run): Promise<readonly Thing[]> {
  return (await takeUp(creation, begunBefore(run, creation.isSame), run)) ?? begin(creation, run);
}

/** What an earlier process began, if it was the same. Of something else, which is in no state, the person is told. */
export function begunBefore(run: Run, isSame: Creation<never>["isSame"] = () => true): Noted | undefined {
  const noted = run.journal?.unfinished;
  if (noted === undefined || isSame(noted.facts)) return noted;
  if (!told.has(noted)) advise(noted, run);
  told.add(noted);
  return undefined;
}

/** Tells of what nothing goes on with, unless a resource of the program has it, or takes it over. */
function advise({ advice, thing }: Pick<Noted, "advice" | "thing">, { say, context, me }: Run): void {
  const isHad = thing !== undefined && context.claims.isAnothers(thing, me);
  if (advice !== undefined && !isHad) say?.(advice);
}

/** Of these the person knows: an operation that tries several names asks for each of them. */
const told = new WeakSet<Noted>();

export function single<Thing>([thing]: readonly Thing[]): Thing {
  if (thing === undefined) throw new Error("Nothing was created.");
  return thing;
}

/** Creates something of which no earlier process has begun anything; otherwise as {@link createOnce}. */
export async function begin<Thing>(creation: Creation<Thing>, run: Run): Promise<readonly Thing[]> {
  await run.journal?.begin(creation.facts, creation.advice, creation.thing);
  try {
    return await creation.send(run.deadline.signal);
  } catch (error) {
    if (isUnsettled(error, run)) return whatBecameOf(error, creation, run);
    run.journal?.forget();
    throw error instanceof UnknownOutcomeError ? kept(creation, error) : error;
  }
}

/** What an earlier process created for the same resource; `undefined` when it created nothing. */
export async function takeUp<Thing>(
  creation: Outcome & Pick<Creation<Thing>, "look">,
  unfinished: Omit<Noted, "mark"> | undefined,
  run: Run,
): Promise<readonly Thing[] | undefined> {
  if (unfinished === undefined) return undefined;
  const { title, count = 1, look } = creation;
  const last = isYoung(unfinished) ? Date.now() + LATECOMER_SECONDS * 1000 : 0;
  const waiting = `looking for ${title}, which an update that was cut short may have created`;
  const { things } = await run.deadline.poll(waiting, async () => {
    const found = await look(unfinished.facts, run.deadline.signal);
    if (found.length > count) throw tooMany(creation, found.length);
    if (found.length === count) return { things: found };
    return Date.now() < last ? undefined : { things: undefined };
  });
  if (things !== undefined) run.say?.(`Took up ${title}, which an update that was cut short had created.`);
  else if (unfinished.isElsewhere) advise(unfinished, run);
  return things;
}

/** What a request has created whose answer was lost. */
async function whatBecameOf<Thing>(lost: Error, creation: Creation<Thing>, run: Run): Promise<readonly Thing[]> {
  const { title, count = 1, look, facts, remedy } = creation;
  let found: readonly Thing[] | undefined;
  let failed: Error | undefined;
  let looks = 0;
  const attempt = async (signal: AbortSignal) => {
    try {
      found = await look(facts, signal);
      looks++;
    } catch (error) {
      if (error instanceof Error && !(error instanceof EndedError)) failed = error;
      if (FINAL.some((kind) => error instanceof kind)) throw error;
    }
    return found !== undefined && found.length >= count ? true : undefined;
  };
  try {
    await run.deadline.poll(`finding out whether ${title} was created`, async () => {
      const isThere = await attempt(run.deadline.signal);
      if (!isThere && looks === LOOKS_BEFORE_REPETITION && creation.isRepeatable?.(lost)) {
        looks++;
        await creation.send(run.deadline.signal).catch((error: unknown) => {
          if (error instanceof Error) failed = error;
        });
      }
      return isThere;
    });
  } catch (error) {
    if (error instanceof TakenError) throw error;
    // The time may have been over before the first look.
    if (error instanceof EndedError) await attempt(settleSignal()).catch(() => undefined);
  }
  const number = found?.length ?? 0;
  if (found !== undefined && number === count) return found;
  if (number > count) throw tooMany(creation, number, lost);
  const looked =
    found === undefined && failed !== undefined
      ? `could not be found out: ${failed.message}`
      : "is not known: it has not turned up so far, but may do so later.";
  const words = `${lost.message} Whether ${title} was created ${looked} ${remedy}`;
  throw kept(creation, new UnknownOutcomeError(words, { cause: lost }));
}

/** What another look would not change. */
const FINAL = [AuthenticationError, PermissionError, TakenError];

type Outcome = Pick<Creation<unknown>, "title" | "count" | "remedy" | "kept">;

function tooMany(creation: Outcome, found: number, lost?: Error): Error {
  const { title, count = 1, remedy } = creation;
  const before = lost === undefined ? "" : `${lost.message} `;
  const words = `${before}${found} things have come that could be ${title}, and not ${count}: somebody else has created some too, and which are whose cannot be told. ${remedy}`;
  return kept(creation, new UnknownOutcomeError(words, { cause: lost }));
}

const kept = ({ kept: resource }: Pick<Outcome, "kept">, error: UnknownOutcomeError): Error =>
  resource === undefined ? error : new PartialFailure(resource.id, resource.state, error);
