import { z } from "zod";
import type { CallOptions } from "../http/call";
import { json, type Operation, send } from "../http/operation";
import { field } from "../http/optional";
import { ANYTHING } from "../http/success";
import { someOf } from "./names";

/**
 * Lists the passwords of a zone; the proxies accept any of them. Secret. `GET /zone/passwords?zone=`.
 *
 * @throws {InvalidRequestError} 422 when there is no such zone
 */
export const list = (zone: string, options?: CallOptions): Operation<string[]> =>
  json(field("passwords", z.array(z.string())), {
    operation: `read the passwords of zone ${JSON.stringify(zone)}`,
    request: "GET /zone/passwords",
    query: { zone },
    ...options,
  });

const change =
  (verb: "add" | "remove", preposition: string) =>
  (zone: string, passwords: readonly string[], options?: CallOptions): Operation<void> =>
    send(ANYTHING, {
      operation: `${verb} passwords ${preposition} zone ${JSON.stringify(zone)}`,
      request: `POST /zone/${verb}_password`,
      body: { zone, password: someOf(passwords, "the passwords") },
      secretParts: passwords,
      ...options,
    });

/**
 * Adds passwords to a zone; the old ones stay. `POST /zone/add_password`.
 *
 * @throws {InvalidRequestError} for a zone or a password that the service does not take
 */
export const add = change("add", "to");

/**
 * Removes passwords from a zone, which must keep one. `POST /zone/remove_password`.
 *
 * @throws {InvalidRequestError} when none would remain, or for one that the zone does not have
 */
export const remove = change("remove", "from");
