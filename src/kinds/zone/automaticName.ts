import { createHash, randomUUID } from "node:crypto";
import { canonicalJson } from "../../declaration/values";
import type { ResourceFacts } from "../../lifecycle/lifecycle";

/** The shortest and the longest name that the service takes, and the suffix of an automatic one: an underscore and seven hex digits. */
const SHORTEST_NAME = 3;
const LONGEST_NAME = 63;
const SUFFIX_DIGITS = 7;

/** The names that the service gives out. Older zones may have others. */
export const NEW_ZONE_NAME = /^[a-z0-9_]{3,63}$/;

/**
 * An automatic name: the resource's name in the characters that the service takes, and a suffix that follows from its place in
 * the program, from the plan, and from the name of the zone that it replaces. So the preview shows the name that the update
 * uses, and a creation that was cut short is found again by it.
 */
export function automaticName(logicalName: string, plan: unknown, { place, former }: ResourceFacts = {}): string {
  const stem = spelled(logicalName).slice(0, LONGEST_NAME - SUFFIX_DIGITS - 1);
  return `${stem}_${suffix([place ?? randomUUID(), plan, former?.name ?? null])}`;
}

/** What is too long loses its beginning: at the end, a name has what sets it apart. */
export const nearestName = (proposed: string): string =>
  spelled(proposed).slice(-LONGEST_NAME).padEnd(SHORTEST_NAME, "_");

const spelled = (name: string): string => name.toLowerCase().replace(/[^a-z0-9_]+/g, "_");

export const nextName = (name: string): string => `${name.slice(0, -SUFFIX_DIGITS)}${suffix([name])}`;

const suffix = (of: readonly unknown[]): string =>
  createHash("sha256").update(canonicalJson(of)).digest("hex").slice(0, SUFFIX_DIGITS);
