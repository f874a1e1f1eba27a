import { unless } from "../../base/cause";
import { PermissionError } from "../../base/errors";
import type { Step } from "../../lifecycle/lifecycle";
import { sightingOf } from "../../lifecycle/witnesses";
import { mayMeanNoZone, saysNoZone } from "../../remote/absence";
import { namesIn } from "../../remote/zoneList";

/** What the service answers about a zone; `undefined` where that is certainly gone. */
export async function unlessGone<T>(zone: string, step: Step, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!mayMeanNoZone(error) || !(await isGone(zone, step))) throw error;
    return undefined;
  }
}

/**
 * Whether the account certainly has no such zone: the list of zones has it among the deleted ones, or two lists lack it and the
 * zone itself cannot be read. A list without any zone may come from a service that is not the right one: then the refusal has to
 * say in words that there is no such zone. A token that may not list the zones leaves it uncertain.
 */
export async function isGone(zone: string, { context, deadline }: Step): Promise<boolean> {
  const list = async () => {
    const zones = await context.zones.get(deadline.signal);
    // Another look, and what it is about to find, needs another list; whoever asks for a zone that is there does not.
    if (!namesIn(zones).includes(zone)) context.zones.forget();
    return zones.map(({ name, status }) => (status === "deleted" ? deleted(name) : name));
  };
  const agrees = async (listed: readonly string[]) => {
    if (listed.includes(deleted(zone))) return true;
    const refusal = await context.remote.zones.get(zone, deadline).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined && !mayMeanNoZone(refusal)) throw refusal;
    return listed.length === 0 ? saysNoZone(refusal) : mayMeanNoZone(refusal);
  };
  const sighting = await sightingOf([zone], { list, agrees }).catch(unless(PermissionError));
  return sighting?.gone.includes(zone) === true;
}

/** What a deleted zone is among the names of zones, which contain no slash. */
const deleted = (name: string): string => `deleted/${name}`;
