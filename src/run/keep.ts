import { common, difference } from "../lifecycle/holdings";
import type { Step } from "../lifecycle/lifecycle";
import type { Untold } from "./places";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";

/**
 * Keeps what is rewritten by what replaces it where the engine deletes it before it tells of that: with something else that is
 * replaced. Of what it destroys, it has answered the program by then.
 *
 * @returns whether it is kept
 */
export async function keep(
  resources: Resources,
  known: Recorded,
  place: string | undefined,
  step: Step,
): Promise<boolean> {
  const { lifecycle, places } = resources;
  const { id, state, location } = known;
  const { has: gone, standsOn } = resources.holdings(known);
  // With what is made anew, it goes by itself.
  const isGoing = lifecycle.keep === undefined || step.context.claims.areRenewed(standsOn, false);
  const next = isGoing ? undefined : nextOf(resources, known, gone, place);
  if (next === undefined) return false;
  // What replaces it goes on with that, in a later update too.
  const journal = resources.journal({ kind: "replace", of: known.mark }, next.place, state, location, known);
  await lifecycle.keep?.(id, state, { ...step, ...(journal && { journal }) });
  step.context.claims.announced(next.place, gone);
  places.replace(known, next.place);
  return true;
}

/**
 * What is to be created in the place of a resource. Its state may tell of an earlier place, as an alias leaves it: then it is what
 * certainly names the same, and nothing else, unless something has failed, and the engine deletes what it has not come to.
 */
function nextOf(resources: Resources, { state }: Recorded, gone: readonly string[], place = ""): Untold | undefined {
  const { lifecycle, places, session } = resources;
  const awaited = places.awaited(resources.scope(state));
  const named = (inputs: Untold["inputs"]) => lifecycle.holdings(undefined, inputs).has;
  const isThere = ({ place: own, inputs, unknown = [] }: Untold) => {
    const assumed = Object.fromEntries(unknown.map((name) => [name, state[name]]));
    return own === place && common(gone, named({ ...inputs, ...assumed })).length > 0;
  };
  const hasSame = ({ inputs }: Untold) => {
    const its = named(inputs);
    return its.length > 0 && difference(its, gone).length === 0;
  };
  return awaited.find(isThere) ?? (session.failure === undefined ? awaited.find(hasSame) : undefined);
}
