import type { JsonObject } from "../base/json";
import { sameJson } from "../declaration/values";
import type { Lifecycle, Step } from "../lifecycle/lifecycle";
import { isSameService } from "../settings/connections";
import type { Finding } from "./move";
import type { Recorded } from "./recorded";
import type { Resources } from "./resources";

/**
 * What a provider finds in the place of what another one has had.
 *
 * @param connection the name of the input that names the connection: it may have another name there
 * @param here stands for where the service of the provider is; `undefined` where that is not known
 * @param read looks at what there is
 */
export async function recognized(
  recorded: Recorded,
  lifecycle: Lifecycle,
  connection: string,
  here: string | undefined,
  read: () => Promise<JsonObject | undefined>,
  step: Step,
): Promise<Finding> {
  const { id, state, declared = new Set(), inputs = {}, location } = recorded;
  const found = await read();
  if (found === undefined) return "nothing";
  const changedIn = (values: JsonObject) => lifecycle.diff(values, declared, inputs).changed;
  const known = changedIn(state);
  const isAlike =
    (lifecycle.identity ?? []).every((name) => state[name] === undefined || sameJson(found[name], state[name])) &&
    changedIn({ ...found, [connection]: state[connection] }).every((path) => known.includes(path));
  if (!isAlike) return "another";
  if (lifecycle.read === undefined || (location !== undefined && location === here)) return "it";
  // Of an account, what is alike is the same, unless both are known: its zones, IPs and passwords are nobody else's.
  if (lifecycle.service === "remote") return location === undefined || here === undefined ? "it" : "another";
  // That every manager has such a port, or such an address on its list, is nothing unusual.
  if ((await lifecycle.isMarked?.(id, state, step)) === true) return "it";
  return lifecycle.isMarked === undefined ? "alike" : "unmarked";
}

/** Whether something is to be with the same service as what is replaced, by the names of their connections. */
export const isNamedAlike = ({ state }: Pick<Recorded, "state">, inputs: JsonObject, resources: Resources): boolean => {
  const { argument, configured, lifecycle } = resources;
  return isSameService(lifecycle.service, state[argument], inputs[argument], configured.settings);
};

/** Inputs that name the same service as a state, if they do, by the name that the state has. */
export function namedAsIn(known: Recorded, inputs: JsonObject, resources: Resources): JsonObject {
  const { argument } = resources;
  const { [argument]: name } = known.state;
  return inputs[argument] !== name && isNamedAlike(known, inputs, resources) ? { ...inputs, [argument]: name } : inputs;
}

/**
 * The state of what is replaced, if that is with the same service: elsewhere, the same names are other things. Where it is replaced
 * with something else, the engine has told the inputs that it had, and no more.
 */
export function replacedHere(
  replaced: Recorded | undefined,
  inputs: JsonObject,
  { account, place }: { account: string | undefined; place: string | undefined },
  resources: Resources,
): Pick<Step, "replaced"> {
  if (replaced === undefined) {
    const previous = resources.places.at(place).previous;
    return previous !== undefined && isNamedAlike({ state: previous }, inputs, resources) ? { replaced: previous } : {};
  }
  const { state, location } = replaced;
  const isSame =
    location === undefined || account === undefined
      ? !resources.isAway(replaced) && isNamedAlike(replaced, inputs, resources)
      : location === account;
  return isSame ? { replaced: state } : {};
}
