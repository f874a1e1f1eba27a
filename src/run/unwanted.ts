import { BrightDataError } from "../base/errors";
import type { Strength } from "../lifecycle/claims";
import type { Scope } from "../lifecycle/scope";
import { refusalOfWanted } from "./decisions";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";
import { isSure, type UntoldOfKind, wantedBy } from "./wanted";

/** What a deletion gives up. */
interface GivenUp {
  /** What is to be deleted, `undefined` where nothing is. */
  gone: readonly string[] | undefined;
  /** What is left to another resource that is to take it over, and has not yet. */
  awaited: readonly string[];
}

/**
 * @throws {BrightDataError} where the program is to have what is given up at another place, and may not come to it: as something has
 *   failed, or as the engine has skipped who is to take it over. It does so when it destroys, too: then nobody would ask for it again.
 */
export function requireUnwanted(
  resources: Resources,
  known: Recorded,
  { gone, awaited }: GivenUp,
  place: string | undefined,
): void {
  const scope = resources.scope(known.state);
  if (scope === undefined || resources.places.isOf(known, place) || scope.claims.isComing(place)) return;
  requireUnskipped(resources, known, awaited, scope);
  if (gone !== undefined) requireUnexpected(resources, known, gone, scope);
}

function requireUnskipped(resources: Resources, known: Recorded, awaited: readonly string[], scope: Scope): void {
  const { session, lifecycle } = resources;
  const dropped = { lifecycle, state: known.state, gone: awaited };
  const skipped = session.untold(scope).filter((each) => each.isSkipped && wantedBy(each, dropped).length > 0);
  if (skipped.length === 0) return;
  const wanted = new Set(skipped.flatMap((each) => wantedBy(each, dropped)));
  const areSure = skipped.every((each) => isSure(each, scope));
  throw refusal(resources, known, wanted, { untold: skipped, isSure: areSure, failure: session.failure ?? "likely" });
}

function requireUnexpected(resources: Resources, known: Recorded, gone: readonly string[], scope: Scope): void {
  const { session, lifecycle } = resources;
  const { failure } = session;
  if (failure === undefined) return;
  const { claims } = scope;
  const dropped = { lifecycle, state: known.state, gone };
  // What could not be deleted to be replaced stays where it is.
  const isExpected = (thing: string) => claims.whoHas(thing) === "expects" && !claims.standing.has(thing);
  const { standsOn } = resources.holdings(known);
  const wantedIn = (untold: readonly UntoldOfKind[]) => untold.flatMap((each) => wantedBy(each, dropped));
  const untold = session.untold(scope).filter((each) => wantedBy(each, dropped).length > 0);
  const alike = session.contexts.alike(scope);
  const [had, sure] = [[...gone, ...standsOn], untold.filter((each) => isSure(each, scope))];
  const declared = new Set([...had.filter(isExpected), ...wantedIn(sure)]);
  // Whose a token is that is refused nobody knows: it may be the same account's.
  const isElsewhere = (thing: string) => alike.some((others) => COMING.has(others.whoHas(thing)));
  const wanted = new Set([...declared, ...had.filter(isElsewhere), ...wantedIn(untold)]);
  if (wanted.size === 0) return;
  throw refusal(resources, known, wanted, { untold, isSure: wanted.size === declared.size, failure });
}

function refusal(
  { kind }: Resources,
  { id }: Recorded,
  wanted: ReadonlySet<string>,
  { untold, ...by }: { untold: readonly UntoldOfKind[]; isSure: boolean; failure: "certain" | "likely" },
): BrightDataError {
  const names = untold.map(({ name }) => name);
  return new BrightDataError(refusalOfWanted(`${kind} ${id}`, [...wanted], { names, ...by }));
}

const COMING: ReadonlySet<Strength | undefined> = new Set(["expects", "adopts"]);
