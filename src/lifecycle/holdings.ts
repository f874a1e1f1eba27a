import type { JsonObject } from "../base/json";
import type { Claimed } from "./claims";
import type { Holdings, Lifecycle, Next } from "./lifecycle";
import { keysOf } from "./paths";
import { wholeOf } from "./things";

/** What a kind says of them by itself. */
export type Own = (id: string | undefined, values: JsonObject, next?: Next) => Partial<Holdings>;

/** What resources of a kind have to do with things, where the kind says only what is not as by default. */
export function holdingsOf(kind: string, own: Own = () => ({})): Lifecycle["holdings"] {
  const has = (id: string | undefined, values: JsonObject, said = own(id, values)) =>
    said.has ?? (id === undefined ? [] : [`${kind} ${id}`]);
  return (id, values, next) => {
    const said = own(id, values, next);
    const things = has(id, values, said);
    const adopted = values.adopt === true ? things : [];
    return {
      has: things,
      keeps: said.keeps ?? (next === undefined ? things : common(things, has(id, after(values, next)))),
      takesOver: said.takesOver ?? (id === undefined ? adopted : undefined),
      brought: said.brought ?? [],
      standsOn: said.standsOn ?? [],
    };
  };
}

/** A state as its next inputs would have it: without what was declared and is not any more. */
function after(state: JsonObject, { declared, inputs }: Next): JsonObject {
  const names = new Set([...declared].map((path) => keysOf(path)[0]));
  return { ...Object.fromEntries(Object.entries(state).filter(([name]) => !names.has(name))), ...inputs };
}

/** What a resource claims that is to be created. */
export function coming({ has, takesOver = [] }: Holdings): Claimed {
  return { adopts: takesOver, expects: difference(has, takesOver) };
}

/** What a resource of the state claims that stays: what it keeps of what it has, and what its inputs name besides. */
export function staying(lifecycle: Pick<Lifecycle, "holdings">, id: string, state: JsonObject, next: Next): Claimed {
  const { has, keeps } = lifecycle.holdings(id, state, next);
  const wanted = lifecycle.holdings(id, next.inputs);
  const added = difference(wanted.has, has);
  if (wanted.takesOver === undefined) return { has: [...keeps, ...added] };
  const adopts = common(wanted.takesOver, added);
  return { has: keeps, adopts, expects: difference(added, adopts) };
}

/** A state without what is another resource's of this program by now. */
export const without = (
  lifecycle: Pick<Lifecycle, "without">,
  state: JsonObject,
  others: readonly string[],
): JsonObject => (others.length === 0 ? state : (lifecycle.without?.(state, new Set(others)) ?? state));

/** Without parts of what is there as a whole. */
export function wholes(things: readonly string[]): string[] {
  const all = new Set(things);
  return things.filter((thing) => !all.has(wholeOf(thing) ?? ""));
}

export function difference(things: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return things.filter((thing) => !left.has(thing));
}

export function common(things: readonly string[], others: readonly string[]): string[] {
  const both = new Set(others);
  return things.filter((thing) => both.has(thing));
}
