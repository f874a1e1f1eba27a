import { z } from "zod";
import { snakeCase } from "../base/case";
import { unless } from "../base/cause";
import { AlreadyExistsError, InvalidRequestError, NotFoundError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { believable } from "../http/believable";
import { MUCH_DATA_BYTES } from "../http/bounded";
import type { Call, CallOptions } from "../http/call";
import { type Meaning, meaning } from "../http/meaning";
import { json, type Operation, send } from "../http/operation";
import { field, optional, present } from "../http/optional";
import { NO_CONTENT } from "../http/success";
import { MAKES_PORT } from "./locks";
import {
  type ConfiguredPort,
  FIXED_FIELDS,
  fromServicePort,
  type PortFields,
  portField,
  portSecrets,
  toServicePort,
} from "./portFields";
import { UNSAID_PORT } from "./refusals";

const number = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
// Other fields are taken as they are: the manager checks little of what it keeps, and an update mends what it finds.
const fixed = FIXED_FIELDS.map((field) => [snakeCase(field), believable(portField(field))] as const);
const record = z.looseObject({ ...Object.fromEntries(fixed), port: number });
/** The contract has an array, the manager answers one object. @internal */
export const one = z.union([record, z.array(record)]);
const oneOf = (port: number) =>
  z.union([
    record.refine((found) => found.port === port, { path: ["port"] }),
    z.array(record).transform((found) => found.find((each) => each.port === port)),
  ]);
// The manager wraps the whole running configuration in `data`; the contract has the bare record.
const changed = z.union([z.looseObject({ data: record }).transform(({ data }) => data), record]);

const configured = (found: JsonObject & { port: number }): ConfiguredPort => ({
  ...fromServicePort(found),
  port: found.port,
});

const runningPort = record.extend({ master_port: optional(z.number()), status: optional(z.string()) }).transform(
  (found): RunningPort => ({
    ...configured(found),
    ...present({ masterPort: found.master_port, status: found.status }),
  }),
);
const refusedUpdates = (port: number): Meaning[] => [
  { says: /no proxy at port/i, error: NotFoundError },
  {
    says: /zone name is not valid/i,
    error: InvalidRequestError,
    remedy:
      "The manager does not know the port's zone any more, or is not logged in. Make the zone known to it (log in, or wait until a new zone has arrived), or make the port anew with `pulumi up --replace <urn>`.",
  },
  {
    says: /zone disabled/i,
    error: InvalidRequestError,
    remedy: "Enable the zone (its `disabled` argument, or the control panel) before changing the port.",
  },
  {
    says: /\bin use by\b|\bEADDRINUSE\b/i,
    error: InvalidRequestError,
    remedy:
      "Free that number first. A port that the program has removed is deleted after the updates: run `pulumi up` once with the former `multiply`.",
  },
  {
    says: /read-only/i,
    error: InvalidRequestError,
    remedy: `Port ${port} belongs to the manager itself (its drop-in port) or to its command line: declare another port.`,
  },
];
const numberOf = ({ port }: { port: number }): number => port;

/** A port that listens. */
export interface RunningPort extends Omit<ConfiguredPort, "proxyType"> {
  /** `persist`, or `duplicate` for a port that `multiply` made. */
  proxyType?: string | undefined;
  /** Of a port that `multiply` made: the number of the one that declares it. */
  masterPort?: number;
  /** What the last status check came to, or `ok` for a request that has passed since. */
  status?: string;
}

/** Lists the configured ports as they are declared, the drop-in port included. `GET /api/proxies`. */
export const list = (options?: CallOptions): Operation<ConfiguredPort[]> =>
  json(z.array(record.transform(configured)), {
    operation: "list the proxy ports",
    request: "GET /api/proxies",
    mostBytes: MUCH_DATA_BYTES,
    ...options,
  });

/**
 * Reads one port as it is declared. `GET /api/proxies/{PORT}`.
 *
 * @returns `undefined` when there is no such port
 */
export const get =
  (port: number, options?: CallOptions): Operation<ConfiguredPort | undefined> =>
  async (transport) => {
    const call: Call = {
      operation: `read proxy port ${port}`,
      request: `GET /api/proxies/${port}`,
      onRefusal: meaning({ says: /invalid port number/i, error: NotFoundError }),
      ...options,
    };
    const found = await transport.json(call, oneOf(port)).catch(unless(NotFoundError));
    return found && configured(found);
  };

/**
 * Lists the ports that listen, each with its record and what it runs with: those that `multiply` made too, but not the
 * drop-in port. `GET /api/proxies_running`.
 *
 * @example
 * const numbers = (await client.ports.running()).map(({ port }) => port);
 */
export const running = (options?: CallOptions): Operation<RunningPort[]> =>
  json(z.array(runningPort), {
    operation: "list the running proxy ports",
    request: "GET /api/proxies_running",
    mostBytes: MUCH_DATA_BYTES,
    ...options,
  });

/** Reads what the manager's command line gives ports that have no values of their own. `GET /api/defaults`. */
export const defaults = (options?: CallOptions): Operation<PortFields> =>
  json(z.looseObject({}).transform(fromServicePort), {
    operation: "read the Proxy Manager's command line",
    request: "GET /api/defaults",
    ...options,
  });

/**
 * Creates a port; it listens when the answer comes. Without `port` the manager takes the number after its highest one, from 24000 on.
 * The manager does not check the zone here, but refuses every later change of a port whose zone it does not know.
 * `POST /api/proxies`.
 *
 * @returns the number of the port
 * @throws {AlreadyExistsError} when the number is in use
 */
export const create = (fields: PortFields, options?: CallOptions): Operation<number> =>
  json(changed.transform(numberOf), {
    operation: fields.port === undefined ? "create a proxy port" : `create proxy port ${fields.port}`,
    request: "POST /api/proxies",
    lock: MAKES_PORT,
    body: { proxy: toServicePort(fields) },
    secretParts: portSecrets(fields),
    onRefusal: meaning({ says: /\bin use by\b|already exists|\bEADDRINUSE\b/i, error: AlreadyExistsError }),
    ...options,
  });

/**
 * Changes the fields given and leaves the others. `PUT /api/proxies/{PORT}`.
 *
 * `zone`, and `ips` and `vips` where the port has them, must be repeated: the manager takes their absence for a change.
 *
 * @returns the port as it runs then, with the manager's defaults for what it does not have
 * @throws {NotFoundError} when there is no such port
 * @throws {InvalidRequestError} for a read-only port, or one whose zone the manager does not know or has disabled
 */
export const update = (port: number, fields: PortFields, options?: CallOptions): Operation<ConfiguredPort> =>
  json(changed.transform(configured), {
    operation: `update proxy port ${port}`,
    request: `PUT /api/proxies/${port}`,
    lock: MAKES_PORT,
    body: { proxy: toServicePort(fields) },
    secretParts: portSecrets(fields),
    onRefusal: meaning(...refusedUpdates(port)),
    ...options,
  });

/**
 * Deletes one port. `POST /api/proxies/delete` with that port alone: with several, an unknown one would leave those after
 * it neither working nor deletable until the manager is restarted.
 *
 * @throws {NotFoundError} when there is no such port
 */
export const remove = (port: number, options?: CallOptions): Operation<void> =>
  send(NO_CONTENT, {
    operation: `delete proxy port ${port}`,
    request: "POST /api/proxies/delete",
    body: { ports: [port] },
    repeatable: true,
    onRefusal: meaning({ says: /this proxy does not exist/i, error: NotFoundError }),
    ...options,
  });

/**
 * Makes another port like this one, under the next free number from 24000 on. `POST /api/proxy_dup`.
 *
 * @returns the number of the new port
 * @throws {NotFoundError} when there is no such port
 */
export const duplicate = (port: number, options?: CallOptions): Operation<number> =>
  json(field("proxy", record).transform(numberOf), {
    operation: `duplicate proxy port ${port}`,
    request: "POST /api/proxy_dup",
    lock: MAKES_PORT,
    body: { port },
    // It trips over the missing record.
    onRefusal: meaning({ says: /of undefined \(setting 'port'\)/, ...UNSAID_PORT }),
    ...options,
  });
