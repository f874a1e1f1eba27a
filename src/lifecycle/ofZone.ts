import { z } from "zod";
import { PermissionError } from "../errors";
import { mayMeanNoZone } from "../remote/absence";
import type { Run } from "./lifecycle";

/** Name of the zone that something belongs to. Existing zones may have names that a new one could not get. */
export const zoneSchema = z
  .string("expected the name of a zone.")
  .regex(/^\w+$/, "expected the name of a zone: letters, digits and _ only.");

/** Where proxy IPs should be; the service understands lower case only. */
export const countrySchema = z
  .string('expected a two-letter country code, such as "us".')
  .regex(/^[a-z]{2}$/, 'expected a two-letter country code in lower case, such as "us".')
  .optional();

export const citySchema = z
  .string('expected a city as the service writes it, such as "us-chicago".')
  .regex(/^[a-z]{2}-\S+$/, 'expected a city as the service writes it, such as "us-chicago".')
  .optional();

/**
 * What the service answers about a zone; `undefined` where it refuses because the account has no such zone any more. That is
 * believed only when the list of zones says so too.
 */
export async function unlessGone<T>(zone: string, run: Run, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!mayMeanNoZone(error) || !(await isGone(zone, run))) throw error;
    return undefined;
  }
}

/** Whether the account certainly has no such zone. A token that may not list the zones leaves it uncertain. */
export async function isGone(zone: string, { context, deadline }: Run): Promise<boolean> {
  const isListed = async () =>
    (await context.zones.get(deadline.signal)).some(({ name, status }) => name === zone && status !== "deleted");
  try {
    if (await isListed()) return false;
    context.zones.forget();
    return !(await isListed());
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}
