import { common, difference } from "../lifecycle/holdings";
import { isStandIn } from "./announcements";
import { keptUntilTaken } from "./decisions";
import type { Work } from "./outcome";
import type { Untold } from "./places";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";

/**
 * Keeps what is rewritten by what replaces it where the engine deletes it before: by its option, or with something else that is
 * replaced, when nothing has been told of what replaces it. Of what it destroys, it has answered the program by then.
 *
 * @returns whether it is kept
 */
export async function keep(resources: Resources, known: Recorded, { step, journal: own }: Work): Promise<boolean> {
  const { lifecycle, places, session } = resources;
  const { id, state, location } = known;
  const { has: gone, standsOn } = resources.holdings(known);
  // With what is made anew, it goes by itself.
  const isGoing = lifecycle.keep === undefined || step.context.claims.areRenewed(standsOn, false);
  const next = isGoing ? undefined : nextOf(resources, known, gone, step.me.place);
  if (next === undefined) return false;
  const place = isStandIn(next.place) ? step.me.place : next.place;
  // What replaces it goes on with that, in a later update too.
  const journal = resources.journal({ kind: "replace", of: known.mark }, place, state, location, known);
  if (journal !== undefined) await lifecycle.keep?.(id, state, step, journal);
  step.context.claims.announced(next.place, gone);
  places.note(place, { replaced: known });
  for (const words of keptUntilTaken(gone)) session.say(words);
  own?.forget();
  return true;
}

type Successor = Pick<Untold, "place" | "inputs" | "unknown">;

/**
 * What is to be created in the place of a resource. Its state may tell of an earlier place, as an alias leaves it, and what is in a
 * component has none before that is registered: then it is what certainly names the same, and nothing else, or what may, unless
 * something has failed, and the engine deletes what it has not come to.
 */
function nextOf(resources: Resources, { state }: Recorded, gone: readonly string[], place = ""): Successor | undefined {
  const { lifecycle, places, session } = resources;
  const awaited = places.awaited(resources.scope(state));
  const told = resources.claims(state)?.isComing(place) ? places.at(place).coming : undefined;
  const coming = told === undefined ? [] : [{ place, inputs: told }];
  const named = (inputs: Untold["inputs"]) => lifecycle.holdings(undefined, inputs).has;
  const mayHave = ({ inputs, unknown = [] }: Successor) => {
    const assumed = Object.fromEntries(unknown.map((name) => [name, state[name]]));
    return common(gone, named({ ...inputs, ...assumed })).length > 0;
  };
  const hasSame = ({ inputs }: Successor) => {
    const its = named(inputs);
    return its.length > 0 && difference(its, gone).length === 0;
  };
  const certain = [...coming, ...awaited].find((each) => each.place === place && mayHave(each));
  if (certain !== undefined) return certain;
  // Of a program in another language, nobody tells what it has there.
  if (session.isReplacing && !places.isDeclared(place)) return { place, inputs: state };
  const isIt = (each: Successor) => hasSame(each) || (isStandIn(each.place) && mayHave(each));
  return session.failure === undefined ? awaited.find(isIt) : undefined;
}
