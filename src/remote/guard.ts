import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import { type Call, requested } from "../http/call";

// Without `zone` these act on every zone of the account, or their meaning is not documented.
const ACTS_ON_A_ZONE = /^\/zone(\/|$)/;

/**
 * Refuses to let a request leave that changes a zone and does not name it: `DELETE /zone` without `zone` deletes every zone
 * of the account. It looks at the body as serialised, where `undefined` and mistakes of all kinds show.
 *
 * @throws {ArgumentError}
 */
export function refuseNamelessZone(call: Call, body: string | undefined): void {
  const { method, path } = requested(call);
  // The path as it goes on the wire: `/./zone` and `/%2e/zone` are `/zone` there.
  const { pathname } = new URL(`http://service${path}`);
  if (method === "GET" || !ACTS_ON_A_ZONE.test(pathname)) return;
  const sent: unknown = body === undefined ? undefined : JSON.parse(body);
  const named = isObject(sent) ? zoneNames(sent) : [];
  if (named.length > 0 && named.every(isName)) return;
  throw new ArgumentError(
    `Could not ${call.operation}: the zone's name is missing, and without it the request would act on every zone of the account. Nothing was sent.`,
  );
}

function zoneNames(sent: Record<string, unknown>): unknown[] {
  if ("from" in sent && "to" in sent && !("zone" in sent)) return [sent.from, sent.to];
  return [isObject(sent.zone) ? sent.zone.name : sent.zone];
}

const isName = (name: unknown): boolean => typeof name === "string" && name.trim() !== "";
