import { ArgumentError } from "../../base/errors";
import { credential } from "../../settings/values";

/**
 * The first of some variables that is set.
 *
 * @throws {ArgumentError} where none is
 */
export const required = (environment: NodeJS.ProcessEnv, names: readonly string[], what: string): string =>
  firstOf(environment, names, what).value;

/**
 * As {@link required}, of a token: a header that could not be sent would stand in the error.
 *
 * @throws {ArgumentError} for one that no header can have
 */
export function requiredToken(environment: NodeJS.ProcessEnv, names: readonly string[], what: string): string {
  const { name, value } = firstOf(environment, names, what);
  const token = credential(value);
  if (token !== undefined) return token;
  throw new ArgumentError(
    `${name} cannot be used: expected printable ASCII characters without blanks or line breaks. Copy the token again.`,
  );
}

function firstOf(environment: NodeJS.ProcessEnv, names: readonly string[], what: string) {
  for (const name of names) {
    const value = environment[name] ?? "";
    if (value !== "") return { name, value };
  }
  throw new ArgumentError(`${names.join(" or ")} is not set: it is ${what}. Set it in the job's environment.`);
}

/**
 * A URL that a variable has, or that stands for it where it is not set, or empty.
 *
 * @throws {ArgumentError} for what is none
 */
export function urlIn(environment: NodeJS.ProcessEnv, name: string, otherwise: string): string {
  const url = environment[name] || otherwise;
  if (/^https?:/.test(url) && URL.canParse(url)) return url;
  throw new ArgumentError(`${name} is ${JSON.stringify(url)}: expected a URL such as ${otherwise}.`);
}

/** A positive whole number; `undefined` for anything else. */
export const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
