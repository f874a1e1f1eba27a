import { filterKeys, isObject, type JsonObject, objectOf } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { isSame, sameJson } from "../../declaration/values";
import type { Known } from "../../lifecycle/define";
import { type Declared, UNKNOWN } from "../../lifecycle/lifecycle";
import { keysOf, leafPaths, pathOf, pick } from "../../lifecycle/paths";
import { isPortField, portField } from "../../manager/portFields";
import type { proxyPort } from "../proxyPort/declaration";
import { defaultsIn, type PortState, portsIn, record } from "./state";

/** What is declared of one port, as of a ProxyPort. */
export type MemberSettings = Known<InputsOf<typeof proxyPort>>;

/** The settings of each port by its key, those that all share under its own. What is not known yet is left out. */
export function settingsOf({ ports, defaults }: JsonObject): Map<string, MemberSettings> {
  const shared = objectOf(defaults);
  const own = Object.entries(objectOf(ports));
  return new Map(own.flatMap(([key, settings]) => (isObject(settings) ? [[key, { ...shared, ...settings }]] : [])));
}

/** Whether all is known that the settings of the ports are made of. */
export const isKnown = ({ ports, defaults }: JsonObject): boolean =>
  isObject(ports) && defaults !== UNKNOWN && !Object.values(ports).includes(UNKNOWN);

/** What was declared of each port, as paths of its settings. */
export class DeclaredSettings {
  readonly #shared: string[] = [];
  readonly #own = new Map<string, string[]>();

  constructor(declared: Declared) {
    for (const path of declared) {
      const [name, ...keys] = keysOf(path);
      if (name === "defaults" && keys.length > 0) this.#shared.push(pathOf(keys));
      const [key, ...rest] = keys;
      if (name !== "ports" || key === undefined) continue;
      const own = this.#own.get(key) ?? [];
      this.#own.set(key, own);
      if (rest.length > 0 && rest[0] !== "listenPort") own.push(pathOf(rest));
    }
  }

  has(key: string): boolean {
    return this.#own.has(key);
  }

  ownPaths(key: string): readonly string[] {
    return this.#own.get(key) ?? [];
  }

  /**
   * All that was declared of a port; its own settings take the place of those that all share. What else its state holds was
   * declared before, and an update has failed to take it away.
   */
  of(key: string, state: PortState): Set<string> {
    const own = this.ownPaths(key);
    const names = namesIn(own);
    const declared = [...this.#shared.filter((path) => !names.has(keysOf(path)[0])), ...own];
    return new Set([...declared, ...heldBeside(namesIn(declared), state)]);
  }
}

const namesIn = (paths: readonly string[]): Set<string> => new Set(paths.map((path) => keysOf(path)[0]));

/** The paths of the settings that the state of a port holds under other names. The number may be the manager's choice. */
const heldBeside = (names: ReadonlySet<string>, state: PortState): string[] =>
  leafPaths(filterKeys(state, (name) => isPortField(name) && name !== "port" && !names.has(name)));

/** The inputs that the state of a set stands for, where these paths of them were declared. */
export function declaredIn(state: JsonObject, declared: Declared): JsonObject {
  const settings = new DeclaredSettings(declared);
  const shared = defaultsIn(state);
  const ports = [...portsIn(state)].filter(([key]) => settings.has(key));
  const own = ports.map(([key, port]) => [key, ownSettings(port, settings.ownPaths(key), shared)]);
  const beside = [...declared].filter((path) => !/^ports(\.|$)/.test(path));
  const found = { ...pick({ ...state, defaults: shared }, beside), ports: Object.fromEntries(own) };
  return pick(found, new Set([...declared].map((path) => pathOf(keysOf(path).slice(0, 1)))));
}

/** A state that has all that there is of its ports without what these inputs do not declare. */
export function narrowed(state: JsonObject, inputs: JsonObject): JsonObject {
  const settings = settingsOf(inputs);
  const ports = [...portsIn(state)].map(([key, port]) => {
    const declared = settings.get(key) ?? {};
    return [key, filterKeys(port, (name) => name in declared || !isPortField(name))] as const;
  });
  return record(new Map(ports), { ...state, defaults: inputs.defaults });
}

/** The inputs of a set of ports with these settings: what several share stands once. */
export function inputsOfSet(ports: ReadonlyMap<string, JsonObject>): JsonObject {
  const [first = {}, ...others] = ports.values();
  const isShared = (name: string) => others.every((settings) => sameJson(settings[name], first[name]));
  const shared = new Set(others.length === 0 ? [] : Object.keys(first).filter(isShared));
  const own = [...ports].map(([key, settings]) => [key, filterKeys(settings, (name) => !shared.has(name))]);
  return { ...(shared.size > 0 && { defaults: pick(first, shared) }), ports: Object.fromEntries(own) };
}

/** The settings that stand with a port: its own, and those in which it differs from what all share. */
function ownSettings(port: PortState, own: readonly string[], shared: JsonObject): JsonObject {
  const ownNames = namesIn(own);
  const names = Object.entries(port).flatMap(([name, value]) => {
    if (!isPortField(name) || name === "port" || value === undefined || ownNames.has(name)) return [];
    return isSame(portField(name), value, shared[name]) ? [] : [name];
  });
  return pick(port, [...own, ...names]);
}
