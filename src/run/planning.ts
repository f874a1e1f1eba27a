import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { isNamed, isRetained, RETAINED } from "../declaration/kind";
import type { Claims } from "../lifecycle/claims";
import { containsUnknown } from "../lifecycle/diff";
import { coming, staying } from "../lifecycle/holdings";
import {
  type Checked,
  type Fate,
  type Lifecycle,
  type Noted,
  type ResourceFacts,
  type SecretPath,
  UNKNOWN,
} from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";
import type { Scope } from "../lifecycle/scope";
import { connectionFailures, isSameService, missingToken } from "../settings/connections";
import type { RunNotice } from "./announcements";
import type { PreviewNotice } from "./foresight";
import { creationFor } from "./meaning";
import { namedAsIn } from "./recognition";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";
import { namingIn, secretNaming } from "./wanted";

/** What a program registers of a resource besides its inputs. */
export interface Registration {
  place: string | undefined;
  /** Where the inputs that there are say that it stood. */
  former?: string | undefined;
  /** Its logical name; `undefined` where a class of an earlier version has registered it. */
  name: string | undefined;
  /** Where the inputs have secrets besides those that are declared to be. */
  secrets?: readonly SecretPath[];
  /** What the program says of a preview that is to read from the services; `undefined` for anything else. */
  preview?: PreviewNotice | undefined;
  /** What the program says of its announcements, where there are any. */
  run?: RunNotice | undefined;
}

/** What a comparison leads to. */
export interface Judgement {
  /** Whether there is anything to do, which may be so where no path has changed. */
  changes: boolean;
  /** Paths. */
  changed: string[];
  /** The paths for which the resource is replaced: `id` where it is gone. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** What the engine asks before anything is done, in a preview too: whether inputs are right, and what they change. */
export class Planning {
  readonly #resources: Resources;
  readonly #lifecycle: Lifecycle;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#lifecycle = resources.lifecycle;
  }

