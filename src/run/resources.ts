import { BrightDataError, ConfigurationError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { accountOf, locationOf } from "../base/location";
import { CONNECTION } from "../declaration/connection";
import type { DefaultTimeouts } from "../declaration/kind";
import type { Claims, Who } from "../lifecycle/claims";
import type { Context } from "../lifecycle/context";
import type { Deadline } from "../lifecycle/deadline";
import { difference } from "../lifecycle/holdings";
import { type Holdings, type Lifecycle, UNKNOWN } from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";
import type { Scope } from "../lifecycle/scope";
import { type Connection, connected, lostConnection } from "../settings/connections";
import type { Settings } from "../settings/settings";
import type { Prices } from "../settings/values";
import { accountFor, type Owner, ownerOf } from "./account";
import { refusalToLose } from "./decisions";
import { RunJournal } from "./journal";
import type { Undertaking } from "./meaning";
import { type MovedBy, MoveError } from "./move";
import type { Places } from "./places";
import type { Recorded } from "./recorded";
import type { Session } from "./session";

/** What a run of the engine is configured with. */
export interface Configured {
  settings: Settings;
  /** The name of the explicit provider; `undefined` for the default one. */
  home: string | undefined;
  prices: Prices;
}

/** The resources of one kind in one run: where they lead, and what is known of them. */
export class Resources {
  readonly kind: string;
  readonly lifecycle: Lifecycle;
  readonly session: Session;
  readonly places: Places;
  /** The input that names the connection. */
  readonly argument: "account" | "manager";
  readonly #configured: () => Configured;

  /** @param configured what the run is configured with, once it is asked for anything */
  constructor(kind: string, lifecycle: Lifecycle, session: Session, configured: () => Configured) {
    this.kind = kind;
    this.lifecycle = lifecycle;
    this.session = session;
    this.places = session.places(kind);
    this.argument = CONNECTION[lifecycle.service];
    this.#configured = configured;
  }

  get configured(): Configured {
    return this.#configured();
  }

  /**
   * Hears what the program has announced.
   *
   * @param isChanging whether something is about to be changed that the program may take over
   */
  hear(isChanging = false): void {
    if (isChanging) this.session.findRun();
    this.session.hear(this.configured);
  }

  /** Notes that the engine's state has a resource, and where it stands by now. */
  see(known: Recorded, place?: string): void {
    this.session.intents.recognize(known.mark, () => this.holdings(known).has);
    this.places.see(known, place);
    this.session.seeSecrets(this.lifecycle, known.state, this.configured);
    if (this.lifecycle.service !== "remote" || known.location === undefined || this.isAway(known)) return;
    const name = nameIn(known.state, this.argument);
    if (lostConnection(this.lifecycle.service, name, this.configured.settings) === undefined)
      this.#unite(known.state, known.location);
  }

  /** Tokens of one account share what its resources share. */
  #unite(props: JsonObject, account: string): void {
    this.session.contexts.unite(this.context(props).accounts[0], this.url(props), account);
  }

  /** @param inputs what its resource is to have from now on */
  holdings({ id, state, declared = new Set() }: Recorded, inputs?: JsonObject): Holdings {
    return this.lifecycle.holdings(id, state, inputs && { declared, inputs });
  }

  /** What inputs name that a state has not. */
  lacking(inputs: JsonObject, { id, state }: Pick<Recorded, "id" | "state">): string[] {
    return difference(this.lifecycle.holdings(undefined, inputs).has, this.lifecycle.holdings(id, state).has);
  }

  /** Whether a resource can do without some of what it has: it stays what it is then. */
  get canDoWithout(): boolean {
    return this.lifecycle.without !== undefined && this.lifecycle.isShared !== true;
  }

  /** What a state has and another resource has taken over, or deleted, in this run, where the resource can do without. */
  lost(known: Recorded, claims: Claims): string[] {
    if (!this.canDoWithout) return [];
    return this.holdings(known).has.filter((thing) => claims.isTaken(thing, originOf(known.mark)));
  }

  /** Whether its state does not tell what there is: of what stood on something that is made anew in this run, nothing is left. */
  isDoubtful(known: Recorded, claims: Claims): boolean {
    return known.isUnfinished === true || this.holdings(known).standsOn.some((thing) => claims.renewed.has(thing));
  }

  /** Whether it is certain that all it has is made anew in this run: of what has the other form by now, another process has told that. */
  isRenewed(known: Recorded): boolean {
    return this.claims(known.state)?.areRenewed(this.holdings(known).has, true) === true;
  }

  /** Where a resource of the state stands by now: where the program has it replaced, any process of the run may have told. */
  placeOf(known: Recorded): string | undefined {
    return this.claims(known.state)?.replacedAt(originOf(known.mark)) ?? this.places.of(known);
  }

  context(props: JsonObject): Context {
    return this.session.contexts.of(this.configured.settings, this.#connection(props), this.lifecycle.service);
  }

  /** What the resources of the same service share; `undefined` while it is not known which that is. */
  scope(props: JsonObject): Scope | undefined {
    return props[this.argument] === UNKNOWN ? undefined : this.context(props).scope;
  }

  claims(props: JsonObject): Claims | undefined {
    return this.scope(props)?.claims;
  }

  /** The URL of a resource's service. */
  url(props: JsonObject): string {
    const { baseUrl, proxyManagerUrl } = connected(this.configured.settings, this.#connection(props));
    return this.lifecycle.service === "remote" ? baseUrl : proxyManagerUrl;
  }

  /**
   * Stands in the state for where the service is; nothing where a mark tells the same. With an explicit provider it always stands
   * there: another of the same name may lead elsewhere.
   */
  location(inputs: JsonObject, account: string | undefined): string | undefined {
    if (this.lifecycle.service === "remote") return account;
    const bearsMark =
      this.lifecycle.isMarked !== undefined && this.lifecycle.holdings(undefined, inputs).takesOver?.length === 0;
    return bearsMark && this.configured.home === undefined ? undefined : locationOf(this.url(inputs));
  }

  /** Whether a resource has come from another provider: by its name, or by where it leads. Two may have one name. */
  isAway(known: Recorded): boolean {
    const { settings, home } = this.configured;
    // What was looked up or came from an import file is with none.
    if (known.declared === undefined || known.isImport) return false;
    if (known.home !== home) return true;
    const { service } = this.lifecycle;
    const isSaid = service === "manager" && home !== undefined && known.location !== undefined;
    if (!isSaid || lostConnection(service, nameIn(known.state, this.argument), settings) !== undefined) return false;
    return known.location !== locationOf(this.url(known.state));
  }

  /** @throws {ConfigurationError} when the connection that a state has is not configured any more */
  requireConnection(known: Recorded, operation: MovedBy): void {
    const { settings, home } = this.configured;
    const name = nameIn(known.state, this.argument);
    // What is to be read or deleted says by itself that it needs a token, if it does.
    if (name === undefined && operation !== "update") return;
    const lost = lostConnection(this.lifecycle.service, name, settings);
    if (lost === undefined) return;
    const thing = `${this.kind} ${known.id}`;
    if (this.isAway(known)) throw new MoveError(thing, known.home, home, "nowhere", operation);
    throw new ConfigurationError(
      `${thing} is recorded with ${lost}. Nothing was done. Configure it until \`pulumi up\` has recorded another name, or has deleted the resource. If there is nothing left of it, run \`pulumi state delete <its URN>\`.`,
    );
  }

  /**
   * Stands for the account that a resource is to be, or is, with; `undefined` where that is not known, or not asked for.
   *
   * @throws {ArgumentError} where the state has it with another one, or nobody can tell
   */
  async account(
    props: JsonObject,
    operation: keyof DefaultTimeouts,
    known: Recorded | undefined,
    deadline: Deadline,
  ): Promise<string | undefined> {
    if (this.lifecycle.service !== "remote") return undefined;
    const isCompared = known?.location !== undefined && this.lifecycle.read !== undefined;
    const isNeeded = operation === "create" || operation === "update" || isCompared;
    const [account] = this.context(props).accounts;
    if (!isNeeded || !account.hasToken) return undefined;
    const had = known && { title: `${this.kind} ${known.id}`, location: known.location, isMoved: this.isAway(known) };
    return accountFor(await this.#ownerOf(props, isCompared, deadline), account.title, had);
  }

  /** The same of what was made a moment ago, where nobody has said before. */
  async accountOfMade(props: JsonObject, deadline: Deadline): Promise<string | undefined> {
    const [account] = this.context(props).accounts;
    if (this.lifecycle.service !== "remote" || !account.hasToken) return undefined;
    // The operation's time may be over, or the update cancelled: what has been done stands.
    const owner = await this.#ownerOf(props, true, deadline).catch(() => undefined);
    return owner && accountFor(owner, account.title, undefined);
  }

  async #ownerOf(props: JsonObject, isNeeded: boolean, deadline: Deadline): Promise<Owner> {
    const owner = await ownerOf(this.context(props).accounts[0], isNeeded, deadline);
    if ("customer" in owner) this.#unite(props, accountOf(owner.customer));
    return owner;
  }

  /** @param known what the state has of the resource that it is on: it may have stood at another place */
  journal(
    operation: Undertaking,
    place: string | undefined,
    props: JsonObject,
    account: string | undefined,
    known?: Recorded,
  ): RunJournal | undefined {
    if (place === undefined && operation.kind === "create") return undefined;
    const former = known && this.places.here(known);
    // What stands there by now goes on with what was begun there.
    const isFree = (each: string | undefined) => !this.places.isToStandAt(each);
    const subject = {
      kind: this.kind,
      place,
      urnPlace: this.places.at(place).urnPlace,
      stood: this.places.stoodAt(place).filter(isFree),
      former: isFree(former) ? former : undefined,
      operation,
      service: locationOf(this.url(props)),
      account,
      isMarked: this.lifecycle.isMarked !== undefined,
      resumes: this.lifecycle.resumes,
      isExpectedElsewhere: (former: string) => this.places.isElsewhere(former),
    };
    return new RunJournal(subject, this.session.intents);
  }

  /** @throws {BrightDataError} where these things may be what another resource takes over, and nobody can tell */
  requireHeard({ id }: Recorded, things: readonly string[] = []): void {
    const refusal = refusalToLose(`${this.kind} ${id}`, things, this.session.unheard);
    if (refusal !== undefined) throw new BrightDataError(refusal);
  }

  /** Whether an update that was cut short may have made something that no state tells of. */
  mayHaveMore(journal: RunJournal | undefined): boolean {
    return this.lifecycle.resumes === true && journal?.unfinished !== undefined;
  }

  /** What a person should know of what was begun, but for things that a resource has, or had: those named besides. */
  adviceOf(
    journal: RunJournal | undefined,
    scope: Scope,
    me: Who = {},
    had: readonly string[] = [],
  ): readonly string[] {
    return journal?.advice((thing) => had.includes(thing) || scope.isHad(thing, me)) ?? [];
  }

  /** Tells a person of that, once of each place: a comparison may have. */
  advise(
    journal: RunJournal | undefined,
    { context, me }: { context: Context; me: Who },
    had: readonly string[] = [],
  ): void {
    for (const words of this.adviceOf(journal, context.scope, me, had))
      this.session.sayOnce(words, `${this.kind} ${me.place}`);
  }

  /** Tells of what was begun with what is gone: unless the program has it yet, nobody goes on with that. */
  forget(known: Recorded, props: JsonObject, step: { context: Context; me: Who }): undefined {
    const subject: Undertaking = { kind: "delete", of: known.mark };
    const journal = this.journal(subject, this.places.of(known), props, undefined, known);
    journal?.abandon();
    this.advise(journal, step);
  }

  #connection(props: JsonObject): Connection {
    return { [this.argument]: nameIn(props, this.argument) };
  }
}

/** The name of a resource's connection, `undefined` for the one without a name. */
function nameIn(props: JsonObject, argument: string): string | undefined {
  const name = props[argument];
  return typeof name === "string" ? name : undefined;
}
