import { ArgumentError } from "../../base/errors";
import type { Variables } from "./variables";

/**
 * A file of variables that shells, Node.js, Docker Compose and python-dotenv read alike.
 *
 * @param remedy what to do about a value of which there is none
 */
export const dotenvOf = (variables: Variables, remedy: string): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(name, value, remedy)}\n`)
    .join("");

/**
 * The readers differ in what they make of escapes, of `$` in double quotes, of `${` even in single ones, and of carriage
 * returns: a value is written only in a way in which none of these matters.
 *
 * @throws {ArgumentError} where there is no such way
 */
function quoted(name: string, value: string, remedy: string): string {
  if (/^[\w./:@%+,=-]+$/.test(value)) return value;
  if (!/['\r\0]|\\\\|\\$|\$\{/.test(value)) return `'${value}'`;
  if (!/["$`\\\r\0]/.test(value)) return `"${value}"`;
  throw new ArgumentError(
    `The value of ${name} cannot be written so that all readers of such files agree on it: it has a carriage return, \`\${\`, two backslashes, one at its end, or a single quote beside one of \`"\`, \`$\`, \`\\\` and a backtick. ${remedy}`,
  );
}
