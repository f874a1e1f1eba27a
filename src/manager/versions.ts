import { z } from "zod";
import { type Refusal, type RequestContext, ServerError } from "../base/errors";
import { declared } from "../http/declared";
import { optional, present } from "../http/optional";
import type { CallOptions, Transport } from "../http/transport";
import { type LatestVersion, type NodeVersion, nodeVersion, type RunningVersion } from "../model/managerVersions";

/** The answer of `GET /api/version`. @internal */
export const runningShape = z.object({
  version: z.string(),
  is_upgraded: z.boolean().nullish(),
  backup_exist: z.boolean().nullish(),
});

const latestShape = z.object({
  version: z.string(),
  newer: z.boolean().nullish(),
  versions: z
    .array(
      z.object({
        ver: z.string(),
        type: optional(z.string()),
        changes: z.array(z.object({ type: optional(z.string()), text: z.string() })).nullish(),
      }),
    )
    .nullish(),
});

/**
 * Reads the version of the manager that runs. Its command line, which the answer has too, is left out: it may hold
 * credentials. `GET /api/version`.
 *
 * @example
 * const { version } = await client.versions.running();
 */
export async function running(transport: Transport, options: CallOptions = {}): Promise<RunningVersion> {
  const answer = await transport.json(
    { operation: "read the Proxy Manager's version", method: "GET", path: "/api/version", ...options },
    runningShape,
  );
  return {
    version: answer.version,
    upgraded: answer.is_upgraded ?? false,
    backupExists: answer.backup_exist ?? false,
  };
}

/**
 * Asks for the newest version; the manager asks its vendor. `GET /api/last_version`.
 *
 * @throws {ServerError} when the manager cannot reach its vendor
 */
export async function latest(transport: Transport, options: CallOptions = {}): Promise<LatestVersion> {
  const { version, newer, versions } = await transport.json(
    {
      operation: "ask for the newest version of the Proxy Manager",
      method: "GET",
      path: "/api/last_version",
      onRefusal: vendorUnreachable,
      ...options,
    },
    latestShape,
  );
  return {
    version,
    newer: newer ?? false,
    releases: (versions ?? []).map(({ ver, type, changes }) =>
      present({ version: ver, type, changes: (changes ?? []).map(present) }),
    ),
  };
}

/** Reads the version of Node.js that the manager runs on. `GET /api/node_version`. */
export async function node(transport: Transport, options: CallOptions = {}): Promise<NodeVersion> {
  return transport.json(
    { operation: "read the Proxy Manager's Node.js version", method: "GET", path: "/api/node_version", ...options },
    declared(nodeVersion.properties),
  );
}

const vendorUnreachable = (refusal: Refusal, context: RequestContext) =>
  refusal.status === 500
    ? new ServerError(context, {
        ...refusal,
        remedy: "The manager asks its vendor for this: check the network of the machine that it runs on.",
      })
    : undefined;
