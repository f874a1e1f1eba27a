import {
  InvalidRequestError,
  NotFoundError,
  type Refusal,
  type RequestContext,
  RequestError,
  ServiceError,
} from "../base/errors";
import { numberIn } from "../base/numberIn";

/** 400: the service has complaints about what was sent, listed one by one. */
export class ValidationError extends InvalidRequestError {
  /** The complaints, in the service's words. */
  readonly errors: readonly string[];

  constructor(context: RequestContext, refusal: Refusal) {
    super(context, { remedy: "Correct what the service names and send it again; nothing was started.", ...refusal });
    this.errors = refusal.complaints ?? (refusal.message === "" ? [] : [refusal.message]);
  }
}

/** 400: the id of the dataset did not reach the service. */
export class DatasetMissingError extends InvalidRequestError {
  protected static override readonly remedy: string = "Name the dataset: its id begins with `gd_`.";
}

/** 404: there is no such dataset. */
export class DatasetNotFoundError extends NotFoundError {
  protected static override readonly remedy: string =
    "Check the dataset's id: it begins with `gd_` and stands in the control panel's address of the scraper.";
}

/** 400: the attached file of inputs cannot be used. */
export class InvalidAttachmentsError extends InvalidRequestError {
  protected static override readonly remedy: string = "Send the inputs as JSON, or one CSV file with a header line.";
}

/** 400: the dataset can be collected in the control panel only. */
export class DatasetNotAllowedError extends InvalidRequestError {
  protected static override readonly remedy: string =
    "Collect it in the control panel, or choose a dataset that the API may collect.";
}

/** 400: the dataset itself is still being made. */
export class DatasetNotReadyError extends InvalidRequestError {
  protected static override readonly remedy: string = "Wait until the control panel shows the dataset as ready.";
}

/** 400: there were no inputs. */
export class NoDataToTriggerError extends InvalidRequestError {
  protected static override readonly remedy: string = "Give one input or more.";
}

/** 400: the dataset wants more inputs at once. */
export class TooFewInputsError extends InvalidRequestError {
  /** The fewest inputs that the dataset takes, where the service says so. */
  readonly minimum: number | undefined;

  constructor(context: RequestContext, refusal: Refusal) {
    const minimum = numberIn(refusal.message, /(\d+)/);
    super(context, {
      remedy: `Give ${minimum ?? "more"} inputs${minimum === undefined ? "" : " or more"}.`,
      ...refusal,
    });
    this.minimum = minimum;
  }
}

/**
 * 429: as many collections of the dataset are running as may. Unlike other refusals with that status it is not sent again
 * by itself: the collections take minutes, and the service bars an address from which too many requests meet a 429.
 */
export class TooManyRunningJobsError extends ServiceError {
  /** How many collections of the dataset are running, where the service says so. */
  readonly running: number | undefined;
  /** How many may run at the same time, where the service says so. */
  readonly limit: number | undefined;

  constructor(context: RequestContext, refusal: Refusal) {
    super(context, {
      remedy: "Wait until collections of this dataset have ended, and put more inputs into one collection.",
      ...refusal,
    });
    this.running = numberIn(refusal.message, /(\d+) *>= *\d/);
    this.limit = numberIn(refusal.message, /\d *>= *(\d+)/);
  }
}

/** What the service may give as the reason for which a collection failed, in short. */
const REASONS = {
  somethingWentWrong: /^something went wrong/i,
  accountSuspended: /^account is suspended/i,
  accountNew: /^account is new/i,
  nothingDiscovered: /^no data found in discovery/i,
  snapshotEmpty: /^snapshot is empty/i,
  deliveryFailed: /^failed to deliver snapshot/i,
  downloadFailed: /^failed to download response/i,
  triggerFailed: /^failed to trigger collector/i,
  internalError: /^internal server error/i,
  inputInvalid: /^input validation failed/i,
} as const;

/** Why a collection failed; `other` for words that the service did not use when this was written. */
export type CollectionFailure = keyof typeof REASONS | "other";

const REMEDIES: Readonly<Record<CollectionFailure, string>> = {
  somethingWentWrong: "Trigger it again later; the service knows of it.",
  accountSuspended: "Ask the service's support; nothing can be collected until then.",
  accountNew: "Activate the account in its settings, then trigger the collection again.",
  nothingDiscovered: "Discover by something else: this found no pages.",
  snapshotEmpty: "There were no records for these inputs: check them.",
  deliveryFailed: "Check the storage and its credentials, then deliver the snapshot again.",
  downloadFailed: "Trigger it again.",
  triggerFailed: "Trigger it again.",
  internalError: "Trigger it again later.",
  inputInvalid: "Correct the inputs and trigger it again.",
  other: "",
};

/** A collection has failed. The service tells so with 200, as the progress of the snapshot. */
export class CollectionFailedError extends RequestError {
  readonly reason: CollectionFailure;
  /** The service's own words. */
  readonly serviceMessage: string;
  /** What is wrong with the inputs, where the reason is `inputInvalid`. */
  readonly details: string | undefined;

  constructor(context: RequestContext, message: string) {
    const reason = reasonOf(message);
    super(context, `the collection has failed${message === "" ? "" : `: ${message}`}`, REMEDIES[reason], true);
    this.reason = reason;
    this.serviceMessage = message;
    this.details = /^input validation failed: *(.+)$/is.exec(message)?.[1];
  }
}

function reasonOf(message: string): CollectionFailure {
  const found = Object.entries(REASONS).find(([, words]) => words.test(message));
  return (found?.[0] as CollectionFailure | undefined) ?? "other";
}
