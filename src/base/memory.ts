import { once } from "./once";

/** What a process remembers, by what it is remembered of and by what has made it: the only thing here that outlives a call. */
const memory = new WeakMap<object, Map<unknown, unknown>>();

const PROCESS = {};

/** What a process has once, made when it is first asked for. */
export const ofProcess = <Value>(make: () => Value): Value => ofThing(PROCESS, make);

/** What a thing has once, for as long as there is that. */
export function ofThing<Thing extends object, Value>(thing: Thing, make: (thing: Thing) => Value): Value {
  const values = once(memory, thing, () => new Map<unknown, unknown>());
  if (!values.has(make)) values.set(make, make(thing));
  return values.get(make) as Value;
}
