import { InvalidRequestError, NotFoundError } from "../base/errors";
import type { CallOptions } from "../http/call";
import { type Meaning, meaning } from "../http/meaning";
import { type Operation, send } from "../http/operation";
import { OK } from "../http/success";
import { CHANGES_ADDRESSES } from "./locks";

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
const PATHS = { ui: "/api/whitelist_ip", ports: "/api/wip" } as const satisfies Record<AllowlistName, string>;

/** Adds an address to a list; one that stands there already is left. `PUT /api/whitelist_ip` or `PUT /api/wip`. */
export const add = (entry: AllowlistEntry, options?: CallOptions): Operation<void> =>
  send(OK, {
    operation: `allow ${entry.ip} on the \`${entry.list}\` list`,
    request: `PUT ${PATHS[entry.list]}`,
    headers: authorization(entry),
    body: { ip: entry.ip },
    lock: CHANGES_ADDRESSES,
    onRefusal: meaning(KEY_REFUSED),
    ...options,
  });

/**
 * Takes an address off a list. `DELETE /api/whitelist_ip` or `DELETE /api/wip`.
 *
 * @throws {NotFoundError} when it does not stand there, or when the manager says that it is too old to take a single address
 *   off the `ui` list
 */
export const remove = (entry: AllowlistEntry, options?: CallOptions): Operation<void> =>
  send(OK, {
    operation: `take ${entry.ip} off the \`${entry.list}\` list`,
    request: `DELETE ${PATHS[entry.list]}`,
    headers: authorization(entry),
    body: { ip: entry.ip },
    lock: CHANGES_ADDRESSES,
    onRefusal: meaning(
      { says: /ip is not whitelisted|cannot delete \/api\/whitelist_ip/i, error: NotFoundError },
      KEY_REFUSED,
    ),
    ...options,
  });

const authorization = (entry: AllowlistEntry): Record<string, string> =>
  entry.apiKey === undefined ? {} : { authorization: entry.apiKey };

const KEY_REFUSED: Meaning = {
  statuses: [403],
  says: /token required|forbidden$/i,
  error: InvalidRequestError,
  remedy:
    "The API key is missing or has been replaced. Give the manager's current key (`apiKey`, brightdata:managerApiKey or BRIGHTDATA_MANAGER_API_KEY), or none, and it is read from the manager.",
};
