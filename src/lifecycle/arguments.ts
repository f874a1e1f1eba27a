import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { requireArguments, requiredOf } from "../declaration/arguments";
import { CONNECTION } from "../declaration/connection";
import type { Lookup } from "../lookups/lookup";
import { explained } from "./check";
import { strictShape } from "./schema";

/**
 * Refuses arguments of a function that are not as it declares them. A connection is looked for by its name afterwards.
 *
 * @throws {ArgumentError}
 */
export function requireDeclared({ name, service, arguments: all }: Lookup, given: JsonObject): void {
  requireArguments(name, requiredOf(all), given);
  const { [CONNECTION[service]]: _, ...properties } = all;
  const { [CONNECTION[service]]: __, ...args } = withoutNothing(given);
  const option = OPTIONS.find((each) => each in args && !(each in properties));
  if (option !== undefined) {
    throw new ArgumentError(
      `\`${option}\` is no argument of ${name}, but an option: give options behind the arguments, as in \`${name}(args, { ${option} })\`. Nothing was sent.`,
    );
  }
  const { error } = strictShape(properties).safeParse(withoutBlanks(args));
  if (error === undefined) return;
  const failures = error.issues.flatMap((issue) =>
    explained(args, issue, { properties, what: `an argument of ${name}` }),
  );
  throw new ArgumentError(`The arguments of ${name} cannot be used: ${failures.join(" ")} Nothing was sent.`);
}

/** Those that a program may have written in the place of arguments that it does not give. */
const OPTIONS = ["provider", "parent", "onError", "signal"] as const;

const withoutNothing = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** A text of blanks alone is as good as none. */
const withoutBlanks = (args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" && value.trim() === "" ? "" : value]),
  );
