import { filterKeys, isObject, type JsonObject, objectOf } from "../base/json";
import type { Kind } from "../declaration/kind";
import type { Properties, Property } from "../declaration/property";
import { sameJson } from "../declaration/values";
import { UNKNOWN } from "../lifecycle/lifecycle";

/** What is known of a resource before it is created. Pure. */
export function ofCreation(kind: Kind, inputs: JsonObject): JsonObject {
  const { inputs: declared, outputs } = kind;
  const number = idAmong({ ...declared, ...outputs }, inputs);
  const awaited = Object.entries(declared).filter(([, { known }]) => known === true);
  const made = Object.entries(outputs).filter(([, { hidden }]) => hidden !== true);
  const unknown = Object.fromEntries([...awaited, ...made].map(([name, { isId }]) => [name, isId ? number : UNKNOWN]));
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  return { ...unknown, ...shownIn(kind, given), ...membersIn(kind, inputs, {}) };
}

/**
 * What is known of a resource before it is updated in place. Pure.
 *
 * @param changed names of the inputs that differ
 */
export function ofUpdate(kind: Kind, state: JsonObject, inputs: JsonObject, changed: ReadonlySet<string>): JsonObject {
  if (!isRead(kind, state)) return ofCreation(kind, inputs);
  const kept = Object.entries(state).map(([name, value]) => {
    const { [name]: input } = kind.inputs;
    const isOpen = input !== undefined && (changed.has(name) || (input.isVolatile && !(name in inputs)));
    return [name, isOpen ? UNKNOWN : withVolatile(input, value)] as const;
  });
  const known = kept.filter(([name]) => kind.inputs[name] === undefined || kind.inputs[name].known || name in inputs);
  const given = Object.entries(inputs).filter(([name]) => changed.has(name) || !(name in state));
  return {
    ...Object.fromEntries(known),
    ...volatileOf(kind.outputs),
    ...shownIn(kind, given),
    ...membersIn(kind, inputs, state, changed),
  };
}

/** Names of what no update in place changes. Pure. */
export const stableIn = (kind: Kind, state: JsonObject, inputs: JsonObject, changed: readonly string[]): string[] =>
  Object.keys(state).filter((name) => {
    const { replaces, isId, output }: Partial<Property> = kind.inputs[name] ?? kind.outputs[name] ?? {};
    const isFixed = (replaces || isId) && output === undefined && !changed.includes(name);
    return isFixed && sameJson(inputs[name] ?? state[name], state[name]);
  });

/** Whether a state has what the service says, and not only what was declared. */
const isRead = ({ outputs }: Kind, state: JsonObject): boolean =>
  Object.entries(outputs).every(([name, { required, hidden }]) => !required || hidden || state[name] !== undefined);

/** The number that is the id, by whatever name it is given. */
const idAmong = (properties: Properties, inputs: JsonObject): unknown =>
  Object.keys(properties)
    .filter((name) => properties[name]?.isId)
    .map((name) => inputs[name])
    .find((number) => number !== undefined) ?? UNKNOWN;

/** What any update may change. */
function volatileOf(properties: Properties): JsonObject {
  const volatile = Object.keys(properties).filter((name) => properties[name]?.isVolatile);
  return Object.fromEntries(volatile.map((name) => [name, UNKNOWN]));
}

const withVolatile = (property: Property | undefined, value: unknown): unknown =>
  property?.output?.is === "object" && isObject(value)
    ? { ...value, ...volatileOf(property.output.properties) }
    : value;

/** Inputs as the outputs show them, which may have more than was given. */
function shownIn({ inputs: declared }: Kind, given: [string, unknown][]): JsonObject {
  const shown = given.map(([name, value]) => {
    const { is, output }: Partial<Property> = declared[name] ?? {};
    if (output?.is !== "object" || !isObject(value)) return [name, value];
    const made = is === "object" ? {} : shownOf(output.properties, UNKNOWN);
    return [name, { ...made, ...shownOf(output.properties, value) }];
  });
  return Object.fromEntries(shown);
}

/** Maps of things that have numbers of their own, with these as far as they are known. */
function membersIn({ inputs: declared }: Kind, inputs: JsonObject, state: JsonObject, changed?: ReadonlySet<string>) {
  const maps = Object.entries(declared).flatMap(([name, { output }]) => {
    const given = inputs[name];
    if (output?.is !== "map" || output.values.is !== "object" || !isObject(given)) return [];
    const { shared } = output;
    if (changed !== undefined && !changed.has(name) && !changed.has(shared ?? "")) return [];
    const { properties } = output.values;
    const common = shownOf(properties, shared === undefined ? undefined : inputs[shared]);
    const before = objectOf(state[name]);
    const members = Object.entries(given).map(([key, settings]) => {
      if (!isObject(settings)) return [key, settings];
      const number = idAmong(properties, settings);
      const former = objectOf(before[key]);
      const known = number === UNKNOWN ? idAmong(properties, former) : number;
      const numbers = Object.keys(properties).filter((each) => properties[each]?.isId);
      const own = Object.fromEntries(numbers.map((each) => [each, known]));
      return [key, { ...common, ...shownOf(properties, settings), ...own }];
    });
    return [[name, Object.fromEntries(members)] as const];
  });
  return Object.fromEntries(maps);
}

function shownOf(properties: Properties, settings: unknown): JsonObject {
  if (settings === UNKNOWN) return Object.fromEntries(Object.keys(properties).map((name) => [name, UNKNOWN]));
  return filterKeys(objectOf(settings), (name) => name in properties);
}
