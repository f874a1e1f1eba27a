/**
 * How the remote service behaves where the real one is undocumented, has been seen to do several things, or changes with
 * time. Every value may be changed while the simulator runs.
 */
export class RemoteBehaviour {
  /** How many reads do not show a new zone yet. Default 0. */
  zoneVisibleAfterReads = 0;
  /** For how many milliseconds no read shows a new zone. Default 0. */
  zoneVisibleAfterMs = 0;
  /** What the creation and the deletion of a zone answer: its name as JSON, a few words, or nothing. Default `json`. */
  zoneAnswer: "json" | "text" | "empty" = "json";
  /** Status for the creation of a zone: both are documented. Default 201. */
  zoneCreatedStatus: 200 | 201 = 201;
  /** Status for a zone that does not exist, where none is documented. Default 422. */
  unknownZoneStatus = 422;
  /** Status for the deletion of a zone that does not exist. Default 400. */
  unknownZoneDeletionStatus = 400;
  /** How a plan shows its countries: as they were sent, or in capitals. Default `sent`. */
  planCountries: "sent" | "capitals" = "sent";
  /** Status for the creation of a zone whose name is taken. Default 409. */
  duplicateZoneStatus = 409;
  /** Text of that answer. Default `Duplicate zone name`. */
  duplicateZoneMessage = "Duplicate zone name";
  /** Whether the name of a deleted zone can be used again. Default true. */
  deletedNamesReusable = true;
  /** Refuses residential zones until the account is verified. Default `none`. */
  compliance: "none" | "kyc_required" | "business_account_required" = "none";
  /** How many IPs the service can still give out. Default 10 000. */
  availableIps = 10_000;
  /** How many lists do not show IPs that were added to a zone. Default 0. */
  addedIpsVisibleAfterReads = 0;
  /** The figures of the balance: those of the documentation, or those that have been seen. Default `documented`. */
  balanceFigures: "documented" | "observed" = "documented";
  /** Whether every id that begins with `gd_` is that of a dataset, which takes any input. Default false. */
  everyDatasetExists = false;
  /**
   * The states a snapshot goes through, one per poll of its progress or of its records. Default running, twice, and ready;
   * the vendor's clients know no `starting`, which its documentation has.
   */
  snapshotStates: readonly string[] = ["running", "running", "ready"];
  /** Milliseconds after which a snapshot goes on to its next state without a poll. Default 10 000. */
  snapshotStateMs = 10_000;
  /** How many lists do not show a new snapshot yet. Default 0. */
  snapshotVisibleAfterReads = 0;
  /** Downloads that still answer `building` after the progress said `ready`. Default 0. */
  snapshotBuildingReads = 0;
  /** Status of a download that comes too early: both occur. Default 202. */
  snapshotNotReadyStatus: 202 | 409 = 202;
  /**
   * Whether the download of a collection that failed says that the snapshot is not ready, as for every state that is not
   * `ready`, or answers 200 and what the progress says. Default `not-ready`.
   */
  failedDownload: "not-ready" | "progress" = "not-ready";
  /** The states a delivery goes through, one per poll. Default delivering, done. */
  deliveryStates: readonly string[] = ["delivering", "done"];
  /** Name of the id that a delivery answers: both occur. Default `id`. */
  deliveryIdField: "id" | "delivery_id" = "id";
  /** Whether errors of the dataset calls are text or `{"error": …}`: both occur. Default `text`. */
  datasetErrors: "text" | "json" = "text";
  /** The smallest `batch_size`. Default 1000. */
  minBatchSize = 1000;
  /** The most records delivered in one file. Default 1 000 000. */
  maxFileRecords = 1_000_000;
  /** How many reads of a collector's result say that it is pending. Default 1. */
  collectorPendingReads = 1;
  /** How a pending result answers: all of these occur. Default `202`. */
  collectorPending: "202" | "empty" | "null" | "object" = "202";
  /** Whether a collector's result is its row or an array of rows: both occur. Default `object`. */
  collectorShape: "object" | "array" = "object";
}
