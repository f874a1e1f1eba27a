import { validateHeaderName, validateHeaderValue } from "node:http";
import { type Fields, isFields } from "./fields";

/** The headers that a port adds to each request. */
export function addedHeaders({ headers }: Fields): Record<string, string> {
  const added = Array.isArray(headers) ? headers.filter(isFields) : [];
  return Object.fromEntries(added.map(({ name, value }) => [String(name), String(value)]));
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

/** Of names that differ in their capitals alone, the first is sent. */
export function firstOfEach(headers: Readonly<Record<string, string>>): Record<string, string> {
  const seen = new Set<string>();
  const isFirst = (name: string): boolean => seen.size < seen.add(name.toLowerCase()).size;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isFirst(name)));
}
