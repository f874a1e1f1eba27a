import { common } from "../lifecycle/holdings";
import type { Step } from "../lifecycle/lifecycle";
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
  const next = places.awaitedAt(place);
  if (lifecycle.keep === undefined || next === undefined) return false;
  const { id, state, location } = known;
  const { has: gone, standsOn } = resources.holdings(known);
  // With what is made anew, it goes by itself.
  if (step.context.claims.areRenewed(standsOn, false)) return false;
  const assumed = Object.fromEntries((next.unknown ?? []).map((name) => [name, state[name]]));
  if (common(gone, lifecycle.holdings(undefined, { ...next.inputs, ...assumed }).has).length === 0) return false;
  // What replaces it goes on with that, in a later update too.
  const journal = resources.journal({ kind: "replace", of: known.mark }, place, state, location, known);
  await lifecycle.keep(id, state, { ...step, ...(journal && { journal }) });
  step.context.claims.announced(next.place, gone);
  places.replace(known, place);
  return true;
}
