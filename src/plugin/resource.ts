import { isObject, type JsonObject } from "../base/json";
import { RETAINED } from "../declaration/kind";
import { sameJson } from "../declaration/values";
import { type Lifecycle, type SecretPath, UNKNOWN } from "../lifecycle/lifecycle";
import { keysOf } from "../lifecycle/paths";
import type { Configuration } from "../pulumi/configuration";
import { DECLARED_KEY, LOOKED_UP, MARK_KEY, PLACE_KEY } from "../pulumi/keys";
import { placeOfUrn } from "../pulumi/place";
import { placeOf, propertiesFromEngine, toldIn } from "../pulumi/properties";
import { matches } from "../pulumi/replaceOnChanges";
import { type Former, type Opened, StateForm } from "../pulumi/stateForm";
import { nameIn } from "../pulumi/types";
import { valuesAt } from "../pulumi/values";
import { noticeIn } from "../run/announcements";
import { Operations } from "../run/operations";
import type { Outcome } from "../run/outcome";
import { Planning } from "../run/planning";
import { declaredIn, type Recorded } from "../run/recorded";
import type { Session } from "../run/session";
import { type Autonaming, named } from "./autonaming";
import { detailed, type PathChange } from "./detailed";
import { ofCreation, ofUpdate, stableIn } from "./preview";
import { opened } from "./properties";
import { asDeclared } from "./spelling";

/** What there is to record of an operation that has failed. */
export class InitFailed extends Error {
  constructor(
    readonly shown: Error,
    readonly id: string,
    readonly properties: JsonObject,
  ) {
    super(shown.message);
  }
}

/** What a call has of a resource that the engine's state has. */
export interface HeldResource {
  id: string;
  urn: string;
  /** Its outputs. */
  state: JsonObject | undefined;
  inputs: JsonObject | undefined;
}

export interface DetailedDifference {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** Names of what stays as it is; none of what is replaced. */
  stables: string[];
  /** By property paths. */
  detailed: Record<string, PathChange>;
}

/** What a check has told of a resource, and no other call does. */
interface ToldByCheck {
  place: string | undefined;
  replaceOnChanges: unknown;
}

/** The resources of one kind, as the protocol of plugins asks for them. */
export class ResourceProtocol {
  readonly #form: StateForm;
  readonly #planning: Planning;
  readonly #operations: Operations;
  readonly #told = new Map<string, ToldByCheck>();

  constructor(kind: string, lifecycle: Lifecycle, session: Session, configured: () => Configuration) {
    this.#form = new StateForm(kind, lifecycle, session, configured);
    this.#planning = new Planning(this.#form.resources);
    this.#operations = new Operations(this.#form.resources);
  }

