import type { JsonObject } from "../../base/json";
import { canonicalJson } from "../../declaration/values";
import { FunctionCall, Spread } from "./print";

/** Begins the keys of ports that have no names, before their numbers. */
export const PORT_PREFIX = "port-";

/** From so many ports on that differ in their numbers alone, a range is shorter. */
const LEAST = 3;

/** Ports with the same settings and consecutive numbers. */
interface Stretch {
  key: string;
  port: number;
  count: number;
  settings: JsonObject;
}

/** The ports of a set, those that differ in nothing but consecutive numbers as ranges. */
export function asRanges(ports: JsonObject): unknown {
  const members = runsOf(ports).flatMap(membersOf);
  const [[, only] = [], ...others] = members;
  return others.length === 0 && only instanceof Spread ? only.of : Object.fromEntries(members);
}

function runsOf(ports: JsonObject): Stretch[] {
  const runs: Stretch[] = [];
  for (const [key, { port, ...settings }] of Object.entries(ports as Record<string, { port: number }>)) {
    const run = { key, port, count: 1, settings };
    const last = runs.at(-1);
    if (last !== undefined && goesOn(last, run)) last.count++;
    else runs.push(run);
  }
  return runs;
}

const goesOn = (last: Stretch, next: Stretch): boolean =>
  next.port === last.port + last.count &&
  [last, next].every(({ key, port }) => key === `${PORT_PREFIX}${port}`) &&
  canonicalJson(last.settings) === canonicalJson(next.settings);

function membersOf({ key, port, count, settings }: Stretch): [string, unknown][] {
  if (count < LEAST) {
    const numbers = Array.from({ length: count }, (_, index) => port + index);
    return numbers.map((number) => [count === 1 ? key : `${PORT_PREFIX}${number}`, { port: number, ...settings }]);
  }
  const range = { from: port, count, prefix: PORT_PREFIX };
  const rest = Object.keys(settings).length === 0 ? [] : [settings];
  return [[key, new Spread(new FunctionCall("brightdata.portRange", [range, ...rest]))]];
}
