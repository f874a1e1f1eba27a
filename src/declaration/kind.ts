import type { JsonObject } from "../base/json";
import { type ConnectionArgument, connection, type Service } from "./connection";
import {
  any,
  type Facts,
  flag,
  list,
  number,
  type ObjectShape,
  object,
  type Properties,
  type Property,
  type ValueOf,
  type ValuesOf,
} from "./property";
import type { Rule } from "./rules";

/** Seconds that each operation may take when the program does not say. */
export interface DefaultTimeouts {
  readonly create: number;
  readonly read: number;
  readonly update: number;
  readonly delete: number;
}

/** Stands among the checked inputs where a name may be automatic, or messages say it: the name of the resource in the program. */
export const LOGICAL_NAME = "__autoname";

/** Stands among the inputs where the program has the resource deleted with another one: see {@link Kind.isDeletedApart}. */
export const DELETED_WITH = "__deletedWith";

/** Stands among the inputs where the program has the engine forget the resource instead of deleting it. */
export const RETAINED = "__retainOnDelete";

/** Stands there where the program has it no longer, and the state does: the engine goes by the state. */
export const NO_LONGER = "no longer";

/** Whether the engine keeps what the state has where these inputs replace it. */
export const isRetained = (inputs: Readonly<Record<string, unknown>>): boolean =>
  inputs[RETAINED] === true || inputs[RETAINED] === NO_LONGER;

/** The options of which a lifecycle may be told, and what then stands among the inputs. */
export const OPTIONS = { deletedWith: DELETED_WITH, retainOnDelete: RETAINED } as const;

/** What a kind of resource is, said once: everything that is said of it elsewhere follows from this. */
export interface Kind {
  /** Name of the class. */
  readonly name: string;
  /** What it is, in Markdown: the first sentence stands alone in lists. */
  readonly says: string;
  /** What it is in few words, for the tables of the README. */
  readonly brief: string;
  readonly service: Service;
  /** Whether it exists by itself, or is something that is done. */
  readonly isAction: boolean;
  /** What its id is, with an example. */
  readonly id: {
    readonly says: string;
    readonly example: string;
    /** What it looks like without the name of a connection before it. Default: without a slash. */
    readonly pattern?: RegExp;
    /** What a look-up and an import file take, with an example. Default: the id. */
    readonly lookUp?: { readonly says: string; readonly example: string };
  };
  /** The requests that it sends. */
  readonly endpoints: readonly string[];
  readonly timeouts: DefaultTimeouts;
  readonly inputs: Properties;
  /** The object that the inputs are like: the type of the arguments extends the type of that one. */
  readonly extends?: ObjectShape & Facts;
  /** Outputs that are no inputs. */
  readonly outputs: Properties;
  readonly rules: readonly Rule[];
  /** The input whose value makes the program the one who names it; `always` where that is so in any case. */
  readonly namedBy?: string;
  /**
   * The inputs that name what it makes, takes over, or shares with others of its kind, as paths with `*` for every key: the program
   * announces them before anything is done.
   */
  readonly announced?: readonly string[];
  /** Whether it takes over what there is without `adopt`. */
  readonly takesOver?: true;
  /** The input whose automatic value follows from the resource's name in the program. */
  readonly automaticName?: string;
  /** Whether messages name it as the program does: nothing else of it tells which one it is. */
  readonly saysName?: true;
  /**
   * Whether the class takes the option `deletedWith` for a dependency alone. With it, the engine forgets the resource without a
   * call, before the other one is deleted: where that fails, nobody knows what is still there, and the next update buys it again.
   */
  readonly isDeletedApart?: true;
  /** The options of which its lifecycle is told, beside the inputs. */
  readonly knowsOptions?: readonly (keyof typeof OPTIONS)[];
  /** A program that declares one. */
  readonly example: string;
  /** When the update fails, as the ends of sentences that begin with "an error at the update when". */
  readonly fails: string;
  /** Whether it can be looked up by its id. */
  readonly isReadable: boolean;
  /**
   * Whether the outputs of inputs that a program does not declare are `undefined` for certain. The class leaves them out then:
   * an output that a resource registers costs time, and is unknown in the preview of every update.
   */
  readonly isSparse: boolean;
}

/** Whether the name of the resource in the program stands among the checked inputs. */
export const hasLogicalName = ({ automaticName, saysName }: Kind): boolean =>
  automaticName !== undefined || saysName === true;

/**
 * Whether the program says what the resource is called with the service: two of that name cannot be there, so the old one has
 * to go first in a replacement that nothing but the program or its user asks for.
 */
export const isNamed = ({ namedBy, automaticName }: Kind, inputs: JsonObject): boolean =>
  namedBy === "always" ||
  (namedBy !== undefined &&
    inputs[namedBy] !== undefined &&
    (namedBy !== automaticName || inputs[LOGICAL_NAME] === undefined));

/** The inputs of a kind, known. */
export type InputsOf<K> = K extends { inputs: infer Inputs } ? ValuesOf<Inputs> : never;

