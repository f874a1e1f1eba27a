import { z } from "zod";
import { snakeCase } from "../base/case";
import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import { MUCH_DATA_BYTES } from "../http/bounded";
import type { Call, CallOptions } from "../http/call";
import { camel } from "../http/camel";
import { json, type Operation } from "../http/operation";
import { field, optional, orElse, present } from "../http/optional";
import { ANYTHING } from "../http/success";
import { HIGHEST_PORT } from "../model/portRange";
import type { LogEntry, LogFilter, LogPage } from "../model/requestLog";
import type { RecentStats, RequestCount } from "../model/requestStats";

const text = optional(z.string());
// Of a request that failed half-way these may be anything.
const number = z.number().optional().catch(undefined);
const words = orElse(z.string(), "");
// Where the manager answers by itself, as for a rule with `timeoutResponse`, the length of the body is a number.
const headerValue = z.union([z.string(), z.number().transform(String)]);
// A header that came several times has all its values in one list.
const header = z.object({ name: z.string(), value: z.union([headerValue, z.array(headerValue)]) });
const headers = orElse(z.array(header), []).transform((list) =>
  list.flatMap(({ name, value }) => [value].flat().map((each) => ({ name, value: each }))),
);

// The details hold the password towards the vendor's proxy: only what is named here is kept.
const entryShape = z
  .object({
    uuid: z.string(),
    startedDateTime: z.string(),
    time: number,
    details: camel({
      context: text,
      port: number,
      protocol: text,
      content_type: text,
      success: optional(z.union([z.boolean(), z.number().transform(Boolean)])),
      in_bw: number,
      out_bw: number,
      username: text,
      super_proxy: text,
      proxy_peer: text,
      remote_address: text,
    }),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        host: text,
        headers,
        postData: optional(z.object({ text: words })),
      })
      .transform(({ postData, ...request }) => present({ ...request, body: postData?.text ?? "" })),
    response: z
      .object({
        status: number,
        statusText: words,
        headers,
        content: z.object({ size: number, mimeType: text, text: words }),
      })
      .transform(({ content: { text: body, ...content }, ...response }) => present({ ...response, ...content, body })),
  })
  .transform(({ details, ...entry }): LogEntry => present({ ...entry, ...details }));

const pageShape = z
  .object({
    log: field("entries", z.array(entryShape)),
    total: z.number(),
    skip: z.number(),
    sum_in: z.number(),
    sum_out: z.number(),
  })
  .transform(({ log, sum_in, sum_out, ...page }): LogPage => ({ entries: log, ...page, inBw: sum_in, outBw: sum_out }));

const passwordless = z.record(z.string(), z.unknown()).transform((entry) => {
  if (!isObject(entry.details)) return entry;
  const { password: _, ...details } = entry.details;
  return { ...entry, details };
});
const harShape = z
  .looseObject({ log: z.looseObject({ entries: z.array(passwordless) }) })
  .transform((file) => JSON.stringify(file, null, 2));

// JSON has null for a sum that came out as no number.
const sum = orElse(z.number(), 0);

const countShape = camel({
  key: z.coerce.string(),
  reqs: z.number(),
  success: sum,
  in_bw: sum,
  out_bw: sum,
  bypass_bw: sum,
  bypass_cost: sum,
});

const statsShape = z
  .object({
    total: z.number(),
    success: sum,
    ports: z.record(z.string(), countShape).transform(Object.values<RequestCount>),
    status_code: z.array(countShape),
    hostname: z.array(countShape),
    protocol: z.array(countShape),
    ssl_enable: z.boolean(),
    ssl_warning: orElse(z.boolean(), false),
  })
  .transform(
    ({ status_code, hostname, protocol, ssl_enable, ssl_warning, ...stats }): RecentStats => ({
      ...stats,
      statusCodes: status_code,
      hostnames: hostname,
      protocols: protocol,
      sslEnable: ssl_enable,
      sslWarning: ssl_warning,
    }),
  );

/**
 * Reads requests that went through the ports: as many of the last ones as the setting `logs` lets the manager remember. A
 * manager started with `--high_perf` remembers none and never answers. `GET /api/logs`.
 *
 * @throws {ArgumentError} for a filter that makes no sense
 *
 * @example
 * const { entries } = await client.logs.list({ port: 24000, statusCode: "5**", sort: "timestamp", descending: true });
 */
export const list = (filter: LogFilter = {}, options?: CallOptions): Operation<LogPage> =>
  json(pageShape, {
    operation: "read the requests that went through the proxy ports",
    request: "GET /api/logs",
    query: queryOf(filter),
    mostBytes: MUCH_DATA_BYTES,
    ...options,
  });

/**
 * Reads the same requests as {@link list}, as a file in the HAR 1.2 format for other programs; the passwords towards the
 * vendor's proxy are taken out. `GET /api/logs_har`.
 *
 * @throws {ArgumentError} for a filter that makes no sense
 *
 * @example
 * await writeFile("requests.har", await client.logs.har({ port: 24000 }));
 */
export const har = (filter: LogFilter = {}, options?: CallOptions): Operation<string> =>
  json(harShape, {
    operation: "export the requests that went through the proxy ports",
    request: "GET /api/logs_har",
    query: queryOf(filter),
    mostBytes: MUCH_DATA_BYTES,
    ...options,
  });

/** Counts the recent requests by what they have in common; none where the setting `requestStats` is off. `GET /api/recent_stats`. */
export const stats = (options?: CallOptions): Operation<RecentStats> =>
  json(statsShape, {
    operation: "read the statistics of the proxy ports",
    request: "GET /api/recent_stats",
    ...options,
  });

/**
 * Reads the last lines that the manager wrote to its log, the oldest first. `GET /api/general_logs`.
 *
 * @param lines how many
 * @throws {ArgumentError} for a number of lines that makes no sense
 */
export const tail =
  (lines = 100, options?: CallOptions): Operation<string[]> =>
  async (transport) => {
    const call: Call = {
      operation: "read the Proxy Manager's log",
      request: "GET /api/general_logs",
      // To the manager, the nothing after the last line break is a line.
      query: { limit: whole("lines", lines, 1) + 1 },
      ...options,
    };
    const { text } = await transport.send(call, ANYTHING);
    const found = text.split("\n");
    return found.at(-1) === "" ? found.slice(0, -1) : found.slice(-lines);
  };

function queryOf(filter: LogFilter): NonNullable<Call["query"]> {
  const { port, portFrom, portTo, statusCode, contentType, protocol, search, skip, limit, sort, descending } = filter;
  // The manager takes the ends of the range only together.
  const ranged = portFrom !== undefined || portTo !== undefined;
  return {
    port: maybeWhole("port", port, 1),
    port_from: ranged ? whole("portFrom", portFrom ?? 1, 1) : undefined,
    port_to: ranged ? whole("portTo", portTo ?? HIGHEST_PORT, 1) : undefined,
    status_code: statusCode,
    content_type: contentType,
    protocol,
    search,
    skip: maybeWhole("skip", skip, 0),
    limit: maybeWhole("limit", limit, 1),
    sort: sort && snakeCase(sort),
    // Any text switches it on, `false` too.
    sort_desc: descending || undefined,
  };
}

function whole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ArgumentError(`\`${name}\` is ${value}: expected a whole number from ${least} on.`);
}

const maybeWhole = (name: string, value: number | undefined, least: number): number | undefined =>
  value === undefined ? undefined : whole(name, value, least);
