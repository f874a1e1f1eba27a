import type { JsonObject } from "../base/json";
import type { InputsOf, Kind, StateOf } from "../declaration/kind";
import { propertiesAlong } from "../declaration/paths";
import type { Properties, Property, ValuesOf } from "../declaration/property";
import { sameJson } from "../declaration/values";
import { present } from "../http/optional";
import type { Prices } from "../settings/values";
import { isKnown } from "./check";
import { type Behavior, type Known, lifecycle } from "./define";
import { difference } from "./diff";
import type { Declared, Lifecycle, ResourceFacts, Step } from "./lifecycle";
import { keysOf, leafPaths } from "./paths";

export type OutputsOf<K> = K extends { outputs: infer Outputs extends Properties } ? ValuesOf<Outputs> : never;

/** What an action does: something that is done rather than made. */
export interface Action<K extends Kind> {
  /** Inputs that change with what was done: only the next time they are used, and until then nothing differs. */
  followed?: readonly string[];
  /** What is going to happen and what it costs, for the preview. Inputs may be unknown there. */
  announce(inputs: JsonObject): string;
  /** Does it. Once something has begun that costs money, a failure is a `PartialFailure`. */
  perform(inputs: InputsOf<K>, step: Step): Promise<{ id: string; outputs: OutputsOf<K> }>;
  /** Goes on with what was begun and not finished, never anew. Of the outputs, those that are `undefined` go. */
  resume?(id: string, state: StateOf<K>, step: Step): Promise<Known<OutputsOf<K>>>;
  /** Calls it off where it is still going on. */
  cancel?(id: string, state: StateOf<K>, step: Step): Promise<void>;
  /** As {@link Behavior.open}. */
  open?: Behavior<K>["open"];
  /** As {@link Behavior.holdings}. */
  holdings?: Behavior<K>["holdings"];
}

/** The life of an action's resource: never run by a refresh, run again by a replacement. */
export function action<K extends Kind>(
  kind: K,
  { followed = [], open = () => [], holdings = () => ({}), announce, perform, resume, cancel }: Action<K>,
): Lifecycle {
  const same = (path: string, left: unknown, right: unknown) => {
    if (followed.includes(path)) return true;
    const property = propertiesAlong(kind.inputs, keysOf(path)).at(-1);
    return sameJson(meant(left, property), meant(right, property));
  };
  return lifecycle(kind, {
    open,
    // What is done belongs to nobody.
    holdings: (id: string | undefined, values: JsonObject) => ({ has: [], ...holdings(id, values) }),
    same,
    announce(inputs: JsonObject, previous?: JsonObject, _prices?: Prices, { former }: ResourceFacts = {}) {
      if (previous !== undefined) return undefined;
      const { replaces } = difference(former ?? {}, new Set(leafPaths(former ?? {})), inputs, kind, same);
      const isOpen = former !== undefined && replaces.length > 0 && replaces.every((path) => !isKnown(inputs, path));
      return isOpen ? `if ${namesOf(replaces)} changes, which is not known yet: ${announce(inputs)}` : announce(inputs);
    },
    async create(inputs: InputsOf<K>, step: Step) {
      const { id, outputs } = await perform(inputs, step);
      return { id, state: { ...inputs, ...outputs } as unknown as StateOf<K> };
    },
    async update(id: string, state: StateOf<K>, declared: Declared, inputs: InputsOf<K>, step: Step) {
      const names = new Set([...declared].map((path) => keysOf(path)[0]));
      const outputs = Object.fromEntries(Object.entries(state).filter(([name]) => !names.has(name)));
      // With the inputs of now: whether and how often to look may be what has changed.
      const known = { ...outputs, ...inputs } as unknown as StateOf<K>;
      return present({ ...known, ...(await resume?.(id, known, step)) }) as unknown as StateOf<K>;
    },
    async delete(id: string, state: StateOf<K>, step: Step) {
      await cancel?.(id, state, step);
    },
  });
}

const namesOf = (paths: readonly string[]): string =>
  [...new Set(paths.map((path) => `\`${keysOf(path)[0]}\``))].join(" or ");

/**
 * What a value asks an action for: what is left out is sent as its default, or means it, and an empty list or text says no more
 * than its absence.
 */
export const meant = (value: unknown, property: Property | undefined): unknown =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
    ? property?.default
    : value;
