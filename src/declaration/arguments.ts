import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import type { Properties } from "./property";

/**
 * Refuses what a program in JavaScript may give in place of arguments: nothing where some are required, or no object.
 *
 * @param whose whose arguments they are, such as `Zone "web"`
 * @param required names of the arguments that are required
 * @throws {ArgumentError}
 */
export function requireObject(whose: string, required: readonly string[], args: unknown): void {
  if (isObject(args)) return;
  const named = required.length === 0 ? "" : ` with ${required.map((name) => `\`${name}\``).join(" and ")}`;
  const found = args === undefined ? "missing" : "not an object";
  throw new ArgumentError(`The arguments of ${whose} are ${found}: expected an object${named}. Nothing was sent.`);
}

/**
 * The same, and refuses arguments of which a required one is missing.
 *
 * @throws {ArgumentError}
 */
export function requireArguments(whose: string, required: readonly string[], args: unknown): void {
  requireObject(whose, required, args);
  const missing = required.find((name) => isObject(args) && (args[name] === undefined || args[name] === null));
  if (missing !== undefined) {
    throw new ArgumentError(`The argument \`${missing}\` of ${whose} is missing. Nothing was sent.`);
  }
}

/** Names of the properties that are required. */
export const requiredOf = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([name, { required }]) => (required ? [name] : []));
