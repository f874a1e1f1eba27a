import type { JsonObject } from "../base/json";

/** A rule between several inputs. */
export interface Rule<Inputs = JsonObject> {
  /** Paths of what it reads: it is applied when all of that is known. */
  readonly reads: readonly string[];
  /**
   * What is wrong, if anything is.
   *
   * @param plain an input's value in the one form in which values of it compare
   */
  failure(inputs: Inputs, plain: (name: string) => unknown): string | undefined;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** At least one of them has to be given. */
export const atLeastOne = (what: string, ...names: readonly string[]): Rule => ({
  reads: [],
  failure: (inputs) =>
    names.every((name) => inputs[name] === undefined) ? `${what}: give at least one of ${quoted(names)}.` : undefined,
});

/** A value of a list that means nothing beside others. */
export const alone = (name: string, value: string, why: string): Rule => ({
  reads: [name],
  failure: ({ [name]: given }) =>
    Array.isArray(given) && given.includes(value) && given.length > 1
      ? `\`${name}\` has ${JSON.stringify(value)} and other entries: ${why}`
      : undefined,
});

/** Two lists that may not have a value in common. */
export const disjoint = (one: string, other: string, why: string): Rule => ({
  reads: [one, other],
  failure(_inputs, plain) {
    const others = valuesOf(plain(other));
    const both = valuesOf(plain(one)).filter((value) => others.includes(value));
    return both.length === 0 ? undefined : `\`${one}\` and \`${other}\` both have ${both.join(", ")}: ${why}`;
  },
});

const valuesOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

type Presence = readonly [hasOne: boolean, hasOther: boolean];

/** What is wrong with two inputs by which of them are given. */
const ofTwo = (one: string, other: string, isWrong: (given: Presence) => boolean, words: string): Rule => ({
  reads: [one, other],
  failure: (inputs) => (isWrong([inputs[one] !== undefined, inputs[other] !== undefined]) ? words : undefined),
});

/** Two inputs of which only one may be given. */
export const excluding = (one: string, other: string, why: string): Rule =>
  ofTwo(one, other, ([a, b]) => a && b, `\`${one}\` and \`${other}\` exclude each other: ${why}`);

/** Two inputs of which one has to be given, and only one. */
export const exactlyOne = (one: string, other: string, what: string): Rule =>
  ofTwo(one, other, ([a, b]) => a === b, `Exactly one of \`${one}\` and \`${other}\` is needed: ${what}`);

/** An input that means nothing without another. */
export const needing = (one: string, other: string, why: string): Rule =>
  ofTwo(one, other, ([a, b]) => a && !b, `\`${one}\` is given without \`${other}\`: ${why}`);
