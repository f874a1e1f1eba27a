import { z } from "zod";
import { ServerError } from "../base/errors";
import type { CallOptions } from "../http/call";
import { declared } from "../http/declared";
import { meaning } from "../http/meaning";
import { json, type Operation } from "../http/operation";
import { optional, orElse, present } from "../http/optional";
import { type LatestVersion, type NodeVersion, nodeVersion, type RunningVersion } from "../model/managerVersions";

const flag = orElse(z.boolean(), false);

/** The answer of `GET /api/version`. @internal */
export const runningShape = z.object({ version: z.string(), is_upgraded: flag, backup_exist: flag }).transform(
  ({ version, is_upgraded, backup_exist }): RunningVersion => ({
    version,
    upgraded: is_upgraded,
    backupExists: backup_exist,
  }),
);

const change = z.object({ type: optional(z.string()), text: z.string() }).transform(present);
const release = z
  .object({ ver: z.string(), type: optional(z.string()), changes: orElse(z.array(change), []) })
  .transform(({ ver, ...rest }) => present({ version: ver, ...rest }));
const latestShape = z
  // The list comes from GitHub, by way of the manager: where that refuses, it is a text.
  .object({ version: z.string(), newer: flag, versions: z.array(release).catch([]) })
  .transform(({ versions, ...rest }): LatestVersion => ({ ...rest, releases: versions }));

/**
 * Reads the version of the manager that runs. Its command line, which the answer has too, is left out: it may hold
 * credentials. `GET /api/version`.
 *
 * @example
 * const { version } = await client.versions.running();
 */
export const running = (options?: CallOptions): Operation<RunningVersion> =>
  json(runningShape, {
    operation: "read the Proxy Manager's version",
    request: "GET /api/version",
    ...options,
  });

/**
 * Asks for the newest version; the manager asks its vendor. `GET /api/last_version`.
 *
 * @throws {ServerError} when the manager cannot reach its vendor
 */
export const latest = (options?: CallOptions): Operation<LatestVersion> =>
  json(latestShape, {
    operation: "ask for the newest version of the Proxy Manager",
    request: "GET /api/last_version",
    onRefusal: meaning({
      statuses: [500],
      error: ServerError,
      remedy: "The manager asks its vendor for this: check the network of the machine that it runs on.",
    }),
    ...options,
  });

/** Reads the version of Node.js that the manager runs on. `GET /api/node_version`. */
export const node = (options?: CallOptions): Operation<NodeVersion> =>
  json(declared(nodeVersion.properties), {
    operation: "read the Proxy Manager's Node.js version",
    request: "GET /api/node_version",
    ...options,
  });
