import { ArgumentError, ConfigurationError, PermissionError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { isObject } from "../base/json";
import { accountOf, locationOf } from "../base/location";
import { nearest } from "../base/nearest";
import { CONNECTION } from "../declaration/connection";
import type { Timeouts } from "../declaration/kind";
import type { Claims, Who } from "../lifecycle/claims";
import type { Context } from "../lifecycle/context";
import { Deadline } from "../lifecycle/deadline";
import { type Checked, type Lifecycle, PartialFailure, type Run, UNKNOWN } from "../lifecycle/lifecycle";
import { newMark, originOf } from "../lifecycle/mark";
import { keysOf } from "../lifecycle/paths";
import { connected, connectionFailures, isSameService, lostConnection } from "../settings/connections";
import type { Settings } from "../settings/settings";
import type { Prices } from "../settings/values";
import { contextOf } from "./contexts";
import { declareOnce, type Program, remember } from "./declarations";
import { foresee } from "./foresight";
import { Holdings } from "./holdings";
import { type Operation, RunJournal } from "./journal";
import { sayMissingToken } from "./missingToken";
import { type MovedBy, MoveError } from "./move";
import { recognize } from "./notes";
import { Places } from "./places";
import { heard, untilQuiet } from "./quiet";
import { recognized } from "./recognition";
import { isAway, isImported, type Recorded } from "./recorded";

/** What a run of the engine is configured with. */
export interface Configured {
  settings: Settings;
  /** The name of the explicit provider; `undefined` for the default one. */
  home: string | undefined;
  prices: Prices;
  /** Aborted when the run is. */
  cancelled: AbortSignal;
  say(words: string): void;
}

/** What has become of a resource. */
export interface Outcome {
  id: string;
  state: JsonObject;
  mark: string;
  /** Stands for where its service is. */
  location: string | undefined;
}

/** A failure after which there is something to record. */
export class Unfinished extends PartialFailure {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: PartialFailure) {
    super(outcome.id, outcome.state, cause.cause);
    this.outcome = outcome;
  }
}

/** What a comparison leads to. */
export interface Judgement {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** An operation on a resource with these properties: the inputs that it is to have, or what the state has. */
interface Call {
  operation: keyof Timeouts;
  props: JsonObject;
  place: string | undefined;
  /** What is noted of it, if anything. */
  subject?: Operation;
  known?: Recorded;
}

type Task<T> = (
  run: Run & { me: Who & { mark: string } },
  journal: RunJournal | undefined,
  account: string | undefined,
) => Promise<T>;

/** Accounts whose token may not ask whose it is: once is enough. */
const silent = new WeakSet<object>();

/** What has been announced, each with the kind and the place of its resource. */
const announced = new Set<string>();

/** The operations on resources of one kind within a run of the engine, whatever the protocol that asks for them. */
export class Operations {
  readonly #kind: string;
  readonly #lifecycle: Lifecycle;
  readonly #holdings: Holdings;
  readonly #places: Places;
  readonly #configured: () => Configured;
  /** The input that names the connection. */
  readonly #argument: "account" | "manager";

  /** @param configured what the run is configured with, once it is asked for anything */
  constructor(kind: string, lifecycle: Lifecycle, configured: () => Configured) {
    this.#kind = kind;
    this.#lifecycle = lifecycle;
    this.#holdings = new Holdings(kind, lifecycle);
    this.#places = new Places(kind);
    this.#configured = configured;
    this.#argument = CONNECTION[lifecycle.service];
  }

