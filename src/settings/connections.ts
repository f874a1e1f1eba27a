import { ConfigurationError } from "../base/errors";
import { digest, locationOf } from "../base/location";
import { meant } from "../base/nearest";
import { CONNECTION, type Service } from "../declaration/connection";
import { isVendorsApi, leadsToApi } from "./address";
import { SETTINGS } from "./definitions";
import { settingOf } from "./namedConnections";
import { howToSet, type Setting, waysToSet } from "./setting";
import type { Settings } from "./settings";

/** Names of the connections that something is done with; none for those of the settings themselves. */
export interface Connection {
  manager?: string | undefined;
  account?: string | undefined;
}

const NAMED = { manager: SETTINGS.managers, remote: SETTINGS.accounts } as const;

const NOUNS = { manager: "Proxy Manager", remote: "account" } as const;

/**
 * The settings with the connections of those names in the place of their own. A named manager without a key has none: that of
 * another one is never sent to it.
 *
 * @example
 * const client = new brightdata.RemoteClient(connected(readSettings(() => undefined), { account: "shop" }));
 *
 * @throws {ConfigurationError} for a name that is not configured, with those that are
 */
export function connected(settings: Settings, { manager, account }: Connection): ConnectedSettings {
  const { managerApiKey: _, ...others } = settings;
  requireConfigured("manager", manager, settings);
  requireConfigured("remote", account, settings);
  const ofManager = manager === undefined ? undefined : settings.managers[manager];
  const ofAccount = account === undefined ? undefined : settings.accounts[account];
  return {
    ...(ofManager === undefined ? settings : others),
    ...(ofManager !== undefined && {
      proxyManagerUrl: ofManager.url,
      urlSetting: settingOf(SETTINGS.managers, manager as string, "url"),
      ...(ofManager.apiKey !== undefined && { managerApiKey: ofManager.apiKey }),
    }),
    ...(ofAccount !== undefined && {
      apiToken: ofAccount.apiToken,
      baseUrl: ofAccount.baseUrl ?? settings.baseUrl,
      ...(ofAccount.baseUrl !== undefined && {
        baseUrlSetting: settingOf(SETTINGS.accounts, account as string, "baseUrl"),
      }),
    }),
  };
}

/** Settings whose connections may have names. */
export interface ConnectedSettings extends Settings {
  /** The setting that `proxyManagerUrl` is, where it is another one. */
  urlSetting?: Setting;
  /** The setting that `baseUrl` is, where it is another one. */
  baseUrlSetting?: Setting;
  /** Whether a client asks each question once, and keeps the answer: what it reads is taken to stay as it is. */
  asksOnce?: boolean;
}

/** Whether two names of a service's connections lead to the same service, as far as the settings say. */
export function isSameService(service: Service, one: unknown, other: unknown, settings: Settings): boolean {
  if (one === other) return true;
  const names = [one, other].filter((name) => name !== undefined);
  if (names.some((name) => unknownConnection(service, name, settings) !== undefined)) return false;
  const [left, right] = [one, other].map((name) => {
    const { proxyManagerUrl, baseUrl, apiToken } = connected(settings, { [CONNECTION[service]]: name });
    return service === "manager" ? locationOf(proxyManagerUrl) : `${locationOf(baseUrl)} ${apiToken?.value}`;
  });
  return left === right;
}

/**
 * A connection that a state names and that is not configured any more, in words; `undefined` for one that is. That of the settings
 * themselves has no name: without a token, it is no account.
 */
export function lostConnection(service: Service, name: string | undefined, settings: Settings): string | undefined {
  if (name !== undefined) {
    if (unknownConnection(service, name, settings) === undefined) return undefined;
    return `the ${NOUNS[service]} ${JSON.stringify(name)}, which is not configured (${waysToSet(NAMED[service], settings.provider)})`;
  }
  if (service === "manager" || settings.apiToken !== undefined) return undefined;
  return `the account of ${waysToSet(SETTINGS.apiToken, settings.provider)}, which is not set`;
}

/** What is wrong with a connection's name, in words; `undefined` for one that is configured. */
export function unknownConnection(service: Service, name: unknown, settings: Settings): string | undefined {
  const names = Object.keys(service === "manager" ? settings.managers : settings.accounts);
  if (typeof name === "string" && names.includes(name)) return undefined;
  const listed = names.map((one) => JSON.stringify(one)).join(", ");
  const known = names.length === 0 ? "none is" : `configured ${names.length === 1 ? "is" : "are"} ${listed}`;
  const near = typeof name === "string" ? meant(name, names) : undefined;
  const advice = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  const withheld =
    service === "manager" || settings.provider === undefined
      ? ""
      : ` Without a \`baseUrl\` of their own, those in the environment are only used for the service that ${SETTINGS.baseUrl.environment}, or its default, leads to.`;
  return `\`${CONNECTION[service]}\` is ${JSON.stringify(name)}: no ${NOUNS[service]} of that name is configured (${waysToSet(NAMED[service], settings.provider)}); ${known}.${advice}${withheld}`;
}

