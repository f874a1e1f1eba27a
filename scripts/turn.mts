/** The number of the day, by which continuous integration chooses among what it does not try whole. */
export const DAY = Math.floor(Date.now() / 86_400_000);
