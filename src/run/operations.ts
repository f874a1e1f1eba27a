import { ArgumentError, BrightDataError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { accountOf, locationOf } from "../base/location";
import { Deadline } from "../lifecycle/deadline";
import { difference, wholes, without } from "../lifecycle/holdings";
import { type Lifecycle, PartialFailure, type Step } from "../lifecycle/lifecycle";
import { newMark, originOf } from "../lifecycle/mark";
import { deletion, keptUntilTaken, notFound } from "./decisions";
import { keep } from "./keep";
import { creationFor, type Undertaking } from "./meaning";
import { type MovedBy, MoveError } from "./move";
import { type OperationCall, type Outcome, Unfinished, type Work } from "./outcome";
import type { Untold } from "./places";
import { isNamedAlike, recognized, replacedHere } from "./recognition";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";
import { requireUnwanted } from "./unwanted";

/** What is done to resources of one kind in one run, whatever the protocol that asks for it. */
export class Operations {
  readonly #resources: Resources;
  readonly #lifecycle: Lifecycle;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#lifecycle = resources.lifecycle;
  }

  async create(inputs: JsonObject, place: string | undefined, seconds?: number): Promise<Outcome> {
    const { places } = this.#resources;
    const { replaced } = places.at(place);
    const subject = creationFor(replaced);
    return this.#carry({ operation: "create", props: inputs, place, subject, replaced, seconds }, async (work) => {
      this.#resources.advise(work.journal, work.step);
      const before = replaced ?? places.at(place).deleted;
      const step = { ...work.step, ...replacedHere(before, inputs, { ...work, place }, this.#resources) };
      const { id, state } = await this.#lifecycle.create(inputs, step);
      return this.#outcome(id, state, inputs, await this.#withAccount(work, inputs));
    });
  }

  /** @returns `undefined` where there certainly is nothing */
  async read(
    known: Recorded,
    connection: string | undefined,
    seconds?: number,
  ): Promise<Pick<Outcome, "state" | "location"> | undefined> {
    this.#resources.see(known);
    const { id, state, declared } = known;
    if (declared !== undefined) this.#resources.requireConnection(known, "read");
    const named = { ...state, ...(connection === undefined ? {} : { [this.#resources.argument]: connection }) };
    return this.#carry({ operation: "read", props: named, place: known.place, known, seconds }, async ({ step }) => {
      step.context.claims.recorded(originOf(known.mark), this.#resources.holdings(known).has);
      if (this.#resources.isAway(known)) await this.#recognize(known, step, "read");
      const found = await this.#look(known, step);
      if (found !== undefined) return { state: found, location: this.#resources.location(named, known.location) };
      if (declared !== undefined) return this.#resources.forget(known, named, step);
      // It was there when an earlier run has looked it up. A program that still asks for it is told, because it sends no state.
      if (Object.keys(state).length > 0) return undefined;
      const isDeclared = this.#resources.scope(named)?.declarations.named(this.#resources.kind, id) !== undefined;
      const others = isDeclared ? undefined : await this.#lifecycle.suggestions?.(step).catch(() => []);
      throw new ArgumentError(notFound(id, { connection, isDeclared, others }));
    });
  }

  async update(known: Recorded, inputs: JsonObject, place: string | undefined, seconds?: number): Promise<Outcome> {
    this.#resources.see(known, place);
    const { id, mark, state, declared = new Set() } = known;
    const subject: Undertaking = { kind: "change", of: mark };
    return this.#carry({ operation: "update", props: inputs, place, subject, known, seconds }, async (work) => {
      const [{ argument }, { step }] = [this.#resources, work];
      const isAway = this.#resources.isAway(known);
      if (isAway) await this.#recognize(known, step, "update");
      const [{ claims }, { has, keeps }] = [step.context, this.#resources.holdings(known, inputs)];
      this.#resources.advise(work.journal, step, has);
      // What it gives up and another has, or takes over, is that one's by now.
      const left = difference(has, keeps);
      const others = [
        ...left.filter((thing) => claims.isAnothers(thing, step.me)),
        ...this.#resources.lost(known, claims),
      ];
      const isAsItWas = () => this.#lifecycle.diff(state, declared, inputs).changed.every((path) => path === argument);
      const isRestated = (isAway || known.isForeign === true) && !this.#resources.isDoubtful(known, claims);
      if (isRestated && others.length === 0 && work.journal?.unfinished === undefined && isAsItWas())
        return this.#outcome(id, { ...state, [argument]: inputs[argument] }, inputs, work);
      this.#resources.requireHeard(known, difference(left, others));
      const awaited = others.filter((thing) => claims.whoHas(thing, step.me) === "adopts");
      for (const words of keptUntilTaken(awaited)) this.#resources.session.say(words);
      const updated = await this.#lifecycle.update(id, without(this.#lifecycle, state, others), declared, inputs, step);
      return this.#outcome(id, updated, inputs, work);
    }).catch(this.#resources.session.halves.toldAgain(known));
  }

  async delete(known: Recorded, seconds?: number): Promise<void> {
    this.#resources.see(known);
    this.#resources.requireConnection(known, "delete");
    const subject: Undertaking = { kind: "delete", of: known.mark };
    await this.#carry({ operation: "delete", props: known.state, subject, known, seconds }, async (work) => {
      const isKept = await keep(this.#resources, known, work);
      if (!isKept) await this.#delete(known, work);
      this.#resources.places.note(work.step.me.place, { deleted: known });
    });
  }

  async #delete(known: Recorded, { step: own, journal }: Work): Promise<void> {
    const [{ claims }, { place }] = [own.context, own.me];
    await this.#requireTold(known, own.deadline);
    // A resource that stays is not deleted: what has its mark is another, of an earlier version, or its successor.
    const me = claims.isStaying(own.me.mark ?? "") ? {} : own.me;
    const step = { ...own, me };
    const { has: things, standsOn } = this.#resources.holdings(known);
    // What a replacement is about to take up stays noted until then.
    const isReplaced = this.#resources.places.isDeclared(place);
    const advice = isReplaced ? [] : this.#resources.adviceOf(journal, own.context.scope, me, things);
    const others = things.filter((thing) => claims.isAnothers(thing, me));
    const mayHaveMore = this.#resources.mayHaveMore(journal);
    const awaited = others.filter((thing) => claims.whoHas(thing, me) === "adopts");
    // What the engine has told of a successor of is replaced for its own sake.
    const isGoing = claims.areRenewed(standsOn, isReplaced, this.#lifecycle.letsIn);
    const { gone, words } = deletion({ things, others, awaited, mayHaveMore, isGoing, isReplaced });
    this.#resources.requireHeard(known, gone);
    requireUnwanted(this.#resources, known, { gone, awaited }, place);
    for (const each of [...advice, ...words]) this.#resources.session.say(each);
    if (gone !== undefined) await this.#remove(known, gone, others, step);
    claims.goes(me.mark ?? "");
    this.#end({ step: own, journal }, isReplaced ? difference(things, others) : undefined);
  }

  /** @param renewed of what was deleted, what is made anew; `undefined` where nothing takes its place */
  #end({ step: { context, me }, journal }: Pick<Work, "step" | "journal">, renewed: string[] | undefined): void {
    if (renewed !== undefined) {
      context.claims.note("renewed", renewed);
      journal?.forget();
    } else {
      // What has not been answered is yet to be made there.
      if (this.#resources.places.isAnswered(me.place)) context.claims.comes(me.place, {});
      journal?.close();
    }
  }

  async #remove(known: Recorded, gone: readonly string[], others: readonly string[], step: Step): Promise<void> {
    const { claims } = step.context;
    if (this.#resources.isAway(known)) await this.#recognize(known, step, "delete");
    // Another that has some of it, too, and is compared meanwhile, is to look whether that is still there.
    if (this.#resources.canDoWithout) claims.note("deleted", gone);
    const state = without(this.#lifecycle, known.state, others);
    await this.#lifecycle.delete(known.id, state, step).catch((error: unknown) => {
      claims.note("standing", gone);
      throw error;
    });
    const deleted = gone.filter((thing) => !claims.standing.has(thing));
    claims.note("deleted", deleted);
  }

  /** Runs an operation while no other one changes what it is about: one takes what the other is about to leave, or to make. */
  #carry<T>(asked: OperationCall, task: (work: Work) => Promise<T>): Promise<T> {
    const { operation, props, known } = asked;
    this.#resources.hear(operation !== "read");
    const call = operation === "delete" && known ? { ...asked, place: this.#resources.placeOf(known) } : asked;
    if (operation === "read") return this.#carryAlone(call, task);
    const had = known === undefined ? [] : this.#resources.holdings(known).has;
    const keys = wholes([...this.#lifecycle.holdings(known?.id, props).has, ...had]).map((each) => `change of ${each}`);
    return this.#resources.context(props).alone(keys, () => this.#carryAlone(call, task));
  }

  async #carryAlone<T>(call: OperationCall, task: (work: Work) => Promise<T>): Promise<T> {
    const { operation, props } = call;
    const { session, kind } = this.#resources;
    const say = (words: string) => session.say(words, true);
    const asked = isObject(props.timeouts) ? props.timeouts[operation] : undefined;
    const seconds = typeof asked === "number" ? asked : (call.seconds ?? this.#lifecycle.timeouts[operation]);
    const deadline = new Deadline(seconds, `timeouts.${operation}`, say, session.cancelled);
    let work: Work | undefined;
    try {
      if (operation !== "read") deadline.requireGoing("before anything was done");
      work = await this.#prepare(call, deadline);
      const result = await task(work);
      if (operation !== "delete") work.journal?.tell(work.step.context.advised);
      return result;
    } catch (error) {
      // What depends on what is dropped goes before that: it has gone.
      if (operation !== "delete" || this.#resources.places.isDeclared(call.place)) session.contexts.ofRun.fails();
      throw work === undefined ? error : await this.#failure(error, call, work);
    } finally {
      if (operation === "create") session.creation(this.#resources.claims(props), kind, call.place, "ends");
      deadline.release();
    }
  }

  /** What an operation fails with: where there is something to record, with that. */
  async #failure(error: unknown, { operation, props }: OperationCall, work: Work): Promise<unknown> {
    const { context, me } = work.step;
    if (!(error instanceof PartialFailure)) {
      // What it was about to take over it does not have.
      if (operation === "create") context.claims.goes(me.mark ?? "");
      return error;
    }
    const known = operation === "create" ? await this.#withAccount(work, props) : work;
    const outcome = this.#outcome(error.id, error.state, props, known);
    if (operation === "create") this.#resources.session.halves.add(outcome);
    if (operation !== "delete") context.claims.comes(me.place, { expects: this.#resources.lacking(props, error) });
    work.journal?.tell(context.advised);
    return new Unfinished(outcome, error);
  }

  /** Finds out, before anything is done, whose the account is and what earlier runs have begun. */
  async #prepare(
    { operation, props, place, subject, known, replaced }: OperationCall,
    deadline: Deadline,
  ): Promise<Work> {
    const { session } = this.#resources;
    const context = this.#resources.context(props);
    context.claims.note("brought", known === undefined ? [] : this.#resources.holdings(known).brought);
    const guarded = replaced && isNamedAlike(replaced, props, this.#resources) ? replaced : known;
    const account = await this.#resources.account(props, operation, guarded, deadline);
    // Of an account that is known by now, other processes of the run may know by another token.
    this.#resources.hear();
    const journal = subject && this.#resources.journal(subject, place, props, account, known ?? replaced);
    await journal?.settle(deadline);
    const mark = known?.mark ?? journal?.mark ?? newMark();
    const step = {
      ...{ context, deadline, say: (words: string) => session.sayUnless(words, `${this.#resources.kind} ${place}`) },
      hide: (words: string) => session.hidden(words),
      me: { mark: originOf(mark), place },
      others: () => this.#others(props, place, deadline),
      // What is looked up is nobody's: whose mark it bears does not matter.
      isImported: guarded !== undefined && (guarded.isImport || guarded.declared === undefined),
      ...(journal && { journal }),
    };
    // What the state knows it goes on knowing where nobody answers.
    const isKept = account === undefined && known !== undefined && !this.#resources.isAway(known);
    return { step, journal, account: isKept ? known.location : account, mark: () => journal?.outcome ?? mark };
  }

  /**
   * Waits for the resources of the same kind that the program announces to share what this one has, as far as they say of which
   * zone that is. Those that wait for this one, or are no targets, are told of later: it goes on as if they had nothing.
   */
  async #others(props: JsonObject, place: string | undefined, deadline: Deadline, isOne = ANY): Promise<void> {
    const { kind, places } = this.#resources;
    const isMeant = ({ inputs }: Untold) => [undefined, props.zone].includes(inputs.zone) && isOne(inputs);
    let looks = 0;
    await deadline.poll(`waiting for the engine to tell of the other ${kind} resources of the program`, async () => {
      this.#resources.hear();
      const others = places.untold(this.#resources.scope(props)).filter((each) => each.place !== place);
      return !others.some(isMeant) || ++looks === MOST_LOOKS || undefined;
    });
  }

  /** Asks again whose account it is where nobody has said: what is there by now could not be guarded without it. */
  async #withAccount(work: Work, props: JsonObject): Promise<Work> {
    if (work.account !== undefined) return work;
    return { ...work, account: await this.#resources.accountOfMade(props, work.step.deadline) };
  }

  #outcome(id: string, state: JsonObject, inputs: JsonObject, { step, account, mark }: Work): Outcome {
    step.context.claims.comes(step.me.place, {});
    step.context.claims.made({ mark: originOf(mark()) }, this.#lifecycle.holdings(id, state).has);
    return { id, state, mark: mark(), location: this.#resources.location(inputs, account) };
  }

  async #look({ id, inputs, state }: Recorded, step: Step): Promise<JsonObject | undefined> {
    if (this.#lifecycle.read !== undefined)
      return this.#lifecycle.read(id, inputs, step, inputs === undefined ? {} : state);
    if (inputs !== undefined) return state;
    throw new ArgumentError("This resource does something once: there is nothing to look up by an id.");
  }

  /** @throws {BrightDataError} where the program has what is deleted under another name, and the update has not come to that */
  async #requireTold(known: Recorded, deadline: Deadline): Promise<void> {
    const { kind, places } = this.#resources;
    const [{ id, state, inputs = {} }, place] = [known, this.#resources.placeOf(known) ?? places.here(known)];
    const named = (values: JsonObject) => this.#lifecycle.holdings(undefined, values).has;
    const isIts = (its: JsonObject) => named(its).some((thing) => named(inputs).includes(thing));
    // What is replaced by force is deleted before the engine has told of those whose states may have the same.
    const mayHave = (its: JsonObject) => this.#lifecycle.without !== undefined || named(its).length === 0 || isIts(its);
    const isForced = places.isDeclared(place) && !places.isReplaced(known);
    if (places.isToStandAt(place)) await this.#others(state, place, deadline, isForced ? mayHave : isIts);
    // With what it stands on, it is deleted before its successor is told of.
    if (places.isReplaced(known) || this.#resources.isRenewed(known)) return;
    const name = places.successor(place, isIts, this.#resources.scope(state));
    if (name === undefined) return;
    throw new BrightDataError(
      `Nothing was done to ${kind} ${id}: the program has it as ${JSON.stringify(name)} by now, and this update has not come to that. See to what has failed before it, and run again.`,
    );
  }

  /** @throws {MoveError} when what another provider has had is not what this one finds */
  async #recognize(known: Recorded, step: Step, operation: MovedBy): Promise<void> {
    const isRemote = this.#lifecycle.service === "remote";
    const { home } = this.#resources.configured;
    const here = isRemote
      ? await step.context.accounts[0].customer(step.deadline.signal).then(accountOf, () => undefined)
      : locationOf(step.context.manager.url);
    // Earlier versions have marked things with the place that the state has.
    const former = { ...step, me: { ...step.me, place: known.place } };
    const look = () => this.#look(known, former);
    const found = await recognized(known, this.#lifecycle, this.#resources.argument, here, look, former);
    if (found === "it") return;
    throw new MoveError(`${this.#resources.kind} ${known.id}`, known.home, home, found, operation);
  }
}

const ANY: (inputs: JsonObject) => boolean = () => true;

/** About four seconds. */
const MOST_LOOKS = 6;
