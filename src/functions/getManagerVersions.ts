import type * as pulumi from "@pulumi/pulumi";
import { ServerError } from "../errors";
import type { CallOptions } from "../http/transport";
import type { LatestVersion, NodeVersion, RunningVersion } from "../manager/versions";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** Versions of the Proxy Manager and of what it runs on. */
export interface GetManagerVersionsResult {
  /** The version that runs. */
  running: RunningVersion;
  /** The newest version; absent when the manager cannot reach its vendor, which it asks for it. */
  latest?: LatestVersion;
  /** The Node.js that the manager runs on. */
  node: NodeVersion;
}

/**
 * Looks up which version of the Proxy Manager runs, which one is the newest, and on what Node.js it runs.
 * `GET /api/version`, `GET /api/last_version` and `GET /api/node_version`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { running, latest } = await brightdata.getManagerVersions();
 * const outdated = latest?.newer ?? false;
 */
export async function getManagerVersions(options: CallOptions = {}): Promise<GetManagerVersionsResult> {
  const { versions } = managerClient();
  const [running, latest, node] = await Promise.all([
    versions.running(options),
    versions.latest(options).catch(vendorUnreachable),
    versions.node(options),
  ]);
  return { running, ...(latest === undefined ? {} : { latest }), node };
}

/** {@link getManagerVersions} as an output. */
export const getManagerVersionsOutput = (): pulumi.Output<GetManagerVersionsResult> =>
  whenKnown({}, () => getManagerVersions());

// The manager itself is there: its other two answers say so.
function vendorUnreachable(error: unknown): undefined {
  if (error instanceof ServerError) return undefined;
  throw error;
}
