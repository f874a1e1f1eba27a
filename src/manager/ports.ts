import { z } from "zod";
import { snakeCase } from "../base/case";
import {
  AlreadyExistsError,
  InvalidRequestError,
  NotFoundError,
  type Refusal,
  type RequestContext,
} from "../base/errors";
import type { JsonObject } from "../base/json";
import { believable } from "../http/believable";
import { optional, present } from "../http/optional";
import { NO_CONTENT } from "../http/success";
import type { Call, CallOptions, Transport } from "../http/transport";
import {
  type ConfiguredPort,
  FIXED_FIELDS,
  fromServicePort,
  type PortFields,
  portField,
  portSecrets,
  toServicePort,
} from "./portFields";
import { PORT_REMEDY } from "./refusals";

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

const runningPort = record.extend({
  master_port: optional(z.number()),
  status: optional(z.string()),
});
const duplicated = z.object({ proxy: record });

/** A port that listens. */
export interface RunningPort extends Omit<ConfiguredPort, "proxyType"> {
  /** `persist`, or `duplicate` for a port that `multiply` made. */
  proxyType?: string | undefined;
  /** Of a port that `multiply` made: the number of the one that declares it. */
  masterPort?: number;
  /** What a request through the port came to when its status was last asked for: `ok`, or what was wrong. */
  status?: string;
}

/** Lists the configured ports as they are declared, the drop-in port included. `GET /api/proxies`. */
export async function list(transport: Transport, options: CallOptions = {}): Promise<ConfiguredPort[]> {
  const records = await transport.json(
    { operation: "list the proxy ports", method: "GET", path: "/api/proxies", ...options },
    z.array(record),
  );
  return records.map(configured);
}

/**
 * Reads one port as it is declared. `GET /api/proxies/{PORT}`.
 *
 * @returns `undefined` when there is no such port
 */
export async function get(
  transport: Transport,
  port: number,
  options: CallOptions = {},
): Promise<ConfiguredPort | undefined> {
  const call: Call = { operation: `read proxy port ${port}`, method: "GET", path: `/api/proxies/${port}`, ...options };
  try {
    const found = await transport.json({ ...call, onRefusal: absent }, oneOf(port));
    return found && configured(found);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const absent = (refusal: Refusal, context: RequestContext) =>
  /invalid port number/i.test(refusal.message) ? new NotFoundError(context, refusal) : undefined;

/**
 * Lists the ports that listen, each with its record and what it runs with: those that `multiply` made too, but not the
 * drop-in port. `GET /api/proxies_running`.
 *
 * @example
 * const numbers = (await client.ports.running()).map(({ port }) => port);
 */
export async function running(transport: Transport, options: CallOptions = {}): Promise<RunningPort[]> {
  const records = await transport.json(
    { operation: "list the running proxy ports", method: "GET", path: "/api/proxies_running", ...options },
    z.array(runningPort),
  );
  return records.map((found) => ({
    ...configured(found),
    ...present({ masterPort: found.master_port, status: found.status }),
  }));
}

/**
 * Creates a port; it listens when the answer comes. Without `port` the manager takes the number after its highest one, from 24000 on.
 * The manager does not check the zone here, but refuses every later change of a port whose zone it does not know.
 * `POST /api/proxies`.
 *
 * @returns the number of the port
 * @throws {AlreadyExistsError} when the number is in use
 */
export async function create(transport: Transport, fields: PortFields, options: CallOptions = {}): Promise<number> {
  const call: Call = {
    operation: fields.port === undefined ? "create a proxy port" : `create proxy port ${fields.port}`,
    method: "POST",
    path: "/api/proxies",
    body: { proxy: toServicePort(fields) },
    secretParts: portSecrets(fields),
    onRefusal: (refusal, context) =>
      /\bin use by\b|already exists|\bEADDRINUSE\b/i.test(refusal.message)
        ? new AlreadyExistsError(context, refusal)
        : undefined,
    ...options,
  };
  return (await transport.json(call, changed)).port;
}

/**
 * Changes the fields given and leaves the others. `PUT /api/proxies/{PORT}`.
 *
 * `zone`, and `ips` and `vips` where the port has them, must be repeated: the manager takes their absence for a change.
 *
 * @returns the port as it runs then, with the manager's defaults for what it does not have
 * @throws {NotFoundError} when there is no such port
 * @throws {InvalidRequestError} for a read-only port, or one whose zone the manager does not know or has disabled
 */
export async function update(
  transport: Transport,
  port: number,
  fields: PortFields,
  options: CallOptions = {},
): Promise<ConfiguredPort> {
  const call: Call = {
    operation: `update proxy port ${port}`,
    method: "PUT",
    path: `/api/proxies/${port}`,
    body: { proxy: toServicePort(fields) },
    secretParts: portSecrets(fields),
    onRefusal: (refusal, context) => refusedUpdate(refusal, context, port),
    ...options,
  };
  return configured(await transport.json(call, changed));
}

function refusedUpdate(refusal: Refusal, context: RequestContext, port: number) {
  if (/no proxy at port/i.test(refusal.message)) return new NotFoundError(context, refusal);
  const remedy = [
    [
      /zone name is not valid/i,
      `The manager does not know the port's zone any more, or is not logged in. Make the zone known to it (log in, or wait until a new zone has arrived), or make the port anew with \`pulumi up --replace <urn>\`.`,
    ],
    [/zone disabled/i, "Enable the zone (its `disabled` argument, or the control panel) before changing the port."],
    [
      /read-only/i,
      `Port ${port} belongs to the manager itself (its drop-in port) or to its command line: declare another port.`,
    ],
  ].find(([pattern]) => (pattern as RegExp).test(refusal.message))?.[1] as string | undefined;
  return remedy === undefined ? undefined : new InvalidRequestError(context, { ...refusal, remedy });
}

/**
 * Deletes one port. `POST /api/proxies/delete` with that port alone: with several, an unknown one would leave those after
 * it neither working nor deletable until the manager is restarted.
 *
 * @throws {NotFoundError} when there is no such port
 */
export async function remove(transport: Transport, port: number, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `delete proxy port ${port}`,
      method: "POST",
      path: "/api/proxies/delete",
      body: { ports: [port] },
      repeatable: true,
      onRefusal: (refusal, context) =>
        /this proxy does not exist/i.test(refusal.message) ? new NotFoundError(context, refusal) : undefined,
      ...options,
    },
    NO_CONTENT,
  );
}

/**
 * Makes another port like this one, under the next free number from 24000 on. `POST /api/proxy_dup`.
 *
 * @returns the number of the new port
 * @throws {NotFoundError} when there is no such port
 */
export async function duplicate(transport: Transport, port: number, options: CallOptions = {}): Promise<number> {
  const { proxy } = await transport.json(
    {
      operation: `duplicate proxy port ${port}`,
      method: "POST",
      path: "/api/proxy_dup",
      body: { port },
      onRefusal: (refusal, context) =>
        // The manager has no words of its own for it: it trips over the missing record.
        /of undefined \(setting 'port'\)/.test(refusal.message)
          ? new NotFoundError(context, { ...refusal, message: "There is no such port.", remedy: PORT_REMEDY })
          : undefined,
      ...options,
    },
    duplicated,
  );
  return proxy.port;
}
