import { InvalidRequestError, NotFoundError, type Refusal, type RequestContext, ServerError } from "../base/errors";

/** 400: a batch must have more records. */
export class BatchTooSmallError extends InvalidRequestError {
  /** The fewest records a batch may have, where the service says so. */
  readonly minimum: number | undefined;

  constructor(context: RequestContext, refusal: Refusal) {
    const minimum = /at least (\d+)|equal to (\d+)/i.exec(refusal.message)?.slice(1).find(Boolean);
    super(context, {
      remedy: minimum === undefined ? "Give a bigger `batchSize`." : `Give a \`batchSize\` of ${minimum} or more.`,
      ...refusal,
    });
    this.minimum = minimum === undefined ? undefined : Number(minimum);
  }
}

/** 400: where to deliver to did not reach the service. */
export class DeliverOptionsMissingError extends InvalidRequestError {
  constructor(context: RequestContext, refusal: Refusal) {
    super(context, { remedy: "Say where to deliver to: `storage` and `filename`.", ...refusal });
  }
}

/** 404: there is no such delivery. */
export class DeliveryNotFoundError extends NotFoundError {
  constructor(context: RequestContext, refusal: Refusal) {
    super(context, { remedy: "Check the id: it is the one that the delivery was started with.", ...refusal });
  }
}

/** 500: the service could not deliver. Something may have arrived at the storage. */
export class DeliveryFailedError extends ServerError {
  constructor(context: RequestContext, refusal: Refusal) {
    super(context, {
      remedy: "Check the storage, its credentials and what has arrived there, then deliver again.",
      ...refusal,
    });
  }
}
