import type { JsonObject } from "../base/json";

/** The last number that a port can have. */
export const HIGHEST_PORT = 65_535;

/** A number, of which the manager may make a text; none (NaN) for what is not there or not known yet. */
const numeric = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

/** Last of the numbers that a port listens on. */
export const lastPort = ({ port, multiply }: JsonObject): number => numeric(port) + (numeric(multiply) || 1) - 1;

/** Whether two ports could not listen at the same time. One without a number gets one that is free. */
export const overlap = (left: JsonObject, right: JsonObject): boolean =>
  numeric(left.port) <= lastPort(right) && numeric(right.port) <= lastPort(left);
