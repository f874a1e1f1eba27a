import type { JsonObject } from "../../base/json";
import type { Declared } from "../../lifecycle/lifecycle";
import { inShort } from "./failures";
import { planOf } from "./plan";
import { DeclaredSettings, isKnown, settingsOf } from "./settings";
import { portsIn } from "./state";
import { ofSet } from "./title";

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
