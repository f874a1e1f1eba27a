import { isObject, type JsonObject } from "../../base/json";
import { sameJson } from "../../declaration/values";
import { pick } from "../../lifecycle/paths";
import { IMPORTED } from "../account/kinds";

/**
 * The inputs that a resource is to have, in which each member of a set has from what all share what takes the place of a setting of
 * its own.
 */
export function effective(
  kind: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): JsonObject | undefined {
  const { inputs = {} } = IMPORTED[kind]?.declaration ?? {};
  const maps = Object.entries(inputs).flatMap(([name, { output }]) => {
    const shared = output?.is === "map" && output.shared !== undefined ? after?.[output.shared] : undefined;
    const [had, has] = [before?.[name], after?.[name]];
    if (!isObject(shared) || !isObject(had) || !isObject(has)) return [];
    const members = Object.entries(has).map(([key, own]) => [key, withShared(had[key], own, shared)]);
    return [[name, Object.fromEntries(members)] as const];
  });
  return maps.length === 0 ? after : { ...after, ...Object.fromEntries(maps) };
}

function withShared(before: unknown, own: unknown, shared: JsonObject): unknown {
  if (!isObject(before) || !isObject(own)) return own;
  const lost = Object.keys(before).filter((name) => !(name in own) && !sameJson(before[name], shared[name]));
  return { ...own, ...pick(shared, lost) };
}
