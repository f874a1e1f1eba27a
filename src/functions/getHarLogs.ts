import * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { LogEntry, LogFilter, LogPage } from "../manager/logs";
import { managerClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getHarLogs}. Without any it reads all requests that the manager remembers. */
export type GetHarLogsArgs = LogFilter;

/** Arguments of {@link getHarLogsOutput}. */
export type GetHarLogsOutputArgs = Inputs<GetHarLogsArgs>;

/** Requests that went through the Proxy Manager's ports. */
export interface GetHarLogsResult extends Omit<LogPage, "entries"> {
  /** The requests. Secret: their headers and bodies are those of the clients, with the clients' credentials. */
  entries: pulumi.Output<LogEntry[]>;
}

/**
 * Reads requests that went through the Proxy Manager's ports: as many of the last ones as its setting `logs` lets it
 * remember. `GET /api/logs`.
 *
 * @throws {ArgumentError} for a filter that makes no sense, before anything is sent
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { total } = await brightdata.getHarLogs({ port: 24000, statusCode: "5**", limit: 1 });
 */
export async function getHarLogs(args: GetHarLogsArgs = {}, options: CallOptions = {}): Promise<GetHarLogsResult> {
  const { entries, ...page } = await managerClient().logs.list(args, options);
  return { ...page, entries: pulumi.secret(entries) };
}

/** {@link getHarLogs} for arguments that are not known yet. The whole result is secret. */
export const getHarLogsOutput = (args: GetHarLogsOutputArgs = {}): pulumi.Output<pulumi.Unwrap<GetHarLogsResult>> =>
  pulumi.secret(whenKnown(args, (known) => managerClient().logs.list(known)));
