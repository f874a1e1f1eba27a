import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../base/errors";
import type { CallOptions } from "../http/call";
import { readSettings, type Settings } from "../settings/settings";
import { givenTo, type ProviderOptions, providerOf, settingsOn } from "./provider";
import { warnOfConfiguration } from "./warnings";

/** Options of the functions that give a promise. */
export interface FunctionOptions extends CallOptions, ProviderOptions {}

/**
 * Those of the stack, and of the default provider.
 *
 * @throws {ConfigurationError} for a setting that cannot be used
 */
export const stackSettings = (): Settings =>
  // Not `pulumi.Config`: its `get` is not meant for secrets, and its `getSecret` gives an output.
  readSettings((key) => pulumi.runtime.getConfig(key));

/**
 * The settings that a function goes by.
 *
 * @throws {ConfigurationError} for a setting that cannot be used, or that only the update will know
 * @throws {ArgumentError} for the provider of another package
 */
export async function settingsOf(options: ProviderOptions): Promise<Settings> {
  warnOfConfiguration();
  const configuration = configurationOf(options);
  return configuration === undefined ? stackSettings() : settingsIn(configuration);
}

/** The settings that a provider was given. */
async function settingsIn(configuration: object): Promise<Settings> {
  const values = await knownSettings(configuration);
  return readSettings((key) => values[key]);
}

/**
 * Settings as they stand in a configuration.
 *
 * @throws {ConfigurationError} where only the update will know one
 */
export async function knownSettings(configuration: object): Promise<Record<string, string | undefined>> {
  const values = await pulumi.runtime.serializeProperty("settings of a provider", configuration);
  if (values === pulumi.runtime.unknownValue) {
    throw new ConfigurationError(
      "The settings of the function's provider are not known before the update has run. Use the form of the function that gives an output, such as getZoneOutput for getZone: it waits for them.",
    );
  }
  return values;
}

/** The settings of a provider, before that is registered; `undefined` where they are not known, or cannot be used. */
export async function settingsGiven(provider: pulumi.ProviderResource): Promise<Settings | undefined> {
  const given = givenTo(provider);
  const configuration = given ? pulumi.unsecret(pulumi.output(given)) : configurationOf({ provider });
  return configuration && settingsIn(configuration).catch(() => undefined);
}

/**
 * The configuration of the provider that the options name, `undefined` if they name none. That it holds secrets does not make
 * everything secret that is looked up with them.
 *
 * @throws {ArgumentError} for the provider of another package
 */
export function configurationOf(options: ProviderOptions): pulumi.Output<object> | undefined {
  const provider = providerOf(options);
  if (provider === undefined) return undefined;
  return pulumi.unsecret(pulumi.output(settingsOn(provider)));
}
