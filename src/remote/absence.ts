import { InvalidRequestError, NotFoundError, type ServiceError } from "../base/errors";

/**
 * Whether a refusal may mean that there is no such zone. The service has no status of its own for that: these stand for it, and
 * for other things, such as an account without funds. Only the list of zones tells.
 */
export const mayMeanNoZone = (error: unknown): error is ServiceError =>
  error instanceof NotFoundError || error instanceof InvalidRequestError;

/** Whether a refusal says in words that there is no such zone. */
export const saysNoZone = (error: unknown): boolean =>
  mayMeanNoZone(error) && /\bzone\b.*(not found|not exist)|(no such|unknown) zone/is.test(error.serviceMessage);