  /** @param previous the inputs that there are; `undefined` for a creation, a replacement's too */
  async check(previous: JsonObject | undefined, given: JsonObject, program: Program): Promise<Checked> {
    heard();
    remember(program);
    const { place } = program;
    const { settings, prices, say } = this.#configured();
    const { service } = this.#lifecycle;
    const { inputs, failures: found } = this.#lifecycle.check(given, previous, place);
    const failures = [...found, ...connectionFailures(service, inputs[this.#argument], settings)];
    if (failures.length === 0) failures.push(...this.#declaredTwice(inputs, program));
    this.#places.declare(place, program.former);
    if (failures.length > 0) return { inputs, failures };
    sayMissingToken(service, inputs[this.#argument], settings, say);
    this.#announce(this.#lifecycle.announce?.(inputs, previous, prices), place);
    if (previous === undefined) this.#come(inputs, place);
    await this.#foresee(previous, inputs, program);
    return { inputs, failures };
  }

  /** @param isForced whether the program has a path that has changed replaced */
  compare(
    known: Recorded,
    inputs: JsonObject,
    place: string | undefined,
    isForced: (path: string) => boolean,
  ): Judgement {
    heard();
    this.#see(known, place);
    const { settings, home } = this.#configured();
    const { state, declared = new Set(), isImport } = known;
    const { changed, deleteBeforeReplace, ...difference } = this.#lifecycle.diff(state, declared, inputs);
    const isMoved = isAway(known, home);
    const argument = this.#argument;
    // Whether another name leads to the same service cannot be told then, and a replacement would buy a second one.
    if (!isMoved && state[argument] !== inputs[argument]) this.requireConnection(known, "update");
    const isSame = (name: string) =>
      name === argument && (isMoved || isSameService(this.#lifecycle.service, state[name], inputs[name], settings));
    const replaces = difference.replaces.filter((name) => !isSame(name));
    const forced = changed.filter(isForced).map((path) => keysOf(path)[0] as string);
    const claims = this.#claims(inputs);
    const gone = claims !== undefined && this.#isDeleted(known, claims) ? ["id"] : [];
    const all = [...new Set([...replaces, ...forced, ...gone])];
    claims?.note("brought", this.#lifecycle.brings?.(state) ?? []);
    // The inputs of an update that has failed may name what there is not. Of what is replaced, another check follows.
    const isAsked = this.#places.isDeclared(place);
    if (all.length > 0) this.#go(known, claims, place);
    const isDue = all.length === 0 && isAsked && this.#stay(known, inputs, changed, claims, place);
    if (all.length > 0 && isAsked) {
      const fate = gone.length > 0 ? "gone" : this.#isAllAnothers(known, claims, place) ? "another's" : "deleted";
      this.#announce(this.#lifecycle.announceReplacement?.(state, inputs, fate), place);
    }
    return {
      // What came from an import file is not complete before an update; what comes from another provider is looked for first.
      changes: changed.length > 0 || isImport || isMoved || isDue || gone.length > 0,
      replaces: all,
      deleteBeforeReplace: deleteBeforeReplace || gone.length > 0,
    };
  }

  async create(inputs: JsonObject, place: string | undefined): Promise<Outcome> {
    const replaced = this.#places.replacedAt(place);
    const subject: Operation = replaced === undefined ? { kind: "create" } : { kind: "replace", of: replaced.mark };
    return this.#run({ operation: "create", props: inputs, place, subject }, async (bare, journal, account) => {
      const run = replaced === undefined ? bare : { ...bare, replaced: replaced.state };
      for (const words of this.#adviceOf(journal, run.context.claims, run.me)) this.#tell(words);
      const { id, state } = await this.#lifecycle.create(inputs, run);
      return this.#outcome(id, state, inputs, journal?.outcome ?? run.me.mark, run, account);
    });
  }

  /** @returns `undefined` where there certainly is nothing */
  async read(
    known: Recorded,
    connection: string | undefined,
  ): Promise<Pick<Outcome, "state" | "location"> | undefined> {
    heard();
    this.#see(known);
    const { id, state, declared } = known;
    if (declared !== undefined) this.requireConnection(known, "read");
    const named = { ...state, ...(connection === undefined ? {} : { [this.#argument]: connection }) };
    return this.#run({ operation: "read", props: named, place: known.place, known }, async (run) => {
      run.context.claims.recorded(originOf(known.mark), this.#holdings.of(id, state));
      if (isAway(known, this.#configured().home)) await this.#recognize(known, run, "read");
      const found = await this.#look(known, run);
      if (found !== undefined) return { state: found, location: this.#location(named, known.location) };
      if (declared !== undefined) return undefined;
      const near = await this.#similar(id, run);
      throw new ArgumentError(`There is nothing with the id ${JSON.stringify(id)} to look up.${near}`);
    });
  }

  async update(known: Recorded, inputs: JsonObject, place: string | undefined): Promise<Outcome> {
    this.#see(known, place);
    const { id, mark, state, declared = new Set() } = known;
    const subject: Operation = { kind: "change", of: mark };
    return this.#run({ operation: "update", props: inputs, place, subject, known }, async (run, journal, account) => {
      const argument = this.#argument;
      if (isAway(known, this.#configured().home)) {
        await this.#recognize(known, run, "update");
        const { changed } = this.#lifecycle.diff(state, declared, inputs);
        if (changed.every((path) => path === argument)) {
          return this.#outcome(id, { ...state, [argument]: inputs[argument] }, inputs, mark, run, account);
        }
      }
      const { claims } = run.context;
      const kept = this.#holdings.kept(id, state, declared, inputs);
      const dropped = this.#holdings.of(id, state).filter((thing) => !kept.includes(thing));
      const others = dropped.filter((thing) => claims.isAnothers(thing, run.me));
      const own = this.#holdings.without(state, [...others, ...this.#lost(known, claims)]);
      const updated = await this.#lifecycle.update(id, own, declared, inputs, run);
      return this.#outcome(id, updated, inputs, journal?.outcome ?? mark, run, account);
    });
  }

  async delete(known: Recorded): Promise<void> {
    this.#see(known);
    this.requireConnection(known, "delete");
    const { id, mark, state } = known;
    const subject: Operation = { kind: "delete", of: mark };
    const place = this.#places.of(known);
    await this.#run({ operation: "delete", props: state, place, subject, known }, async (own, journal) => {
      const { claims } = own.context;
      // A resource that stays is not deleted: what has its mark is another, of an earlier version, or its successor.
      const me = claims.isStaying(own.me.mark) ? {} : own.me;
      const run = { ...own, me };
      const things = this.#holdings.of(id, state);
      // What a replacement is about to take up stays noted until then.
      const isReplaced = this.#places.isDeclared(place);
      if (isReplaced) await run.others?.();
      else for (const words of this.#adviceOf(journal, claims, me, things)) this.#tell(words);
      const others = things.filter((thing) => claims.isAnothers(thing, me));
      const gone = things.filter((thing) => !others.includes(thing));
      // Where the state names nothing, there may be something all the same: a creation had an outcome that nobody knows.
      const isMore = others.length === 0 || others.length < things.length || this.#mayHaveMore(journal);
      if (others.length > 0) this.#tell(keptFor(others, !isMore));
      if (isMore && !this.#isGoing(state, claims)) {
        if (isAway(known, this.#configured().home)) await this.#recognize(known, run, "delete");
        await this.#lifecycle.delete(id, this.#holdings.without(state, others), run);
        claims.note("deleted", gone);
      }
      if (!isReplaced) return journal?.close();
      claims.note("renewed", gone);
      journal?.forget();
    });
  }

  /** @throws {ConfigurationError} when the connection that a state has is not configured any more */
  requireConnection(known: Recorded, operation: MovedBy): void {
    const { settings, home } = this.#configured();
    const name = nameIn(known.state, this.#argument);
    // What is to be read or deleted says by itself that it needs a token, if it does.
    if (name === undefined && operation !== "update") return;
    const lost = lostConnection(this.#lifecycle.service, name, settings);
    if (lost === undefined) return;
    const thing = `${this.#kind} ${known.id}`;
    if (isAway(known, home)) throw new MoveError(thing, known.home, home, "nowhere", operation);
    throw new ConfigurationError(
      `${thing} is recorded with ${lost}. Nothing was done. Configure it until \`pulumi up\` has recorded another name, or has deleted the resource. If there is nothing left of it, run \`pulumi state delete <its URN>\`.`,
    );
  }

  /** Notes that the engine's state has the resource, and where it stands by now. */
  #see(known: Recorded, place?: string): void {
    recognize(known.mark);
    this.#places.see(known, place);
  }

  /** Notes that a resource of the state is to be replaced. */
  #go(known: Recorded, claims: Claims | undefined, place: string | undefined): void {
    claims?.goes(originOf(known.mark));
    claims?.note("renewed", this.#holdings.of(known.id, known.state));
    this.#places.replace(known, place);
  }

  /**
   * Notes that a resource of the state stays, with these inputs of which some have changed.
   *
   * @returns whether it has to be updated even if nothing has changed
   */
  #stay(
    known: Recorded,
    inputs: JsonObject,
    changed: readonly string[],
    claims: Claims | undefined,
    place: string | undefined,
  ): boolean {
    const { id, mark, state, declared = new Set() } = known;
    claims?.stays(originOf(mark), this.#holdings.staying(id, state, declared, inputs));
    this.#places.stay(known, place);
    const { prices } = this.#configured();
    if (changed.length > 0) this.#announce(this.#lifecycle.announceUpdate?.(state, declared, inputs, prices), place);
    if (claims === undefined) return false;
    const leftovers = this.#leftovers(known, inputs, place, claims);
    for (const words of leftovers) this.#announce(words, place);
    return this.#isUnfounded(state, claims) || this.#lost(known, claims).length > 0 || leftovers.length > 0;
  }

  /** Notes what is to be made at a place. What stays there by its comparison does not: the engine replaces it all the same. */
  #come(inputs: JsonObject, place: string | undefined): void {
    const claims = this.#claims(inputs);
    const replaced = this.#places.succeed(place);
    if (replaced !== undefined) claims?.goes(originOf(replaced.mark));
    claims?.comes(place, this.#holdings.coming(inputs));
  }

  /** Runs an operation while no other one changes what it is about: one takes what the other is about to leave, or to make. */
  #run<T>(call: Call, task: Task<T>): Promise<T> {
    const { operation, props, known } = call;
    const run = () => this.#runAlone(call, task);
    if (operation === "read") return run();
    const things = [...this.#holdings.of(known?.id, props), ...(known ? this.#holdings.of(known.id, known.state) : [])];
    return this.#context(props).alone(things.map(changing), run);
  }

  async #runAlone<T>({ operation, props, place, subject, known }: Call, task: Task<T>): Promise<T> {
    const { cancelled, say } = this.#configured();
    const asked = isObject(props.timeouts) ? props.timeouts[operation] : undefined;
    const seconds = typeof asked === "number" ? asked : this.#lifecycle.timeouts[operation];
    const deadline = new Deadline(seconds, `timeouts.${operation}`, say, cancelled);
    const context = this.#context(props);
    context.claims.note("brought", (known && this.#lifecycle.brings?.(known.state)) ?? []);
    let journal: RunJournal | undefined;
    let account: string | undefined;
    let mark = known?.mark ?? newMark();
    const others = () => untilQuiet(deadline.signal);
    try {
      account = await this.#account(context, operation, known, deadline.signal);
      journal = subject && this.#journal(subject, place, props, account);
      await journal?.settle(deadline);
      if (known === undefined && journal !== undefined) mark = journal.mark;
      const me = { mark: originOf(mark), place };
      const run = { context, deadline, say, me, others, isImported: isImported(known), ...(journal && { journal }) };
      const result = await task(run, journal, account);
      if (operation !== "delete") journal?.tell();
      return result;
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      const { id, state } = error;
      const outcome = this.#outcome(id, state, props, journal?.outcome ?? mark, { context, me: { place } }, account);
      journal?.tell();
      throw new Unfinished(outcome, error);
    } finally {
      deadline.release();
    }
  }

  #outcome(
    id: string,
    state: JsonObject,
    inputs: JsonObject,
    mark: string,
    { context, me }: Pick<Run, "context" | "me">,
    account: string | undefined,
  ): Outcome {
    context.claims.comes(me?.place, {});
    context.claims.made({ mark: originOf(mark) }, this.#holdings.of(id, state));
    return { id, state, mark, location: this.#location(inputs, account) };
  }

  #journal(
    operation: Operation,
    place: string | undefined,
    props: JsonObject,
    account: string | undefined,
  ): RunJournal | undefined {
    if (place === undefined && operation.kind === "create") return undefined;
    const { isMarked } = this.#lifecycle;
    const subject = { kind: this.#kind, place, operation, service: this.#service(props), account };
    return new RunJournal({ ...subject, isMarked: isMarked !== undefined });
  }

  /** Stands for where the service of a resource is. */
  #service(props: JsonObject): string {
    const { settings } = this.#configured();
    const { baseUrl, proxyManagerUrl } = connected(settings, this.#connection(props));
    return locationOf(this.#lifecycle.service === "remote" ? baseUrl : proxyManagerUrl);
  }

  /**
   * Stands for the account that a resource is to be, or is, with; `undefined` where that is not known, or not asked for.
   *
   * @throws {ArgumentError} where the state has it with another one
   */
  async #account(
    context: Context,
    operation: keyof Timeouts,
    known: Recorded | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (this.#lifecycle.service !== "remote") return undefined;
    const isCompared = known?.location !== undefined && this.#lifecycle.read !== undefined;
    const isNeeded = operation === "create" || operation === "update" || isCompared;
    if (!isNeeded || !context.accounts[0].hasToken || silent.has(context.accounts[0])) return undefined;
    // A token may be one that may not ask this; whether it is good for the operation is for that to find out.
    const customer = await context.accounts[0].customer(signal).catch((error: unknown) => {
      if (error instanceof PermissionError) silent.add(context.accounts[0]);
    });
    if (customer === undefined) return undefined;
    const account = accountOf(customer);
    const isMoved = known !== undefined && isAway(known, this.#configured().home);
    if (known?.location === undefined || known.location === account || isMoved) return account;
    throw new ArgumentError(
      `${this.#kind} ${known.id} is recorded with another account than that of the token (${context.accounts[0].title}, customer ${customer}). Nothing was done. Use a token of the account that it is with. To manage one in this account, give the resource another name.`,
    );
  }

  /** Stands in the state for where the service is; nothing where a mark tells the same. */
  #location(inputs: JsonObject, account: string | undefined): string | undefined {
    if (this.#lifecycle.service === "remote") return account;
    const { isMarked, adopts } = this.#lifecycle;
    const bearsMark = isMarked !== undefined && (adopts?.(inputs) ?? []).length === 0;
    return bearsMark ? undefined : this.#service(inputs);
  }

  async #look({ id, inputs, state }: Recorded, run: Run): Promise<JsonObject | undefined> {
    if (this.#lifecycle.read !== undefined)
      return this.#lifecycle.read(id, inputs, run, inputs === undefined ? {} : state);
    if (inputs !== undefined) return state;
    throw new ArgumentError("This resource does something once: there is nothing to look up by an id.");
  }

  /** @throws {MoveError} when what another provider has had is not what this one finds */
  async #recognize(known: Recorded, run: Run, operation: MovedBy): Promise<void> {
    const isRemote = this.#lifecycle.service === "remote";
    const { settings, home } = this.#configured();
    const here = isRemote
      ? await run.context.accounts[0].customer(run.deadline.signal).then(accountOf, () => undefined)
      : locationOf(connected(settings, this.#connection(known.state)).proxyManagerUrl);
    // Earlier versions have marked things with the place that the state has.
    const former = { ...run, me: { ...run.me, place: known.place } };
    const look = () => this.#look(known, former);
    const found = await recognized(known, this.#lifecycle, this.#argument, here, look, former);
    if (found === "it") return;
    throw new MoveError(`${this.#kind} ${known.id}`, known.home, home, found, operation);
  }

  /** What an update that was cut short has left to the next one, in words: to look for it, or to tell of it. */
  #leftovers(known: Recorded, inputs: JsonObject, place: string | undefined, claims: Claims): string[] {
    const journal = this.#journal({ kind: "change", of: known.mark }, place, inputs, undefined);
    const resumption = this.#mayHaveMore(journal) ? [`${this.#kind}: ${RESUMPTION}`] : [];
    return [...resumption, ...this.#adviceOf(journal, claims)];
  }

  /** What a person should know of what was begun, but for things that a resource has, or had: those named besides. */
  #adviceOf(journal: RunJournal | undefined, claims: Claims, me: Who = {}, had: readonly string[] = []): string[] {
    return journal?.advice((thing) => had.includes(thing) || claims.isAnothers(thing, me)) ?? [];
  }

  /** Whether an update that was cut short may have made something that no state tells of. */
  #mayHaveMore(journal: RunJournal | undefined): boolean {
    return this.#lifecycle.resumes === true && journal?.unfinished !== undefined;
  }

  /** Warns, where the settings ask for it, of what an update would fail for. */
  async #foresee(previous: JsonObject | undefined, inputs: JsonObject, { place, preview }: Program): Promise<void> {
    const { settings, cancelled } = this.#configured();
    if (preview === undefined || !settings.checkOnPreview || inputs[this.#argument] === UNKNOWN) return;
    // The second check of a replacement has no previous inputs, but was compared; what a killed creation has made is taken up.
    const isThere = previous !== undefined || this.#places.replacedAt(place) !== undefined;
    const isNew = !isThere && inputs.adopt !== true;
    const isOurs = isNew && this.#journal({ kind: "create" }, place, inputs, undefined)?.unfinished !== undefined;
    const made = isNew && !isOurs ? this.#holdings.of(undefined, inputs) : [];
    const planned = { kind: this.#kind, service: this.#lifecycle.service, inputs, made };
    await foresee(preview, planned, this.#context(inputs), cancelled);
  }

  #declaredTwice(inputs: JsonObject, program: Program): string[] {
    if (this.#lifecycle.isShared === true || inputs[this.#argument] === UNKNOWN) return [];
    const things = this.#holdings.of(undefined, inputs);
    return declareOnce(this.#kind, this.#service(inputs), things, program);
  }

  /** What a state has and another resource has taken over, or deleted, in this run, where the resource can do without. */
  #lost({ id, mark, state }: Recorded, claims: Claims): string[] {
    if (this.#lifecycle.without === undefined || this.#lifecycle.isShared === true) return [];
    return this.#holdings.of(id, state).filter((thing) => claims.isTaken(thing, originOf(mark)));
  }

  /** Whether another resource that had the same has deleted it in this run, and the program has this one keep it. */
  #isDeleted({ id, state }: Recorded, claims: Claims): boolean {
    if (this.#lifecycle.without !== undefined || this.#lifecycle.isShared === true) return false;
    const things = this.#holdings.of(id, state);
    return things.length > 0 && things.every((thing) => claims.deleted.has(thing));
  }

  /** Whether other resources of the program have all that a state has, or take it over. */
  #isAllAnothers({ id, mark, state }: Recorded, claims: Claims | undefined, place: string | undefined): boolean {
    const things = this.#holdings.of(id, state);
    const me = { mark: originOf(mark), place };
    return claims !== undefined && things.length > 0 && things.every((thing) => claims.isAnothers(thing, me));
  }

  /** Whether something of what a state has is gone with a thing that is made anew in this run. */
  #isUnfounded(state: JsonObject, claims: Claims): boolean {
    return (this.#lifecycle.standsOn?.(state) ?? []).some((thing) => claims.renewed.has(thing));
  }

  /** Whether all that a state has goes with what it stands on: should that stay, it is not without it. */
  #isGoing(state: JsonObject, claims: Claims): boolean {
    const things = this.#lifecycle.standsOn?.(state) ?? [];
    return things.length > 0 && things.every((thing) => claims.renewed.has(thing));
  }

  /** The claims on the service of a resource; `undefined` while it is not known which that is. */
  #claims(props: JsonObject): Claims | undefined {
    return props[this.#argument] === UNKNOWN ? undefined : this.#context(props).claims;
  }

  #context(props: JsonObject): Context {
    return contextOf(this.#configured().settings, this.#connection(props));
  }

  #connection(props: JsonObject): { account?: string | undefined; manager?: string | undefined } {
    return { [this.#argument]: nameIn(props, this.#argument) };
  }

  /** The ids that there are and that are most like one, as a sentence. */
  async #similar(id: string, run: Run): Promise<string> {
    const ids = await this.#lifecycle.suggestions?.(run).catch(() => []);
    const near = nearest(id, ids ?? [], MOST_SIMILAR).map((one) => JSON.stringify(one));
    return near.length === 0 ? "" : ` The most similar ${near.length === 1 ? "is" : "are"} ${near.join(", ")}.`;
  }

  /** Tells of a resource what the person does not know yet: the engine may check and compare one more than once. */
  #announce(words: string | undefined, place: string | undefined): void {
    if (words === undefined) return;
    const key = `${this.#kind} ${place} ${words}`;
    if (place === undefined || !announced.has(key)) this.#tell(words);
    announced.add(key);
  }

  #tell(words: string): void {
    this.#configured().say(words);
  }
}

/** What a thing is locked by while an operation on it goes on: those within the operation have other names. */
const changing = (thing: string): string => `change of ${thing}`;

/** The name of a resource's connection, `undefined` for the one without a name. */
function nameIn(props: JsonObject, argument: string): string | undefined {
  const name = props[argument];
  return typeof name === "string" ? name : undefined;
}

const RESUMPTION =
  "an update that was cut short may have created more than the state tells of. The next one looks for it.";

const MOST_SIMILAR = 3;

const MOST_KEPT_NAMES = 20;

const keptFor = (others: readonly string[], isAll: boolean): string => {
  const belong = others.length === 1 ? "belongs to another resource" : "belong to other resources";
  const more = others.length - MOST_KEPT_NAMES;
  const named = others.slice(0, MOST_KEPT_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${named} ${belong} of this program now, and ${others.length === 1 ? "is" : "are"} kept${isAll ? ": nothing is deleted" : ""}.`;
};
