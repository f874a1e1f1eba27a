import { ArgumentError } from "../base/errors";

/**
 * The first of some variables that is set.
 *
 * @throws {ArgumentError} where none is
 */
export function required(environment: NodeJS.ProcessEnv, names: readonly string[], what: string): string {
  const value = names.map((name) => environment[name]).find((text) => text !== undefined && text !== "");
  if (value !== undefined) return value;
  throw new ArgumentError(`${names.join(" or ")} is not set: it is ${what}. Set it in the job's environment.`);
}

/** A positive whole number; `undefined` for anything else. */
export const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
