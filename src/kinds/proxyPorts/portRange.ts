import { ArgumentError } from "../../base/errors";
import { requireArguments } from "../../declaration/arguments";
import { HIGHEST_PORT } from "../../model/portRange";
import type { PortSettingsArgs } from "./resource";

/** Consecutive numbers of ports. */
export interface PortRange {
  /** The first number. */
  from: number;
  /** How many ports there are. */
  count: number;
  /** What each key begins with, before the number. Default: nothing. */
  prefix?: string;
}

/**
 * The ports of a range, for {@link ProxyPortsArgs.ports}: each has its number, and the key that consists of the prefix and the
 * number.
 *
 * @param settings what the ports have besides; a function where that depends on the port: it is given the index, from 0 on, and
 *   the number
 * @throws {ArgumentError} for numbers that no port can have, and without them
 * @example
 * const fleet = new brightdata.ProxyPorts("fleet", {
 *   defaults: { zone: "web_scraping" },
 *   ports: {
 *     ...brightdata.portRange({ from: 24000, count: 50, prefix: "us-" }, { country: "us" }),
 *     ...brightdata.portRange({ from: 24100, count: 50, prefix: "de-" }, (index) => ({ country: "de", session: `s${index}` })),
 *   },
 * });
 */
export function portRange(
  range: PortRange,
  settings: PortSettingsArgs | ((index: number, port: number) => PortSettingsArgs) = {},
): Record<string, PortSettingsArgs> {
  requireArguments("portRange", ["from", "count"], range);
  const { from, count, prefix = "" } = range;
  const last = from + count - 1;
  const isPossible = Number.isInteger(from) && Number.isInteger(count) && from >= 1000 && count >= 0;
  if (!isPossible || last > HIGHEST_PORT) {
    throw new ArgumentError(
      `${count} ports from ${from} on: expected whole numbers, and ports from 1000 to ${HIGHEST_PORT}.`,
    );
  }
  const settingsOf = typeof settings === "function" ? settings : () => settings;
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${prefix}${from + index}`,
      { ...settingsOf(index, from + index), port: from + index },
    ]),
  );
}
