import { z } from "zod";
import { PermissionError } from "../../errors";
import type { Run } from "../../lifecycle/lifecycle";
import { mayMeanNoZone, saysNoZone } from "../../remote/absence";

/** Name of the zone that something belongs to. Existing zones may have names that a new one could not get. */
export const zoneSchema = z
  .string("expected the name of a zone.")
  .regex(/^[^\s/,*]+$/, "expected the name of one zone, without blanks, commas, slashes and asterisks.");

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

/**
 * Whether the account certainly has no such zone: the list of zones has it among the deleted ones, or lacks it and the zone
 * itself cannot be read. A list without any zone may come from a service that is not the right one: then the refusal has to
 * say in words that there is no such zone. A token that may not list the zones leaves it uncertain.
 */
export async function isGone(zone: string, { context, deadline }: Run): Promise<boolean> {
  const look = async () => {
    const zones = await context.zones.get(deadline.signal);
    const named = zones.filter(({ name }) => name === zone);
    const isThere = named.some(({ status }) => status !== "deleted");
    return { isThere, isDeleted: named.length > 0 && !isThere, isEmpty: zones.length === 0 };
  };
  try {
    if ((await look()).isThere) return false;
    context.zones.forget();
    const { isThere, isDeleted, isEmpty } = await look();
    if (isThere || isDeleted) return isDeleted;
    const refusal = await refusalOf(context.remote.zones.get(zone, { signal: deadline.signal }));
    return isEmpty ? saysNoZone(refusal) : mayMeanNoZone(refusal);
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}

/** What the service refuses a zone with; `undefined` where it does not. */
async function refusalOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    await reading;
    return undefined;
  } catch (error) {
    if (!mayMeanNoZone(error)) throw error;
    return error;
  }
}
