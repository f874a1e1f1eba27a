import { once } from "../base/once";
import { Highest, wholeOf } from "./things";

/**
 * How strongly a resource claims a thing: it `has` it, in its state or since this run; it `adopts` it, that is, takes it over
 * where it is there; it `expects` to make it; or it is `recorded` with it, and whether it stays is not known.
 */
export type Strength = "recorded" | "expects" | "adopts" | "has";

const STRENGTHS: readonly Strength[] = ["recorded", "expects", "adopts", "has"];

/** Who asks, or claims: a resource by its mark, and by its place in the program as long as it is to be created. */
export interface Who {
  mark?: string | undefined;
  place?: string | undefined;
}

/** What has become of a thing in this run. */
export type ThingFate = "brought" | "deleted" | "doubtful" | "released" | "renewed" | "standing";

const FATES: readonly ThingFate[] = ["brought", "deleted", "doubtful", "released", "renewed", "standing"];

/** How far the creation of something is. */
export type Stage = "begins" | "ends";

export type Claimed = Partial<Readonly<Record<Strength, readonly string[]>>>;

/** What one process of a run tells the others. */
export type Told =
  | { call: "announced"; place: string; things: readonly string[] }
  | { call: "stays"; mark: string; claimed: Claimed }
  | { call: "goes"; mark: string; place?: string | undefined }
  | { call: "comes"; place: string; claimed: Claimed }
  | { call: "made"; mark: string; things: readonly string[] }
  | { call: "tookOver"; things: readonly string[] }
  | { call: "creation"; place: string; stage: Stage }
  | { call: "fails" }
  | { call: "note"; fate: ThingFate; things: readonly string[] };

/**
 * Who has what in one run of the engine. The provider's process lives as long as that run, so it can tell that a thing which
 * one resource is about to delete is another's by now: after a rename, a move or a replacement.
 *
 * A thing is named by what it is at the service, whatever the kind that manages it: `zone web`, `port 24000`, `ui-list 203.0.113.7`.
 */
export class Claims {
  #tell: ((told: Told) => void) | undefined;
  /** What the other processes of the run are told, and those that are met later. */
  readonly #shared: Told[] = [];
  #isHearing = false;
  readonly #byThing = new Map<string, Map<string, Strength>>();
  readonly #byClaimant = new Map<string, string[]>();
  readonly #staying = new Set<string>();
  /** By mark, where the program has what is replaced: its state may tell of another place. */
  readonly #replaced = new Map<string, string>();
  readonly #made = new Map<string, string>();
  /** Things that have come by an exchange that a resource of the program has asked for. */
  readonly brought = new Set<string>();
  /** Things that a resource has deleted in this run, or is about to: one that has them, too, could not say so in time. */
  readonly deleted = new Set<string>();
  /** Things that a resource which has gone in this run, or has changed, has left: another that the program has may have them. */
  readonly released = new Set<string>();
  /** Things that are made anew in this run: what stood on the former ones is gone. */
  readonly renewed = new Set<string>();
  /** Things that are not, or could not be, deleted in this run though they are replaced: what stands on them does not go with them. */
  readonly standing = new Set<string>();
  /** Of what is made anew, things whose former ones may stay: whether the program keeps them, nobody has told. */
  readonly doubtful = new Set<string>();
  /** Places where something is to be created, until it is: what stands on a thing of that name is to go with it. */
  readonly #coming = new Set<string>();
  /** Places of which the engine has told: what was announced of them is over. */
  readonly #told = new Set<string>();
  #hasFailure = false;
  readonly #highest = { made: new Highest(), expected: new Highest() };

