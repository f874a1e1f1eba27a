import { type Meaning, meaning } from "../http/meaning";
import {
  DatasetMissingError,
  DatasetNotAllowedError,
  DatasetNotFoundError,
  DatasetNotReadyError,
  InvalidAttachmentsError,
  NoDataToTriggerError,
  TooFewInputsError,
  TooManyRunningJobsError,
  ValidationError,
} from "./collectionErrors";
import {
  BatchTooSmallError,
  DeliverOptionsMissingError,
  DeliveryFailedError,
  DeliveryNotFoundError,
} from "./deliveryErrors";
import {
  SnapshotEmptyError,
  SnapshotExpiredError,
  SnapshotInputMissingError,
  SnapshotNotFoundError,
  SnapshotNotReadyError,
  SnapshotNotRunningError,
  SnapshotTooBigError,
} from "./snapshotErrors";

/**
 * Every refusal of the dataset calls that means something of its own, in the words of the service's list of errors and in
 * those of its API description, which differ. The first row that fits counts.
 */
export const DATASET_MEANINGS: readonly Meaning[] = [
  { statuses: [202, 409], error: SnapshotNotReadyError },
  { statuses: [404], says: /dataset (does not exist|not found)/i, error: DatasetNotFoundError },
  { statuses: [404], says: /snapshot (does not exist|not found)/i, error: SnapshotNotFoundError },
  { statuses: [404], says: /delivery (does not exist|not found)/i, error: DeliveryNotFoundError },
  { statuses: [429], says: /too many running jobs|maximum limit of \d+ jobs/i, error: TooManyRunningJobsError },
  { statuses: [500], says: /failed to deliver snapshot/i, error: DeliveryFailedError },
  { statuses: [400], says: /^dataset (is )?missing/i, error: DatasetMissingError },
  { statuses: [400], says: /invalid attachments/i, error: InvalidAttachmentsError },
  { statuses: [400], says: /dataset is not allowed for api/i, error: DatasetNotAllowedError },
  { statuses: [400], says: /dataset is not ready/i, error: DatasetNotReadyError },
  { statuses: [400], says: /no data to trigger/i, error: NoDataToTriggerError },
  { statuses: [400], says: /at least \d+ inputs/i, error: TooFewInputsError },
  { statuses: [400], says: /snapshot is expired|snapshot has expired/i, error: SnapshotExpiredError },
  { statuses: [400], says: /snapshot is empty/i, error: SnapshotEmptyError },
  {
    statuses: [400],
    says: /snapshot input does not exist|inputs? (is |are |has |have )?expired/i,
    error: SnapshotInputMissingError,
  },
  { statuses: [400], says: /snapshot is not running/i, error: SnapshotNotRunningError },
  { statuses: [400], says: /snapshot is (not ready|building)/i, error: SnapshotNotReadyError },
  { statuses: [400], says: /too big for single file/i, error: SnapshotTooBigError },
  { statuses: [400], says: /deliver options are missing/i, error: DeliverOptionsMissingError },
  {
    statuses: [400],
    says: /batch size (should|must) be at least|"batch_size" must be greater/i,
    error: BatchTooSmallError,
  },
  { statuses: [400], error: ValidationError },
];

/** The error that a refusal of a dataset call means; `undefined` where the status says all there is to say. */
export const datasetRefusal = meaning(...DATASET_MEANINGS);
