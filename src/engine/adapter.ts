import { credentialsIn, PROVIDER_NAME, type ReadConfig, readPrices, readSettings, type Settings } from "../config";
import { type Connection, connected, connectionFailures, isSameService, lostConnection } from "../connections";
import type { Timeouts } from "../declaration/kind";
import { ArgumentError, BrightDataError, ConfigurationError } from "../errors";
import { redact, secretsIn, textsIn } from "../http/redact";
import type { JsonObject } from "../json";
import { isObject } from "../json";
import type { Context } from "../lifecycle/context";
import { Deadline } from "../lifecycle/deadline";
import { type Declared, type Journal, type Lifecycle, PartialFailure, type Run, UNKNOWN } from "../lifecycle/lifecycle";
import { at, keysOf, leafPaths } from "../lifecycle/paths";
import { cancelled, during } from "./cancellation";
import { contextOf } from "./contexts";
import { foresee, isPreview } from "./foresight";
import { Holdings } from "./holdings";
import { Identity } from "./identity";
import { CreationJournal } from "./journal";
import { sayMissingToken } from "./missingToken";
import { locationOf, type MovedBy, MoveError } from "./move";
import { inWords } from "./outages";
import { recognized } from "./recognition";
import { declaredIn, Recorded } from "./recorded";
import { matches } from "./replaceOnChanges";
import {
  AT_KEY,
  DECLARED_KEY,
  HOME_KEY,
  joinedPaths,
  LOOKED_UP,
  PLACE_KEY,
  PROVIDER_KEY,
  placeOf,
  propertiesFromEngine,
  REPLACE_KEY,
  sealed,
  valuesAt,
} from "./values";

/** The request that the engine's process hands to `configure`. */
interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

interface CheckFailure {
  property: string;
  reason: string;
}

/** By place in the program: the resource that the engine's state has, and the place that it had in it. */
const byPlace = new Map<string, { id: string; former?: string | undefined }>();

/** Speaks the protocol of Pulumi's dynamic providers for one kind of resource. */
export class Adapter {
  readonly #kind: string;
  readonly #lifecycle: Lifecycle;
  readonly #identity: Identity;
  readonly #holdings: Holdings;
  /** Places of the resources that the program has declared in this run: a refresh compares too, but updates nothing. */
  readonly #checked = new Set<string | undefined>();
  #readConfig: ReadConfig = () => undefined;
  #checkedSettings: Settings | undefined;

  constructor(kind: string, lifecycle: Lifecycle) {
    this.#kind = kind;
    this.#lifecycle = lifecycle;
    this.#identity = new Identity(lifecycle.service, lifecycle.localId);
    this.#holdings = new Holdings(kind, lifecycle);
  }

  /** Must not wait for anything: the engine's process lets other calls through before it has finished. */
  async configure(request: ConfigureRequest): Promise<void> {
    this.#readConfig = (key) => request.config.get(key);
    this.#checkedSettings = undefined;
  }

