import type { Account } from "./account/account";
import { dataset } from "./account/dataset";
import { listedRecords, type RecordSource, type SnapshotRecord, syntheticRecords } from "./account/snapshot";
import { FAULT_KINDS, type Fault } from "./fault";
import type { SimulatedRemote } from "./remote";
import { isObject, jsonBody } from "./remote/call";
import { orRefused, refuse } from "./remote/refusal";
import { json, type SimulatedRequest, type SimulatedResponse, type SimulatedService } from "./service";

/** What answers a method and a path under the prefix. It may throw a `Refused`. */
type Controls = Readonly<Record<string, (request: SimulatedRequest) => SimulatedResponse>>;

/** Lets other processes read a service's log and put faults in its way, over HTTP. */
export const addServiceControl = (service: SimulatedService): void =>
  addControls(service, {
    "GET /requests": () => json(service.requests),
    "DELETE /requests": () => {
      service.requests.length = 0;
      return DONE;
    },
    "POST /faults": (request) => {
      service.faults.add(readFault(objectOf(request)));
      return DONE;
    },
    "DELETE /faults": () => {
      service.faults.clear();
      return DONE;
    },
  });

/** Lets other processes read and edit what the remote service answers from, as a person with a dashboard would. */
export const addRemoteControl = ({ account, behaviour, service }: SimulatedRemote): void =>
  addControls(service, {
    "GET /state": () => json(stateOf(account)),
    "GET /behaviour": () => json(behaviour),
    "PATCH /behaviour": (request) => {
      merge(behaviour, objectOf(request));
      return json(behaviour);
    },
    "POST /zones": (request) => addZone(account, objectOf(request)),
    "PATCH /zones/:name": ({ params, ...request }) => changeZone(account, params.name ?? "", objectOf(request)),
    "DELETE /zones/:name": ({ params }) => {
      if (!account.removeZone(params.name ?? "")) throw refuse(404, "no such zone");
      return DONE;
    },
    "POST /datasets": (request) => putDataset(account, objectOf(request)),
    "POST /snapshots": (request) => json(putSnapshot(account, objectOf(request)), 201),
  });

function addControls(service: SimulatedService, controls: Controls): void {
  for (const [line, control] of Object.entries(controls)) {
    const [method = "", path = ""] = line.split(" ");
    service.control(method, path, (request) => orRefused(control, request));
  }
}

function addZone(account: Account, { name, plan }: Record<string, unknown>): SimulatedResponse {
  if (typeof name !== "string" || name === "") throw refuse(400, "name is required");
  if (!isObject(plan) || typeof plan.type !== "string") throw refuse(400, "plan.type is required");
  return json(account.addZone(name, { ...plan, type: plan.type }), 201);
}

function changeZone(account: Account, called: string, changed: Record<string, unknown>): SimulatedResponse {
  const zone = account.zones.get(called);
  if (zone === undefined) throw refuse(404, "no such zone");
  const { name, ...changes } = changed;
  if (name !== undefined) throw refuse(400, "a zone cannot be renamed");
  merge(zone, changes, ["plan", "usage", "usageLimit"]);
  return json(zone);
}

function putDataset(account: Account, { id, ...fields }: Record<string, unknown>): SimulatedResponse {
  if (typeof id !== "string" || id === "") throw refuse(400, "id is required");
  const added = account.datasets.get(id) ?? dataset(id);
  merge(added, fields, ["fields"]);
  account.datasets.set(id, added);
  return json(added, 201);
}

const DONE: SimulatedResponse = { status: 204 };

function objectOf({ text }: Pick<SimulatedRequest, "text">): Record<string, unknown> {
  const body = jsonBody({ text, headers: { "content-type": "application/json" } });
  if (!isObject(body)) throw refuse(400, "the body should be a JSON object");
  return body;
}

