import type { Preview } from "./foresight";

/** Where a resource stands in its program, and what it is called there. */
export interface Program {
  place: string | undefined;
  /** Where the inputs that there are say that it stood. */
  former?: string | undefined;
  /** Its logical name; `undefined` where a class of an earlier version has registered it. */
  name: string | undefined;
  /** What the program says of a preview that is to read from the services; `undefined` for anything else. */
  preview?: Preview | undefined;
}

/** By service and thing, the resources that declare it in this run. */
const declarations = new Map<string, Map<string, Program>>();

/** What resources are called, by their places. */
const names = new Map<string, string>();

export const nameAt = (place: string | undefined): string | undefined =>
  place === undefined ? undefined : names.get(place);

export function remember({ place, name }: Program): void {
  if (place !== undefined && name !== undefined) names.set(place, name);
}

/**
 * Notes that a resource declares things which can be declared once.
 *
 * @returns what is wrong where another resource does too, a sentence for each thing
 */
export function declareOnce(kind: string, service: string, things: readonly string[], program: Program): string[] {
  const { place } = program;
  if (place === undefined) return [];
  return things.flatMap((thing) => {
    const key = `${service} ${thing}`;
    const known = declarations.get(key) ?? new Map<string, Program>();
    declarations.set(key, known.set(place, program));
    const other = [...known].find(([where]) => where !== place)?.[1];
    return other === undefined ? [] : [declaredTwice(kind, thing, program, other)];
  });
}

function declaredTwice(kind: string, thing: string, { name }: Program, other: Program): string {
  const [one, two] = [other.name, name].map((known) => (known === undefined ? `a ${kind}` : JSON.stringify(known)));
  return `${thing} is declared twice, by ${one} and by ${two}. Declare it once: each of them would change, and delete, what the other has.`;
}
