import { ConfigurationError } from "../base/errors";
import { isLoopback } from "../base/loopback";
import { SETTINGS } from "./definitions";
import { type Setting, waysToSet } from "./setting";

/** Whether a URL is that of Bright Data's API, which no Proxy Manager has. */
export const isVendorsApi = (url: string): boolean =>
  new URL(url).hostname === new URL(SETTINGS.baseUrl.initial).hostname;

/** That the setting of a Proxy Manager's URL leads to Bright Data's API, in words. */
export const leadsToApi = (url: string, setting: Setting, provider?: string): string =>
  `${waysToSet(setting, provider)} is ${url}, which is Bright Data's API and not a Proxy Manager. Set it to the URL of the manager, such as ${SETTINGS.proxyManagerUrl.initial}.`;

/**
 * @param setting that of the URL
 * @param provider name of the explicit provider that it is a setting of
 * @throws {ConfigurationError} when a credential would travel in clear over a network
 */
export function refusePlainHttp(baseUrl: string, what: string, setting: Setting, provider?: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname)) return;
  throw new ConfigurationError(
    `${baseUrl} is plain http and not this machine: ${what} would travel in clear. Use an https URL (${waysToSet(setting, provider)}), or a tunnel that ends on 127.0.0.1.`,
  );
}
