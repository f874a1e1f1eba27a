/** Where the manager closes an idle connection sooner, pages end before they have begun. */
export const LEAST_IDLE_MS = 1000;

export const IDLE_TIME = "expected a whole number of milliseconds from 1000 on, such as 120000.";
