import { DAY_MS } from "../../base/day";
import { Misuse } from "../account/misuse";

/** Days, `YYYY-MM-DD` in UTC: `to` is the day after the last. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface ReportPeriod extends Days {
  readonly days: readonly string[];
  /** How many of them were over when the report was made: only these can be compared. */
  readonly complete: number;
  /** What they are compared with; `undefined` where none is over. */
  readonly before: Days | undefined;
  /** How many days the present month has, where the period is that month's days so far. */
  readonly daysOfMonth: number | undefined;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const shifted = (day: string, days: number): string => dayOf(timeOf(day) + days * DAY_MS);

export const daysBetween = ({ from, to }: Days): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS);

const daysIn = (days: Days): string[] =>
  Array.from({ length: daysBetween(days) }, (_, index) => shifted(days.from, index));

/** The first day of a month, so many months after that of a day. */
export function startOfMonth(day: string, months = 0): string {
  const date = new Date(timeOf(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
}

/** The days of a month until now, with the present one. */
export function monthUntil(now: Date): Days {
  const today = dayOf(now.getTime());
  return { from: startOfMonth(today), to: shifted(today, 1) };
}

/**
 * The period from one day to another, by default the days of this month so far.
 *
 * @throws {Misuse} when it has not begun, or ends before it begins
 */
export function periodOf({ from, to }: Partial<Days>, now: Date): ReportPeriod {
  const today = dayOf(now.getTime());
  const tomorrow = shifted(today, 1);
  const end = to === undefined || to > tomorrow ? tomorrow : to;
  const start = from ?? startOfMonth(shifted(end, -1));
  if (start >= end) {
    throw new Misuse(
      start > today
        ? `The period begins on ${start}, which has not begun: today is ${today} (UTC).`
        : `The period is from ${start} to ${end}: --to is the day after the last, and must be later than --from.`,
    );
  }
  const days = daysIn({ from: start, to: end });
  const complete = days.filter((day) => day < today).length;
  return {
    from: start,
    to: end,
    days,
    complete,
    before: complete === 0 ? undefined : comparedWith({ from: start, to: shifted(start, complete) }),
    daysOfMonth:
      start === startOfMonth(today) && end >= today
        ? daysBetween({ from: start, to: startOfMonth(today, 1) })
        : undefined,
  };
}

/** Days of one month are compared with the same days of the month before, and any others with as many days before them. */
function comparedWith({ from, to }: Days): Days {
  const next = startOfMonth(from, 1);
  if (from !== startOfMonth(from) || to > next) return { from: shifted(from, -daysBetween({ from, to })), to: from };
  const before = startOfMonth(from, -1);
  const same = shifted(before, daysBetween({ from, to }));
  return { from: before, to: to === next || same > from ? from : same };
}

/** In words: `1 to 22 November 2026`. */
export function daysInWords({ from, to }: Days): string {
  const last = shifted(to, -1);
  const written = (day: string, parts: Intl.DateTimeFormatOptions) =>
    new Date(timeOf(day)).toLocaleDateString("en-GB", { timeZone: "UTC", ...parts });
  const whole = { day: "numeric", month: "long", year: "numeric" } as const;
  if (from === last) return written(last, whole);
  const isOneMonth = from.slice(0, 7) === last.slice(0, 7);
  const first = written(from, isOneMonth ? { day: "numeric" } : whole);
  return `${first} to ${written(last, whole)}`;
}
