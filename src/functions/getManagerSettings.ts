import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { GeneralSettings } from "../manager/settings";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** General settings of the Proxy Manager, without its credentials. */
export type GetManagerSettingsResult = GeneralSettings;

/**
 * Looks up the general settings of the Proxy Manager. The credentials that the answer carries are left out.
 * `GET /api/settings`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { whitelistIps } = await brightdata.getManagerSettings();
 */
export async function getManagerSettings(options: CallOptions = {}): Promise<GetManagerSettingsResult> {
  return managerClient().settings.get(options);
}

/** {@link getManagerSettings} as an output. */
export const getManagerSettingsOutput = (): pulumi.Output<GetManagerSettingsResult> =>
  whenKnown({}, () => getManagerSettings());
