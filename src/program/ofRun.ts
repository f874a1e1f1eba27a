import * as pulumi from "@pulumi/pulumi";
import { ofProcess, ofThing } from "../base/memory";

/** What a run of a program has once: with the Automation API, one process runs several. */
export function ofRun<Value>(make: () => Value): Value {
  const stack = pulumi.runtime.getStackResource();
  return stack === undefined ? ofProcess(make) : ofThing(stack, make);
}
