import { canonicalJson } from "../../declaration/values";
import type { JsonObject } from "../../json";
import type { Declared } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { proxyPortLifecycle } from "../proxyPort/lifecycle";
import { inShort } from "./failures";
import { DeclaredSettings, isKnown, type Settings, settingsOf } from "./settings";
import { ofSet, type PortState, type PortStates, portsIn } from "./state";

/** A port that there is. */
export interface Existing {
  key: string;
  state: PortState;
}

/** A port that is there and stays, perhaps under another key. */
export interface Staying extends Existing {
  wanted: Settings;
  declared: Declared;
  /** Paths of the settings that differ. */
  paths: readonly string[];
}

/** A port that is to be made. */
export interface Missing {
  key: string;
  wanted: Settings;
}

/** What has to be done with the ports of a set, in this order. */
export interface Plan {
  removed: Existing[];
  changed: Staying[];
  added: Missing[];
  /** As declared already. */
  kept: Staying[];
}

/**
 * Compares the ports that there are with those that are wanted. A port is known by its number, and without one by its key: so
 * a key that gets another name, or two that swap their numbers, make no port anew.
 */
export function planOf(found: PortStates, declared: DeclaredSettings, wanted: ReadonlyMap<string, Settings>): Plan {
  const former = formerKeys(found, declared, wanted);
  const plan: Plan = { removed: [], changed: [], added: [], kept: [] };
  const stays = new Set(former.values());
  for (const [key, state] of found) if (!stays.has(key)) plan.removed.push({ key, state });
  for (const [key, settings] of wanted) {
    const before = former.get(key);
    const state = before === undefined ? undefined : found.get(before);
    if (before === undefined || state === undefined) {
      plan.added.push({ key, wanted: settings });
      continue;
    }
    const was = declared.of(before, state);
    const { changed, replaces } = proxyPortLifecycle.diff(state, was, settings);
    if (replaces.length > 0) {
      plan.removed.push({ key: before, state });
      plan.added.push({ key, wanted: settings });
    } else {
      const staying = { key, state, wanted: settings, declared: was, paths: changed };
      // Of a port with a mark nobody knows whether it has been made.
      (changed.length > 0 || state.mark !== undefined ? plan.changed : plan.kept).push(staying);
    }
  }
  return plan;
}

/** For each key that is wanted: the key of the port that it is to have, of those that there are. */
function formerKeys(
  found: PortStates,
  declared: DeclaredSettings,
  wanted: ReadonlyMap<string, Settings>,
): Map<string, string> {
  const byNumber = new Map([...found].map(([key, { port }]) => [port, key]));
  const former = new Map<string, string>();
  const free = new Set(found.keys());
  const take = (key: string, before: string | undefined) => {
    if (before === undefined || !free.delete(before)) return;
    former.set(key, before);
  };
  for (const [key, { port }] of wanted) if (typeof port === "number") take(key, byNumber.get(port));
  const numberless = [...wanted].filter(([, { port }]) => typeof port !== "number");
  for (const [key] of numberless) take(key, key);
  const renamed = numberless.filter(([key]) => !former.has(key));
  if (renamed.length === 0) return former;
  const alike = new Map<string, string[]>();
  for (const key of free) {
    const state = found.get(key) ?? {};
    const likeness = canonicalJson(pick(state, declared.of(key, state)));
    const others = alike.get(likeness);
    if (others === undefined) alike.set(likeness, [key]);
    else others.push(key);
  }
  for (const [key, settings] of renamed) take(key, alike.get(canonicalJson(settings))?.shift());
  return former;
}

/** What an update is going to do to the ports, for the preview; nothing where none of them differ. */
export function announcement(state: JsonObject, declared: Declared, inputs: JsonObject): string | undefined {
  if (!isKnown(inputs)) return undefined;
  const { added, changed, removed } = planOf(portsIn(state), new DeclaredSettings(declared), settingsOf(inputs));
  const parts = [
    inWords(added, "to add"),
    inWords(
      changed.map(({ key, paths }) => ({ key: paths.length === 0 ? key : `${key}: ${paths.join(", ")}` })),
      "to change",
    ),
    inWords(removed, "to delete"),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `Ports${ofSet(inputs) || " of the set"}: ${parts.join(", ")}.`;
}

const inWords = (ports: readonly { key: string }[], what: string): string | undefined =>
  ports.length === 0
    ? undefined
    : `${ports.length.toLocaleString("en")} ${what} (${inShort(ports.map(({ key }) => key))})`;
