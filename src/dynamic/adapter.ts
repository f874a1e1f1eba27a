import { isObject, type JsonObject } from "../base/json";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { keysOf } from "../lifecycle/paths";
import { Configuration } from "../pulumi/configuration";
import {
  DECLARED_KEY,
  joinedPaths,
  LOOKED_UP,
  MARK_KEY,
  PLACE_KEY,
  PROVIDER_KEY,
  REPLACE_KEY,
  SECRETS_KEY,
  splitPaths,
} from "../pulumi/keys";
import { placeOf, propertiesFromEngine, textIn, toldIn } from "../pulumi/properties";
import { matches } from "../pulumi/replaceOnChanges";
import { type Opened, type Recording, StateForm } from "../pulumi/stateForm";
import { noticeIn } from "../run/announcements";
import { Operations } from "../run/operations";
import type { Outcome } from "../run/outcome";
import { Planning } from "../run/planning";
import { declaredIn, type Recorded } from "../run/recorded";
import type { Session } from "../run/session";
import type { ReadConfig } from "../settings/settings";
import type { Cancellation } from "./cancellation";

interface ConfigureRequest {
  config: { get: ReadConfig };
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
  readonly #form: StateForm;
  readonly #cancellation: Cancellation;
  readonly #planning: Planning;
  readonly #operations: Operations;
  #configuration = new Configuration(() => undefined);

  constructor(kind: string, lifecycle: Lifecycle, session: Session, cancellation: Cancellation) {
    this.#form = new StateForm(kind, lifecycle, session, () => this.#configuration);
    this.#cancellation = cancellation;
    this.#planning = new Planning(this.#form.resources);
    this.#operations = new Operations(this.#form.resources);
  }

  /** Must not wait for anything: the engine's process lets other calls through before it has finished. */
  async configure(request: ConfigureRequest): Promise<void> {
    this.#configuration = new Configuration((key) => request.config.get(key));
  }

