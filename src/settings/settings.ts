import { ConfigurationError } from "../base/errors";
import { type Definition, mayBeShown, SETTINGS } from "./definitions";
import { type Connections, type NamedAccount, type NamedManager, only, settingOf } from "./namedConnections";
import { type Credential, howToSet, inEnvironment, OLDER_IN_STATE, type Setting } from "./setting";
import { type LogLevel, type Prices, parsed } from "./values";

/** Every setting of the package, checked. */
export interface Settings {
  /** Token of the remote service; only needed where it is called. */
  apiToken?: Credential;
  /** Base URL of the remote service. */
  baseUrl: string;
  /** Base URL of the local Proxy Manager. */
  proxyManagerUrl: string;
  /** Key of the Proxy Manager's API (`token` of its key generation). */
  managerApiKey?: Credential;
  /** Seconds that one try of a request may take. */
  requestTimeout: number;
  /** How often a request that may be sent again is sent again. */
  retries: number;
  /** Requests a minute to each account or Proxy Manager; 0 for no limit. */
  requestsPerMinute: number;
  logLevel: LogLevel;
  /** The user's own prices. */
  prices: Prices;
  /** Whether a preview reads from the services. */
  checkOnPreview: boolean;
  /** By name: the Proxy Managers beside the one of `proxyManagerUrl`. */
  managers: Readonly<Record<string, NamedManager>>;
  /** By name: the accounts beside the one of `apiToken`. */
  accounts: Readonly<Record<string, NamedAccount>>;
  /** Name of the explicit provider that has them, for messages. */
  provider?: string;
}

/**
 * The configuration of an explicit provider has this property, with the provider's name: what it is given comes before the
 * environment.
 */
export const PROVIDER_NAME = "brightdata:provider";

/** Reads a key of the stack's configuration, such as `brightdata:baseUrl`. */
export type ReadConfig = (key: string) => string | undefined;

/**
 * Reads and checks every setting. The environment comes before the stack's configuration: refresh and destroy see the copy
 * of the configuration that is kept in the state, which may hold a token that has been rotated away since. What an explicit
 * provider is given comes before the environment.
 *
 * @throws {ConfigurationError} for a value that cannot be used, naming both ways to set it
 */
export function readSettings(readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): Settings {
  const { read, required, connections, provider } = reader(readConfig, environment);
  const apiToken = read(SETTINGS.apiToken);
  const managerApiKey = read(SETTINGS.managerApiKey);
  return {
    ...(apiToken === undefined ? {} : { apiToken }),
    baseUrl: required(SETTINGS.baseUrl),
    proxyManagerUrl: required(SETTINGS.proxyManagerUrl),
    ...(managerApiKey === undefined ? {} : { managerApiKey }),
    requestTimeout: required(SETTINGS.requestTimeout),
    retries: required(SETTINGS.retries),
    requestsPerMinute: required(SETTINGS.requestsPerMinute),
    logLevel: required(SETTINGS.logLevel),
    prices: required(SETTINGS.prices),
    checkOnPreview: required(SETTINGS.checkOnPreview),
    managers: connections(SETTINGS.managers, ({ url, apiKey }) => ({
      url: url?.value as string,
      ...(apiKey === undefined ? {} : { apiKey }),
    })),
    accounts: connections(SETTINGS.accounts, ({ apiToken, baseUrl }) => ({
      apiToken: apiToken as Credential,
      ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.value }),
    })),
    ...(provider === undefined ? {} : { provider }),
  };
}

/**
 * Reads a setting alone: a preview goes on without the others.
 *
 * @throws {ConfigurationError} as {@link readSettings}
 */
export const readSetting = <T>(definition: Definition<T>, readConfig: ReadConfig): T =>
  reader(readConfig, process.env).required(definition);

interface Found {
  text: string;
  source: string;
}

