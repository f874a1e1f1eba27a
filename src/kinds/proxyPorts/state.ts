import { filterKeys, type JsonObject, keysIn, objectOf } from "../../base/json";
import { LOGICAL_NAME, type StateOf } from "../../declaration/kind";
import { secretsAmong } from "../../declaration/paths";
import { present } from "../../http/optional";
import type { Known } from "../../lifecycle/define";
import { portFields } from "../../model/portFields";
import type { proxyPort } from "../proxyPort/declaration";
import type { proxyPorts } from "./declaration";

export type PortState = Known<StateOf<typeof proxyPort>>;

export type PortStates = ReadonlyMap<string, PortState>;

const SECRETS: ReadonlySet<string> = new Set(secretsAmong(portFields));

const part = (values: JsonObject, isSecret: boolean): JsonObject =>
  filterKeys(values, (name) => !(name in APART) && SECRETS.has(name) === isSecret);

/** What is known of some ports, and stands apart from the settings of all. */
const APART = { mark: "marks", bears: "bears", unsettled: "unsettled" } as const;

const ifAny = (name: string, values: JsonObject): JsonObject =>
  Object.keys(values).length > 0 ? { [name]: values } : {};

/** The ports that a set's state has, complete with their secrets. */
export function portsIn(state: JsonObject): Map<string, PortState> {
  const secrets = objectOf(objectOf(state.secrets).ports);
  const shared = defaultsIn(state);
  const ports = new Map<string, PortState>();
  for (const [key, found] of Object.entries(objectOf(state.ports))) {
    // What an import file says of a port may be no more than what the program declares of it.
    const known = { ...(objectOf(found).listenPort === undefined ? shared : {}), ...objectOf(found) };
    ports.set(key, { ...known, ...objectOf(secrets[key]) });
  }
  for (const name of keysIn(APART))
    for (const [key, value] of Object.entries(objectOf(state[APART[name]])))
      ports.set(key, { ...ports.get(key), [name]: value });
  if (state.marked !== true) return ports;
  const unmarked = new Set(Array.isArray(state.unmarked) ? state.unmarked : []);
  for (const [key, port] of ports)
    if (canBeMarked(port) && !unmarked.has(key)) ports.set(key, { ...port, marked: true });
  return ports;
}

/** A port of which it is not known whether it was made, or that was taken over with a mark, does not bear that of its set. */
const canBeMarked = ({ mark, bears }: PortState): boolean => mark === undefined && bears === undefined;

/** A key for a port that has lost its own to another. */
export function freeKey(ports: PortStates, key: string, { port }: PortState): string {
  let free = key;
  for (let tries = 0; ports.has(free); tries++) free = `${key} (${port}${"'".repeat(tries)})`;
  return free;
}

/** A port that was to be removed: it may be gone by the time that it is wanted again. */
export const leaving = (port: PortState): PortState => ({
  ...port,
  unsettled: [...new Set([...(port.unsettled ?? []), "port"])],
});

export const isLeaving = ({ unsettled = [] }: PortState): boolean => unsettled.includes("port");

export const defaultsIn = ({ defaults, secrets }: JsonObject): JsonObject => ({
  ...objectOf(defaults),
  ...objectOf(objectOf(secrets).defaults),
});

/** What {@link record} writes of the ports. */
const WRITTEN: ReadonlySet<string> = new Set(["ports", "secrets", ...Object.values(APART), "marked", "unmarked"]);

/** The secrets stand apart: an output that has a secret in it is secret as a whole to a program. */
export function record(ports: PortStates, state: JsonObject): StateOf<typeof proxyPorts> {
  const { defaults, ...rest } = filterKeys(state, (name) => !WRITTEN.has(name));
  const shown: Record<string, { listenPort: number; port: number }> = {};
  const secret: JsonObject = {};
  for (const [key, { marked: _marked, listenPort, port, ...settings }] of ports) {
    // A port that was to get a number of the manager's choice, and of which nothing is known, has a mark alone.
    if (port !== undefined) shown[key] = { listenPort: listenPort ?? port, port, ...part(settings, false) };
    Object.assign(secret, ifAny(key, part(settings, true)));
  }
  const shared = objectOf(defaults);
  const secrets = { ...ifAny("defaults", part(shared, true)), ...ifAny("ports", secret) };
  const told = (name: keyof typeof APART) =>
    present(Object.fromEntries([...ports].map(([key, port]) => [key, port[name]])));
  return {
    ...rest,
    ports: shown,
    ...(defaults === undefined ? {} : { defaults: part(shared, false) }),
    ...ifAny("secrets", secrets),
    ...ifAny("marks", told("mark")),
    ...ifAny("bears", told("bears")),
    ...ifAny("unsettled", told("unsettled")),
    ...marking(ports),
  };
}

/** Which ports bear the mark of the set: as a rule all of them, so that those are named which do not. */
function marking(ports: PortStates): Pick<StateOf<typeof proxyPorts>, "marked" | "unmarked"> {
  if (![...ports.values()].some(({ marked }) => marked)) return {};
  const unmarked = [...ports].flatMap(([key, port]) => (canBeMarked(port) && !port.marked ? [key] : []));
  return { marked: true, ...(unmarked.length > 0 && { unmarked }) };
}

/** Says of ports of which set they are, as the program calls it. Nothing where the state does not tell. */
export const ofSet = ({ [LOGICAL_NAME]: name }: JsonObject): string =>
  typeof name === "string" ? ` of the set ${JSON.stringify(name)}` : "";
