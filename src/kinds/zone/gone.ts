import { PermissionError } from "../../base/errors";
import type { Run } from "../../lifecycle/lifecycle";
import { mayMeanNoZone, saysNoZone } from "../../remote/absence";
import { namesIn } from "../../remote/zoneList";

/** What the service answers about a zone; `undefined` where that is certainly gone. */
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
    const isThere = namesIn(zones).includes(zone);
    return { isThere, isDeleted: !isThere && zones.some(({ name }) => name === zone), isEmpty: zones.length === 0 };
  };
  try {
    if ((await look()).isThere) return false;
    context.zones.forget();
    const { isThere, isDeleted, isEmpty } = await look();
    if (isThere || isDeleted) return isDeleted;
    const refusal = await context.remote.zones.get(zone, deadline).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined && !mayMeanNoZone(refusal)) throw refusal;
    return isEmpty ? saysNoZone(refusal) : mayMeanNoZone(refusal);
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}
