import { AlreadyExistsError, AuthenticationError, BrightDataError, PermissionError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { secondsLeft } from "../http/end";
import { EndedError } from "./deadline";
import { type Noted, PartialFailure, type Step } from "./lifecycle";
import { isUnsettled, settleSignal } from "./settle";
import { datingOf, endOf, verdictOn } from "./verdict";

/** After so many looks, about eight seconds, a request that may be sent again is sent again. */
const LOOKS_BEFORE_REPETITION = 6;

/** Whether what a killed process began may come yet. */
export const isYoung = (noted: Pick<Noted, "began" | "until">): boolean => Date.now() < endOf(noted);

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
  /** How long it may take to be sent, answered and seen. Default: as long as the whole operation, which may wait for more. */
  seconds?: number;
  send(signal: AbortSignal): Promise<readonly Thing[]>;
  /** Whether the thing's own name keeps it from being created twice, so that the request may be sent again. Default no. */
  isRepeatable?(lost: Error): boolean;
  /** Whether the thing itself shows that it is what was begun, as by a mark. Default: it may be somebody else's. */
  isMarked?: boolean;
  /** When the service says that a thing was made, and what time it is there in milliseconds. Default: it does not say. */
  dated?: { of(thing: Thing): string | undefined; now(): number | undefined };
  /**
   * Whether a name may be taken before the thing that has it can be seen: that somebody has it already is then no refusal where
   * an earlier request, or the state, has it. Default no.
   */
  isSeenLate?: boolean;
  /** Whether the state has its name, though nobody has seen the thing. */
  isHad?: boolean;
  /** Whether what an earlier process began has come: until a state has that, it stays noted. */
  hasCome?: boolean;
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
  `An update that was cut short may have created ${thing}, which may be in no state. ${advice}`;

/** Whether a request was carried out is not known, and neither is what it may have created. */
export class UnknownOutcomeError extends BrightDataError {}

/** Something is there that an earlier update may have created, and by now nobody can tell whether it did. */
export class DoubtfulError extends UnknownOutcomeError {}

/** What was to be created is there already, and somebody else has created it. */
export class TakenError extends BrightDataError {}

/**
 * Creates something once. What an earlier process began and did not live to tell is taken up. An answer that was lost is settled
 * by looking, again and again until the operation's time is over: what there is then is what was created, if it is as asked for
 * and there is exactly as much of it.
 *
 * @throws {UnknownOutcomeError} when it cannot be told what became of the request; as a {@link PartialFailure} where something is kept
 */
export async function createOnce<Thing>(creation: Creation<Thing>, step: Step): Promise<readonly Thing[]> {
  const noted = begunBefore(step, creation.isSame);
  const taken = await takeUp(creation, noted, step);
  if (taken === undefined) return begin(creation, step);
  const { facts, advice, thing = noted?.thing } = creation;
  // A state of this thing does not settle what was noted of another one.
  if (noted?.thing !== undefined && thing !== noted.thing) await step.journal?.begin(facts, advice, thing);
  return taken;
}

/** What an earlier process began, if it was the same. Of something else, which is in no state, the person is told. */
export function begunBefore(step: Step, isSame: Creation<never>["isSame"] = () => true): Noted | undefined {
  const noted = step.journal?.unfinished;
  if (noted === undefined) return undefined;
  const { advised } = step.context;
  if (isSame(noted.facts)) {
    advised.delete(noted);
    return noted;
  }
  // An operation that tries several names asks for each of them.
  if (!advised.has(noted)) advise(noted, step);
  advised.add(noted);
  return undefined;
}

/** Tells of what nothing goes on with, unless a resource of the program has it: the intent is closed with the operation. */
export function advise({ advice, thing }: Pick<Noted, "advice" | "thing">, { say, context, me }: Step): void {
  const isHad = thing === undefined ? false : context.scope.isHad(thing, me);
  // The one that declares it may be refused: then nothing else tells of it.
  if (advice !== undefined && isHad !== true) say?.(isHad === undefined ? `${advice} ${OF_ANOTHER_RESOURCE}` : advice);
}

const OF_ANOTHER_RESOURCE = "Look first whether another resource of this program has it: one declares it.";

export function single<Thing>([thing]: readonly Thing[]): Thing {
  if (thing === undefined) throw new Error("Nothing was created.");
  return thing;
}

/** Creates something of which no earlier process has begun anything; otherwise as {@link createOnce}. */
export function begin<Thing>(creation: Creation<Thing>, step: Step): Promise<readonly Thing[]> {
  const { seconds = Number.POSITIVE_INFINITY } = creation;
  return step.deadline.within(seconds, (deadline) => beginNow(creation, { ...step, deadline }));
}

async function beginNow<Thing>(creation: Creation<Thing>, step: Step): Promise<readonly Thing[]> {
  const { journal, deadline } = step;
  const { facts, advice, thing, dated, isSeenLate, isHad, hasCome, title } = creation;
  deadline.requireGoing(`before ${title} was asked for`);
  const before = sameBefore(creation, step);
  const time = dated?.now();
  const { until } = timesOf(step);
  const serviceTime = time === undefined ? undefined : new Date(time).toISOString();
  await journal?.begin(facts, advice, thing, { until, serviceTime });
  try {
    return await creation.send(deadline.signal);
  } catch (error) {
    if (isUnsettled(error, step)) return whatBecameOf(error, creation, step);
    // What has the name may be what was begun before, and cannot be seen yet. Nothing is sent again.
    if (isSeenLate && (isHad || before !== undefined) && error instanceof AlreadyExistsError) {
      return whatBecameOf(error, { ...creation, isRepeatable: () => false }, step, before);
    }
    if (error instanceof UnknownOutcomeError) throw kept(creation, error);
    // This request has certainly created nothing; an earlier one may yet, or has.
    if (hasCome || (before !== undefined && isYoung(before))) journal?.takeBack();
    else journal?.forget();
    throw error;
  }
}

/** What an earlier process began here, if it was the same. */
function sameBefore({ isSame = () => true }: Pick<Creation<never>, "isSame">, { journal }: Step): Noted | undefined {
  const noted = journal?.unfinished;
  return noted === undefined || noted.isElsewhere || !isSame(noted.facts) ? undefined : noted;
}

/** When what an operation begins now began, and when it can come no more. */
export function timesOf({ deadline }: Pick<Step, "deadline">): Required<Pick<Noted, "began" | "until">> {
  const now = Date.now();
  const seconds = Math.min(secondsLeft(deadline.signal), LONGEST_SECONDS);
  return { began: new Date(now).toISOString(), until: new Date(now + seconds * 1000).toISOString() };
}

/** No operation has more time. */
const LONGEST_SECONDS = 86_400;

type BegunTimes = Pick<Noted, "began" | "until" | "serviceTime">;

type Evidence<Thing> = Pick<Creation<Thing>, "isMarked" | "dated">;

/** Those of some things that were not made at another time than what was begun, and whether that proves them to be it. */
function possible<Thing>({ isMarked = false, dated }: Evidence<Thing>, things: readonly Thing[], begun: BegunTimes) {
  const clocks = { now: Date.now(), service: dated?.now() };
  const datings = things.map((thing) => datingOf(begun, dated?.of(thing), clocks));
  const own = things.filter((_, index) => datings[index] !== "at another time");
  const isDated = own.length > 0 && datings.every((dating) => dating !== "unknown");
  return { own, isProven: isMarked || isDated };
}

/** Whether a thing that is there is what an earlier process began here; `undefined` where nobody can tell by now. */
export function isBegun<Thing>(
  evidence: Evidence<Thing> & Pick<Creation<Thing>, "isSame">,
  thing: Thing,
  step: Step,
): boolean | undefined {
  const begun = begunBefore(step, evidence.isSame);
  if (begun === undefined) return false;
  const { own, isProven } = possible(evidence, [thing], begun);
  if (own.length === 0) return false;
  const sighting = { found: 1, count: 1, isProven, mayRepeat: false, until: endOf(begun), now: Date.now() };
  return verdictOn(sighting) === "ours" || undefined;
}

export const tookUp = (title: string, { say, journal }: Pick<Step, "say" | "journal">): void =>
  say?.(`Took up ${title}, which ${howMade(journal?.unfinished)}.`);

/** How something was made that no state has: an update that has told the engine of it need not have been cut short. */
export const howMade = (noted: Pick<Noted, "isTold"> | undefined): string =>
  noted?.isTold === true ? "an earlier update had created" : "an update that was cut short had created";

/** Stands for the loss of an answer together with the process that waited for it. */
const KILLED = new BrightDataError("An update was cut short.");

/**
 * What an earlier process created for the same resource; `undefined` when it created nothing, or when it may be begun again.
 *
 * @throws {DoubtfulError} where something is there, and nobody can tell any more whether it did
 */
export async function takeUp<Thing>(
  creation: SoughtCreation & Pick<Creation<Thing>, "look" | "isRepeatable"> & Evidence<Thing>,
  unfinished: Omit<Noted, "mark"> | undefined,
  step: Step,
): Promise<readonly Thing[] | undefined> {
  if (unfinished === undefined) return undefined;
  const { title, count = 1, look } = creation;
  const until = endOf(unfinished);
  const isRepeatable = creation.isRepeatable?.(KILLED) === true;
  const time = new Date(until).toISOString();
  const waiting = `looking for ${title}, which an update that was cut short may have created, and which may come until ${time}`;
  let looks = 0;
  const sight = async () => {
    const { own, isProven } = possible(creation, await look(unfinished.facts, step.deadline.signal), unfinished);
    const mayRepeat = ++looks >= LOOKS_BEFORE_REPETITION && isRepeatable;
    const found = own.length;
    const verdict = verdictOn({ found, count, isProven, mayRepeat, until, now: Date.now() });
    // One list may be short: that nothing has come, two say.
    if (verdict === "look again" || (verdict === "did not happen" && looks < 2)) return undefined;
    if (verdict === "ours") return { things: own };
    if (verdict === "nobody can tell" && found > count)
      throw tooMany({ ...creation, remedy: remedyOf(creation, unfinished) }, found);
    // What has a name of its own is met there, and adopted or refused, with what to do about it.
    if (verdict === "nobody can tell" && !isRepeatable) throw doubtful(creation, unfinished);
    return { things: undefined };
  };
  const { things } = await step.deadline.poll(waiting, sight, undefined, until);
  if (things !== undefined) tookUp(title, step);
  else if (unfinished.isElsewhere) advise(unfinished, step);
  return things;
}

/**
 * What a request has created whose answer was lost.
 *
 * @param before what an earlier process began, where that is what is looked for
 */
async function whatBecameOf<Thing>(
  lost: Error,
  creation: Creation<Thing>,
  step: Step,
  before?: BegunTimes,
): Promise<readonly Thing[]> {
  const { title, count = 1, look, facts } = creation;
  let found: readonly Thing[] | undefined;
  let failed: Error | undefined;
  let looks = 0;
  const fail = (error: unknown): void => {
    if (error instanceof Error && !(error instanceof EndedError)) failed = error;
  };
  const attempt = async (signal: AbortSignal) => {
    try {
      found = await look(facts, signal);
      looks++;
      const isAnothers = before !== undefined && possible(creation, found, before).own.length < found.length;
      if (isAnothers) throw new TakenError(lost.message, { cause: lost });
    } catch (error) {
      fail(error);
      if (FINAL.some((kind) => error instanceof kind)) throw error;
    }
    return found !== undefined && found.length >= count ? true : undefined;
  };
  try {
    await step.deadline.poll(`finding out whether ${title} was created`, async () => {
      const isThere = await attempt(step.deadline.signal);
      if (!isThere && looks === LOOKS_BEFORE_REPETITION && creation.isRepeatable?.(lost)) {
        looks++;
        await creation.send(step.deadline.signal).catch(fail);
      }
      return isThere;
    });
  } catch (error) {
    if (error instanceof TakenError && error.cause === lost) step.journal?.forget();
    if (error instanceof TakenError) throw error.cause === lost ? lost : error;
    // The time may have been over before the first look.
    if (error instanceof EndedError) await attempt(settleSignal()).catch(() => undefined);
  }
  if (found?.length === count) return found;
  if (found !== undefined && found.length > count) throw tooMany(creation, found.length, lost);
  throw unknown(creation, lost, found === undefined ? failed : undefined);
}

/** What another look would not change. */
const FINAL = [AuthenticationError, PermissionError, TakenError];

type SoughtCreation = Pick<Creation<unknown>, "title" | "count" | "remedy" | "kept">;

function unknown(creation: SoughtCreation, lost: Error, failed: Error | undefined): Error {
  const { title, remedy } = creation;
  const looked =
    failed === undefined
      ? "is not known: it has not turned up so far, but may do so later."
      : `could not be found out: ${failed.message}`;
  const words = `${lost.message} Whether ${title} was created ${looked} ${remedy}`;
  return kept(creation, new UnknownOutcomeError(words, { cause: lost }));
}

function tooMany(creation: SoughtCreation, found: number, lost?: Error): Error {
  const { title, count = 1, remedy } = creation;
  const before = lost === undefined ? "" : `${lost.message} `;
  const words = `${before}${found} things have come that could be ${title}, and not ${count}: somebody else has created some too, and which are whose cannot be told. ${remedy}`;
  return kept(creation, new UnknownOutcomeError(words, { cause: lost }));
}

/** Nobody can tell but the person, who should neither take nor delete what others use. */
const remedyOf = ({ remedy }: SoughtCreation, { at }: Pick<Noted, "at">): string =>
  at === undefined ? remedy : `${remedy} If all of them are somebody else's, delete ${at.file} and run again.`;

/** @param at where it is noted, unless a state tells of it */
function doubtful(creation: SoughtCreation, { began, at }: Pick<Noted, "began" | "at">): Error {
  const { title, remedy } = creation;
  const forget = at?.file ?? "replace the resource (`pulumi up --replace <its URN>`)";
  const words = `An update that was cut short has asked for ${title} at ${began}. What there is now may be that, or somebody else's: after so long, that cannot be told. Where the resource has an input \`adopt\`, set it to take over what there is; otherwise delete what there is, or ${forget} if that is somebody else's, and run again. ${remedy}`;
  return kept(creation, new DoubtfulError(words));
}

const kept = ({ kept: resource }: Pick<SoughtCreation, "kept">, error: UnknownOutcomeError): Error =>
  resource === undefined ? error : new PartialFailure(resource.id, resource.state, error);
