import { dependenciesOf, providerUrnOf, type State } from "./state.mts";

const neededBy = (state: State): string[] => [
  ...dependenciesOf(state),
  ...(state.provider === "" ? [] : [providerUrnOf(state.provider)]),
];

/** Of what stands before a resource in the state, what that needs. */
export function needsOf(state: State, states: readonly State[]): Set<State> {
  const needed = new Set(neededBy(state));
  return new Set(states.slice(0, states.indexOf(state)).filter(({ urn }) => needed.has(urn)));
}

/** All URNs that are gone when these are: theirs, and those of what needs them. */
export function withDependents(urns: readonly string[], states: readonly State[]): Set<string> {
  const all = new Set<string>();
  const left = states.filter(({ urn }) => urns.includes(urn));
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (all.has(next.urn)) continue;
    all.add(next.urn);
    left.push(...dependentsOf(next, states, all));
  }
  return all;
}

/** What needs a resource, or something else that does, but for what is left aside. */
function dependentsOf(root: State, states: readonly State[], aside: ReadonlySet<string>): State[] {
  const urns = new Set([root.urn]);
  return states.slice(states.indexOf(root) + 1).filter((state) => {
    const isDependent = !aside.has(state.urn) && neededBy(state).some((urn) => urns.has(urn));
    if (isDependent) urns.add(state.urn);
    return isDependent;
  });
}

/** All that a resource needs, and what that needs. Of those with the same name, what is not to be deleted counts. */
export function allNeedsOf(state: State, states: readonly State[]): Set<State> {
  const all = new Set<State>();
  const left = neededBy(state);
  for (let urn = left.shift(); urn !== undefined; urn = left.shift()) {
    const named = states.filter((each) => each.urn === urn);
    const needed = named.find((each) => each.delete === state.delete) ?? named[0];
    if (needed === undefined || all.has(needed)) continue;
    all.add(needed);
    left.push(...neededBy(needed));
  }
  return all;
}
