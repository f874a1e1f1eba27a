/**
 * What a value may be, and everything that a person or a program has to know of it. Plain data: nothing is loaded with it.
 */
export type Property = Shape & Facts;

export type Properties = Readonly<Record<string, Property>>;

/** The facts of a property, whatever its type. */
export interface Facts {
  /** What it means, in Markdown; sentences. Of the items of a list it needs not be said. */
  readonly says?: string;
  readonly required?: true;
  /** The value that its absence means. */
  readonly default?: unknown;
  /** The same in words, where it is no constant. */
  readonly defaultSays?: string;
  /** The value that the service has by itself, where absence leaves alone whatever it has. */
  readonly initial?: unknown;
  readonly unit?: Unit;
  readonly secret?: true;
  /** It may hold a secret that it does not say: messages do not show it. */
  readonly mayHoldSecrets?: true;
  /** Sent, but not read back as it was sent: it is sent again when the program's value changes. */
  readonly writeOnly?: true;
  /** A change needs a new resource. */
  readonly replaces?: true;
  /** What a change does, in few words, where it is neither a replacement nor an update in place. */
  readonly onChange?: string;
  /** How two values compare. Default: as JSON. */
  readonly compares?: Comparison;
  /** The service's own name, where it is not this one in snake case. */
  readonly service?: string;
  readonly example?: unknown;
  /** The heading that it stands under in the documents. Default: that of the property before it. */
  readonly group?: string;
  /** An input: the output of that name is always there, declared or not. */
  readonly known?: true;
  /** The output of that name is the resource's id, as a number: it is known where the id is. */
  readonly isId?: true;
  /** An output whose value no other thing of the kind has, also with another service. */
  readonly isIdentity?: true;
  /** An output, or that of an input which is not given, that an update in place may change: a preview does not know what it will be. */
  readonly isVolatile?: true;
  /** An output that the provider keeps for itself: the class does not have it. */
  readonly hidden?: true;
  /** An input: what the output of that name means, where that is something else. */
  readonly outputSays?: string;
  /** An input: what the output of that name is, where the service makes something else of it. */
  readonly output?: Shape;
}

/** What a number counts. */
export type Unit = "bytes" | "seconds" | "milliseconds" | "minutes" | "days" | "US dollars" | "percent";

/**
 * How values compare: `set` without order; `lenient` as services take them that write a value in several
 * ways (`1`, `"1"` and `true`, a number and its digits, the default and nothing); `caseless` whatever the case; `address`,
 * `addresses` and `clientRanges` by the addresses that they stand for; `domains` whatever their order and case; `names` whatever the case;
 * `words` whatever the order; `rules` as the manager keeps them; `parts` by those that are declared.
 */
export type Comparison =
  | "set"
  | "lenient"
  | "caseless"
  | "address"
  | "addresses"
  | "clientRanges"
  | "domains"
  | "names"
  | "words"
  | "rules"
  | "parts";

/** What a text has to look like: either of what is given. */
export interface Condition {
  readonly pattern?: RegExp;
  /** Names a test that a pattern cannot express. */
  readonly format?: Format;
  /** What it must not be. */
  readonly not?: Format;
  readonly expected: string;
}

/** Forms of texts that take a program to recognise. */
export type Format =
  | "address"
  | "addressOfOne"
  | "clientRange"
  | "everybody"
  | "loopback"
  | "bannable"
  | "url"
  | "date"
  | "expression"
  | "statusExpression"
  | "trigger"
  | "headerName"
  | "headerValue"
  | "interface"
  | "externalProxy"
  | "host"
  | "mailServer";

export type Shape =
  | TextShape
  | NumberShape
  | FlagShape
  | ListShape
  | ObjectShape
  | MapShape
  | ChoiceShape
  | VariantsShape
  | AnyShape;

interface Expecting {
  /** Name of the type in programs. Of an object, the type of its arguments has `Args` behind it. */
  readonly named?: string;
  /** What is expected of a value, as the end of a sentence that begins with the value. */
  readonly expected?: string;
}

export interface TextShape extends Expecting {
  readonly is: "text";
  readonly oneOf?: readonly string[];
  readonly must?: readonly Condition[];
  /** Characters. */
  readonly most?: number;
  /** Whether `""` is a value. */
  readonly blank?: true;
  /** Other words for its values, where it compares `lenient`. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

export interface NumberShape extends Expecting {
  readonly is: "number";
  readonly whole?: true;
  readonly least?: number;
  readonly most?: number;
  /** Whether its digits as a text will do. */
  readonly digits?: true;
}

export interface FlagShape extends Expecting {
  readonly is: "flag";
  /** The only value that is possible. */
  readonly only?: boolean;
  /** Whether `"true"`, `1` and their likes will do. */
  readonly loose?: true;
}

export interface ListShape extends Expecting {
  readonly is: "list";
  readonly items: Property;
  readonly least?: number;
  readonly tooFew?: string;
}

export interface ObjectShape extends Expecting {
  readonly is: "object";
  readonly properties: Properties;
  /** The object that it is like: its type in programs extends the type of that one. */
  readonly extends?: ObjectShape & Facts;
  /** Whether it may have properties that are not named here. */
  readonly open?: true;
  /** Whether the service has the names of its properties in snake case; a program may write them so too. */
  readonly respelled?: true;
  /** Whether programs take its parts one by one, as in `zone.plan.country`: each is an output then, with a value or without. */
  readonly lifted?: true;
}

