import { InvalidRequestError, NotFoundError } from "../base/errors";
import type { Meaning } from "../http/meaning";

export const PORT_REMEDY =
  "Check the number: `getRunningPorts` lists the ports that listen. Name one that a program declares by its resource's `port`, so that it is made first.";

/** The manager's several ways of saying that no port has the number, whatever the status. */
export const MISSING_PORT: Meaning = {
  says: /no proxy at port|invalid port number|server does not exist/i,
  error: NotFoundError,
  remedy: PORT_REMEDY,
};

/** For an operation of which the manager has no words of its own for that. */
export const UNSAID_PORT = { error: NotFoundError, message: "There is no such port.", remedy: PORT_REMEDY };

/** The manager knows a zone by its name, and none at all while it is logged out. */
export const MISSING_ZONE: Meaning = {
  says: /specified zone does not exist/i,
  error: NotFoundError,
  remedy:
    "Check the name: `getManagerZones` lists the zones that the manager knows, which are none while it is logged out.",
};

/** Without a login the manager asks its vendor nothing, and trips over the missing answer. */
export const LOGGED_OUT: Meaning = {
  says: /\(reading 'statusCode'\)/,
  error: InvalidRequestError,
  remedy:
    "The manager is not logged in to an account, or could not reach its vendor when it started: log it in on its web page, or restart it.",
};
