import type { JsonObject } from "../base/json";
import { hasLogicalName, type InputsOf, type Kind, LOGICAL_NAME, OPTIONS, type StateOf } from "../declaration/kind";
import { secretPaths } from "../declaration/paths";
import { isSame } from "../declaration/values";
import { explained, failuresOf } from "./check";
import { difference, type Same } from "./diff";
import { holdingsOf } from "./holdings";
import type {
  Checked,
  Declared,
  Difference,
  Holdings,
  Journal,
  Lifecycle,
  Next,
  ResourceFacts,
  Step,
} from "./lifecycle";
import { strictShape } from "./schema";

export type Known<State> = { [Name in keyof State]?: State[Name] | undefined };

type Optional =
  | ("announce" | "announceUpdate" | "announceReplacement" | "resumes" | "set" | "isMarked" | "list" | "suggestions")
  | ("isShared" | "letsIn" | "nearestName");

/** What a kind does: what its declaration cannot say. */
export interface Behavior<K extends Kind> extends Partial<Pick<Lifecycle, Optional>> {
  /** Completes inputs, as with an automatic name. Otherwise as {@link Lifecycle.check}. */
  complete?(inputs: JsonObject, previous: JsonObject | undefined, about?: ResourceFacts): JsonObject;
  /** Whether two values mean the same, where the declaration cannot say. */
  same?: Same;
  /** The input with which nothing new can be made, though there may be something that has it, and what is expected of it. */
  refuses?(inputs: JsonObject): { name: string; expected: string } | undefined;
  /** Puts a difference right where it is more than that of the declared values. */
  judge?(difference: Difference, state: JsonObject, declared: Declared, inputs: JsonObject): Difference;
  /** What an update that failed has left open, and counts as changed: the engine forgets at a refresh that it failed. */
  open?(state: JsonObject, inputs: JsonObject): string[];
  /** As {@link Lifecycle.holdings}: what is not as by default. */
  holdings?(id: string | undefined, values: JsonObject, next?: Next): Partial<Holdings>;
  without?(state: StateOf<K>, others: ReadonlySet<string>): JsonObject;
  create(inputs: InputsOf<K>, step: Step): Promise<{ id: string; state: StateOf<K> }>;
  read?(
    id: string,
    inputs: InputsOf<K> | undefined,
    step: Step,
    state: Known<StateOf<K>>,
  ): Promise<Known<StateOf<K>> | undefined>;
  update(id: string, state: StateOf<K>, declared: Declared, inputs: InputsOf<K>, step: Step): Promise<StateOf<K>>;
  delete(id: string, state: StateOf<K>, step: Step): Promise<void>;
  keep?(id: string, state: StateOf<K>, step: Step, journal: Journal): Promise<void>;
  /** The inputs that a state stands for, where these are not just its own. */
  inputsOf?(state: StateOf<K>): JsonObject;
}

type Defined<B> = Lifecycle & { [Name in keyof B & keyof Lifecycle]-?: NonNullable<Lifecycle[Name]> } & Required<
    Pick<Lifecycle, "describe">
  >;

const WITHOUT_SLASH = /^[^/]*$/;

/** The life of a kind of resource: what its declaration says, and what it does. */
export function lifecycle<K extends Kind, B extends object>(kind: K, behavior: B & Behavior<K>): Defined<B> {
  const { complete, refuses, same, open, judge, inputsOf, holdings, ...operations } = behavior;
  // It takes its time, and most runs are of few kinds.
  let schema: ReturnType<typeof strictShape> | undefined;
  const defined: Lifecycle = {
    ...(operations as unknown as Pick<Lifecycle, "create" | "update" | "delete">),
    declaration: kind,
    service: kind.service,
    localId: kind.id.pattern ?? WITHOUT_SLASH,
    timeouts: kind.timeouts,
    inputs: Object.keys(kind.inputs),
    secrets: secretPaths({ ...kind.inputs, ...kind.outputs }),
    identity: Object.keys(kind.outputs).filter((name) => kind.outputs[name]?.isIdentity),

    check(given, previous, about): Checked {
      schema ??= strictShape(kind.inputs);
      const found = failuresOf(declaredOf(kind, given), kind, schema, previous, about?.secrets);
      const refused = found.length === 0 && about?.isCreated ? refuses?.(given) : undefined;
      if (refused !== undefined) {
        const issue = { code: "custom" as const, path: [refused.name], message: refused.expected };
        found.push(...explained(given, issue, { properties: kind.inputs, what: "" }, about?.secrets));
      }
      const inputs = hasLogicalName(kind) ? { [LOGICAL_NAME]: about?.name, ...given } : given;
      return {
        inputs: complete?.(inputs, previous, about) ?? inputs,
        failures: operations.set?.failures(inputs, found) ?? found,
      };
    },

    diff(state, declared, inputs) {
      const { changed, replaces } = difference(state, declared, inputs, kind, same);
      const differing = [...new Set([...changed, ...(open?.(state, inputs) ?? [])])];
      const found = { changed: differing, replaces, deleteBeforeReplace: false };
      return judge?.(found, state, declared, inputs) ?? found;
    },

    holdings: holdingsOf(kind.name, holdings),

    describe: (state) => smallest(kind, inputsOf?.(state as StateOf<K>) ?? unrecorded(kind, state)),
  };
  return defined as Defined<B>;
}

/** The inputs that the program declares. */
function declaredOf(kind: Kind, inputs: JsonObject): JsonObject {
  const options = (kind.knowsOptions ?? []).map((name): string => OPTIONS[name]);
  const added = hasLogicalName(kind) ? [LOGICAL_NAME, ...options] : options;
  if (!added.some((name) => name in inputs)) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !added.includes(name)));
}

/** A state without what is about how the package works. */
const unrecorded = (kind: Kind, state: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([name]) => kind.inputs[name]?.onChange !== "recorded"));

/** The inputs of a state that a program has to write down: no defaults, and nothing that is secret or cannot be read. */
function smallest(kind: Kind, state: JsonObject): JsonObject {
  const kept = Object.entries(kind.inputs).filter(([name, property]) => {
    if (property.secret || property.writeOnly) return false;
    const value = state[name];
    return value !== undefined && (property.required || !isSame(property, value, property.default ?? property.initial));
  });
  return Object.fromEntries(kept.map(([name]) => [name, state[name]]));
}
