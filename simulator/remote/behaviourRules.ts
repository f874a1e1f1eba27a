import { type Fields, merge } from "../merge";
import type { RemoteBehaviour } from "./behaviour";
import { refuse } from "./refusal";

/** What a value has to be, in words where it is not. */
type Rule = readonly [isKept: (value: unknown) => boolean, words: string];

const whole = (least: number): Rule => [
  (value) => Number.isSafeInteger(value) && Number(value) >= least,
  `a whole number, ${least} or more`,
];
const oneOf = (...known: readonly (string | number)[]): Rule => [
  (value) => known.some((each) => each === value),
  `one of ${known.map((each) => JSON.stringify(each)).join(", ")}`,
];
const COUNT = whole(0);
const FAILURE: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  "a status from 400 to 599",
];
const FLAG: Rule = [(value) => typeof value === "boolean", "true or false"];
const TEXT: Rule = [(value) => typeof value === "string", "a text"];
const STATES: Rule = [
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((state) => typeof state === "string" && /^[a-z]+(?:_[a-z]+)*$/.test(state)),
  "a list of states, such as running",
];

const RULES: Readonly<Record<keyof RemoteBehaviour, Rule>> = {
  zoneVisibleAfterReads: COUNT,
  zoneVisibleAfterMs: COUNT,
  zoneAnswer: oneOf("json", "text", "empty"),
  zoneCreatedStatus: oneOf(200, 201),
  unknownZoneStatus: FAILURE,
  unknownZoneDeletionStatus: FAILURE,
  planCountries: oneOf("sent", "capitals"),
  duplicateZoneStatus: FAILURE,
  duplicateZoneMessage: TEXT,
  deletedNamesReusable: FLAG,
  compliance: oneOf("none", "kyc_required", "business_account_required"),
  availableIps: COUNT,
  addedIpsVisibleAfterReads: COUNT,
  balanceFigures: oneOf("documented", "observed"),
  everyDatasetExists: FLAG,
  snapshotStates: STATES,
  snapshotStateMs: COUNT,
  snapshotVisibleAfterReads: COUNT,
  snapshotBuildingReads: COUNT,
  snapshotNotReadyStatus: oneOf(202, 409),
  failedDownload: oneOf("not-ready", "progress"),
  deliveryStates: STATES,
  deliveryIdField: oneOf("id", "delivery_id"),
  datasetErrors: oneOf("text", "json"),
  minBatchSize: whole(1),
  maxFileRecords: whole(1),
  collectorPendingReads: COUNT,
  collectorPending: oneOf("202", "empty", "null", "object"),
  collectorShape: oneOf("object", "array"),
};

/** Changes a behaviour, or refuses all of the changes where one means nothing. */
export function mergeBehaviour(behaviour: RemoteBehaviour, changes: Fields): RemoteBehaviour {
  const rules = new Map<string, Rule>(Object.entries(RULES));
  for (const [field, value] of Object.entries(changes)) {
    const rule = rules.get(field);
    if (rule === undefined) throw refuse(400, `there is no such ${field}`);
    const [isKept, words] = rule;
    if (!isKept(value)) throw refuse(400, `${field} should be ${words}`);
  }
  return merge(behaviour, changes);
}
