import type { JsonObject } from "../base/json";
import { sameJson } from "../declaration/values";
import { common, difference } from "../lifecycle/holdings";
import type { Lifecycle } from "../lifecycle/lifecycle";
import type { Untold } from "./places";

/** What is to stand at a place of which the engine has not told, of a kind. */
export type UntoldOfKind = Untold & { lifecycle: Lifecycle };

/** What is to be deleted. */
interface Dropped {
  lifecycle: Lifecycle;
  state: JsonObject;
  gone: readonly string[];
}

/**
 * What another resource of the program is, or may be, to have of what is to be deleted. Of what is known in part, the rest comes
 * from a resource that has failed, or is secret: it may be what the state has. Pure.
 */
export function wantedBy({ lifecycle, inputs, unknown = [] }: UntoldOfKind, { gone, state, ...dropped }: Dropped) {
  const named = (values: JsonObject) => lifecycle.holdings(undefined, values).has;
  const assumed = Object.fromEntries(unknown.map((name) => [name, state[name]]));
  const its = named({ ...inputs, ...assumed });
  if (its.length === 0 && lifecycle === dropped.lifecycle && takesOver(inputs, state)) return [...gone];
  return common(gone, difference(its, named(assumed)));
}

/** Whether what names nothing is to take over what there is where a state has it. */
function takesOver({ adopt, ...inputs }: JsonObject, state: JsonObject): boolean {
  const said = Object.entries(inputs);
  return adopt === true && said.length > 0 && said.every(([name, value]) => sameJson(value, state[name]));
}
