import {
  InvalidRequestError,
  NotFoundError,
  type Refusal,
  type RequestContext,
  RequestError,
  ServiceError,
} from "../base/errors";
import { numberIn } from "../base/numberIn";

const RETRY_SECONDS = 10;

/** 202, 400 or 409: the snapshot is still being collected or built. */
export class SnapshotNotReadyError extends ServiceError {
  /** Seconds after which the service wants to be asked again. */
  declare readonly retryAfter: number;
  /** What it is doing, such as `building`, where the service says it. */
  readonly state: string | undefined;

  constructor(context: RequestContext, refusal: Refusal) {
    // The service puts its hint into words: "retry in 10s".
    const hint = numberIn(refusal.message, /\bin (\d+) ?s/i);
    const retryAfter = refusal.retryAfter ?? hint ?? RETRY_SECONDS;
    super(context, { remedy: `Ask again in ${retryAfter} s.`, ...refusal, retryAfter });
    this.state = refusal.state;
  }
}

/** 400: the service keeps a snapshot for some weeks only, and this one is gone. */
export class SnapshotExpiredError extends ServiceError {
  protected static override readonly remedy: string = "The data has to be collected anew.";
}

/** 400: the collection ended without a record. */
export class SnapshotEmptyError extends ServiceError {
  protected static override readonly remedy: string =
    "There were no records for the inputs of its collection: check them.";
}

/** 404: there is no such snapshot. */
export class SnapshotNotFoundError extends NotFoundError {
  protected static override readonly remedy: string =
    "Check the id, and that the token is of the account that collected it.";
}

/** 400: the collection has ended, so that there is nothing to cancel. */
export class SnapshotNotRunningError extends InvalidRequestError {
  protected static override readonly remedy: string = "Its collection has ended already: read its progress.";
}

/** 400: the service did not keep what the collection was started with. */
export class SnapshotInputMissingError extends InvalidRequestError {
  protected static override readonly remedy: string = "The service has not kept what this collection was started with.";
}

/** 400: the snapshot does not fit into one file. */
export class SnapshotTooBigError extends InvalidRequestError {
  protected static override readonly remedy: string =
    "Deliver it in several files: give a `batchSize`, in records a file.";
}

/** A record is larger than allowed: what holds it in memory has to have an end. */
export class RecordTooLargeError extends RequestError {
  /** The size allowed, in bytes. */
  readonly limit: number;

  constructor(context: RequestContext, record: string, limit: number, remedy: string) {
    super(context, `${record} is larger than ${limit} bytes`, remedy, true);
    this.limit = limit;
  }
}
