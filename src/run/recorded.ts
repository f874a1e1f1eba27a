import type { JsonObject } from "../base/json";
import type { Declared, Lifecycle } from "../lifecycle/lifecycle";
import { leafPaths, pick } from "../lifecycle/paths";

/** What the engine's state has of a resource, as its protocol hands it over. */
export interface Told {
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
  mark: string;
  /** Whether the state is of an earlier version, which has given it no mark. */
  isUnmarked: boolean;
}

/** What the engine's state tells of a resource. */
export interface Recorded extends Told {
  /** Paths of the inputs that were declared; `undefined` for what was looked up by an id and is not managed. */
  declared: Declared | undefined;
  /** The inputs that the state stands for; `undefined` for what is not managed. */
  inputs: JsonObject | undefined;
  /** It came from an import file, and nobody has looked whether it is true. */
  isImport: boolean;
}

/** @param declared the paths that the state says were declared; `undefined` where it does not say; `null` for a look-up */
export function recorded(told: Told, declared: Declared | undefined | null, lifecycle: Lifecycle): Recorded {
  const { state } = told;
  // A state that does not say what was declared came from an import file: all its inputs were.
  const isImport = declared === undefined && Object.keys(state).length > 0;
  const paths = isImport ? new Set(leafPaths(pick(state, lifecycle.inputs))) : (declared ?? undefined);
  return { ...told, declared: paths, inputs: paths && declaredIn(state, paths, lifecycle), isImport };
}

/** Whether it is with another provider than one. What was looked up or came from an import file is with none. */
export const isAway = ({ home, declared, isImport }: Recorded, from: string | undefined): boolean =>
  home !== from && declared !== undefined && !isImport;

/** Whether it is nobody's, as what is looked up: whose mark it bears does not matter. */
export const isImported = (known: Recorded | undefined): boolean =>
  known !== undefined && (known.isImport || known.declared === undefined);

/** The inputs that a state stands for, where these paths of them were declared. */
export const declaredIn = (state: JsonObject, declared: Declared, lifecycle: Lifecycle): JsonObject =>
  lifecycle.declaredIn?.(state, declared) ?? pick(state, declared);
