import type { Declared } from "./declared";

export type Level = "advisory" | "mandatory" | "disabled";

/** An option of a policy. */
export interface Option<T> {
  readonly says: string;
  /** JSON schema of its values, which the engine checks. */
  readonly schema: {
    readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
    readonly [keyword: string]: unknown;
  };
  readonly initial: T;
}

export const option = <T>(says: string, schema: Option<T>["schema"], initial: T): Option<T> => ({
  says,
  schema,
  initial,
});

export const PATTERN = { type: "string", format: "regex" } as const;
export const WORDS = { type: "array", items: { type: "string" } } as const;

export interface Violation {
  readonly message: string;
  /** URN of the resource that it is about; the stack without one. */
  readonly urn?: string;
}

/** What a policy is, without anything of Pulumi: its check is a pure function of what the program declares. */
export interface Policy<Options> {
  readonly name: string;
  readonly title: string;
  /** What it stops. */
  readonly says: string;
  readonly level: Level;
  readonly severity: "low" | "medium" | "high" | "critical";
  readonly remedy: string;
  readonly options: { readonly [Name in keyof Options]: Option<Options[Name]> };
  /** Checks a resource before it is created or changed. Returns what is wrong with it, a sentence each. */
  readonly ofResource?: (resource: Declared, options: Options) => readonly string[];
  /** Checks those of a stack that are known so far, before one of them is created or changed: more can only make it worse. */
  readonly ofGrowing?: (resources: readonly Declared[], options: Options) => readonly Violation[];
  /** Checks all resources at once: in a preview, and at the end of an update. */
  readonly ofStack?: (
    resources: readonly Declared[],
    options: Options,
  ) => readonly Violation[] | Promise<readonly Violation[]>;
}

export const policy = <Options>(declaration: Policy<Options>): Policy<Options> => declaration;

/** The options of a policy, completed with their defaults. */
export function withDefaults<Options>({ options }: Policy<Options>, given: Partial<Options>): Options {
  const names = Object.keys(options) as (keyof Options)[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? options[name].initial])) as Options;
}

/** Options that a policy does not have, each with those that it has. */
export function misnamed({ name, options }: Policy<object>, given: object): readonly string[] {
  const known = Object.keys(options);
  const words = known.length === 0 ? "it has none" : `it has ${known.map((each) => `\`${each}\``).join(", ")}`;
  const unknown = Object.keys(given).filter((each) => each !== "enforcementLevel" && !known.includes(each));
  return unknown.map((each) => `\`${name}\` has no option \`${each}\`: ${words}.`);
}
