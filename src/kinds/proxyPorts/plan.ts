import { grouped } from "../../base/counted";
import { type JsonObject, objectOf } from "../../base/json";
import { canonicalJson, isSame, sameJson } from "../../declaration/values";
import { containsUnknown } from "../../lifecycle/diff";
import type { Declared } from "../../lifecycle/lifecycle";
import { keysOf, pathOf, pick } from "../../lifecycle/paths";
import { isPortField, portField } from "../../manager/portFields";
import { proxyPortLifecycle } from "../proxyPort/lifecycle";
import { keysInShort } from "./batch";
import { DeclaredSettings, type MemberSettings, settingsOf } from "./settings";
import type { PortState, PortStates } from "./state";

export interface Existing {
  key: string;
  state: PortState;
}

/** A port that is there and stays, perhaps under another key. */
export interface Staying extends Existing {
  wanted: MemberSettings;
  declared: Declared;
  paths: readonly string[];
}

export interface Missing {
  key: string;
  wanted: MemberSettings;
}

/** What has to be done with the ports of a set, in this order. */
export interface Steps {
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
export function planOf(found: PortStates, declared: Declared, inputs: JsonObject): Steps {
  const settings = new DeclaredSettings(declared);
  const wanted = settingsOf(inputs);
  const former = formerPorts(found, settings, wanted);
  const stays = new Set([...former.values()].map(({ key }) => key));
  const removed = [...found].flatMap(([key, state]) => (stays.has(key) ? [] : [{ key, state }]));
  const plan: Steps = { removed, changed: [], added: [], kept: [] };
  for (const [key, port] of wanted) {
    const before = former.get(key);
    if (before === undefined) {
      plan.added.push({ key, wanted: port });
      continue;
    }
    const was = settings.of(before.key, before.state);
    const { changed, replaces } = proxyPortLifecycle.diff(before.state, was, port);
    if (replaces.length > 0) {
      plan.removed.push(before);
      plan.added.push({ key, wanted: port });
      continue;
    }
    // Of a port with a mark nobody knows whether it has been made.
    const isChanged = changed.length > 0 || before.state.mark !== undefined;
    const staying = { key, state: before.state, wanted: port, declared: was, paths: changed };
    (isChanged ? plan.changed : plan.kept).push(staying);
  }
  return plan;
}

/** For each key that is wanted: the port that it is to have, of those that there are. */
function formerPorts(
  found: PortStates,
  declared: DeclaredSettings,
  wanted: ReadonlyMap<string, MemberSettings>,
): Map<string, Existing> {
  const byNumber = new Map([...found].map(([key, { port }]) => [port, key]));
  const former = new Map<string, Existing>();
  const free = new Map(found);
  const take = (key: string, before: string | undefined) => {
    const state = before === undefined ? undefined : free.get(before);
    if (before === undefined || state === undefined) return;
    free.delete(before);
    former.set(key, { key: before, state });
  };
  for (const [key, { port }] of wanted) if (typeof port === "number") take(key, byNumber.get(port));
  const numberless = [...wanted].filter(([, { port }]) => typeof port !== "number");
  for (const [key] of numberless) take(key, key);
  const renamed = numberless.filter(([key]) => !former.has(key));
  if (renamed.length === 0) return former;
  const alike = new Map<string, string[]>();
  for (const [key, state] of free) {
    const likeness = canonicalJson(pick(state, declared.of(key, state)));
    const others = alike.get(likeness);
    if (others === undefined) alike.set(likeness, [key]);
    else others.push(key);
  }
  for (const [key, settings] of renamed) take(key, alike.get(canonicalJson(settings))?.shift());
  return former;
}

/** Paths of what differs: the settings that all ports share, and the ports with theirs. */
export function differingPaths({ removed, changed, added }: Steps, before: JsonObject, inputs: JsonObject): string[] {
  const shared = objectOf(inputs.defaults);
  const differing = Object.keys(shared).filter((name) => !isSameSetting(name, before[name], shared[name]));
  return [
    ...differing.map((name) => ["defaults", name]),
    ...[...removed, ...added].map(({ key }) => ["ports", key]),
    ...changed.flatMap(({ key, paths }) => [["ports", key], ...paths.map((path) => ["ports", key, ...keysOf(path)])]),
  ].map(pathOf);
}

const isSameSetting = (name: string, before: unknown, now: unknown): boolean =>
  sameJson(before, now) || (isPortField(name) && !containsUnknown(now) && isSame(portField(name), before, now));

export function announcement({ added, changed, removed }: Steps, of: string): string | undefined {
  const differing = changed.flatMap(({ key, state, paths }) => {
    // Another number makes another port: what stays has at most a number that is declared from now on.
    const told = paths.filter((path) => path !== "port");
    if (told.length === 0 && state.mark === undefined) return [];
    return [{ key: [key, told.join(", ")].filter(Boolean).join(": ") }];
  });
  const words = [inWords(added, "to add"), inWords(differing, "to change"), inWords(removed, "to delete")].flat();
  return words.length === 0 ? undefined : `Ports${of || " of the set"}: ${words.join(", ")}.`;
}

const inWords = (ports: readonly { key: string }[], what: string): string[] =>
  ports.length === 0 ? [] : [`${grouped(ports.length)} ${what} (${keysInShort(ports.map(({ key }) => key))})`];