const FAULT_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  method: isText,
  path: isText,
  pathPattern: isText,
  containing: isText,
  after: isCount,
  times: (value) => value === "always" || isCount(value),
  delayMs: isCount,
  kind: (value) => FAULT_KINDS.some((kind) => kind === value),
  status: isCount,
  headers: (value) => isObject(value) && Object.values(value).every(isText),
  body: isText,
  dripMs: isCount,
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

/** JSON has neither expressions nor infinity: `pathPattern` is the first, `"times": "always"` the second. */
function readFault(body: Record<string, unknown>): Fault {
  for (const [field, value] of Object.entries(body)) {
    if (FAULT_FIELDS[field]?.(value) !== true) throw refuse(400, `a fault has no such ${field}`);
  }
  const { pathPattern, times, ...rest } = body;
  return {
    ...(rest as Fault),
    ...(typeof pathPattern === "string" ? { path: expressionOf(pathPattern) } : {}),
    ...(times === undefined ? {} : { times: times === "always" ? Number.POSITIVE_INFINITY : Number(times) }),
  };
}

function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw refuse(400, "pathPattern is not a regular expression");
  }
}

/**
 * Puts the changes into a record, all or none; its fields keep their kind of value. The fields that are `open` hold an
 * object of any fields, where `null` takes one away.
 */
function merge(record: object, changes: Record<string, unknown>, open: string[] = []): void {
  const known = new Map<string, unknown>(Object.entries(record));
  const merged = Object.entries(changes).map(([field, value]) => {
    const present = known.get(field);
    if (open.includes(field)) {
      if (!isObject(value)) throw refuse(400, `${field} should be an object`);
      const fields = { ...(isObject(present) ? present : {}), ...value };
      return [field, Object.fromEntries(Object.entries(fields).filter(([, kept]) => kept !== null))];
    }
    if (present === undefined || kindOf(present) !== kindOf(value)) throw refuse(400, `there is no such ${field}`);
    return [field, value];
  });
  Object.assign(record, Object.fromEntries(merged));
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

/** All of it, passwords and token included: it is a simulator. */
const stateOf = (account: Account) => ({
  customer: account.customer,
  token: account.token,
  status: account.status,
  balance: account.balance,
  zones: [...account.zones.values()],
  sweeps: account.sweeps,
  datasets: [...account.datasets.values()],
  snapshots: [...account.snapshots.values()].map(stateOfSnapshot),
  deliveries: [...account.deliveries.values()],
  collectorRuns: [...account.collectorRuns.values()],
});

const stateOfSnapshot = ({ records, ...snapshot }: SnapshotRecord) => ({ ...snapshot, records: records.count });

/**
 * Puts the snapshot with that id, or a new one, in a state: one that the progress says, or `expired` or `empty`, which are
 * `ready` to all appearance.
 */
function putSnapshot(account: Account, body: Record<string, unknown>) {
  const { id, datasetId = "gd_simulated", state = "ready", errorMessage, created } = body;
  if (typeof state !== "string") throw refuse(400, "state should be a string");
  const known = typeof id === "string" ? account.snapshots.get(id) : undefined;
  if (id !== undefined && known === undefined) throw refuse(404, "no such snapshot");
  const records = state === "empty" ? listedRecords([]) : recordsOf(body.records);
  const snapshot = known ?? account.addSnapshot(String(datasetId), [], [{ url: "https://example.com/" }]);
  snapshot.status = state === "expired" || state === "empty" ? "ready" : state;
  snapshot.upcoming = [];
  snapshot.expired = state === "expired";
  snapshot.records = records ?? snapshot.records;
  if (typeof errorMessage === "string") snapshot.errorMessage = errorMessage;
  if (typeof created === "string") snapshot.created = created;
  return stateOfSnapshot(snapshot);
}

function recordsOf(given: unknown): RecordSource | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "number" && Number.isInteger(given) && given >= 0) return syntheticRecords(given);
  if (Array.isArray(given) && given.every(isObject)) return listedRecords(given);
  throw refuse(400, "records should be a list of objects, or how many to make up");
}
