import { InvalidRequestError, NotFoundError, type Refusal, type RequestContext, ServerError } from "../base/errors";
import { numberIn } from "../base/numberIn";

/** 400: a batch must have more records. */
export class BatchTooSmallError extends InvalidRequestError {
  /** The fewest records a batch may have, where the service says so. */
  readonly minimum: number | undefined;

  constructor(context: RequestContext, refusal: Refusal) {
    const minimum = numberIn(refusal.message, /at least (\d+)|equal to (\d+)/i);
    super(context, {
      remedy: minimum === undefined ? "Give a bigger `batchSize`." : `Give a \`batchSize\` of ${minimum} or more.`,
      ...refusal,
    });
    this.minimum = minimum;
  }
}

/** 400: where to deliver to did not reach the service. */
export class DeliverOptionsMissingError extends InvalidRequestError {
  protected static override readonly remedy: string = "Say where to deliver to: `storage` and `filename`.";
}

/** 404: there is no such delivery. */
export class DeliveryNotFoundError extends NotFoundError {
  protected static override readonly remedy: string = "Check the id: it is the one that the delivery was started with.";
}

/** 500: the service could not deliver. Something may have arrived at the storage. */
export class DeliveryFailedError extends ServerError {
  protected static override readonly remedy: string =
    "Check the storage, its credentials and what has arrived there, then deliver again.";
}
