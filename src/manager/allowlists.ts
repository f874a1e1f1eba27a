import { InvalidRequestError, NotFoundError, type Refusal, type RequestContext } from "../base/errors";
import { OK } from "../http/success";
import type { CallOptions, Transport } from "../http/transport";

/**
 * Which of the manager's lists an address stands on. `ui`: may use the UI and the API, and every port with it. `ports`: may
 * use every port.
 */
export type AllowlistName = "ui" | "ports";

/** An entry of a list. */
export interface AllowlistEntry {
  list: AllowlistName;
  ip: string;
  /** Key of the manager's API: sent bare, without `Bearer`. The `ports` list cannot be changed without it. */
  apiKey?: string;
}

// What the contract calls "whitelist an IP" is the UI's list. The manager looks at the key there only when the caller is on
// another machine and the path is /api/v2; the ports' list wants it always.
const PATHS: Record<AllowlistName, string> = { ui: "/api/whitelist_ip", ports: "/api/wip" };

/** Adds an address to a list; one that stands there already is left. `PUT /api/whitelist_ip` or `PUT /api/wip`. */
export async function add(transport: Transport, entry: AllowlistEntry, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `allow ${entry.ip} on the \`${entry.list}\` list`,
      method: "PUT",
      path: PATHS[entry.list],
      headers: authorization(entry),
      body: { ip: entry.ip },
      onRefusal: refused,
      ...options,
    },
    OK,
  );
}

/**
 * Takes an address off a list. `DELETE /api/whitelist_ip` or `DELETE /api/wip`.
 *
 * @throws {NotFoundError} when it does not stand there, or when the manager says that it is too old to take a single address
 *   off the `ui` list
 */
export async function remove(transport: Transport, entry: AllowlistEntry, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `take ${entry.ip} off the \`${entry.list}\` list`,
      method: "DELETE",
      path: PATHS[entry.list],
      headers: authorization(entry),
      body: { ip: entry.ip },
      onRefusal: (refusal, context) =>
        /ip is not whitelisted|cannot delete \/api\/whitelist_ip/i.test(refusal.message)
          ? new NotFoundError(context, refusal)
          : refused(refusal, context),
      ...options,
    },
    OK,
  );
}

const authorization = (entry: AllowlistEntry): Record<string, string> =>
  entry.apiKey === undefined ? {} : { authorization: entry.apiKey };

function refused(refusal: Refusal, context: RequestContext) {
  if (refusal.status === 403 && /token required|forbidden$/i.test(refusal.message)) {
    return new InvalidRequestError(context, {
      ...refusal,
      remedy:
        "The API key is missing or has been replaced. Give the manager's current key (`apiKey`, brightdata:managerApiKey or BRIGHTDATA_MANAGER_API_KEY), or none, and it is read from the manager.",
    });
  }
  return undefined;
}
