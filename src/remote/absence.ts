import { ServiceError } from "../errors";

/**
 * Whether a refusal may mean that there is no such zone. The service has no status of its own for that: these stand for it, and
 * for other things, such as an account without funds. Only the list of zones tells.
 */
export const mayMeanNoZone = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && [400, 404, 422].includes(error.status);
