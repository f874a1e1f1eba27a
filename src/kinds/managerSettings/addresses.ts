import { type JsonObject, keysIn } from "../../base/json";
import { canonicalAddress } from "../../declaration/address";
import { addressSet } from "../../declaration/values";
import { difference } from "../../lifecycle/holdings";
import type { Step } from "../../lifecycle/lifecycle";
import type { AllowlistName } from "../../manager/allowlists";
import type { GeneralSettings } from "../../model/generalSettings";
import { allowedThing } from "../shared/things";

/** The lists of addresses among the settings, and what they are called among the things that are claimed. */
const ADDRESS_LISTS = { wwwWhitelistIps: "ui", whitelistIps: "ports" } as const;

export const listsIn = (values: JsonObject) =>
  keysIn(ADDRESS_LISTS).flatMap((name) => {
    const { [name]: addresses } = values;
    return Array.isArray(addresses)
      ? [{ name, list: ADDRESS_LISTS[name], addresses: addresses.filter((ip) => typeof ip === "string") }]
      : [];
  });

export const addressesIn = (values: JsonObject): string[] =>
  listsIn(values).flatMap(({ list, addresses }) =>
    addresses.flatMap((ip) => canonicalAddress(ip) ?? []).map((ip) => allowedThing(list, ip)),
  );

/** Lists that lose an address which the state has: an answer that lacks it, too, may be short, so that they are written anyway. */
export const shrinking = (state: JsonObject, wanted: JsonObject): string[] => {
  const staying = new Set(addressesIn(wanted));
  const isShrinking = (name: string) =>
    wanted[name] !== undefined && addressesIn({ [name]: state[name] }).some((ip) => !staying.has(ip));
  return keysIn(ADDRESS_LISTS).filter(isShrinking);
};

/** On the lists, what another resource of the program has comes and goes with that one. */
export function withoutOthersAddresses(values: JsonObject, { context, me }: Step): JsonObject {
  const isAnothers = (list: AllowlistName, ip: string) =>
    context.claims.whoHas(allowedThing(list, canonicalAddress(ip) ?? ip), me) === "has";
  const lists = listsIn(values).map(({ name, list, addresses }) => [
    name,
    addresses.filter((ip) => !isAnothers(list, ip)),
  ]);
  return { ...values, ...Object.fromEntries(lists) };
}

/**
 * What settings are put back to: on the lists, what other resources of the program have put there stays, or is gone. The engine
 * may not have told of them yet.
 */
export function withOthersAddresses(
  before: JsonObject,
  state: JsonObject,
  live: GeneralSettings,
  step: Step,
): JsonObject {
  const { context, me } = step;
  const { claims, scope } = context;
  const own = new Set(addressesIn(state));
  const isUntold = (thing: string) => !own.has(thing) && scope.declarations.isDeclaredElsewhere(thing, me?.place);
  const othersOn = (list: AllowlistName) => claims.othersOf(`${list}-list`, me);
  const lists = listsIn(before).map(({ name, list, addresses }) => {
    // The manager takes off the list of the ports what comes to that of the UI.
    const moved = list === "ui" ? othersOn("ports") : [];
    const isGone = (ip: string) => moved.includes(ip) || claims.deleted.has(allowedThing(list, ip));
    const left = addresses.filter((ip) => !isGone(canonicalAddress(ip) ?? ip));
    const untold = [...addressSet(live[name])].filter((ip) => isUntold(allowedThing(list, ip)));
    return [name, [...addressSet([...left, ...othersOn(list), ...untold])]] as const;
  });
  return { ...before, ...Object.fromEntries(lists) };
}

/**
 * What leaves the list of the UI goes back to that of the ports, off which it went, for another resource that has it there. One of
 * which the engine has not told yet may be about to be created, and finds it there: where it is not, a person has to know.
 */
export function movedBack(wanted: JsonObject, state: JsonObject, live: GeneralSettings, step: Step): JsonObject {
  const { context, me, say } = step;
  const { claims, scope } = context;
  const staying = listIn(wanted, "ui");
  if (staying === undefined) return {};
  const isOnPorts = (thing: string) => claims.whoHas(thing, me) === "has";
  const isUntold = (thing: string) =>
    !["has", "expects"].includes(claims.whoHas(thing, me) ?? "") &&
    scope.declarations.isDeclaredElsewhere(thing, me?.place);
  // An update that was killed may have taken it off the one list, and nothing may have put it on the other.
  const left = addressSet([...live.wwwWhitelistIps, ...(listIn(state, "ui") ?? [])]);
  const lost = difference([...left], [...addressSet([...staying, ...live.whitelistIps])]);
  const untold = lost.filter((ip) => isUntold(allowedThing("ports", ip)));
  const back = lost.filter((ip) => isOnPorts(allowedThing("ports", ip)) || untold.includes(ip));
  claims.note("released", addressesIn({ whitelistIps: back }));
  for (const ip of untold)
    say?.(
      `${ip} is kept on the \`ports\` list: the program declares it there, and the engine has not told whether a resource has it.`,
    );
  const ports = listIn(wanted, "ports") ?? live.whitelistIps;
  return back.length === 0 ? {} : { whitelistIps: [...addressSet([...ports, ...back])] };
}

/** Says what a declared list takes away, or is about to, that another resource puts there. */
export function sayUndone(inputs: JsonObject, { context, me, say }: Step): void {
  for (const { name, list, addresses } of listsIn(inputs)) {
    const undone = difference(context.claims.othersOf(`${list}-list`, me), [...addressSet(addresses)]);
    if (undone.length === 0) continue;
    say?.(
      `\`${name}\` has no ${undone.join(", ")}, which another resource of the program puts on the \`${list}\` list: each undoes the other. Declare it in one place.`,
    );
  }
}

const listIn = (values: JsonObject, list: AllowlistName): string[] | undefined =>
  listsIn(values).find((each) => each.list === list)?.addresses;
