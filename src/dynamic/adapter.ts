import { isObject, type JsonObject } from "../base/json";
import type { Declared, Lifecycle } from "../lifecycle/lifecycle";
import { PartialFailure } from "../lifecycle/lifecycle";
import { at, keysOf, leafPaths } from "../lifecycle/paths";
import { Identity } from "../pulumi/identity";
import { presentable, secretTexts } from "../pulumi/presentable";
import { sealed } from "../pulumi/values";
import { noticeIn } from "../run/announcements";
import { Operations, type Outcome, Unfinished } from "../run/operations";
import { Planning } from "../run/planning";
import { declaredIn, type Recorded, recorded } from "../run/recorded";
import { Resources } from "../run/resources";
import type { Session } from "../run/session";
import { isSameService, unknownConnection } from "../settings/connections";
import { credentialsIn } from "../settings/credentials";
import { PROVIDER_NAME, type ReadConfig, readPrices, readSettings, type Settings } from "../settings/settings";
import type { Cancellation } from "./cancellation";
import {
  AT_KEY,
  DECLARED_KEY,
  HOME_KEY,
  joinedPaths,
  LOOKED_UP,
  MARK_KEY,
  NAME_KEY,
  PLACE_KEY,
  PREVIEW_KEY,
  PROVIDER_KEY,
  REPLACE_KEY,
  RUN_KEY,
  splitPaths,
} from "./keys";
import { placeOf, propertiesFromEngine, textIn } from "./properties";
import { matches } from "./replaceOnChanges";

interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

interface CheckFailure {
  property: string;
  reason: string;
}

/** The protocol knows properties, and no paths. */
interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** Speaks the protocol of Pulumi's dynamic providers for one kind of resource. */
export class Adapter {
  readonly #kind: string;
  readonly #lifecycle: Lifecycle;
  readonly #identity: Identity;
  readonly #session: Session;
  readonly #cancellation: Cancellation;
  readonly #planning: Planning;
  readonly #operations: Operations;
  #readConfig: ReadConfig = () => undefined;
  #checkedSettings: Settings | undefined;

