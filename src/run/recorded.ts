import type { JsonObject } from "../base/json";
import type { Declared, Lifecycle } from "../lifecycle/lifecycle";
import { derivedMark } from "../lifecycle/mark";
import { leafPaths, pick } from "../lifecycle/paths";

/** What the engine's state has of a resource, as its protocol hands it over. */
export interface Stored {
  /** Without the name of a connection. */
  id: string;
  /** Its inputs and outputs, without the protocol's own keys. */
  state: JsonObject;
  /** The name of the explicit provider that it is with; `undefined` for the default one. */
  home: string | undefined;
  /** Stands for where its service is: the URL of the Proxy Manager, or the account. */
  location: string | undefined;
  /** Where it stood in its program when the state was written. */
  place: string | undefined;
  /** What stands for the place in a stack of any name, where the state says it. */
  spot?: string | undefined;
  /** What stands for the place where it stands by now, where the engine tells it. */
  urnPlace?: string;
  /** `undefined` where the state is of an earlier version, which has given it none. */
  mark: string | undefined;
  /** Whether the operation that has written it was not finished. */
  isUnfinished?: boolean;
}

/**
 * What a protocol tells of the inputs that a resource had: these, or their paths; `undefined` where the state does not say, `null` of
 * what was looked up.
 */
export type OldInputs = JsonObject | Declared | undefined | null;

/** What the engine's state tells of a resource. */
export interface Recorded extends Stored {
  /** Derived where the state has none. */
  mark: string;
  isUnmarked: boolean;
  /** Paths of the inputs that were declared; `undefined` for what was looked up by an id and is not managed. */
  declared: Declared | undefined;
  /** The inputs that the state stands for; `undefined` for what is not managed. */
  inputs: JsonObject | undefined;
  /** It came from an import file, and nobody has looked whether it is true. */
  isImport: boolean;
  /** Another protocol of the package has written the state, or it has copies of secrets in clear: it is written anew, whatever else is done. */
  isForeign?: boolean;
}

export function recorded(told: Stored, old: OldInputs, kind: string, lifecycle: Lifecycle): Recorded {
  const { id, place, state, mark } = told;
  // A state that does not say what was declared came from an import file: all its inputs were.
  const isImport = old === undefined && Object.keys(state).length > 0;
  const declared = isImport ? pathsOf(pick(state, lifecycle.inputs)) : old && pathsOf(old);
  return {
    ...told,
    mark: mark ?? derivedMark(kind, place, id),
    isUnmarked: mark === undefined,
    declared: declared ?? undefined,
    // A comparison does not ask for them, and of a set they take their time.
    get inputs() {
      return declared ? declaredIn(state, declared, lifecycle) : undefined;
    },
    isImport,
  };
}

const isPaths = (old: JsonObject | Declared): old is Declared => old instanceof Set;

const pathsOf = (old: JsonObject | Declared): Declared => (isPaths(old) ? old : new Set(leafPaths(old)));

/** The inputs that a state stands for, where these paths of them were declared. */
export const declaredIn = (state: JsonObject, declared: Declared, lifecycle: Lifecycle): JsonObject =>
  lifecycle.set?.declaredIn(state, declared) ?? pick(state, declared);
