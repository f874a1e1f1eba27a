import type { Noted } from "./lifecycle";

/** How long after an operation's time what the service does not date is still taken for its own. */
const GRACE_MS = 60_000;

/** How long an operation takes at most of which an earlier version has not noted it. */
const UNTIMED_MS = 600_000;

/** The service tells its time to the second, and not all of its machines need to agree. */
const TOLERANCE_MS = 5000;

/** When what was begun can come no more, by this machine's clock. */
export const endOf = ({ began, until }: Pick<Noted, "began" | "until">): number =>
  until === undefined ? Date.parse(began) + UNTIMED_MS : Date.parse(until);

/** What time it is, by this machine's clock and by the service's where that is known. */
export interface Clocks {
  now: number;
  service: number | undefined;
}

/** When a thing was made, as the service says: while an operation may have made it, or at another time. */
export type Dating = "then" | "at another time" | "unknown";

/**
 * Whether a thing was made while an operation may have made it, by the service's clock alone.
 *
 * @param created as the service says it; a day without a time, or a time without a zone, says nothing
 */
export function datingOf(
  noted: Pick<Noted, "began" | "until" | "serviceTime">,
  created: string | undefined,
  { now, service }: Clocks,
): Dating {
  const made = instantOf(created) ?? Number.NaN;
  const began = Date.parse(noted.began);
  const there = noted.serviceTime === undefined ? began + Number(service) - now : Date.parse(noted.serviceTime);
  if (Number.isNaN(made) || Number.isNaN(there)) return "unknown";
  const isThen = made >= there - TOLERANCE_MS && made <= there + endOf(noted) - began + TOLERANCE_MS;
  return isThen ? "then" : "at another time";
}

/** The moment that a text names, in milliseconds; `undefined` for a day without a time, or a time without a zone. */
export function instantOf(text: string | undefined): number | undefined {
  const moment = text === undefined || !INSTANT.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

const INSTANT = /T.*(Z|[+-]\d\d:?\d\d)$/;

/** What is seen of what an earlier operation began, whose process has ended. */
export interface Sighting {
  /** How many things there are that could be it, and how many it is. */
  found: number;
  count: number;
  /** Whether they bear its mark, or the service says that they were made in its time. */
  isProven: boolean;
  /** Whether it may be sent again by now: a name or a mark keeps it from being made twice. */
  mayRepeat: boolean;
  /** When it can come no more, and what time it is. */
  until: number;
  now: number;
}

/** What became of what was begun. */
export type Verdict = "ours" | "look again" | "send again" | "did not happen" | "nobody can tell";

export function verdictOn({ found, count, isProven, mayRepeat, until, now }: Sighting): Verdict {
  if (found > count) return "nobody can tell";
  if (found === count) return isProven || now <= until + GRACE_MS ? "ours" : "nobody can tell";
  if (now >= until) return "did not happen";
  return mayRepeat ? "send again" : "look again";
}
