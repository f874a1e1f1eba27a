import type { JsonObject } from "../json";
import type { Declared, Lifecycle } from "../lifecycle/lifecycle";
import { leafPaths, pick } from "../lifecycle/paths";
import { AT_KEY, DECLARED_KEY, HOME_KEY, LOOKED_UP, placeOf, propertiesFromEngine, splitPaths } from "./values";

/** What the engine's state tells of a resource. */
export class Recorded {
  /** Its inputs and outputs, without the protocol's own keys. */
  readonly state: JsonObject;
  /** `undefined` for what was looked up by an id and is not managed. */
  readonly declared: Declared | undefined;
  /** A state that does not say what was declared came from an import file: all its inputs were. */
  readonly isImport: boolean;
  /** The name of the explicit provider that it is with; `undefined` for the default one. */
  readonly home: string | undefined;
  /** Stands for where its manager is. */
  readonly location: string | undefined;
  readonly place: string | undefined;
  readonly #lifecycle: Lifecycle;

  constructor(props: JsonObject, lifecycle: Lifecycle) {
    const { [DECLARED_KEY]: declared } = props;
    this.#lifecycle = lifecycle;
    this.state = propertiesFromEngine(props);
    this.home = textIn(props, HOME_KEY);
    this.location = textIn(props, AT_KEY);
    this.place = placeOf(props);
    const paths = Array.isArray(declared) ? declared.map(String) : typeof declared === "string" && splitPaths(declared);
    this.isImport = paths === false && Object.keys(this.state).length > 0;
    if (this.isImport) this.declared = new Set(leafPaths(pick(this.state, lifecycle.inputs)));
    else if (paths !== false && declared !== LOOKED_UP) this.declared = new Set(paths);
  }

  /** The inputs that the state stands for; `undefined` for what is not managed. */
  get inputs(): JsonObject | undefined {
    return this.declared && declaredIn(this.state, this.declared, this.#lifecycle);
  }

  /** Whether it is with another provider than this one. What was looked up or came from an import file is with none. */
  isAway(home: string | undefined): boolean {
    return this.home !== home && this.declared !== undefined && !this.isImport;
  }
}

/** The inputs that a state stands for, where these paths of them were declared. */
export const declaredIn = (state: JsonObject, declared: Declared, lifecycle: Lifecycle): JsonObject =>
  lifecycle.declaredIn?.(state, declared) ?? pick(state, declared);

function textIn(props: JsonObject, key: string): string | undefined {
  const text = props[key];
  return typeof text === "string" ? text : undefined;
}
