import { isObject, type JsonObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { type Declared, UNKNOWN } from "../../lifecycle/lifecycle";
import { keysOf, leafPaths, pathOf, pick } from "../../lifecycle/paths";
import { isPortField } from "../../manager/portFields";
import type { proxyPort } from "../proxyPort/declaration";
import type { proxyPorts } from "./declaration";
import type { PortState } from "./state";

export type Inputs = InputsOf<typeof proxyPorts>;

/** What a ProxyPort is given. */
export type PortInputs = InputsOf<typeof proxyPort>;

/** What is declared of one port, as of a ProxyPort. */
export type Settings = JsonObject & Partial<PortInputs>;

/**
 * The settings of each port by its key, those that all share under its own. A port or its settings that are not known yet are
 * left out.
 */
export function settingsOf({ ports, defaults }: JsonObject): Map<string, Settings> {
  const shared = isObject(defaults) ? defaults : {};
  const own = Object.entries(isObject(ports) ? ports : {});
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

  /** Whether the port was declared at all. */
  has(key: string): boolean {
    return this.#own.has(key);
  }

  /** What was declared with the port itself. */
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
    const declared = [...this.#shared.filter((path) => !names.has(keysOf(path)[0] as string)), ...own];
    return new Set([...declared, ...heldBeside(namesIn(declared), state)]);
  }
}

/** The names of the settings that paths lead into. */
export const namesIn = (paths: readonly string[]): Set<string> =>
  new Set(paths.map((path) => keysOf(path)[0] as string));

/** The paths of the settings that the state of a port holds under other names. The number may be the manager's choice. */
const heldBeside = (names: ReadonlySet<string>, state: PortState): string[] =>
  leafPaths(
    pick(
      state,
      Object.keys(state).filter((name) => isPortField(name) && name !== "port" && !names.has(name)),
    ),
  );
