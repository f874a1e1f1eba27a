import type { JsonObject } from "../base/json";
import { shownAgain } from "../declaration/paths";
import { redact } from "../http/redact";
import { type Declared, type Lifecycle, PartialFailure, type SecretPath } from "../lifecycle/lifecycle";
import { at, leafPaths, pick } from "../lifecycle/paths";
import { type Outcome, Unfinished } from "../run/outcome";
import { type OldInputs, type Recorded, recorded } from "../run/recorded";
import { Resources } from "../run/resources";
import type { Session } from "../run/session";
import { isSameService, unknownConnection } from "../settings/connections";
import type { Configuration } from "./configuration";
import { Identity } from "./identity";
import {
  AT_KEY,
  DECLARED_KEY,
  HOME_KEY,
  joinedPaths,
  LOOKED_UP,
  MARK_KEY,
  PROVIDER_KEY,
  splitPaths,
  UNFINISHED_KEY,
} from "./keys";
import { presentable, secretTexts } from "./presentable";
import { placeOf, propertiesFromEngine, spotOf, textIn } from "./properties";
import { sealed } from "./values";

/** Properties in plain, and the paths of those that are secrets besides what is declared to be. Of a list with one, the whole is one. */
export interface Opened {
  plain: JsonObject;
  secrets: readonly SecretPath[];
}

/** What the state has of a resource, if there is one, with its inputs where the protocol tells of them. */
export interface Former extends Opened {
  inputs?: OldInputs;
}

/** What a protocol records of a resource besides what its operation has brought. */
export interface Recording {
  inputs: JsonObject;
  /** Paths of what was declared before, and may not have been taken away yet. */
  before?: Declared | undefined;
}

/** What the engine's state has of the resources of one kind, in either protocol, and what is to stand there. */
export class StateForm {
  readonly kind: string;
  readonly lifecycle: Lifecycle;
  readonly identity: Identity;
  readonly resources: Resources;
  readonly #session: Session;
  readonly #configured: () => Configuration;

  /** @param configured once it is asked for anything */
  constructor(kind: string, lifecycle: Lifecycle, session: Session, configured: () => Configuration) {
    this.kind = kind;
    this.lifecycle = lifecycle;
    this.identity = new Identity(lifecycle.service, lifecycle.localId);
    this.resources = new Resources(kind, lifecycle, session, configured);
    this.#session = session;
    this.#configured = configured;
  }

