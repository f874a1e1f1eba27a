import { ArgumentError } from "../base/errors";

/** The zones that a list is asked for; `*` for all. */
export type ZoneNames = readonly string[] | "*";

/**
 * Zones as the query parameter `zones`.
 *
 * @throws {ArgumentError} for an empty list, which the service would take for all zones
 */
export const zonesQuery = (zones: ZoneNames): string =>
  zones === "*" ? "*" : someOf(zones, "the zones' names").join(",");

/**
 * The names, where there are any and none is blank: what the service makes of an empty list is nowhere documented, and for
 * some calls a missing list means everything.
 *
 * @throws {ArgumentError}
 */
export function someOf(names: readonly string[], what: string): readonly string[] {
  if (
    Array.isArray(names) &&
    names.length > 0 &&
    names.every((name) => typeof name === "string" && name.trim() !== "")
  ) {
    return names;
  }
  // The names themselves may be secret.
  throw new ArgumentError(`Cannot use ${what}: expected a list of one or more, none of them blank.`);
}

/**
 * An id as a part of a path. Blank ones, `.` and `..` would make it another path.
 *
 * @throws {ArgumentError}
 */
export function segment(id: string, what: string, example: string): string {
  if (typeof id !== "string" || /^\s*\.{0,2}\s*$/.test(id)) {
    throw new ArgumentError(`${what} is ${JSON.stringify(id)}: expected one such as ${JSON.stringify(example)}.`);
  }
  return encodeURIComponent(id);
}
