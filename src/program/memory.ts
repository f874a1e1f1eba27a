import * as pulumi from "@pulumi/pulumi";
import { once } from "../base/once";

/** What a process remembers for its programs, by run and by what has made it: the only thing here that outlives a call. */
const memory = new WeakMap<object, Map<unknown, unknown>>();

const PROCESS = {};
const NO_STACK = {};

/** What a process has once, made when it is first asked for. */
export const ofProcess = <Value>(make: () => Value): Value => kept(PROCESS, make);

/** What a run of a program has once: with the Automation API, one process runs several. */
export const ofRun = <Value>(make: () => Value): Value => kept(pulumi.runtime.getStackResource() ?? NO_STACK, make);

/** What follows from a thing alone. */
export const ofThing = <Thing extends object, Value>(thing: Thing, make: (thing: Thing) => Value): Value =>
  kept(thing, make);

function kept<Owner extends object, Value>(owner: Owner, make: (owner: Owner) => Value): Value {
  const values = once(memory, owner, () => new Map<unknown, unknown>());
  if (!values.has(make)) values.set(make, make(owner));
  return values.get(make) as Value;
}