  /**
   * @param props outputs of the state
   * @param old the inputs that it had, where the protocol tells of them
   */
  recorded(id: string, props: JsonObject, old?: OldInputs, place = placeOf(props)): Recorded {
    const told = {
      id: this.identity.local(id),
      state: propertiesFromEngine(props),
      home: textIn(props, HOME_KEY),
      location: textIn(props, AT_KEY),
      place,
      spot: spotOf(props),
      mark: textIn(props, MARK_KEY),
      isUnfinished: props[UNFINISHED_KEY] === true,
    };
    const paths = declaredOf(props[DECLARED_KEY]);
    // What has a mark and no text of a dynamic provider, the plugin has recorded: its inputs say what was declared.
    const isOfPlugin = told.mark !== undefined && props[PROVIDER_KEY] === undefined;
    const derived = old ?? (isOfPlugin ? this.#inputPaths(told.state) : undefined);
    return recorded(told, paths === undefined ? derived : paths, this.kind, this.lifecycle);
  }

  /** @throws {ArgumentError} for an id that is none, or may be that of another connection than the state's */
  requireOwn(id: string, props: JsonObject): void {
    const { service } = this.lifecycle;
    const { settings, home } = this.#configured();
    // What another provider has had is looked for: what its names led to, those of this one do not tell.
    const isElsewhere = (name: string) =>
      textIn(props, HOME_KEY) === home &&
      unknownConnection(service, name, settings) === undefined &&
      !isSameService(service, name, undefined, settings);
    const isRecorded = props[DECLARED_KEY] !== undefined || props[MARK_KEY] !== undefined;
    this.identity.requireOwn(id, propertiesFromEngine(props), isRecorded, isElsewhere);
  }

  /** @param props properties that say which connection it is with */
  fullId(local: string, props: JsonObject): string {
    return this.identity.full(local, this.identity.nameIn(propertiesFromEngine(props)));
  }

  /** The outputs of a resource, with what the package keeps of it; nothing is sealed yet. */
  outputs(
    { state, mark, location }: Pick<Outcome, "state" | "location"> & { mark: string | undefined },
    { inputs, before = new Set() }: Recording,
  ): JsonObject {
    const { argument } = this.identity;
    const left = [...before].filter((path) => at(state, path) !== undefined);
    return {
      ...state,
      [argument]: inputs[argument],
      [HOME_KEY]: this.#configured().home,
      [AT_KEY]: location,
      [MARK_KEY]: mark,
      [DECLARED_KEY]: joinedPaths([...new Set([...leafPaths(inputs), ...left])]),
    };
  }

  /**
   * Inputs as the engine takes them, with what the declaration has as a secret.
   *
   * @param told paths of what is one besides
   */
  sealed(values: JsonObject, told: readonly SecretPath[] = []): JsonObject {
    return sealed(values, [...(this.lifecycle.secrets ?? []), ...told]);
  }

  /** The same of outputs. @param told paths of inputs, too */
  sealedOutputs(values: JsonObject, told: readonly SecretPath[] = []): JsonObject {
    return this.sealed(values, [...told, ...this.copiesOf(told)]);
  }

  /** Where outputs have what stands at paths of the inputs under other keys: of these, the engine does not know by itself. */
  copiesOf(told: readonly SecretPath[]): SecretPath[] {
    const { inputs } = this.lifecycle.declaration;
    return told.flatMap((path) => shownAgain(inputs, path));
  }

  /** Whether the inputs that the engine keeps say what was declared, and outputs would say it by themselves, too. */
  isEvident({ [DECLARED_KEY]: paths, ...outputs }: JsonObject, inputs: JsonObject): boolean {
    const declared = declaredOf(paths);
    if (outputs[MARK_KEY] === undefined || !declared) return false;
    const isAll = (known: Declared) => known.size === declared.size && [...known].every((path) => declared.has(path));
    return isAll(new Set(leafPaths(inputs))) && isAll(this.#inputPaths(propertiesFromEngine(outputs)));
  }

  /** Runs what was asked for; nothing that is said meanwhile shows a secret of what it was given. */
  run<T>(call: Opened, old: Opened, task: () => T): T {
    const texts = () => this.#textsOf([call.plain, old.plain], [...call.secrets, ...old.secrets]);
    return this.#session.hiding(texts, task);
  }

  /**
   * An error as a person should see it, and what there is to record of an operation that was not finished.
   *
   * @param call what it was given
   */
  failure(
    error: unknown,
    call: Opened,
    old: Former,
  ): { shown: Error; unfinished?: { id: string; outputs: JsonObject } } {
    const values = [call.plain, old.plain, error instanceof PartialFailure ? error.state : {}];
    const hidden = this.#textsOf(values, [...call.secrets, ...old.secrets]);
    const shown = presentable(error, this.#session.outages.inWords(error), hidden);
    if (!(error instanceof Unfinished)) return { shown };
    const { declared } = this.recorded(error.id, old.plain, old.inputs);
    const outputs = this.outputs(error.outcome, { inputs: propertiesFromEngine(call.plain), before: declared });
    return {
      shown,
      unfinished: { id: this.fullId(error.id, call.plain), outputs: { ...outputs, [UNFINISHED_KEY]: true } },
    };
  }

  /** What is wrong with inputs, as a person should see it. */
  shown(failures: readonly string[], { plain, secrets }: Opened): string[] {
    if (failures.length === 0) return [];
    const hidden = this.#textsOf([plain], secrets);
    return failures.map((words) => redact(words, hidden));
  }

  /** All texts that no message may show. @param told paths of secrets besides those that are declared to be */
  #textsOf(values: readonly JsonObject[], told: readonly SecretPath[]): string[] {
    const paths = [...(this.lifecycle.secrets ?? []), ...told];
    return [...secretTexts(values.map(propertiesFromEngine), paths), ...this.#configured().credentials];
  }

  #inputPaths(state: JsonObject): Set<string> {
    return new Set(leafPaths(pick(state, this.lifecycle.inputs)));
  }
}

/** The paths that a state says were declared; `undefined` where it does not say, and `null` for a look-up. */
function declaredOf(paths: unknown): Declared | undefined | null {
  if (paths === LOOKED_UP) return null;
  if (Array.isArray(paths)) return new Set(paths.map(String));
  return typeof paths === "string" ? new Set(splitPaths(paths)) : undefined;
}
