import { ArgumentError } from "../../base/errors";

export type Variables = Readonly<Record<string, string>>;

/** `proxyUrl` and `proxy-url` → `PROXY_URL`. */
export function variableName(output: string): string {
  const words = output
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase();
  return /^\d/.test(words) ? `_${words}` : words;
}

/**
 * Outputs of a stack as environment variables: texts as they are, numbers and `true` in digits and letters, lists and objects
 * as JSON. An output without a value is left out.
 *
 * @throws {ArgumentError} when two outputs have the same name as a variable
 */
export function variablesOf(outputs: Readonly<Record<string, unknown>>): Variables {
  const origins = new Map<string, string>();
  const entries = Object.entries(outputs).filter(([, value]) => value !== null && value !== undefined);
  const variables = entries.map(([output, value]) => {
    const name = variableName(output);
    const other = origins.get(name);
    if (other !== undefined) {
      throw new ArgumentError(`The outputs "${other}" and "${output}" would both be ${name}. Rename one of them.`);
    }
    origins.set(name, output);
    return [name, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(variables);
}