/** What is wrong with the connection that an input names, in words, as far as the settings say. */
export function connectionFailures(service: Service, name: unknown, settings: Settings): string[] {
  if (name !== undefined && typeof name !== "string") return [];
  const unknown = name === undefined ? undefined : unknownConnection(service, name, settings);
  const failure = unknown ?? misdirected(service, name, settings);
  return failure === undefined ? [] : [failure];
}

/** What is wrong with where a connection leads, in words; `undefined` where its URL does not tell. */
function misdirected(service: Service, name: string | undefined, settings: Settings): string | undefined {
  const other = service === "manager" ? "remote" : "manager";
  const { url, setting } = addressOf(service, name, settings);
  const { provider } = settings;
  if (service === "manager" && isVendorsApi(url)) return leadsToApi(url, setting, provider);
  const names = [undefined, ...Object.keys(other === "manager" ? settings.managers : settings.accounts)];
  const same = names.map((one) => addressOf(other, one, settings)).find((address) => address.url === url);
  if (same === undefined) return undefined;
  return `${waysToSet(setting, provider)} and ${waysToSet(same.setting, provider)} are both ${url}, but a Proxy Manager and Bright Data's API are two services. Correct the one that is wrong.`;
}

function addressOf(service: Service, name: string | undefined, settings: Settings): { url: string; setting: Setting } {
  const own = connected(settings, { [CONNECTION[service]]: name });
  return service === "manager"
    ? { url: own.proxyManagerUrl, setting: own.urlSetting ?? SETTINGS.proxyManagerUrl }
    : { url: own.baseUrl, setting: own.baseUrlSetting ?? SETTINGS.baseUrl };
}

/**
 * What an update without a token cannot do, in words; `undefined` where there is one, or none is needed.
 *
 * @param name of the connection, if it has one
 */
export function missingToken(service: Service, name: unknown, settings: Settings): string | undefined {
  if (service === "manager" || name !== undefined || settings.apiToken !== undefined) return undefined;
  return `There is no Bright Data API token. A preview goes on without one; an update that changes something in the account fails. ${howToSet(SETTINGS.apiToken, settings.provider)}`;
}

function requireConfigured(service: Service, name: string | undefined, settings: Settings): void {
  const unknown = name === undefined ? undefined : unknownConnection(service, name, settings);
  if (unknown !== undefined) throw new ConfigurationError(unknown);
}

/**
 * Tells settings apart that lead to other services, or to the same ones in another way; whatever their connections' names, and
 * however their URLs are written.
 */
export const keyOf = (settings: ConnectedSettings): string => {
  const { managerApiKey, proxyManagerUrl } = settings;
  return JSON.stringify([accountKeyOf(settings), managerApiKey?.value, locationOf(proxyManagerUrl)]);
};

/** The same for settings of which only the account matters. */
export const accountKeyOf = ({
  managers: _managers,
  accounts: _accounts,
  urlSetting: _url,
  baseUrlSetting: _baseUrl,
  managerApiKey: _key,
  proxyManagerUrl: _managerUrl,
  apiToken,
  baseUrl,
  ...others
}: ConnectedSettings): string => JSON.stringify([apiToken?.value, locationOf(baseUrl), others]);

/** The name of what the resources of a service share, as every process of a run knows it. */
export const scopeNameOf = ({ proxyManagerUrl, baseUrl, apiToken }: ConnectedSettings, service: Service): string =>
  service === "manager" ? scopeName(proxyManagerUrl) : scopeName(baseUrl, digest(apiToken?.value ?? ""));

/** The same of a connection by its name, if it has one; `undefined` where that is not configured. */
export function scopeNamed(service: Service, name: unknown, settings: Settings): string | undefined {
  if (name !== undefined && unknownConnection(service, name, settings) !== undefined) return undefined;
  return scopeNameOf(connected(settings, { [CONNECTION[service]]: name }), service);
}

/** @param of what tells accounts at one URL apart */
export const scopeName = (url: string, of = ""): string => `${locationOf(url)} ${of}`;