  async check(olds: JsonObject, registered: JsonObject): Promise<{ inputs: JsonObject; failures: CheckFailure[] }> {
    const told = toldIn(registered);
    const news = { ...registered, [SECRETS_KEY]: textIn(told, "secrets") };
    const call = openedOf(news);
    return this.#guarded(news, olds, async () => {
      // What the state has is never empty: the provider's text is there in any case.
      const previous = Object.keys(olds).length === 0 ? undefined : propertiesFromEngine(olds);
      const registration = {
        place: placeOf(news),
        former: placeOf(olds),
        name: textIn(told, "name"),
        preview: isObject(told.preview) ? told.preview : undefined,
        run: noticeIn(told.run),
        secrets: call.secrets,
      };
      const checking = this.#planning.check(previous, propertiesFromEngine(news), registration);
      const { inputs, failures } = await this.#cancellation.during(() => checking);
      return {
        inputs: this.#form.sealed({ ...inputs, ...keptOf(news) }),
        // The engine prints the value of a property that is named, secret or not: the sentence says it all instead.
        failures: this.#form.shown(failures, call).map((reason) => ({ property: "", reason })),
      };
    });
  }

  async diff(id: string, olds: JsonObject, news: JsonObject): Promise<DiffResult> {
    return this.#guarded(news, olds, () => {
      const isForced = (path: string) => matches(news[REPLACE_KEY], path);
      const known = this.#recorded(id, olds, news);
      const found = this.#planning.compare(known, propertiesFromEngine(news), placeOf(news), isForced);
      const { changes, replaces, deleteBeforeReplace } = found;
      return { changes, replaces: [...new Set(replaces.map((path) => keysOf(path)[0]))], deleteBeforeReplace };
    });
  }

  async create(props: JsonObject): Promise<{ id: string; outs: JsonObject }> {
    const inputs = propertiesFromEngine(props);
    return this.#guarded(props, {}, async () => {
      const made = await this.#cancellation.during(() => this.#operations.create(inputs, placeOf(props)));
      return { id: this.#form.fullId(made.id, props), outs: this.#outputs(made, { inputs }, props) };
    });
  }

  async read(id: string, props: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }> {
    return this.#guarded(props, {}, async () => {
      this.#form.requireOwn(id, props);
      const { identity, lifecycle } = this.#form;
      const known = this.#form.recorded(id, props);
      const connection = identity.nameIn(propertiesFromEngine(props), id);
      const read = await this.#cancellation.during(() => this.#operations.read(known, connection));
      // No id: the engine forgets the resource.
      if (read === undefined) return {};
      const found = connection === undefined ? read.state : { ...read.state, [identity.argument]: connection };
      const { declared } = known;
      if (declared === undefined)
        return { id, props: this.#form.sealedOutputs({ ...found, [DECLARED_KEY]: LOOKED_UP }) };
      const inputs = declaredIn(found, declared, lifecycle);
      const mark = known.isUnmarked ? undefined : known.mark;
      return {
        id: identity.full(known.id, connection),
        props: this.#outputs({ ...read, state: found, mark }, { inputs }, props),
        inputs: this.#form.sealed({ ...inputs, ...keptOf(props) }),
      };
    });
  }

  async update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }> {
    const inputs = propertiesFromEngine(news);
    return this.#guarded(news, olds, async () => {
      this.#form.requireOwn(id, olds);
      const known = this.#recorded(id, olds, news);
      const updated = await this.#cancellation.during(() => this.#operations.update(known, inputs, placeOf(news)));
      return { outs: this.#outputs(updated, { inputs }, news) };
    });
  }

  async delete(id: string, props: JsonObject): Promise<void> {
    await this.#guarded(props, {}, () => {
      this.#form.requireOwn(id, props);
      return this.#cancellation.during(() => this.#operations.delete(this.#form.recorded(id, props)));
    });
  }

  /** What the native plugin has recorded has no text of a provider, without which it could not be read or deleted. */
  #recorded(id: string, olds: JsonObject, news: JsonObject): Recorded {
    const isOfPlugin = olds[PROVIDER_KEY] === undefined && olds[MARK_KEY] !== undefined;
    const known = secretsIn(olds);
    const added = secretsIn(news).filter((path) => !known.includes(path));
    const hasCopies = this.#form.copiesOf(added.map(keysOf)).length > 0;
    return Object.assign(this.#form.recorded(id, olds), { isForeign: isOfPlugin || hasCopies });
  }

  #outputs(
    made: Pick<Outcome, "state" | "location"> & { mark: string | undefined },
    recording: Recording,
    props: JsonObject,
  ): JsonObject {
    return this.#kept(this.#form.outputs(made, recording), props[PLACE_KEY], secretsIn(props));
  }

  /** Outputs as they are recorded. */
  #kept(outputs: JsonObject, place: unknown, secrets: readonly string[]): JsonObject {
    const told = secrets.length === 0 ? undefined : joinedPaths(secrets);
    return this.#form.sealedOutputs({ [PLACE_KEY]: place, [SECRETS_KEY]: told, ...outputs }, secrets.map(keysOf));
  }

  async #guarded<T>(props: JsonObject, olds: JsonObject, task: () => T | Promise<T>): Promise<T> {
    const [call, old] = [openedOf(props), openedOf(olds)];
    try {
      return await this.#form.run(call, old, task);
    } catch (error) {
      throw this.#presentable(error, props, olds);
    }
  }

  #presentable(error: unknown, props: JsonObject, olds: JsonObject): Error {
    const { shown, unfinished } = this.#form.failure(error, openedOf(props), openedOf(olds));
    if (unfinished !== undefined) {
      // What was to go, or to become another value, may be there yet.
      const secrets = [...new Set([props, olds].flatMap(secretsIn))];
      const outputs = this.#kept(unfinished.outputs, props[PLACE_KEY], secrets);
      const properties = { ...outputs, [PROVIDER_KEY]: props[PROVIDER_KEY] };
      // Only the reasons are printed, never the message; and without the provider's text nothing could be done with it later.
      Object.assign(shown, { id: unfinished.id, properties, reasons: [shown.message] });
    }
    return shown;
  }
}

/** What stands among the inputs for the calls to come. */
const keptOf = (props: JsonObject): JsonObject => ({
  [PLACE_KEY]: props[PLACE_KEY],
  [REPLACE_KEY]: props[REPLACE_KEY],
  [SECRETS_KEY]: props[SECRETS_KEY],
});

const openedOf = (props: JsonObject): Opened => ({ plain: props, secrets: secretsIn(props).map(keysOf) });

const secretsIn = (props: JsonObject): string[] => splitPaths(textIn(props, SECRETS_KEY) ?? "");
