import {
  InvalidRequestError,
  NotFoundError,
  type Refusal,
  type RequestContext,
  type ServiceError,
} from "../base/errors";

/** The manager's several ways of saying that no port has the number, whatever the status. */
export const missingPort = (refusal: Refusal, context: RequestContext): ServiceError | undefined =>
  /no proxy at port|invalid port number|server does not exist/i.test(refusal.message)
    ? new NotFoundError(context, { ...refusal, remedy: PORT_REMEDY })
    : undefined;

export const PORT_REMEDY = "Check the number: `ports.running` lists the ports that listen.";

/** The manager knows a zone by its name, and none at all while it is logged out. */
export const missingZone = (refusal: Refusal, context: RequestContext): ServiceError | undefined =>
  /specified zone does not exist/i.test(refusal.message)
    ? new NotFoundError(context, {
        ...refusal,
        remedy:
          "Check the name: `zones.list` lists the zones that the manager knows, which are none while it is logged out.",
      })
    : undefined;

/** Without a login the manager asks its vendor nothing, and trips over the missing answer. */
export const loggedOut = (refusal: Refusal, context: RequestContext): ServiceError | undefined =>
  /\(reading 'statusCode'\)/.test(refusal.message)
    ? new InvalidRequestError(context, {
        ...refusal,
        remedy:
          "The manager is not logged in to an account, or could not reach its vendor when it started: log it in on its web page, or restart it.",
      })
    : undefined;