  /** Notes what the program is going to have a resource take over of which the engine has not told yet. */
  announced(place: string, things: readonly string[]): void {
    this.#share({ call: "announced", place, things });
    if (!this.#told.has(place)) this.#replace(nameOf({ place }), { adopts: things });
  }

  /** Notes what the program is going to have: what gets a number by itself gets another one. */
  foresee(things: readonly string[]): void {
    for (const thing of things) this.#highest.expected.raise(thing);
  }

  /** Notes what the program has a resource of the state keep and get: it stays. What was noted of it before is over. */
  stays(mark: string, claimed: Claimed, place?: string): void {
    this.#share({ call: "stays", mark, claimed });
    this.#staying.add(mark);
    if (place !== undefined) this.comes(place, {});
    this.#replace(mark, claimed);
  }

  /** Notes that a resource does not stay: it is replaced, at a place of the program, or could not be created. */
  goes(mark: string, place?: string): void {
    this.#share({ call: "goes", mark, place });
    this.#staying.delete(mark);
    if (place !== undefined) this.#replaced.set(mark, place);
    for (const thing of this.#byClaimant.get(mark) ?? []) if (this.#made.get(thing) === mark) this.#made.delete(thing);
    this.#replace(mark, {});
  }

  /** Notes what a resource of the state has that is read. */
  recorded(mark: string, things: readonly string[]): void {
    if (!this.#byClaimant.has(mark)) this.#replace(mark, { recorded: things });
  }

  /** Notes that a resource is about to be created at a place, or is, or could not be. */
  creation(place: string | undefined, stage: Stage): void {
    if (place === undefined) return;
    this.#share({ call: "creation", place, stage });
    if (stage === "begins") this.#coming.add(nameOf({ place }));
    else this.#coming.delete(nameOf({ place }));
  }

  /** Whether something is about to be created there: what stands in its way is to go. */
  isComing(place: string | undefined): boolean {
    return this.#coming.has(nameOf({ place }));
  }

  /** Whether something is about to be created, wherever it is to stand. */
  get areComing(): boolean {
    return this.#coming.size > 0;
  }

  /**
   * Whether a thing is made anew in this run: it was, or it is about to be. Of a replacement that a person has asked for, nothing
   * more is told in time than that something of its name is to be created.
   *
   * @param isCertain whether only what was made anew, or certainly is to be, is meant
   * @param letsIn whether what stands on it lets somebody in: that does not go with what may stay
   */
  isRenewed(thing: string, isCertain = false, letsIn = false): boolean {
    if (this.standing.has(thing) || (letsIn && this.doubtful.has(thing))) return false;
    const isComing = () => [...(this.#byThing.get(thing)?.keys() ?? [])].some((who) => this.#coming.has(who));
    // What has been made by now, and not anew, was taken over.
    return this.renewed.has(thing) || (!isCertain && !this.#made.has(thing) && isComing());
  }

  /** Whether there are things, and all are. Otherwise as {@link isRenewed}. */
  areRenewed(things: readonly string[], isCertain: boolean, letsIn?: boolean): boolean {
    return things.length > 0 && things.every((thing) => this.isRenewed(thing, isCertain, letsIn));
  }

  /** Notes what a resource is to get that is created at a place. */
  comes(place: string | undefined, claimed: Claimed): void {
    if (place !== undefined) {
      this.#share({ call: "comes", place, claimed });
      this.#told.add(place);
    }
    this.#replace(nameOf({ place }), claimed);
  }

  /** Notes what a resource has with which the engine has answered the program alone: each process hears that by itself. */
  answered(who: Who & { place: string }, things: readonly string[]): void {
    this.#told.add(who.place);
    this.#replace(nameOf({ place: who.place }), {});
    this.#replace(nameOf(who), { has: things });
  }

  /** Notes that a resource has made, taken over or written these things in this run: it stays. */
  made({ mark, place }: Who, things: readonly string[]): void {
    if (mark !== undefined) {
      this.#share({ call: "made", mark, things });
      this.#staying.add(mark);
    }
    const maker = nameOf({ mark, place });
    for (const thing of things) {
      this.deleted.delete(thing);
      this.standing.delete(thing);
      this.#made.set(thing, maker);
      this.#set(thing, maker, "has");
      this.#highest.made.raise(thing);
    }
  }

  /** Notes that a resource has taken over what was there: it stays, whatever was told before, and so does what stands on it. */
  tookOver(who: Who, things: readonly string[]): void {
    this.made(who, things);
    this.#share({ call: "tookOver", things });
    for (const thing of things) this.renewed.delete(thing);
  }

  /** Notes that something has failed: what depends on it, the engine may not come to. */
  fails(): void {
    if (!this.#hasFailure) this.#share({ call: "fails" });
    this.#hasFailure = true;
  }

  get hasFailure(): boolean {
    return this.#hasFailure;
  }

  note(fate: ThingFate, things: readonly string[]): void {
    if (things.length > 0) this.#share({ call: "note", fate, things });
    for (const thing of things) this[fate].add(thing);
    // The engine deletes nothing that the program keeps.
    if (fate === "deleted") for (const thing of things) this.doubtful.delete(thing);
    if (fate === "standing") for (const thing of things) this.deleted.delete(thing);
  }

  /** Notes what another process of the run has told. */
  hear(told: Told): void {
    this.#isHearing = true;
    if (told.call === "announced") this.announced(told.place, told.things);
    else if (told.call === "stays") this.stays(told.mark, told.claimed);
    else if (told.call === "goes") this.goes(told.mark, told.place);
    else if (told.call === "comes") this.comes(told.place, told.claimed);
    else if (told.call === "made") this.made({ mark: told.mark }, told.things);
    else if (told.call === "tookOver") for (const thing of told.things) this.renewed.delete(thing);
    else if (told.call === "creation") this.creation(told.place, told.stage);
    else if (told.call === "fails") this.fails();
    else if (told.call === "note") this.note(told.fate, told.things);
    this.#isHearing = false;
  }

  /**
   * Tells the other processes of the run all that is noted here, and what has been so far.
   *
   * @param areNew whether they have heard nothing of that: by default, where nobody has
   */
  tellTo(tell: (told: Told) => void, areNew = this.#tell === undefined): void {
    if (areNew) this.#shared.forEach(tell);
    this.#tell = tell;
  }

  /** Whether another resource has made, taken over or deleted a thing in this run. */
  isTaken(thing: string, mark: string): boolean {
    return this.deleted.has(thing) || this.isMadeByAnother(thing, mark);
  }

  /** Whether another resource has made or taken over a thing in this run. */
  isMadeByAnother(thing: string, mark: string): boolean {
    return !this.deleted.has(thing) && (this.#made.get(thing) ?? mark) !== mark;
  }

  /** Whether the engine has told of what is at a place, in any process of the run. */
  isTold(place: string): boolean {
    return this.#told.has(place);
  }

  /** Where the program has what is replaced, as far as any process of the run has told. */
  replacedAt(mark: string): string | undefined {
    return this.#replaced.get(mark);
  }

  isStaying(mark: string): boolean {
    return this.#staying.has(mark);
  }

  /**
   * How strongly another resource of this run claims a thing; `undefined` where none does. Who is to make, or to take over, the
   * whole of which a thing is a part, may get that, too.
   */
  whoHas(thing: string, me: Who = {}): Strength | undefined {
    const own = [me.mark, me.place === undefined ? undefined : nameOf({ place: me.place })];
    const strengthsOf = (each: string) =>
      [...(this.#byThing.get(each) ?? [])].flatMap(([claimant, strength]) =>
        own.includes(claimant) ? [] : [strength],
      );
    const whole = wholeOf(thing);
    const awaited =
      whole === undefined ? [] : strengthsOf(whole).filter((each) => each === "adopts" || each === "expects");
    const others = [...strengthsOf(thing), ...awaited];
    return STRENGTHS.findLast((strength) => others.includes(strength));
  }

  /** Whether another resource of this run has a thing, or takes it over. That it is to make it does not count: it could not yet. */
  isAnothers(thing: string, me?: Who): boolean {
    const strength = this.whoHas(thing, me);
    return strength === "has" || strength === "adopts";
  }

  /** The things of a sort that others claim, such as the addresses of `ui-list`. */
  othersOf(sort: string, me?: Who): string[] {
    const named = [...this.#byThing.keys()].filter((thing) => thing.startsWith(`${sort} `));
    return named.filter((thing) => this.whoHas(thing, me) !== undefined).map((thing) => thing.slice(sort.length + 1));
  }

  /** The highest number that names a thing of a sort which resources of this run have `made`, or are `expected` to make. */
  highest(sort: string, which: "made" | "expected"): number | undefined {
    return this.#highest[which].of(sort);
  }

  /** Takes in what is known of the same things elsewhere. */
  absorb(other: Claims): void {
    this.#shared.push(...other.#shared);
    for (const [thing, claimants] of other.#byThing)
      for (const [claimant, strength] of claimants) this.#set(thing, claimant, strength);
    for (const [thing, maker] of other.#made) this.#made.set(thing, maker);
    for (const mark of other.#staying) this.#staying.add(mark);
    for (const [mark, place] of other.#replaced) this.#replaced.set(mark, place);
    for (const place of other.#told) this.#told.add(place);
    for (const place of other.#coming) this.#coming.add(place);
    for (const fate of FATES) this.note(fate, [...other[fate]]);
    for (const which of ["made", "expected"] as const) this.#highest[which].absorb(other.#highest[which]);
  }

  #share(told: Told): void {
    if (this.#isHearing) return;
    this.#shared.push(told);
    this.#tell?.(told);
  }

  #replace(claimant: string, claimed: Claimed): void {
    for (const thing of this.#byClaimant.get(claimant) ?? []) this.#byThing.get(thing)?.delete(claimant);
    this.#byClaimant.delete(claimant);
    for (const strength of STRENGTHS) for (const thing of claimed[strength] ?? []) this.#set(thing, claimant, strength);
    for (const thing of [...(claimed.expects ?? []), ...(claimed.adopts ?? [])]) this.#highest.expected.raise(thing);
  }

  #set(thing: string, claimant: string, strength: Strength): void {
    once(this.#byThing, thing, () => new Map<string, Strength>()).set(claimant, strength);
    once(this.#byClaimant, claimant, (): string[] => []).push(thing);
  }
}

/** Of resources without a mark and without a place nobody knows which they are: they are all one. */
const nameOf = ({ mark, place }: Who): string => mark ?? `at ${place ?? ""}`;
