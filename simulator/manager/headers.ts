import { validateHeaderName, validateHeaderValue } from "node:http";
import { type Fields, isFields } from "./fields";

/** The headers that a port adds to each request. */
export function addedHeaders({ headers }: Fields): Fields {
  const added = Array.isArray(headers) ? headers.filter(isFields) : [];
  return Object.fromEntries(added.map(({ name, value }) => [String(name), value]));
}

/** What the manager trips over in a port's headers, which it reads up to the first user agent and once more. */
export function areReadable({ headers }: Fields): boolean {
  if (!headers) return true;
  if (!Array.isArray(headers) || headers.some((header) => header === null)) return false;
  const names = headers.map((header) => (isFields(header) ? header.name : undefined));
  const agent = names.findIndex((name) => typeof name === "string" && name.toLowerCase() === "user-agent");
  return names.slice(0, agent === -1 ? undefined : agent).every((name) => typeof name === "string");
}

/** Why Node.js would not send them. */
export function refusedHeader(headers: Readonly<Record<string, string>>): string | undefined {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Headers that are for the manager. */
const OWN = [
  ...["x-hola-context", "proxy-authorization", "x-hola-agent", "x-lpm-reserved", "x-lpm-keep-alive", "x-lpm-user"],
  ...["x-lpm-session", "x-lpm-ip", "x-lpm-country", "x-lpm-state", "x-lpm-city", "x-lpm-asn"],
  ...["x-lpm-route", "x-lpm-ports"],
];

/**
 * The headers that go on: those of the client, by the names as it has written them, and those that the port adds. Of names that
 * differ in their capitals alone, the first that has a value is sent.
 */
export function sentHeaders(
  given: Readonly<Record<string, string>>,
  names: readonly string[],
  added: Fields,
): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !OWN.includes(name)));
  const all: Fields = { ...kept, Connection: "keep-alive", ...added };
  const spellings = new Map(names.map((name) => [name.toLowerCase(), [name]]));
  for (const name of Object.keys(all)) {
    const lower = name.toLowerCase();
    spellings.set(lower, [...(spellings.get(lower) ?? []), name]);
  }
  return Object.fromEntries(
    [...spellings.values()].flatMap((spelt) => {
      const value = spelt.map((name) => all[name]).find(Boolean);
      return value === undefined ? [] : [[spelt[0], Array.isArray(value) ? value.join(", ") : String(value)]];
    }),
  );
}