function reader(readConfig: ReadConfig, environment: NodeJS.ProcessEnv) {
  const provider = given(readConfig(PROVIDER_NAME));
  const configured = (key: string) => given(readConfig(`brightdata:${key}`), provider !== undefined);
  const inConfig = ({ key }: Setting): Found | undefined => {
    const text = configured(key);
    const stack = `the stack's configuration (brightdata:${key})`;
    const source = provider === undefined ? stack : `the provider ${JSON.stringify(provider)} (\`${key}\`)`;
    return text === undefined ? undefined : { text, source };
  };
  /** Whether a provider is given no other service than the environment leads to. */
  const isOfEnvironment = (service: "baseUrl" | "proxyManagerUrl"): boolean => {
    const { key, environment: variable, initial, parse } = SETTINGS[service];
    const url = provider === undefined ? undefined : configured(key);
    return url === undefined || parse(url) === parse(given(environment[variable]) ?? (initial as string));
  };
  const inVariable = (definition: Definition<unknown>): Found | undefined => {
    const { environment: name, of, apart } = definition;
    const set = given(environment[name]);
    const text = set === undefined || of === undefined || isOfEnvironment(of) ? set : apart?.(set);
    return text === undefined ? undefined : { text, source: inEnvironment(definition) };
  };
  const places = (definition: Definition<unknown>): Found[] => {
    const both = [inVariable(definition), inConfig(definition)];
    return (provider === undefined ? both : both.toReversed()).filter((found) => found !== undefined);
  };
  const parse = <T>(definition: Definition<T>, { text, source }: Found): T => {
    const value = definition.parse(text);
    if (value !== undefined) return value;
    const fault = definition.fault?.(text) ?? `expected ${definition.expected}.`;
    const shown = mayBeShown(definition, text) ? ` ${JSON.stringify(text)}` : "";
    const isOfStack = provider === undefined && source === inConfig(definition)?.source;
    const hint = isOfStack ? ` ${OLDER_IN_STATE}` : "";
    throw new ConfigurationError(
      `The value${shown} from ${source} cannot be used: ${fault} ${howToSet(definition, provider, source)}${hint}`,
    );
  };
  const read = <T>(definition: Definition<T>) => {
    const found = places(definition)[0];
    const { initial } = definition;
    if (found === undefined && initial === undefined) return undefined;
    const { text, source } = found ?? { text: initial as string, source: "" };
    return { value: parse(definition, { text, source }), source, setting: definition };
  };
  const required = <T>(definition: Definition<T>): T => {
    const found = read(definition);
    if (found === undefined) throw new ConfigurationError(`Not set. ${howToSet(definition, provider)}`);
    return found.value;
  };
  /** Each name by itself: the environment may have another token for one of them. */
  const connections = <T>(
    definition: Definition<Connections>,
    make: (parts: Readonly<Record<string, Credential>>) => T,
  ): Record<string, T> => {
    const made = new Map<string, T>();
    const found = places(definition);
    for (const { text, source: place } of found) {
      // What another place has is not looked at here, so that it can put right what is wrong.
      const left = { text: only(text, (name) => !made.has(name)), source: place };
      for (const [name, connection] of Object.entries(parse(definition, left))) {
        const source = `${place}, ${JSON.stringify(name)}`;
        const parts = Object.entries(connection).map(([part, value]) => {
          return [part, { value, source, setting: settingOf(definition, name, part) }] as const;
        });
        made.set(name, make(Object.fromEntries(parts)));
      }
    }
    // In the order of the stack's configuration, which people know.
    const names = found.toReversed().flatMap(({ text }) => Object.keys(parsed(text) as object));
    return Object.fromEntries(names.map((name) => [name, made.get(name) as T]));
  };
  return { read, required, connections, provider };
}

/** @param isArgument whether it is one of an explicit provider: empty, it would stand for the account or the manager of others */
const given = (text: string | undefined, isArgument = false): string | undefined =>
  text === "" && !isArgument ? undefined : text;
