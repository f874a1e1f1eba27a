import { isObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { addressSet, isSame, sameJson } from "../../declaration/values";
import { present } from "../../http/optional";
import type { Declared, Step } from "../../lifecycle/lifecycle";
import { keysOf, pick } from "../../lifecycle/paths";
import {
  type ConfiguredPort,
  emptyValue,
  INHERITED_NUMBERS,
  inheritedValue,
  isForPlace,
  isInherited,
  PORT_FIELDS,
  type PortField,
  type PortFields,
  portField,
  portValue,
  withoutLost,
} from "../../manager/portFields";
import type { proxyPort } from "./declaration";
import type { State } from "./mark";

type Inputs = InputsOf<typeof proxyPort>;

export interface WantedPort {
  inputs: Inputs;
  /** What is known to have been sent, of values that cannot be read back. */
  state: State;
  /** What was declared, and is taken away where it is no more. */
  declared: Declared;
}

/** What is known of a port that is as its state says or as it was to be. */
export function eitherOf(state: State, inputs: Inputs): State {
  const fields = PORT_FIELDS.map((field): [PortField, unknown] => {
    const [before, now] = [state[field], inputs[field]];
    return [field, isObject(before) && isObject(now) ? { ...before, ...now } : (now ?? before)];
  });
  return present({ ...state, ...inputs, ...Object.fromEntries(fields) });
}

/** The inputs that the manager is told: it keeps what it does not know, such as the name of its own connection. */
export function fieldsOf(inputs: Partial<Inputs>): PortFields {
  const fields: PortFields = pick(inputs, PORT_FIELDS);
  const { whitelistIps } = fields;
  return whitelistIps === undefined ? fields : { ...fields, whitelistIps: [...addressSet(whitelistIps)] };
}

/** The fields of a port that are not as declared, with what has to be sent for them. */
export async function changesOf(
  live: ConfiguredPort,
  { inputs, state, declared }: WantedPort,
  step: Step,
): Promise<[PortField, unknown][]> {
  const wasDeclared = new Set([...declared].map((path) => keysOf(path)[0]));
  const inherited = await inheritedAddresses(
    inputs.whitelistIps !== undefined || wasDeclared.has("whitelistIps"),
    step,
  );
  const sent = fieldsOf(inputs);
  // What a set of ports declares for all, one of them may have been refused.
  const wasSent = (field: PortField) => wasDeclared.has(field) && state[field] !== undefined;
  const complete = await withInherited(live, sent, step, wasSent);
  const [found, wanted] = [withOwnAddresses(complete, inherited), withOwnAddresses(sent, inherited)];
  const changes: [PortField, unknown][] = [];
  const unsettled = new Set<string>(state.unsettled);
  const isLeft = (field: PortField) => wasDeclared.has(field) && found[field] !== undefined;
  for (const field of PORT_FIELDS) {
    if (field === "port") continue;
    if (sent[field] === undefined) {
      const isOpen = unsettled.has(field);
      if (isOpen || isLeft(field)) changes.push(...(await changeBack(field, found[field], isOpen, step)));
      continue;
    }
    const property = portField(field);
    const whole = (value: unknown) => withoutLost(field, value, (path) => declared.has(path));
    const isThere = property.writeOnly
      ? sameJson(state[field], sent[field])
      : isSame(property, found[field], whole(wanted[field]));
    if (!isThere || unsettled.has(field)) changes.push([field, whole(sent[field])]);
  }
  return changes;
}

/** Without `zone` the manager blanks it, and without `ips` and `vips` it makes the port anew and drops its connections. */
export const REPEATED = ["ips", "vips"] as const;

/** The lists are spread over the ports only when these are made. */
const SPREADING = ["multiplyIps", "multiplyVips"];

/** What the requests of an update say, one after the other: the first may make the port anew. */
export function requestsOf(
  live: ConfiguredPort,
  changes: readonly [PortField, unknown][],
  { zone, session }: Inputs,
): PortFields[] {
  const own = changes.filter((change) => !isForPlace(...change));
  const parts = [own, changes.filter((change) => isForPlace(...change))].filter((part) => part.length > 0);
  const after = { ...live, ...Object.fromEntries(own) };
  return parts.map((part) => {
    const fields = Object.fromEntries(part);
    const isAnew = SPREADING.some((field) => field in fields);
    const lists = isAnew ? [] : REPEATED.filter((field) => (after[field]?.length ?? 0) > 0);
    // With proxies of other vendors, a port has forgotten its session.
    return { zone, ...pick(after, lists), ...("extProxies" in fields && present({ session })), ...fields };
  });
}

/** A field that is no longer declared, where it has something else, or may have. */
async function changeBack(
  field: PortField,
  found: unknown,
  isOpen: boolean,
  step: Step,
): Promise<[PortField, unknown][]> {
  const rest = await withoutOwn(field, step);
  return isOpen || !isSame(portField(field), found, rest) ? [[field, rest]] : [];
}

/** What is sent for a field that is no longer declared: what a port without it has. */
async function withoutOwn(field: PortField, { context, deadline }: Step): Promise<unknown> {
  if (isInherited(field))
    return inheritedValue(field, Reflect.get(await context.managerSettings.get(deadline.signal), field));
  // The addresses of the command line are on each port, whatever its list says.
  const isGiven = isForgotten(field) && field !== "whitelistIps";
  const given = isGiven ? (await context.portDefaults.get(deadline.signal))[field] : undefined;
  return portValue(field, given) === undefined ? emptyValue(field) : given;
}

/**
 * A port with the manager's values where it has none of its own, and these are declared. Of what a port was sent, a restart forgets
 * what is as on the manager's command line; to another, not all that the manager tells of that applies: it is believed only where
 * it is not as declared.
 */
async function withInherited(
  live: ConfiguredPort,
  wanted: PortFields,
  { context, deadline }: Step,
  wasSent: (field: PortField) => boolean = () => true,
): Promise<ConfiguredPort> {
  const isAbsent = (name: PortField) => wanted[name] !== undefined && live[name] === undefined;
  const settings = INHERITED_NUMBERS.some(isAbsent) ? await context.managerSettings.get(deadline.signal) : {};
  const numbers = pick(settings, INHERITED_NUMBERS);
  const isVendors = (name: PortField) => portValue(name, wanted[name]) === undefined;
  const lost = PORT_FIELDS.filter((name) => isAbsent(name) && isForgotten(name) && wasSent(name) !== isVendors(name));
  const defaults = lost.length > 0 ? await context.portDefaults.get(deadline.signal) : {};
  const told = lost.filter((name) => isVendors(name) || isSame(portField(name), defaults[name], wanted[name]));
  return { ...numbers, ...pick(defaults, told), ...live };
}

const isForgotten = (name: PortField): boolean => !isInherited(name) && !portField(name).writeOnly;

/** The addresses that every port has beside its own; none where there are no addresses to tell them from. */
async function inheritedAddresses(isNeeded: boolean, { context, deadline }: Step): Promise<ReadonlySet<string>> {
  if (!isNeeded) return new Set();
  const settings = await context.managerSettings.get(deadline.signal);
  return addressSet([...settings.fixedWhitelistIps, ...settings.wwwWhitelistIps, ...settings.whitelistIps]);
}

/** The fields with those addresses alone that not every port has: one that was given to the port too cannot be told from them. */
function withOwnAddresses<Fields extends PortFields>(fields: Fields, inherited: ReadonlySet<string>): Fields {
  const { whitelistIps } = fields;
  if (whitelistIps === undefined) return fields;
  return { ...fields, whitelistIps: [...addressSet(whitelistIps)].filter((ip) => !inherited.has(ip)).sort() };
}

/** The state of a port: the fields that were declared with the values that the manager has, its number, nothing else. */
export async function stateOf(inputs: Partial<Inputs> | undefined, live: ConfiguredPort, step: Step): Promise<State> {
  const inherited = await inheritedAddresses(inputs === undefined || inputs.whitelistIps !== undefined, step);
  const complete = inputs === undefined ? live : await withInherited(live, inputs, step);
  const { pulumiId: _mark, ...found } = withOwnAddresses(complete, inherited);
  const numbers = { port: live.port, listenPort: live.listenPort ?? live.port };
  // No program can declare what a port may have instead of a value of its own.
  const own = Object.entries(found).filter(([field, value]) => !isForPlace(field as PortField, value));
  if (inputs === undefined) return { ...Object.fromEntries(own), ...numbers };
  const wanted = withOwnAddresses(fieldsOf(inputs), inherited);
  const values = PORT_FIELDS.filter((field) => wanted[field] !== undefined && !portField(field).writeOnly).map(
    (field) => {
      const value = wanted[field];
      const present = found[field] ?? (portValue(field, value) === undefined ? value : portField(field).default);
      return [field, isSame(portField(field), present, value) ? inputs[field] : present];
    },
  );
  return { ...inputs, ...Object.fromEntries(values), ...numbers };
}
