/** Of what has many cases that take long, each day tries some; with `EVERY_CASE`, all are tried. */
const isWhole = process.env.EVERY_CASE !== undefined;

/** A developer is to find what the last run has found. */
const DAY = process.env.CI === undefined ? 0 : Math.floor(Date.now() / 86_400_000);

/** Whether it is the turn of a case: it is again after so many days. */
export const isToday = (index: number, days: number): boolean => isWhole || (index + DAY) % days === 0;