export interface MapShape extends Expecting {
  readonly is: "map";
  readonly values: Property;
  readonly keys?: RegExp;
  /** Of an output: the input with what all its members share. */
  readonly shared?: string;
}

/** A value of any of several types. */
export interface ChoiceShape extends Expecting {
  readonly is: "choice";
  readonly of: readonly Property[];
  readonly expected: string;
}

/** One of several objects, told apart by a property. */
export interface VariantsShape extends Expecting {
  readonly is: "variants";
  readonly named: string;
  /** Name of the property that tells them apart. */
  readonly by: string;
  readonly of: Readonly<Record<string, ObjectShape & Facts>>;
  /** Other names for variants, in any case and however their words are parted, with what is to be declared for each. */
  readonly calledElsewhere?: Readonly<Record<string, string>>;
}

export interface AnyShape extends Expecting {
  readonly is: "any";
}

/** The value that a property has in a program. */
export type ValueOf<P> = Property extends P
  ? unknown
  : P extends { is: "text" }
    ? P extends { oneOf: readonly (infer Value)[] }
      ? Value
      : string
    : P extends { is: "number" }
      ? P extends { digits: true }
        ? number | string
        : number
      : P extends { is: "flag" }
        ? P extends { loose: true }
          ? boolean | "true" | "false" | 0 | 1 | "0" | "1"
          : P extends { only: infer Only }
            ? Only
            : boolean
        : P extends { is: "list"; items: infer Items }
          ? ValueOf<Items>[]
          : P extends { is: "object"; properties: infer Parts }
            ? P extends { open: true }
              ? ValuesOf<Parts> & Record<string, unknown>
              : ValuesOf<Parts>
            : P extends { is: "map"; values: infer Values }
              ? Record<string, ValueOf<Values>>
              : P extends { is: "choice"; of: readonly (infer One)[] }
                ? ValueOf<One>
                : P extends { is: "variants"; by: infer By extends string; of: infer All }
                  ? { [Name in keyof All]: { [Key in By]: Name } & ValueOf<All[Name]> }[keyof All]
                  : unknown;

/** Not exported: what is declared for programs shows the type itself then, and not this name. */
type Simple<T> = { -readonly [Name in keyof T]: T[Name] };

/** The values that properties have in a program. */
export type ValuesOf<P> = string extends keyof P
  ? Record<string, unknown>
  : Simple<
      { [Name in keyof P as P[Name] extends { required: true } ? Name : never]: ValueOf<P[Name]> } & {
        [Name in keyof P as P[Name] extends { required: true } ? never : Name]?: ValueOf<P[Name]> | undefined;
      }
    >;

/** A value that is sent: its lists may be read-only. */
export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { [Name in keyof T]: Sent<T[Name]> }
    : T;

/** What is said of a property besides its type. */
export type PropertyFacts<S extends Shape> = Omit<S, "is"> & Facts;
type MadeProperty<Is extends string, F> = F & { readonly is: Is };

export const text = <const F extends PropertyFacts<TextShape>>(facts: F): MadeProperty<"text", F> => ({
  is: "text",
  ...facts,
});

export const number = <const F extends PropertyFacts<NumberShape>>(facts: F): MadeProperty<"number", F> => ({
  is: "number",
  ...facts,
});

export const count = <const F extends PropertyFacts<NumberShape>>(
  facts: F,
): MadeProperty<"number", F & { readonly whole: true }> => ({
  is: "number",
  whole: true,
  ...facts,
});

export const flag = <const F extends PropertyFacts<FlagShape>>(facts: F): MadeProperty<"flag", F> => ({
  is: "flag",
  ...facts,
});

export const list = <const Items extends Property, const F extends Omit<PropertyFacts<ListShape>, "items">>(
  items: Items,
  facts: F,
): MadeProperty<"list", F & { readonly items: Items }> => ({ is: "list", items, ...facts });

export const object = <const P extends Properties, const F extends Omit<PropertyFacts<ObjectShape>, "properties">>(
  properties: P,
  facts: F,
): MadeProperty<"object", F & { readonly properties: P }> => ({ is: "object", properties, ...facts });

/** An object of which no more is to be said than its name as a type, and what it means. */
export const named = <const Name extends string, const Says extends string, const P extends Properties>(
  named: Name,
  says: Says,
  properties: P,
) => object(properties, { named, says });

export const map = <const V extends Property, const F extends Omit<PropertyFacts<MapShape>, "values">>(
  values: V,
  facts: F,
): MadeProperty<"map", F & { readonly values: V }> => ({ is: "map", values, ...facts });

export const choice = <const Of extends readonly Property[], const F extends Omit<PropertyFacts<ChoiceShape>, "of">>(
  of: Of,
  facts: F,
): MadeProperty<"choice", F & { readonly of: Of }> => ({ is: "choice", of, ...facts });

export const variants = <
  const By extends string,
  const Of extends Readonly<Record<string, ObjectShape & Facts>>,
  const F extends Omit<PropertyFacts<VariantsShape>, "of" | "by">,
>(
  by: By,
  of: Of,
  facts: F,
): MadeProperty<"variants", F & { readonly by: By; readonly of: Of }> => ({ is: "variants", by, of, ...facts });

export const any = <const F extends PropertyFacts<AnyShape>>(facts: F): MadeProperty<"any", F> => ({
  is: "any",
  ...facts,
});
