import type { Account } from "./account/account";
import { dataset } from "./account/dataset";
import { listedRecords, type RecordSource, type SnapshotRecord, syntheticRecords } from "./account/snapshot";
import type { ZoneRecord } from "./account/zone";
import { type Fields, merge, objectFrom, objectsFrom, requireOnly, textFrom } from "./merge";
import type { SimulatedRemote } from "./remote";
import { mergeBehaviour } from "./remote/behaviourRules";
import { isObject } from "./remote/call";
import { refuse } from "./remote/refusal";

/** All there is in an account, passwords and token included: it is a simulator. */
export const stateOf = ({ account, behaviour }: SimulatedRemote) => ({
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
  behaviour,
});

/** An input that was not kept is `null`. */
const stateOfSnapshot = ({ records, input, ...snapshot }: SnapshotRecord) => ({
  ...snapshot,
  input: input ?? null,
  records: records.listed ?? records.count,
});

/** Refuses a state that {@link putState} could not put as a whole. */
export const checkState = ({ account, behaviour }: SimulatedRemote, state: Fields): void =>
  putState({ account: account.copy(), behaviour: { ...behaviour } }, state);

/**
 * Has an account be as {@link stateOf} says of it. What is not named stays as it is. Where it refuses the state, a part of it may
 * have been put: see {@link checkState}.
 */
export function putState({ account, behaviour }: Pick<SimulatedRemote, "account" | "behaviour">, state: Fields): void {
  const { balance = {}, behaviour: behaving = {}, ...rest } = state;
  const lists = Object.keys(rest).filter((name) => name in PUT);
  const plain = Object.entries(rest).filter(([name]) => !lists.includes(name));
  merge(account, Object.fromEntries(plain));
  merge(account.balance, objectFrom("balance", balance));
  mergeBehaviour(behaviour, objectFrom("behaviour", behaving));
  for (const name of lists) for (const item of objectsFrom(name, rest[name])) PUT[name]?.(account, item);
}

const PUT: Readonly<Record<string, (account: Account, item: Fields) => unknown>> = {
  zones: (account, { name, ...fields }) =>
    mergeZone(account.zones.get(String(name)) ?? addZone(account, { name, plan: fields.plan }), fields),
  datasets: putDataset,
  snapshots: (account, { id, datasetId = "gd_simulated", records, input, ...fields }) => {
    const known = account.snapshots.get(String(id));
    const snapshot = known ?? account.addSnapshot(String(datasetId), [], [{ url: EXAMPLE }], textFrom("id", id));
    merge(snapshot, fields);
    if (input === null) delete snapshot.input;
    else if (input !== undefined) snapshot.input = objectsFrom("input", input);
    snapshot.records = recordsFrom(records) ?? snapshot.records;
  },
  deliveries: ({ deliveries }, { id, ...fields }) => {
    const empty = { id: textFrom("id", id), snapshotId: "", status: "done", upcoming: [], type: "", filenames: [] };
    deliveries.set(empty.id, merge(deliveries.get(empty.id) ?? empty, fields));
  },
  collectorRuns: ({ collectorRuns }, { responseId, ...fields }) => {
    const empty = { responseId: textFrom("responseId", responseId), pendingReads: 0, rows: [] };
    collectorRuns.set(empty.responseId, merge(collectorRuns.get(empty.responseId) ?? empty, fields));
  },
};

const EXAMPLE = "https://example.com/";

export function addZone(account: Account, { name, plan }: Fields): ZoneRecord {
  if (!isObject(plan) || typeof plan.type !== "string") {
    textFrom("name", name);
    throw refuse(400, "plan.type is required");
  }
  return account.addZone(textFrom("name", name), { ...plan, type: plan.type });
}

export const mergeZone = (zone: ZoneRecord, changes: Fields): ZoneRecord =>
  merge(zone, changes, ["plan", "usage", "usageLimit"]);

export function putDataset(account: Account, { id, ...fields }: Fields) {
  const name = textFrom("id", id);
  const put = merge(account.datasets.get(name) ?? dataset(name), fields, ["fields"]);
  account.datasets.set(name, put);
  return put;
}

const STATES: readonly string[] = ["ready", "running", "building", "failed", "expired", "empty"];

/**
 * Puts the snapshot with that id, or a new one, in a state: one that the progress says, or `expired` or `empty`, which are
 * `ready` to all appearance.
 */
export function putSnapshot(account: Account, body: Fields) {
  const { id, datasetId = "gd_simulated", state = "ready", errorMessage, created } = body;
  requireOnly(body, ["id", "datasetId", "state", "errorMessage", "created", "records"]);
  for (const [field, value] of Object.entries({ id, datasetId, errorMessage, created }))
    if (value !== undefined) textFrom(field, value);
  if (typeof state !== "string") throw refuse(400, "state should be a string");
  if (!STATES.includes(state)) throw refuse(400, `state should be one of ${STATES.join(", ")}`);
  const known = typeof id === "string" ? account.snapshots.get(id) : undefined;
  if (id !== undefined && known === undefined) throw refuse(404, "no such snapshot");
  const records = state === "empty" ? listedRecords([]) : recordsFrom(body.records);
  const snapshot = known ?? account.addSnapshot(String(datasetId), [], [{ url: EXAMPLE }]);
  snapshot.status = state === "expired" || state === "empty" ? "ready" : state;
  snapshot.upcoming = [];
  snapshot.expired = state === "expired";
  snapshot.records = records ?? snapshot.records;
  if (typeof errorMessage === "string") snapshot.errorMessage = errorMessage;
  if (typeof created === "string") snapshot.created = created;
  return stateOfSnapshot(snapshot);
}

function recordsFrom(given: unknown): RecordSource | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "number" && Number.isInteger(given) && given >= 0) return syntheticRecords(given);
  if (Array.isArray(given) && given.every(isObject)) return listedRecords(given);
  throw refuse(400, "records should be a list of objects, or how many to make up");
}
