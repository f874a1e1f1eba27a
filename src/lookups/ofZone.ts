import { NotFoundError } from "../base/errors";
import { mostSimilar } from "../base/nearest";
import type { CallOptions } from "../http/call";
import { mayMeanNoZone } from "../remote/absence";
import type { RemoteClient } from "../remote/client";
import { IF_DELETED } from "../remote/remedies";
import { namesIn } from "../remote/zoneList";

const MOST_NAMES = 3;

/**
 * Asks for something of a zone, and finds out whether a refusal means that there is no such zone.
 *
 * @throws {NotFoundError} with the names that are most like it, when there is no such zone
 */
export async function ofZone<T>(
  client: RemoteClient,
  name: string,
  ask: () => Promise<T>,
  options: CallOptions,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!mayMeanNoZone(error)) throw error;
    // A token that may not list the zones leaves it at what the service said.
    const zones = await client.zones.listAll(options).catch(() => undefined);
    const names = zones && namesIn(zones);
    if (names === undefined || names.includes(name)) throw error;
    const near = mostSimilar(name, names, MOST_NAMES);
    throw new NotFoundError(error, {
      status: error.status,
      message: error.serviceMessage,
      remedy: `The account has no zone of that name${near === undefined ? ", and no other" : `; ${near}`}. ${IF_DELETED}`,
    });
  }
}
