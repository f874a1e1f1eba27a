import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { requireArguments, requiredOf } from "../declaration/arguments";
import { CONNECTION } from "../declaration/connection";
import { present } from "../http/optional";
import type { Lookup } from "../lookups/lookup";
import { explained } from "./check";
import { strictShape } from "./schema";

/**
 * Refuses arguments of a function that are not as it declares them. A connection is looked for by its name afterwards.
 *
 * @throws {ArgumentError}
 */
export function requireDeclared({ name, service, arguments: all }: Lookup, given: JsonObject): void {
  const named = `\`${name}\``;
  requireArguments(named, requiredOf(all), given);
  const { [CONNECTION[service]]: _, ...properties } = all;
  const { [CONNECTION[service]]: __, ...args } = present(given);
  const { error } = strictShape(properties).safeParse(withoutBlanks(args));
  if (error === undefined) return;
  const failures = error.issues.flatMap((issue) =>
    explained(args, issue, { properties, what: `an argument of ${named}` }),
  );
  throw new ArgumentError(`The arguments of ${named} cannot be used: ${failures.join(" ")} Nothing was sent.`);
}

/** A text of blanks alone is as good as none. */
const withoutBlanks = (args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" && value.trim() === "" ? "" : value]),
  );
