import { isObject, type JsonObject, objectOf } from "../../base/json";
import { brokenRules } from "../../lifecycle/check";
import { difference } from "../../lifecycle/holdings";
import { propertyPath } from "../../lifecycle/paths";
import { lastPort, overlap } from "../../model/portRange";
import { proxyPort } from "../proxyPort/declaration";
import { isKnown, type MemberSettings, settingsOf } from "./settings";

/** What is wrong with the ports of a set beyond each of their settings. What all share is said once. */
export function failuresAmong(inputs: JsonObject): string[] {
  const shared = objectOf(inputs.defaults);
  const ports = [...settingsOf(inputs)];
  const broken = ports.map(([_key, settings]) => brokenRules(settings, proxyPort));
  // What the settings of all lack, each port may have of its own.
  const isEverywhere = (failure: string) => broken.every((failures) => failures.includes(failure));
  const everywhere = isKnown(inputs) ? brokenRules(shared, proxyPort).filter(isEverywhere) : [];
  return [
    ...(isObject(inputs.ports) && "" in inputs.ports ? ["`ports` has an empty key: give each port a name."] : []),
    ...(shared.port === undefined
      ? []
      : ["`defaults.port` is given: a number is one port's own, so it goes in `ports`."]),
    ...everywhere.map((failure) => `\`defaults\`: ${failure}`),
    ...(isObject(inputs.defaults) || inputs.defaults === undefined
      ? ports.flatMap(([key, settings], index) =>
          failuresOf(key, settings, difference(broken[index] ?? [], everywhere)),
        )
      : []),
    ...(isKnown(inputs) ? overlapping(ports) : []),
  ];
}

function failuresOf(key: string, settings: MemberSettings, broken: readonly string[]): string[] {
  const missing =
    settings.zone === undefined
      ? [
          `\`${propertyPath(["ports", key, "zone"])}\` is missing: give the zone of the port, or that of all ports as \`defaults.zone\`.`,
        ]
      : [];
  return [...missing, ...broken.map((failure) => `\`${pathOf(key)}\`: ${failure}`)];
}

/** Ports that could not listen at the same time, each with the one before it. */
function overlapping(ports: readonly [string, MemberSettings][]): string[] {
  const numbered = ports
    .filter(([, { port }]) => typeof port === "number")
    .sort(([, left], [, right]) => Number(left.port) - Number(right.port));
  const failures: string[] = [];
  let [highest] = numbered;
  for (const next of numbered.slice(1)) {
    if (highest !== undefined && overlap(highest[1], next[1])) {
      failures.push(
        `\`${pathOf(highest[0])}\` has ${numbersOf(highest[1])}, and \`${pathOf(next[0])}\` has ${numbersOf(next[1])}: give each port numbers of its own.`,
      );
    }
    if (highest === undefined || lastPort(next[1]) >= lastPort(highest[1])) highest = next;
  }
  return failures;
}

const pathOf = (key: string): string => propertyPath(["ports", key]);

const numbersOf = (settings: MemberSettings): string =>
  lastPort(settings) > Number(settings.port)
    ? `the numbers from ${settings.port} to ${lastPort(settings)} (\`multiply\`)`
    : `the number ${settings.port}`;
