import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../json";
import { leafPaths } from "../../lifecycle/paths";
import { inShort } from "./failures";
import { planOf } from "./plan";
import { DeclaredSettings, isKnown, settingsOf } from "./settings";
import type { PortState } from "./state";

/** What an update is going to do to the ports, for the preview; nothing where it makes the set, or none of them differ. */
export function announcement(inputs: JsonObject, previous?: JsonObject): string | undefined {
  if (previous === undefined || !isObject(previous.ports) || !isKnown(inputs)) return undefined;
  if (isDeepStrictEqual(previous, inputs)) return undefined;
  const before = settingsOf(previous) as ReadonlyMap<string, PortState>;
  const { added, changed, removed } = planOf(
    before,
    new DeclaredSettings(new Set(leafPaths(previous))),
    settingsOf(inputs),
  );
  const parts = [
    inWords(added, "to add"),
    inWords(
      changed.map(({ key, paths }) => ({ key: `${key}: ${paths.join(", ")}` })),
      "to change",
    ),
    inWords(removed, "to delete"),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `Ports of the set: ${parts.join(", ")}.`;
}

const inWords = (ports: readonly { key: string }[], what: string): string | undefined =>
  ports.length === 0
    ? undefined
    : `${ports.length.toLocaleString("en")} ${what} (${inShort(ports.map(({ key }) => key))})`;