  /** @param previous the inputs that there are; `undefined` for a creation, a replacement's too */
  async check(previous: JsonObject | undefined, given: JsonObject, registration: Registration): Promise<Checked> {
    const { session, places, configured, argument } = this.#resources;
    const { place, former, run } = registration;
    if (run === undefined) session.findRun();
    session.belongTo(run, `${this.#resources.kind} ${place}`);
    this.#resources.hear();
    const isCreated = previous === undefined && run !== undefined;
    const about = { ...this.#about(place, given, registration), isCreated };
    places.declare(place, former, previous);
    const { inputs, failures: found } = this.#lifecycle.check(given, previous, about);
    const { service } = this.#lifecycle;
    const failures = [...found, ...connectionFailures(service, inputs[argument], configured.settings)];
    if (failures.length === 0) failures.push(...this.#declare(inputs, registration));
    if (failures.length > 0) return { inputs, failures };
    const missing = missingToken(service, inputs[argument], configured.settings);
    if (missing !== undefined) session.sayOnce(missing);
    this.#announce(this.#lifecycle.announce?.(inputs, previous, configured.prices, about), place);
    const begun = previous === undefined ? this.#begun(inputs, place) : undefined;
    // Where nobody hears the engine's answer, what it was told of is noted yet.
    if (begun !== undefined && (isCreated || begun.isTold !== true))
      this.#announce(this.#saidOf(begun, inputs) ?? `${this.#titled(registration.name)}: ${BEGUN}`, place);
    if (previous === undefined) this.#comes(inputs, place);
    else if (run?.isTakeOver === true && place !== undefined) this.#takesOver(inputs, place);
    await this.foresee(previous, inputs, registration);
    return { inputs, failures };
  }

  /** @param isForced whether the program has a path that has changed replaced */
  compare(
    known: Recorded,
    inputs: JsonObject,
    place: string | undefined,
    isForced: (path: string) => boolean = () => false,
  ): Judgement {
    const { argument, places } = this.#resources;
    this.#resources.see(known, place);
    const { state, declared = new Set(), isImport } = known;
    const { changed, deleteBeforeReplace, ...difference } = this.#lifecycle.diff(state, declared, inputs);
    const isMoved = this.#resources.isAway(known);
    // Whether another name leads to the same service cannot be told then, and a replacement would buy a second one.
    if (!isMoved && state[argument] !== inputs[argument]) this.#resources.requireConnection(known, "update");
    const replaces = difference.replaces.filter((path) => !this.#isSame(path, state, inputs, isMoved));
    // Of another service, the same names are other things.
    const claims = this.#resources.claims(replaces.includes(argument) ? state : inputs);
    const gone = claims !== undefined && this.#isDeleted(known, claims) ? ["id"] : [];
    const all = [...new Set([...replaces, ...changed.filter(isForced), ...gone])];
    claims?.note("brought", this.#resources.holdings(known).brought);
    // The inputs of an update that has failed may name what there is not. Of what is replaced, another check follows.
    const isAsked = places.isDeclared(place);
    const fate = gone.length > 0 ? "gone" : this.#fateOf(known, claims, place);
    // A refresh compares what is known, and replaces nothing. With what depends on something replaced, that is not known yet.
    if (all.length > 0 && (isAsked || containsUnknown(inputs))) this.#goes(known, inputs, fate, claims, place);
    const isDue = all.length === 0 && isAsked && this.#stays(known, inputs, changed, claims, place);
    if (all.length > 0 && isAsked) this.#announce(this.#inPlaceOf(known, inputs, fate), place);
    // What is replaced all the same is so for the program, of which the engine tells nothing: by `replaceOnChanges`.
    const isInTheWay = difference.replaces.length === 0 && isNamed(this.#lifecycle.declaration, inputs);
    return {
      // What came from an import file is not complete before an update; what comes from another provider is looked for first.
      changes: changed.length > 0 || isImport || known.isForeign === true || isMoved || isDue || gone.length > 0,
      changed,
      replaces: all,
      deleteBeforeReplace: deleteBeforeReplace || gone.length > 0 || isInTheWay,
    };
  }

  /**
   * Notes what the engine skips in an update, as something has failed: it asks what would have come of it, as in a preview, which
   * deletes nothing.
   */
  skip(name: string, place: string, inputs: JsonObject, secrets: readonly SecretPath[] = []): void {
    const { kind, places, session, configured } = this.#resources;
    session.contexts.ofRun.fails();
    session.creation(this.#resources.claims(inputs), kind, place, "ends");
    // What a class tells comes before.
    if (places.isToStandAt(place)) return;
    const [of] = this.#resources.scope(inputs)?.names ?? [];
    const announcement = { kind, name, place, of, isNative: true as const, ...namingIn(this.#lifecycle, inputs) };
    places.announce(announcement);
    session.announce(announcement, configured.home, secretNaming(this.#lifecycle, secrets));
  }

  #about(place: string | undefined, given: JsonObject, registered: Partial<Registration> = {}): ResourceFacts {
    const { name, secrets } = registered;
    return {
      place,
      name,
      secrets,
      former: this.#resources.places.at(place).previous,
      named: (kind, name) => this.#resources.scope(given)?.declarations.named(kind, name),
    };
  }

  /** @returns what is wrong where another resource declares the same */
  #declare(inputs: JsonObject, registration: Registration): string[] {
    const { kind } = this.#resources;
    const declarations = this.#resources.scope(inputs)?.declarations;
    declarations?.name(kind, inputs);
    if (this.#lifecycle.isShared === true) return [];
    return declarations?.declareOnce(kind, this.#lifecycle.holdings(undefined, inputs).has, registration) ?? [];
  }

  /** Whether the input at a path, another one by now, leads to the same service. */
  #isSame(path: string, state: JsonObject, inputs: JsonObject, isMoved: boolean): boolean {
    const { argument, configured } = this.#resources;
    if (path !== argument) return false;
    return isMoved || isSameService(this.#lifecycle.service, state[path], inputs[path], configured.settings);
  }

  /** Notes that a resource of the state is replaced, and what that means for what stands on it. */
  #goes(known: Recorded, inputs: JsonObject, fate: Fate, claims: Claims | undefined, place: string | undefined): void {
    const isLeft = fate === "another's" || isRetained(inputs);
    claims?.goes(originOf(known.mark), place);
    const { has } = this.#resources.holdings(known);
    const isHere = claims === this.#resources.claims(inputs);
    if (isLeft || isHere) claims?.note(isLeft ? "standing" : "renewed", has);
    if (inputs[RETAINED] === UNKNOWN && fate === "deleted") claims?.note("doubtful", has);
    this.#resources.places.note(place, { replaced: known });
  }

  /**
   * Notes that a resource of the state stays, with these inputs of which some have changed.
   *
   * @returns whether it has to be updated even if nothing has changed
   */
  #stays(
    known: Recorded,
    inputs: JsonObject,
    changed: readonly string[],
    claims: Claims | undefined,
    place: string | undefined,
  ): boolean {
    const { id, mark, state, declared = new Set() } = known;
    if (claims !== undefined) this.#refuseTaken(known, claims);
    claims?.stays(originOf(mark), staying(this.#lifecycle, id, state, { declared, inputs }), place);
    this.#resources.places.note(place, { staying: { known, inputs } });
    const { prices } = this.#resources.configured;
    const about = this.#about(place, inputs);
    if (changed.length > 0)
      this.#announce(this.#lifecycle.announceUpdate?.(state, declared, inputs, prices, about), place);
    const scope = this.#resources.scope(inputs);
    if (claims === undefined || scope === undefined) return false;
    const leftovers = this.#leftovers(known, inputs, place, scope);
    for (const words of leftovers) this.#announce(words, place);
    const isLess = this.#resources.isDoubtful(known, claims) || this.#resources.lost(known, claims).length > 0;
    return isLess || leftovers.length > 0;
  }

  /**
   * Notes what is to be made at a place. What stays there by its comparison does not: the engine replaces it all the same, and
   * what it is called by is made anew.
   */
  #comes(inputs: JsonObject, place: string | undefined): void {
    const claims = this.#resources.claims(inputs);
    const replaced = this.#resources.places.succeed(place, inputs);
    if (replaced !== undefined) {
      const { known, inputs: compared } = replaced;
      const fate = this.#fateOf(known, claims, place);
      claims?.goes(originOf(known.mark), place);
      this.#announce(this.#inPlaceOf(known, compared, fate), place);
    }
    claims?.comes(place, coming(this.#lifecycle.holdings(undefined, inputs)));
    this.#resources.session.creation(claims, this.#resources.kind, place, "begins");
  }

  /** Notes what a resource that is there already may take over: it may not be announced. */
  #takesOver(inputs: JsonObject, place: string): void {
    const { takesOver = [] } = this.#lifecycle.holdings(undefined, inputs);
    this.#resources.claims(inputs)?.announced(place, takesOver);
  }

  /** @throws {ArgumentError} where another resource has taken over what this one has, and cannot do without */
  #refuseTaken(known: Recorded, claims: Claims): void {
    if (this.#lifecycle.without !== undefined || this.#lifecycle.isShared === true) return;
    const { has } = this.#resources.holdings(known);
    const taken = has.filter((thing) => claims.isMadeByAnother(thing, originOf(known.mark)));
    if (taken.length === 0) return;
    throw new ArgumentError(
      `${taken.join(", ")} has been taken over by another resource of this program in this update. Declare it once: each of them would change, and delete, what the other has.`,
    );
  }

  /** What an update that was cut short has left to the next one, in words: to look for it, or to tell of it. */
  #leftovers(known: Recorded, inputs: JsonObject, place: string | undefined, scope: Scope): string[] {
    const journal = this.#resources.journal({ kind: "change", of: known.mark }, place, inputs, undefined, known);
    const resumption = this.#resources.mayHaveMore(journal) ? [`${this.#titled(known.id)}: ${RESUMPTION}`] : [];
    return [...resumption, ...this.#resources.adviceOf(journal, scope)];
  }

  /** Warns, where the settings ask for it, of what an update would fail for. */
  async foresee(
    previous: JsonObject | undefined,
    inputs: JsonObject,
    { place, preview }: Pick<Registration, "place" | "preview">,
  ): Promise<void> {
    const { kind, argument, session, places, configured } = this.#resources;
    if (preview === undefined || !configured.settings.checkOnPreview || inputs[argument] === UNKNOWN) return;
    // The second check of a replacement has no previous inputs, but was compared; what a killed creation has made is taken up.
    const isThere = previous !== undefined || places.at(place).replaced !== undefined;
    const isNew = !isThere && inputs.adopt !== true;
    const isOurs = isNew && this.#begun(inputs, place) !== undefined;
    const made = isNew && !isOurs ? this.#lifecycle.holdings(undefined, inputs).has : [];
    const planned = { kind, service: this.#lifecycle.service, inputs, made };
    const context = this.#resources.context(inputs);
    for (const words of await session.foresight.foresee(preview, planned, context))
      session.sayOnce(`warning: ${words}`);
  }

  /** What a creation that was cut short has begun of what is to be created at a place. */
  #begun(inputs: JsonObject, place: string | undefined): Noted | undefined {
    if (inputs[this.#resources.argument] === UNKNOWN) return undefined;
    const { replaced } = this.#resources.places.at(place);
    return this.#resources.journal(creationFor(replaced), place, inputs, undefined, replaced)?.unfinished;
  }

  /** What a person should know of what was begun where it is certainly not what inputs ask for: nothing goes on with it. */
  #saidOf({ facts, advice }: Noted, inputs: JsonObject): string | undefined {
    return !containsUnknown(inputs) && this.#lifecycle.isSame?.(facts, inputs) === false ? advice : undefined;
  }

  /** Whether another resource that had the same has deleted it in this run, and the program has this one keep it. */
  #isDeleted(known: Recorded, claims: Claims): boolean {
    if (this.#lifecycle.without !== undefined || this.#lifecycle.isShared === true) return false;
    const { has } = this.#resources.holdings(known);
    return has.length > 0 && has.every((thing) => claims.deleted.has(thing));
  }

  /** What becomes of what is replaced: other resources of the program may have all of it, or take it over. */
  #fateOf(known: Recorded, claims: Claims | undefined, place: string | undefined): Fate {
    const { has } = this.#resources.holdings(known);
    const me = { mark: originOf(known.mark), place };
    const isAllAnothers = claims !== undefined && has.length > 0 && has.every((thing) => claims.isAnothers(thing, me));
    return isAllAnothers ? "another's" : "deleted";
  }

  /** What a replacement does, in words. */
  #inPlaceOf(known: Recorded, inputs: JsonObject, fate: Fate): string | undefined {
    return this.#lifecycle.announceReplacement?.(known.state, namedAsIn(known, inputs, this.#resources), fate);
  }

  /** What a resource is called in words: dynamic ones have their messages appear with the stack. */
  #titled(name: string | undefined): string {
    return name === undefined ? this.#resources.kind : `${this.#resources.kind} ${name}`;
  }

  /** Tells of a resource what the person does not know yet: the engine may check and compare one more than once. */
  #announce(words: string | undefined, place: string | undefined): void {
    if (words === undefined) return;
    const { kind, session } = this.#resources;
    if (place === undefined) session.say(words);
    else session.sayOnce(words, `${kind} ${place}`);
  }
}

export const RESUMPTION =
  "an update that was cut short may have created more than the state tells of, which is looked for first.";

export const BEGUN = "an update that was cut short may have created it, which is looked for first.";
