import * as pulumi from "@pulumi/pulumi";

const NO_STACK = {};

/** What belongs to a run of a program, made when it is first asked for: with the Automation API, one process runs several. */
export function perRun<Value>(make: () => Value): () => Value {
  const values = new WeakMap<object, Value>();
  return () => {
    const run = pulumi.runtime.getStackResource() ?? NO_STACK;
    const value = values.get(run) ?? make();
    values.set(run, value);
    return value;
  };
}
