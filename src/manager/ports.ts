import { z } from "zod";
import { AlreadyExistsError, InvalidRequestError, NotFoundError, type Refusal, type RequestContext } from "../errors";
import type { Call, CallOptions, Transport } from "../http/transport";
import { fromServicePort, type PortRecord, toServicePort } from "./portFields";

const record = z.looseObject({ port: z.coerce.number().int() });
// The contract has an array, the manager answers one object.
const one = z.union([record, z.array(record)]);
// The manager wraps the whole running configuration in `data`; the contract has the bare record.
const changed = z.union([z.looseObject({ data: record }).transform(({ data }) => data), record]);

/** Lists the configured ports as they are declared, the drop-in port included. `GET /api/proxies`. */
export async function list(transport: Transport, options: CallOptions = {}): Promise<PortRecord[]> {
  const records = await transport.json(
    { operation: "list the proxy ports", method: "GET", path: "/api/proxies", ...options },
    z.array(record),
  );
  return records.map(fromServicePort);
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
): Promise<PortRecord | undefined> {
  const call: Call = { operation: `read proxy port ${port}`, method: "GET", path: `/api/proxies/${port}`, ...options };
  try {
    const answer = await transport.json({ ...call, onRefusal: absent }, one);
    const found = Array.isArray(answer) ? answer.find((item) => item.port === port) : answer;
    return found === undefined ? undefined : fromServicePort(found);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const absent = (refusal: Refusal, context: RequestContext) =>
  /invalid port number/i.test(refusal.message) ? new NotFoundError(context, refusal) : undefined;

/**
 * Creates a port; it listens when the answer comes. Without `port` the manager takes the next free number from 24000 on.
 * The manager does not check the zone here, but refuses every later change of a port whose zone it does not know.
 * `POST /api/proxies`.
 *
 * @returns the number of the port
 * @throws {AlreadyExistsError} when the number is in use
 */
export async function create(transport: Transport, fields: PortRecord, options: CallOptions = {}): Promise<number> {
  const call: Call = {
    operation: fields.port === undefined ? "create a proxy port" : `create proxy port ${fields.port}`,
    method: "POST",
    path: "/api/proxies",
    body: { proxy: toServicePort(fields) },
    onRefusal: (refusal, context) =>
      /\bin use by\b|already exists/i.test(refusal.message) ? new AlreadyExistsError(context, refusal) : undefined,
    ...options,
  };
  return (await transport.json(call, changed)).port;
}

/**
 * Changes the fields given and leaves the others. `PUT /api/proxies/{PORT}`.
 *
 * `zone`, and `ips` and `vips` where the port has them, must be repeated: the manager takes their absence for a change.
 *
 * @throws {NotFoundError} when there is no such port
 * @throws {InvalidRequestError} for a read-only port, or one whose zone the manager does not know or has disabled
 */
export async function update(
  transport: Transport,
  port: number,
  fields: PortRecord,
  options: CallOptions = {},
): Promise<void> {
  await transport.send({
    operation: `update proxy port ${port}`,
    method: "PUT",
    path: `/api/proxies/${port}`,
    body: { proxy: toServicePort(fields) },
    onRefusal: (refusal, context) => refusedUpdate(refusal, context, port),
    ...options,
  });
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
  await transport.send({
    operation: `delete proxy port ${port}`,
    method: "POST",
    path: "/api/proxies/delete",
    body: { ports: [port] },
    repeatable: true,
    onRefusal: (refusal, context) =>
      /does not exist/i.test(refusal.message) ? new NotFoundError(context, refusal) : undefined,
    ...options,
  });
}