  async check(
    { urn, name }: { urn: string; name: string },
    olds: JsonObject | undefined,
    news: JsonObject,
    autonaming: Autonaming | undefined,
  ): Promise<{ inputs: JsonObject; failures: string[] }> {
    const { lifecycle } = this.#form;
    const call = opened(asDeclared(lifecycle.declaration.inputs, news));
    const old = opened(olds);
    const { plain, secrets } = call;
    return this.#guarded(call, old, async () => {
      const { plain: former } = old;
      const { preview, run, replaceOnChanges, ...program } = toldIn(plain);
      const place = placeOf({ [PLACE_KEY]: program.place });
      this.#told.set(urn, { place, replaceOnChanges });
      const where = this.#place(urn);
      this.#form.resources.places.noteUrnPlace(where, placeOfUrn(urn));
      const registration = {
        place: where,
        former: placeOf(former),
        name,
        preview: isObject(preview) ? preview : undefined,
        run: noticeIn(run),
        secrets,
      };
      const previous = Object.keys(former).length === 0 ? undefined : propertiesFromEngine(former);
      const { given, failures } = named(lifecycle, propertiesFromEngine(plain), previous, autonaming);
      const checked = await this.#planning.check(previous, given, registration);
      const inputs = this.#form.sealed(this.#notEmpty(checked.inputs, urn), secrets);
      return { inputs, failures: this.#form.shown([...failures, ...checked.failures], call) };
    });
  }

  async diff(held: HeldResource, news: JsonObject): Promise<DetailedDifference> {
    const old = openedOf(held);
    const call = opened(news);
    return this.#guarded(call, old, () => {
      const inputs = propertiesFromEngine(call.plain);
      const known = this.#recorded(held, old, call.secrets);
      const told = this.#told.get(held.urn);
      const { declaration } = this.#form.lifecycle;
      const { knowsOptions = [] } = declaration;
      // A refresh checks nothing before, and does away with nothing.
      const isUnsaid = told !== undefined && told.place === undefined && knowsOptions.includes("retainOnDelete");
      const { changes, changed, replaces, deleteBeforeReplace } = this.#planning.compare(
        known,
        { ...(isUnsaid && { [RETAINED]: UNKNOWN }), ...inputs },
        // With what it goes with, it is compared before it is checked.
        this.#form.resources.places.nowAt(this.#place(held.urn)),
        (path) => matches(told?.replaceOnChanges, path),
      );
      return {
        changes,
        replaces: [...new Set(replaces.map((path) => keysOf(path)[0]))],
        deleteBeforeReplace,
        stables: replaces.length > 0 ? [] : stableIn(declaration, known.state, inputs, changed),
        detailed: detailed(this.#form.lifecycle, changed, replaces, { state: known.state, before: old.inputs, inputs }),
      };
    });
  }

  async create(
    urn: string,
    properties: JsonObject,
    isPreview: boolean,
    seconds: number | undefined,
  ): Promise<{ id: string; properties: JsonObject }> {
    const call = opened(properties);
    const { secrets } = call;
    const inputs = propertiesFromEngine(call.plain);
    return this.#guarded(call, NOTHING, async () => {
      if (isPreview) {
        await this.#foretell(urn, call, undefined);
        const known = ofCreation(this.#form.lifecycle.declaration, inputs);
        return { id: "", properties: this.#form.sealedOutputs(known, secrets) };
      }
      const made = await this.#operations.create(inputs, this.#place(urn), seconds);
      return { id: this.#form.fullId(made.id, inputs), properties: this.#outputs(made, inputs, secrets) };
    });
  }

  /**
   * @param held `isLookUp` where the program has something by its id alone, whosever it is
   * @returns `undefined` where there certainly is nothing
   */
  async read(
    { isLookUp = false, ...held }: HeldResource & { isLookUp?: boolean },
    seconds?: number,
  ): Promise<{ id: string; properties: JsonObject; inputs: JsonObject } | undefined> {
    const call = openedOf(held);
    const { plain: state, secrets } = call;
    return this.#guarded(call, NOTHING, async () => {
      const { identity, lifecycle } = this.#form;
      this.#form.requireOwn(held.id, state);
      const known = this.#recorded(held, call);
      const connection = identity.nameIn(propertiesFromEngine(state), held.id);
      const read = await this.#operations.read(known, connection, seconds);
      if (read === undefined) return undefined;
      const named = connection === undefined ? {} : { [identity.argument]: connection };
      const found = { ...read.state, ...named };
      // What was read like an import is read like that again: the engine compares the two.
      if ((isLookUp || state[DECLARED_KEY] === LOOKED_UP) && state[MARK_KEY] === undefined)
        return {
          id: held.id,
          properties: this.#form.sealedOutputs({ ...found, [DECLARED_KEY]: LOOKED_UP }, secrets),
          inputs: {},
        };
      // Of what is imported, the inputs are the smallest that declare what there is.
      const { declared } = known;
      const isImport = declared === undefined;
      const inputs = isImport ? { ...lifecycle.describe?.(found), ...named } : declaredIn(found, declared, lifecycle);
      const recorded = isImport ? (lifecycle.set?.narrowed(found, inputs) ?? found) : found;
      return {
        id: identity.full(known.id, connection),
        properties: this.#outputs({ ...read, state: recorded, mark: known.mark }, inputs, secrets),
        inputs: isLookUp ? {} : this.#form.sealed(this.#notEmpty(inputs, held.urn), secrets),
      };
    });
  }

  async update(
    held: HeldResource,
    news: JsonObject,
    isPreview: boolean,
    seconds: number | undefined,
  ): Promise<{ properties: JsonObject }> {
    const old = openedOf(held);
    const { plain: state } = old;
    const call = opened(news);
    const { plain, secrets } = call;
    const inputs = propertiesFromEngine(plain);
    const known = this.#recorded(held, old, secrets);
    return this.#guarded(call, { ...old, inputs: known.inputs }, async () => {
      if (isPreview) {
        await this.#foretell(held.urn, call, known.inputs);
        return { properties: this.#previewed(known, inputs, [...secrets, ...old.secrets]) };
      }
      this.#form.requireOwn(held.id, state);
      const updated = await this.#operations.update(known, inputs, this.#place(held.urn), seconds);
      return { properties: this.#outputs(updated, inputs, secrets) };
    });
  }

  async delete(held: HeldResource, seconds: number | undefined): Promise<void> {
    const call = openedOf(held);
    const { plain: state } = call;
    await this.#guarded(call, NOTHING, () => {
      this.#form.requireOwn(held.id, state);
      // A process that only deletes is told of it by no check.
      const urnPlace = placeOfUrn(held.urn);
      this.#form.resources.places.noteUrnPlace(this.#place(held.urn), urnPlace);
      return this.#operations.delete(Object.assign(this.#recorded(held, call), { urnPlace }), seconds);
    });
  }

  /**
   * Stands for where a resource is in its program. Classes of the package tell it, by the same rule as for dynamic resources, so that
   * what one form has begun the other finds; of other programs, the URN says the same.
   */
  #place(urn: string, { place }: JsonObject = {}): string {
    return this.#told.get(urn)?.place ?? placeOf({ [PLACE_KEY]: place }) ?? placeOfUrn(urn);
  }

  /** Of other programs than the package's, a check cannot tell whether there is a preview. */
  async #foretell(urn: string, { plain, secrets }: Opened, previous: JsonObject | undefined): Promise<void> {
    const [place, inputs] = [this.#place(urn, toldIn(plain)), propertiesFromEngine(plain)];
    this.#planning.skip(nameIn(urn), place, inputs, secrets);
    if (place === placeOfUrn(urn))
      await this.#planning.foresee(previous, inputs, { place, preview: { zoneIsDeclared: false } });
  }

  /** The engine sends empty inputs for what is new: those of what is there are not. */
  #notEmpty(inputs: JsonObject, urn: string): JsonObject {
    return Object.keys(inputs).length === 0 ? { [PLACE_KEY]: this.#place(urn) } : inputs;
  }

  /** @param told where the inputs that it is to have have secrets */
  #recorded(
    { id, urn, ...held }: HeldResource,
    { plain: state, inputs }: OpenedHeld,
    told: readonly SecretPath[] = [],
  ): Recorded {
    const isForeign = this.#form.copiesOf(told).some((path) => valuesAt(held.state ?? {}, path).length > 0);
    return Object.assign(this.#form.recorded(id, state, inputs, placeOf(state) ?? this.#place(urn)), { isForeign });
  }

  #previewed(
    { state, declared = new Set(), inputs: former = {}, ...known }: Recorded,
    inputs: JsonObject,
    secrets: SecretPath[],
  ) {
    const { declaration, diff } = this.#form.lifecycle;
    const changed = diff(state, declared, inputs).changed.map((path) => keysOf(path)[0]);
    // The outputs are in the program's spelling.
    const respelled = Object.keys(former).filter((name) => !sameJson(former[name], inputs[name]));
    return this.#form.sealedOutputs(
      { ...ofUpdate(declaration, state, inputs, new Set([...changed, ...respelled])), [MARK_KEY]: known.mark },
      secrets,
    );
  }

  #outputs(
    made: Pick<Outcome, "state" | "location"> & { mark: string | undefined },
    inputs: JsonObject,
    secrets: readonly SecretPath[],
  ): JsonObject {
    return this.#recordable(this.#form.outputs(made, { inputs }), inputs, secrets);
  }

  /** The engine keeps the inputs, too: what was declared is said only where they do not say it. */
  #recordable(
    { [DECLARED_KEY]: declared, ...outputs }: JsonObject,
    inputs: JsonObject,
    secrets: readonly SecretPath[],
  ): JsonObject {
    const isEvident = this.#form.isEvident({ ...outputs, [DECLARED_KEY]: declared }, inputs);
    return this.#form.sealedOutputs(isEvident ? outputs : { ...outputs, [DECLARED_KEY]: declared }, secrets);
  }

  async #guarded<T>(call: Opened, old: Former, task: () => T | Promise<T>): Promise<T> {
    try {
      return await this.#form.run(call, old, task);
    } catch (error) {
      const { shown, unfinished } = this.#form.failure(error, call, old);
      if (unfinished === undefined) throw shown;
      // What was to go, or to become another value, may be there yet.
      const secrets = [...call.secrets, ...old.secrets];
      const outputs = this.#recordable(unfinished.outputs, propertiesFromEngine(call.plain), secrets);
      throw new InitFailed(shown, unfinished.id, outputs);
    }
  }
}

const NOTHING: Former = { plain: {}, secrets: [] };

interface OpenedHeld extends Opened {
  inputs: JsonObject | undefined;
}

/** What the state has of a resource. What is a secret among its inputs is one among its outputs. */
function openedOf({ state, inputs }: HeldResource): OpenedHeld {
  const { plain, secrets } = opened(state);
  const given = opened(inputs);
  return { plain, secrets: [...secrets, ...given.secrets], inputs: inputs && propertiesFromEngine(given.plain) };
}