type OutputOf<P> = P extends { output: infer Output } ? ValueOf<Output> : ValueOf<P>;

type Sure<P> = P extends { required: true } | { known: true } ? true : false;

/** As `Simple` of properties, and not exported either. */
type Flat<T> = { -readonly [Name in keyof T]: T[Name] };

/** All that a state has of a kind: what was declared, with the values that the service has, and the outputs. */
export type StateOf<K> = K extends { inputs: infer Inputs; outputs: infer Outputs }
  ? string extends keyof Inputs
    ? Record<string, unknown>
    : Flat<
        {
          [Name in keyof Inputs as Sure<Inputs[Name]> extends true ? Name : never]: OutputOf<Inputs[Name]>;
        } & {
          [Name in keyof Inputs as Sure<Inputs[Name]> extends true ? never : Name]?: OutputOf<Inputs[Name]> | undefined;
        } & ValuesOf<Outputs>
      >
  : never;

type KindDefinition<S extends Service, Inputs extends Properties, Outputs extends Properties> = Omit<
  Kind,
  "name" | "service" | "timeouts" | "inputs" | "outputs" | "rules" | "isReadable" | "isSparse" | "isAction" | "fails"
> & {
  readonly service: S;
  readonly inputs: Inputs;
  /** Of all operations, or of each. */
  readonly timeouts: number | DefaultTimeouts;
  readonly outputs?: Outputs;
  readonly rules?: readonly Rule<JsonObject>[];
  /** What adopting means: it becomes an input. */
  readonly adopts?: string;
  readonly isReadable?: boolean;
  readonly isSparse?: boolean;
  readonly isAction?: boolean;
  readonly fails?: string;
};

const adopt = (says: string) => flag({ says, default: false, onChange: "recorded" });

const seconds = (says: string) =>
  number({ says, unit: "seconds", least: 1, most: 86_400, expected: "expected seconds, from 1 to 86400." });

const timeoutsOf = (kind: DefaultTimeouts, isAction: boolean) =>
  object(
    {
      create: seconds("Seconds that its creation may take."),
      read: seconds("Seconds that a refresh may take to read it."),
      update: seconds("Seconds that an update in place may take."),
      delete: seconds("Seconds that its deletion may take."),
    },
    {
      named: "Timeouts",
      says: "Seconds that each operation may take, from 1 to 86400.",
      defaultSays: timeoutsInWords(kind, isAction),
      expected: "expected an object such as { create: 120 }, in seconds.",
      onChange: "recorded",
    },
  );

function timeoutsInWords(timeouts: DefaultTimeouts, isAction: boolean): string {
  const entries = Object.entries(timeouts).filter(([operation]) => !(isAction && operation === "read"));
  const [first] = entries;
  if (entries.every(([, value]) => value === first?.[1])) return `${first?.[1]} each`;
  return entries.map(([operation, value]) => `\`${operation}\` ${value}`).join(", ");
}

/** An action is done again when any input changes that says what is done. */
const repeating = (inputs: Properties): Properties =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, property]) => [
      name,
      property.onChange === undefined ? { ...property, replaces: true, onChange: "again" } : property,
    ]),
  );

/** Values whose change makes an action run again. */
export const triggers = () =>
  list(any({}), {
    says: "Values of any kind, such as a date or a version.",
    expected: "expected a list of values; a change of any runs the action again.",
    compares: "lenient",
    example: ["2026-05"],
  });

type WithCommon<S extends Service, Inputs, Adopts> = Inputs &
  ConnectionArgument<S> &
  (Adopts extends string ? { readonly adopt: ReturnType<typeof adopt> } : unknown) & {
    readonly timeouts: ReturnType<typeof timeoutsOf>;
  };

export function kind<
  const Name extends string,
  const S extends Service,
  const Inputs extends Properties,
  const Outputs extends Properties,
  const Adopts extends string | undefined = undefined,
>(
  name: Name,
  { adopts, ...given }: KindDefinition<S, Inputs, Outputs> & { readonly adopts?: Adopts },
): Omit<Kind, "name" | "inputs" | "outputs"> & {
  readonly name: Name;
  readonly inputs: WithCommon<S, Inputs, Adopts>;
  readonly outputs: Outputs;
} {
  const { timeouts: each, isAction = false } = given;
  const timeouts = typeof each === "number" ? { create: each, read: each, update: each, delete: each } : each;
  const common: Record<string, Property> = adopts === undefined ? {} : { adopt: adopt(adopts) };
  const own = isAction ? repeating(given.inputs) : given.inputs;
  const inputs = {
    ...own,
    ...connection(given.service, { replaces: true }),
    ...common,
    timeouts: timeoutsOf(timeouts, isAction),
  };
  return {
    outputs: {} as Outputs,
    rules: [],
    isReadable: !isAction,
    isSparse: false,
    fails: "",
    ...given,
    name,
    isAction,
    timeouts,
    inputs: inputs as WithCommon<S, Inputs, Adopts>,
  };
}