  async check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures: CheckFailure[] }> {
    return this.#guarded(news, olds, async () => {
      const known = propertiesFromEngine(olds);
      const previous = Object.keys(known).length === 0 ? undefined : known;
      const checked = this.#lifecycle.check(propertiesFromEngine(news), previous, placeOf(news));
      const { inputs, failures } = {
        ...checked,
        failures: [...checked.failures, ...this.#connectionFailures(checked.inputs)],
      };
      this.#checked.add(placeOf(news));
      if (failures.length === 0) {
        sayMissingToken(this.#lifecycle.service, inputs[this.#identity.argument], this.#settings);
        this.#announce(inputs, previous);
        this.#declare(news, inputs, previous === undefined ? [] : this.#holdings.of(undefined, previous));
        if (isPreview(news)) await this.#foresee(news, inputs, previous);
      }
      return {
        inputs: this.#sealed({ ...inputs, [PLACE_KEY]: news[PLACE_KEY], [REPLACE_KEY]: news[REPLACE_KEY] }),
        // The engine prints the value of a property that is named, secret or not: the sentence says it all instead.
        failures: failures.map((reason) => ({ property: "", reason })),
      };
    });
  }

  async diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }> {
    return this.#guarded(news, olds, () => {
      this.#record(id, news, placeOf(olds));
      const recorded = this.#recorded(olds);
      const { state, declared = new Set(), isImport } = recorded;
      const inputs = propertiesFromEngine(news);
      const difference = this.#lifecycle.diff(state, declared, inputs);
      const { changed, deleteBeforeReplace } = difference;
      const isMoved = recorded.isAway(this.#home);
      // Whether another name leads to the same service cannot be told then, and a replacement would buy a second one.
      const { argument } = this.#identity;
      if (!isMoved && state[argument] !== inputs[argument]) this.#requireConnection(id, olds, "update");
      const replaces = difference.replaces.filter((name) => !this.#isRenamedConnection(name, state, inputs, isMoved));
      const forced = changed
        .filter((path) => matches(news[REPLACE_KEY], path))
        .map((path) => keysOf(path)[0] as string);
      // The inputs of an update that has failed may name what there is not. Of what is replaced, another check follows.
      const isReplaced = replaces.length + forced.length > 0;
      const isUpdate = !isReplaced && this.#checked.has(placeOf(news));
      const local = this.#identity.local(id);
      if (isUpdate) this.#declare(news, inputs, this.#holdings.of(local, state), local);
      if (isUpdate && changed.length > 0) tell(this.#lifecycle.announceUpdate?.(state, declared, inputs));
      const leftovers = isUpdate ? this.#leftovers(news, inputs) : [];
      for (const words of leftovers) say(words);
      return {
        // What came from an import file is not complete before an update; what comes from another provider is looked for first.
        changes: changed.length > 0 || isImport || isMoved || leftovers.length > 0,
        replaces: [...new Set([...replaces, ...forced])],
        deleteBeforeReplace,
      };
    });
  }

  async create(props: JsonObject): Promise<{ id: string; outs: JsonObject }> {
    const inputs = propertiesFromEngine(props);
    return this.#run("create", props, {}, async (run, journal) => {
      for (const words of journal?.left ?? []) say(words);
      const { id, state } = await this.#lifecycle.create(inputs, run);
      run.context.ownership.claim(this.#holdings.of(id, state));
      return { id: this.#identity.full(id, this.#identity.nameIn(props)), outs: this.#outputs(state, inputs, props) };
    });
  }

  async read(id: string, props: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }> {
    this.#record(id, props);
    const recorded = this.#recorded(props);
    const { state, declared, inputs } = recorded;
    const { argument } = this.#identity;
    const connection = this.#identity.nameIn(props, id);
    const named = connection === undefined ? props : { ...props, [argument]: connection };
    if (declared !== undefined) await this.#guarded(props, {}, () => this.#requireConnection(id, props, "read"));
    return this.#run("read", named, {}, async (run) => {
      const local = this.#identity.local(id);
      if (recorded.isAway(this.#home)) await this.#recognize(local, recorded, run, "read");
      const read = await this.#read(local, inputs, state, run);
      if (read === undefined && declared === undefined) {
        throw new ArgumentError(`There is nothing with the id ${JSON.stringify(id)} to look up.`);
      }
      // No id: the engine forgets the resource.
      if (read === undefined) return {};
      const found = connection === undefined ? read : { ...read, [argument]: connection };
      if (declared === undefined) return { id, props: this.#sealed({ ...found, [DECLARED_KEY]: LOOKED_UP }) };
      const inputsNow = declaredIn(found, declared, this.#lifecycle);
      const kept = { [PLACE_KEY]: props[PLACE_KEY], [REPLACE_KEY]: props[REPLACE_KEY] };
      return {
        id: this.#identity.full(local, connection),
        props: this.#outputs(found, inputsNow, props),
        inputs: this.#sealed({ ...inputsNow, ...kept }),
      };
    });
  }

  async update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }> {
    this.#record(id, news);
    const inputs = propertiesFromEngine(news);
    return this.#run("update", news, olds, async (run) => {
      const recorded = this.#recorded(olds);
      const { state, declared = new Set(), isImport } = recorded;
      const local = this.#identity.local(id);
      if (recorded.isAway(this.#home)) {
        await this.#recognize(local, recorded, run, "update");
        const { argument } = this.#identity;
        const { changed } = this.#lifecycle.diff(state, declared, inputs);
        if (changed.every((path) => path === argument)) {
          return { outs: this.#outputs({ ...state, [argument]: inputs[argument] }, inputs, news) };
        }
      }
      const { ownership } = run.context;
      const dropped = this.#holdings.dropped(local, state, inputs);
      const others = dropped.filter((thing) => ownership.has(thing, run.place));
      const own = this.#holdings.without(state, others);
      const updated = await this.#lifecycle.update(local, own, declared, inputs, { ...run, isImported: isImport });
      ownership.claim(this.#holdings.of(local, updated));
      return { outs: this.#outputs(updated, inputs, news) };
    });
  }

  async delete(id: string, props: JsonObject): Promise<void> {
    this.#record(id, props);
    await this.#guarded(props, {}, () => this.#requireConnection(id, props, "delete"));
    await this.#run("delete", props, {}, async (run, journal) => {
      const { ownership } = run.context;
      // What a replacement is about to take up stays noted until then.
      const isReplaced = this.#checked.has(run.place);
      if (!isReplaced) for (const words of journal?.left ?? []) say(words);
      const recorded = this.#recorded(props);
      const { state } = recorded;
      const local = this.#identity.local(id);
      const things = this.#holdings.of(local, state);
      const others = things.filter((thing) => ownership.mayGo(thing, run.place));
      // Where the state names nothing, there may be something all the same: a creation had an outcome that nobody knows.
      const isMore = others.length === 0 || others.length < things.length || this.#mayHaveMore(run.journal);
      if (others.length > 0) say(keptFor(others, !isMore));
      if (isMore) {
        if (recorded.isAway(this.#home)) await this.#recognize(local, recorded, run, "delete");
        await this.#lifecycle.delete(local, this.#holdings.without(state, others), run);
      }
      if (isReplaced) journal?.forget();
      else journal?.close();
    });
  }

  /** @param id of a resource that is certain not to be replaced, and has what is known */
  #declare(props: JsonObject, inputs: JsonObject, known: readonly string[], id?: string): void {
    const { kept, added, adopted } = this.#holdings.declared(inputs, known, id);
    if (kept.length + added.length === 0 || inputs[this.#identity.argument] === UNKNOWN) return;
    const { ownership } = this.#context(inputs);
    const place = placeOf(props);
    ownership.declare(kept, place);
    ownership.expect(added, place);
    ownership.adopt(adopted, place);
  }

  /** Warns, where the settings ask for it, of what an update would fail for. */
  async #foresee(props: JsonObject, inputs: JsonObject, previous: JsonObject | undefined): Promise<void> {
    if (!this.#settings.checkOnPreview || inputs[this.#identity.argument] === UNKNOWN) return;
    // The second check of a replacement has no previous inputs, but was compared; what a killed creation has made is taken up.
    const isThere = previous !== undefined || byPlace.has(`${this.#kind} ${placeOf(props)}`);
    const isNew = !isThere && inputs.adopt !== true && this.#journal("create", props)?.unfinished === undefined;
    const made = isNew ? this.#holdings.of(undefined, inputs) : [];
    const planned = { kind: this.#kind, service: this.#lifecycle.service, inputs, made };
    await foresee(props, planned, this.#context(inputs));
  }

  #recorded(props: JsonObject): Recorded {
    return new Recorded(props, this.#lifecycle);
  }

  /** @param former the place that the resource has in the state, where it is another one */
  #record(id: string, props: JsonObject, former?: string): void {
    const place = placeOf(props);
    if (place === undefined) return;
    const key = `${this.#kind} ${place}`;
    byPlace.set(key, { id, former: former ?? byPlace.get(key)?.former });
  }

  #journal(operation: keyof Timeouts, props: JsonObject): CreationJournal | undefined {
    const place = placeOf(props);
    if (place === undefined) return undefined;
    const { baseUrl, proxyManagerUrl } = connected(this.#settings, this.#connection(props));
    const { id, former = place } = byPlace.get(`${this.#kind} ${place}`) ?? {};
    const over = id === undefined ? undefined : { id, isReplaced: operation === "create" };
    return new CreationJournal(this.#kind, place, former, `${baseUrl} ${proxyManagerUrl}`, over);
  }

  /** What an update that was cut short has left to the next one, in words: to look for it, or to tell of it. */
  #leftovers(news: JsonObject, inputs: JsonObject): string[] {
    if (inputs[this.#identity.argument] === UNKNOWN) return [];
    const journal = this.#journal("update", news);
    return [...(this.#mayHaveMore(journal) ? [`${this.#kind}: ${RESUMPTION}`] : []), ...(journal?.left ?? [])];
  }

  /** Whether an update that was cut short may have made something that no state tells of. */
  #mayHaveMore(journal: Journal | undefined): boolean {
    return this.#lifecycle.resumes === true && journal?.unfinished !== undefined;
  }

  async #read(
    id: string,
    inputs: JsonObject | undefined,
    state: JsonObject,
    run: Run,
  ): Promise<JsonObject | undefined> {
    if (this.#lifecycle.read !== undefined)
      return this.#lifecycle.read(id, inputs, run, inputs === undefined ? {} : state);
    if (inputs !== undefined) return state;
    throw new ArgumentError("This resource does something once: there is nothing to look up by an id.");
  }

  /** Name of the explicit provider that this is; `undefined` for the default one. */
  get #home(): string | undefined {
    return this.#readConfig(PROVIDER_NAME);
  }

  /** @throws {MoveError} when what another provider has had is not what this one finds */
  async #recognize(id: string, recorded: Recorded, run: Run, operation: MovedBy): Promise<void> {
    const read = () => this.#read(id, recorded.inputs, recorded.state, run);
    const found = await recognized(id, recorded, this.#lifecycle, this.#identity.argument, read, run);
    if (found === "it") return;
    throw new MoveError(`${this.#kind} ${id}`, recorded.home, this.#home, found, operation);
  }

  #sealed(values: JsonObject): JsonObject {
    return sealed(values, this.#lifecycle.secrets ?? []);
  }

  /** @param before paths of what was declared before, and may not have been taken away yet */
  #outputs(state: JsonObject, inputs: JsonObject, props: JsonObject, before: Declared = new Set()): JsonObject {
    const { argument } = this.#identity;
    const left = [...before].filter((path) => at(state, path) !== undefined);
    const declared = joinedPaths([...new Set([...leafPaths(inputs), ...left])]);
    const own = {
      [PLACE_KEY]: props[PLACE_KEY],
      [HOME_KEY]: this.#home,
      [AT_KEY]: this.#location(inputs),
      [DECLARED_KEY]: declared,
    };
    return this.#sealed({ ...state, [argument]: inputs[argument], ...own });
  }

  /** Where the manager is that inputs lead to. Ports tell it by their marks, unless they are adopted: of them there are many. */
  #location(inputs: JsonObject): string | undefined {
    const { service, isMarked, adopts } = this.#lifecycle;
    const bearsMark = isMarked !== undefined && (adopts?.(inputs) ?? []).length === 0;
    if (service !== "manager" || bearsMark) return undefined;
    return locationOf(connected(this.#settings, this.#connection(inputs)).proxyManagerUrl);
  }

  /** The engine shows what its process prints, in a preview as in an update. */
  #announce(inputs: JsonObject, previous: JsonObject | undefined): void {
    if (this.#lifecycle.announce === undefined) return;
    tell(this.#lifecycle.announce(inputs, previous, readPrices(this.#readConfig)));
  }

  async #run<T>(
    operation: keyof Timeouts,
    props: JsonObject,
    olds: JsonObject,
    task: (run: Run, journal: CreationJournal | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#guarded(props, olds, async () => {
      const asked = isObject(props.timeouts) ? props.timeouts[operation] : undefined;
      const seconds = typeof asked === "number" ? asked : this.#lifecycle.timeouts[operation];
      const deadline = new Deadline(seconds, `timeouts.${operation}`, say, cancelled);
      const context = this.#context(props);
      const journal = operation === "read" ? undefined : this.#journal(operation, props);
      try {
        const run = { context, deadline, say, place: placeOf(props), ...(journal === undefined ? {} : { journal }) };
        const result = await during(() => task(run, journal));
        if (operation !== "delete") journal?.tell();
        return result;
      } catch (error) {
        if (error instanceof PartialFailure) {
          context.ownership.claim(this.#holdings.of(error.id, error.state));
          journal?.tell();
        }
        throw error;
      } finally {
        deadline.release();
      }
    });
  }

  async #guarded<T>(props: JsonObject, olds: JsonObject, task: () => T | Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      throw this.#presentable(error, props, olds);
    }
  }

  /** Read once: neither the configuration nor the environment changes while the process lives. */
  get #settings(): Settings {
    this.#checkedSettings ??= readSettings(this.#readConfig);
    return this.#checkedSettings;
  }

  #context(props: JsonObject): Context {
    return contextOf(this.#settings, this.#connection(props));
  }

  #connection(props: JsonObject): Connection {
    return { [this.#identity.argument]: this.#identity.nameIn(props) };
  }

  #connectionFailures(inputs: JsonObject): string[] {
    return connectionFailures(this.#lifecycle.service, inputs[this.#identity.argument], this.#settings);
  }

  /**
   * A connection that has got another name, or a name at all, is the same service: what is there stays there. What another
   * provider calls a connection is not known here; where that is meant is found out before anything is done.
   */
  #isRenamedConnection(changed: string, state: JsonObject, inputs: JsonObject, isMoved: boolean): boolean {
    if (changed !== this.#identity.argument) return false;
    if (isMoved) return true;
    const [before, now] = [state[changed], inputs[changed]];
    return isSameService(this.#lifecycle.service, before, now, this.#settings);
  }

  /** @throws {ConfigurationError} when the connection that a state has is not configured any more */
  #requireConnection(id: string, olds: JsonObject, operation: MovedBy): void {
    const name = this.#identity.nameIn(olds);
    // What is to be read or deleted says by itself that it needs a token, if it does.
    if (name === undefined && operation !== "update") return;
    const lost = lostConnection(this.#lifecycle.service, name, this.#settings);
    if (lost === undefined) return;
    const thing = `${this.#kind} ${this.#identity.local(id)}`;
    const recorded = this.#recorded(olds);
    if (recorded.isAway(this.#home)) throw new MoveError(thing, recorded.home, this.#home, "nowhere", operation);
    throw new ConfigurationError(
      `${thing} is recorded with ${lost}. Nothing was done. Configure it until \`pulumi up\` has recorded another name, or has deleted the resource. If there is nothing left of it, run \`pulumi state delete <its URN>\`.`,
    );
  }

  /** An error as a person should see it: no secret, and a stack only where the fault is ours. */
  #presentable(error: unknown, props: JsonObject, olds: JsonObject): Error {
    const own = error instanceof BrightDataError || error instanceof PartialFailure;
    const cause = error instanceof PartialFailure ? error.cause : error;
    const expected = own && (!(error instanceof PartialFailure) || cause instanceof BrightDataError);
    const state = error instanceof PartialFailure ? error.state : {};
    const secrets = [
      ...secretsIn([props, olds, state]),
      ...this.#declaredSecrets([props, olds, state]),
      ...credentialsIn(this.#readConfig),
    ];
    const words = inWords(error);
    const message = redact(
      expected ? words : `${words} (This is a defect of pulumi-brightdata: please report it.)`,
      secrets,
    );
    const presentable = new Error(message);
    presentable.name = "pulumi-brightdata";
    presentable.stack = expected ? "" : redact((cause as Error | undefined)?.stack ?? "", secrets);
    if (error instanceof PartialFailure) {
      const { declared } = this.#recorded(olds);
      const known = this.#outputs(error.state, propertiesFromEngine(props), props, declared);
      const properties = { ...known, [PROVIDER_KEY]: props[PROVIDER_KEY] };
      // Only the reasons are printed, never the message; and without the provider's text nothing could be done with it later.
      const id = this.#identity.full(error.id, this.#identity.nameIn(props));
      Object.assign(presentable, { id, properties, reasons: [message] });
    }
    return presentable;
  }

  /** Everything that stands where inputs and outputs are secret, however deep. */
  #declaredSecrets(values: readonly JsonObject[]): string[] {
    return values.flatMap((value) => (this.#lifecycle.secrets ?? []).flatMap((path) => textsIn(valuesAt(value, path))));
  }
}

const say = (words: string): void => console.log(`brightdata: ${words}`);

function tell(words: string | undefined): void {
  if (words !== undefined) say(words);
}

const RESUMPTION =
  "an update that was cut short may have made more than the state tells of. The next one looks for it.";

const MOST_KEPT_NAMES = 20;

const keptFor = (others: readonly string[], isAll: boolean): string => {
  const belong = others.length === 1 ? "belongs to another resource" : "belong to other resources";
  const more = others.length - MOST_KEPT_NAMES;
  const named = others.slice(0, MOST_KEPT_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${named} ${belong} of this program now, and ${others.length === 1 ? "is" : "are"} kept${isAll ? ": nothing is deleted" : ""}.`;
};