  constructor(kind: string, lifecycle: Lifecycle, session: Session, cancellation: Cancellation) {
    this.#kind = kind;
    this.#lifecycle = lifecycle;
    this.#identity = new Identity(lifecycle.service, lifecycle.localId);
    this.#session = session;
    this.#cancellation = cancellation;
    const resources = new Resources(kind, lifecycle, session, () => ({
      settings: this.#settings,
      home: this.#home,
      prices: readPrices(this.#readConfig),
    }));
    this.#planning = new Planning(resources);
    this.#operations = new Operations(resources);
  }

  /** Must not wait for anything: the engine's process lets other calls through before it has finished. */
  async configure(request: ConfigureRequest): Promise<void> {
    this.#readConfig = (key) => request.config.get(key);
    this.#checkedSettings = undefined;
  }

  async check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures: CheckFailure[] }> {
    return this.#guarded(news, olds, async () => {
      // What the state has is never empty: the provider's text is there in any case.
      const previous = Object.keys(olds).length === 0 ? undefined : propertiesFromEngine(olds);
      const { [PREVIEW_KEY]: preview } = news;
      const program = {
        place: placeOf(news),
        former: placeOf(olds),
        name: textIn(news, NAME_KEY),
        preview: isObject(preview) ? preview : undefined,
        run: noticeIn(news[RUN_KEY]),
      };
      const checking = this.#planning.check(previous, propertiesFromEngine(news), program);
      const { inputs, failures } = await this.#cancellation.during(() => checking);
      return {
        inputs: this.#sealed({ ...inputs, [PLACE_KEY]: news[PLACE_KEY], [REPLACE_KEY]: news[REPLACE_KEY] }),
        // The engine prints the value of a property that is named, secret or not: the sentence says it all instead.
        failures: failures.map((reason) => ({ property: "", reason })),
      };
    });
  }

  async diff(id: string, olds: JsonObject, news: JsonObject): Promise<DiffResult> {
    return this.#guarded(news, olds, () => {
      const isForced = (path: string) => matches(news[REPLACE_KEY], path);
      const known = this.#recorded(id, olds);
      const found = this.#planning.compare(known, propertiesFromEngine(news), placeOf(news), isForced);
      const { changes, replaces, deleteBeforeReplace } = found;
      return { changes, replaces: [...new Set(replaces.map((path) => keysOf(path)[0]))], deleteBeforeReplace };
    });
  }

  async create(props: JsonObject): Promise<{ id: string; outs: JsonObject }> {
    const inputs = propertiesFromEngine(props);
    return this.#guarded(props, {}, async () => {
      const made = await this.#cancellation.during(() => this.#operations.create(inputs, placeOf(props)));
      return { id: this.#fullId(made.id, props), outs: this.#outputs(made, inputs, props) };
    });
  }

  async read(id: string, props: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }> {
    return this.#guarded(props, {}, async () => {
      this.#requireOwn(id, props);
      const { argument } = this.#identity;
      const known = this.#recorded(id, props);
      const connection = this.#identity.nameIn(propertiesFromEngine(props), id);
      const read = await this.#cancellation.during(() => this.#operations.read(known, connection));
      // No id: the engine forgets the resource.
      if (read === undefined) return {};
      const found = connection === undefined ? read.state : { ...read.state, [argument]: connection };
      const { declared } = known;
      if (declared === undefined) return { id, props: this.#sealed({ ...found, [DECLARED_KEY]: LOOKED_UP }) };
      const inputsNow = declaredIn(found, declared, this.#lifecycle);
      const kept = { [PLACE_KEY]: props[PLACE_KEY], [REPLACE_KEY]: props[REPLACE_KEY] };
      const mark = known.isUnmarked ? undefined : known.mark;
      return {
        id: this.#identity.full(known.id, connection),
        props: this.#outputs({ ...read, state: found, mark }, inputsNow, props),
        inputs: this.#sealed({ ...inputsNow, ...kept }),
      };
    });
  }

  async update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }> {
    const inputs = propertiesFromEngine(news);
    return this.#guarded(news, olds, async () => {
      this.#requireOwn(id, olds);
      const known = this.#recorded(id, olds);
      const updated = await this.#cancellation.during(() => this.#operations.update(known, inputs, placeOf(news)));
      return { outs: this.#outputs(updated, inputs, news) };
    });
  }

  async delete(id: string, props: JsonObject): Promise<void> {
    await this.#guarded(props, {}, () => {
      this.#requireOwn(id, props);
      return this.#cancellation.during(() => this.#operations.delete(this.#recorded(id, props)));
    });
  }

  #recorded(id: string, props: JsonObject): Recorded {
    const { [DECLARED_KEY]: paths } = props;
    const told = {
      id: this.#identity.local(id),
      state: propertiesFromEngine(props),
      home: textIn(props, HOME_KEY),
      location: textIn(props, AT_KEY),
      place: placeOf(props),
      mark: textIn(props, MARK_KEY),
    };
    return recorded(told, declaredOf(paths), this.#kind, this.#lifecycle);
  }

  /** @throws {ArgumentError} for an id that is none, or may be that of another connection than the state's */
  #requireOwn(id: string, props: JsonObject): void {
    const { service } = this.#lifecycle;
    const isElsewhere = (name: string) =>
      unknownConnection(service, name, this.#settings) === undefined &&
      !isSameService(service, name, undefined, this.#settings);
    this.#identity.requireOwn(id, propertiesFromEngine(props), props[DECLARED_KEY] !== undefined, isElsewhere);
  }

  /** Name of the explicit provider that this is; `undefined` for the default one. */
  get #home(): string | undefined {
    return this.#readConfig(PROVIDER_NAME);
  }

  #fullId(local: string, props: JsonObject): string {
    return this.#identity.full(local, this.#identity.nameIn(propertiesFromEngine(props)));
  }

  #sealed(values: JsonObject): JsonObject {
    return sealed(values, this.#lifecycle.secrets ?? []);
  }

  /** @param before paths of what was declared before, and may not have been taken away yet */
  #outputs(
    { state, mark, location }: Pick<Outcome, "state" | "location"> & { mark: string | undefined },
    inputs: JsonObject,
    props: JsonObject,
    before: Declared = new Set(),
  ): JsonObject {
    const { argument } = this.#identity;
    const left = [...before].filter((path) => at(state, path) !== undefined);
    const own = {
      [PLACE_KEY]: props[PLACE_KEY],
      [HOME_KEY]: this.#home,
      [AT_KEY]: location,
      [MARK_KEY]: mark,
      [DECLARED_KEY]: joinedPaths([...new Set([...leafPaths(inputs), ...left])]),
    };
    return this.#sealed({ ...state, [argument]: inputs[argument], ...own });
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

  #presentable(error: unknown, props: JsonObject, olds: JsonObject): Error {
    const values = [props, olds, error instanceof PartialFailure ? error.state : {}];
    const secrets = [...secretTexts(values, this.#lifecycle.secrets ?? []), ...credentialsIn(this.#readConfig)];
    const shown = presentable(error, this.#session.outages.inWords(error), secrets);
    if (error instanceof Unfinished) {
      const { declared } = this.#recorded(error.id, olds);
      const known = this.#outputs(error.outcome, propertiesFromEngine(props), props, declared);
      const properties = { ...known, [PROVIDER_KEY]: props[PROVIDER_KEY] };
      // Only the reasons are printed, never the message; and without the provider's text nothing could be done with it later.
      Object.assign(shown, { id: this.#fullId(error.id, props), properties, reasons: [shown.message] });
    }
    return shown;
  }
}

/** The paths that a state says were declared; `undefined` where it does not say, and `null` for a look-up. */
function declaredOf(paths: unknown): Declared | undefined | null {
  if (paths === LOOKED_UP) return null;
  if (Array.isArray(paths)) return new Set(paths.map(String));
  return typeof paths === "string" ? new Set(splitPaths(paths)) : undefined;
}
