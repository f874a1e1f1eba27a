import { ArgumentError } from "../base/errors";

/**
 * The number, where it can be that of a port: anything else would make another path of the request's.
 *
 * @throws {ArgumentError}
 */
export function portNumber(port: number): number {
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new ArgumentError(
    `The port is ${JSON.stringify(port)}: expected a whole number from 1 to 65535. Nothing was sent.`,
  );
}
