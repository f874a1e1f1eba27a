import { filterKeys, type JsonObject } from "../base/json";
import { CONNECTION } from "../declaration/connection";
import { secretPaths } from "../declaration/paths";
import { sameJson } from "../declaration/values";
import { common, difference } from "../lifecycle/holdings";
import { type Lifecycle, type SecretPath, UNKNOWN } from "../lifecycle/lifecycle";
import { keysOf, overlap, pickEach } from "../lifecycle/paths";
import type { Scope } from "../lifecycle/scope";
import type { Untold } from "./places";

/** What is to stand at a place of which the engine has not told, of a kind. */
export type UntoldOfKind = Untold & { lifecycle: Lifecycle };

/** What is to be deleted. */
interface Dropped {
  lifecycle: Lifecycle;
  state: JsonObject;
  gone: readonly string[];
}

/** Of the inputs of what the engine skips, those that name what it is to have: what comes from what has failed is not known. Pure. */
export function namingIn(lifecycle: Lifecycle, inputs: JsonObject): Naming {
  const { inputs: declared } = lifecycle.declaration;
  const paths = namingPaths(lifecycle);
  // In an update, the engine leaves that out.
  const isLeftOut = (name: string) => !(name in inputs) && declared[name]?.required === true;
  const unknown = namesOf(paths).filter((name) => inputs[name] === UNKNOWN || isLeftOut(name));
  const known = filterKeys(inputs, (name) => !unknown.includes(name));
  return { inputs: pickEach(known, paths), unknown };
}

/** The names of those inputs of which a part that names something is, or may be, secret. Pure. */
export function secretNaming(lifecycle: Lifecycle, told: readonly SecretPath[]): string[] {
  const secrets = [...secretPaths(lifecycle.declaration.inputs), ...told];
  return namesOf(namingPaths(lifecycle).filter((path) => secrets.some((secret) => overlap(path, secret))));
}

const namingPaths = ({ declaration, service }: Lifecycle): string[][] =>
  [...(declaration.announced ?? []), "adopt", CONNECTION[service]].map(keysOf);

const namesOf = (paths: readonly (readonly string[])[]): string[] => [...new Set(paths.map(([name = ""]) => name))];

type Naming = Required<Pick<Untold, "inputs" | "unknown">>;

/** The things that inputs name. */
const named = ({ lifecycle }: UntoldOfKind, values: JsonObject) => lifecycle.holdings(undefined, values).has;

/**
 * What another resource of the program is, or may be, to have of what is to be deleted. Of what is known in part, the rest comes
 * from a resource that has failed, or is secret: it may be what the state has. Pure.
 */
export function wantedBy(untold: UntoldOfKind, { gone, state, lifecycle }: Dropped): string[] {
  const { inputs, unknown = [] } = untold;
  const assumed = Object.fromEntries(unknown.map((name) => [name, state[name]]));
  const all = { ...inputs, ...assumed };
  const its = named(untold, all);
  if (its.length === 0 && lifecycle === untold.lifecycle && isOfSame(all, state)) return [...gone];
  return common(gone, difference(its, named(untold, assumed)));
}

/** Whether it is certain what a resource names, and that this is of a scope. Pure. */
export const isSure = (untold: UntoldOfKind, scope: Pick<Scope, "names">): boolean =>
  (untold.of === undefined || scope.names.has(untold.of)) &&
  (untold.unknown ?? []).length === 0 &&
  named(untold, untold.inputs).length > 0;

/** Whether what names nothing itself is, or may be, of the same zone: what it makes, or takes over, takes the place of what a state has. */
function isOfSame({ adopt: _a, account: _b, manager: _c, ...inputs }: JsonObject, state: JsonObject): boolean {
  const said = Object.entries(inputs);
  return said.length > 0 && said.every(([name, value]) => sameJson(value, state[name]));
}
