import type { Case } from "../alike";

/** Requests that were written down before anybody knew what the simulator makes of them. */
export type Group = Record<string, Case>;
