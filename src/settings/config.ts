import { ConfigurationError } from "../base/errors";
import { isObject } from "../base/json";
import { isLoopback } from "../base/loopback";
import { number as amount, count, flag, map, object, type Property, text } from "../declaration/property";
import { PIECES } from "../model/products";

/** Levels of the log, from quiet to talkative. */
export const LOG_LEVELS = ["off", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A credential and where it came from, for messages: the value itself never stands in one. */
export interface Credential {
  value: string;
  source: string;
  setting: Setting;
}

/** What a setting is called. */
export interface Setting {
  /** Key of the stack's configuration, below `brightdata:`; with dots, a path in it. */
  readonly key: string;
  readonly environment: string;
  readonly secret?: true;
}

/** A Proxy Manager that has a name. */
export interface NamedManager {
  url: string;
  apiKey?: Credential;
}

/** An account that has a name. */
export interface NamedAccount {
  apiToken: Credential;
  /** Default: that of the settings. */
  baseUrl?: string;
}

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
  /** Requests a minute to each service; 0 for no limit. */
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

/** US dollars a month by what is bought, a piece each. */
export type Prices = Readonly<Record<string, number>>;

export interface Definition<T> extends Setting {
  /** What it means and what it may be, for those who write programs. */
  property: Property;
  initial?: string;
  /** The setting of the service that it is for: the environment's credential is for the environment's service alone. */
  of?: "baseUrl" | "proxyManagerUrl";
  /** What a good value is, for the message about a bad one. */
  expected: string;
  /** `undefined` for a bad value. */
  parse(text: string): T | undefined;
  /** What exactly is wrong with a bad value that has parts: a sentence's beginning, up to what was expected. */
  fault?(text: string): string | undefined;
}

const url = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  const plain = username === "" && password === "" && search === "" && hash === "";
  return /^https?:$/.test(protocol) && plain ? `${origin}${pathname}`.replace(/\/+$/, "") : undefined;
};

// A URL with a user, a query or a fragment.
const MAY_HOLD_CREDENTIALS = /[@?#]/;

const number = (least: number, most: number, whole: boolean) => (text: string) => {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined;
};

// A control character or a blank in a token is a slip of copying; sent as a header it would fail in a less clear way.
const credential = (text: string) => (/^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined);

const dollars = number(0, 1_000_000, false);

function prices(text: string): Prices | undefined {
  const given = parsed(text);
  if (!isObject(given)) return undefined;
  // A price that is set by its path in the configuration is a text.
  const found = Object.entries(given).flatMap(([piece, price]) => {
    const amount = dollars(String(price));
    return PIECES.includes(piece) && amount !== undefined ? [[piece, amount] as const] : [];
  });
  return found.length === Object.keys(given).length ? Object.fromEntries(found) : undefined;
}

/** A part of a named connection. */
interface Part {
  secret?: true;
  required?: true;
  expected: string;
  parse(text: string): string | undefined;
}

type Parts = Readonly<Record<string, Part>>;

/** Values by the name of a connection and of the part. */
type Connections = Readonly<Record<string, Readonly<Record<string, string>>>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

const URL_EXPECTED = "an http or https URL without credentials or a query";

const MANAGER: Parts = {
  url: { required: true, expected: URL_EXPECTED, parse: url },
  apiKey: { secret: true, expected: "a Proxy Manager API key, without blanks", parse: credential },
};

const ACCOUNT: Parts = {
  apiToken: { secret: true, required: true, expected: "an API token, without blanks", parse: credential },
  baseUrl: { expected: URL_EXPECTED, parse: url },
};

/** The parts of named connections, by the keys of their settings. */
const PARTS: Readonly<Record<string, Parts>> = { managers: MANAGER, accounts: ACCOUNT };

/** The first fault of named connections. */
function faultOf(text: string, parts: Parts): string | undefined {
  const given = parsed(text);
  if (!isObject(given)) return undefined;
  for (const [name, connection] of Object.entries(given)) {
    if (!NAME.test(name)) {
      return `${JSON.stringify(name)} is no name: expected letters, digits, "-" and "_", at most 63.`;
    }
    if (!isObject(connection)) return `\`${name}\` is no object: expected ${Object.keys(parts).join(" and ")}.`;
    const stray = Object.keys(connection).find((key) => !Object.hasOwn(parts, key));
    if (stray !== undefined) {
      return `\`${name}.${stray}\` is not known: expected ${Object.keys(parts).join(" and ")}.`;
    }
    for (const [part, { secret, required, expected, parse }] of Object.entries(parts)) {
      const value = connection[part];
      if (value === undefined && !required) continue;
      if (value === undefined) return `\`${name}.${part}\` is missing: expected ${expected}.`;
      if (typeof value === "string" && parse(value) !== undefined) continue;
      const shown = secret || MAY_HOLD_CREDENTIALS.test(String(value)) ? "" : ` ${JSON.stringify(value)}`;
      return `the value${shown} of \`${name}.${part}\` cannot be used: expected ${expected}.`;
    }
  }
  return undefined;
}

function connectionsIn(text: string, parts: Parts): Connections | undefined {
  const given = parsed(text);
  if (!isObject(given) || faultOf(text, parts) !== undefined) return undefined;
  const values = (connection: object) =>
    Object.entries(connection).map(([part, value]) => [part, parts[part]?.parse(value) as string]);
  return Object.fromEntries(
    Object.entries(given).map(([name, connection]) => [name, Object.fromEntries(values(connection as object))]),
  );
}

/** Named connections without those of some names. */
function withoutNames(text: string, names: ReadonlyMap<string, unknown>): string {
  const given = parsed(text);
  if (!isObject(given)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))));
}

/** Connections by their names, as one setting. */
const named = (parts: Parts) => ({
  initial: "{}",
  secret: true as const,
  parse: (text: string) => connectionsIn(text, parts),
  fault: (text: string) => faultOf(text, parts),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The settings, in the order of the README's table. */
export const SETTINGS = {
  apiToken: define({
    key: "apiToken",
    property: text({
      says: "API token of Bright Data's API. Needed only for zones, datasets and functions about them.",
      secret: true,
    }),
    environment: "BRIGHTDATA_API_TOKEN",
    secret: true,
    of: "baseUrl",
    expected: "an API token, without blanks",
    parse: credential,
  }),
  baseUrl: define({
    key: "baseUrl",
    property: text({ says: "Base URL of Bright Data's API." }),
    environment: "BRIGHTDATA_BASE_URL",
    initial: "https://api.brightdata.com",
    expected: URL_EXPECTED,
    parse: url,
  }),
  proxyManagerUrl: define({
    key: "proxyManagerUrl",
    property: text({ says: "Base URL of the Proxy Manager." }),
    environment: "BRIGHTDATA_PROXY_MANAGER_URL",
    initial: "http://127.0.0.1:22999",
    expected: URL_EXPECTED,
    parse: url,
  }),
  managerApiKey: define({
    key: "managerApiKey",
    property: text({
      says: "Key of the Proxy Manager's API, for its `ports` list. Without it, the current key is read from the manager.",
      secret: true,
    }),
    environment: "BRIGHTDATA_MANAGER_API_KEY",
    secret: true,
    of: "proxyManagerUrl",
    expected: "a Proxy Manager API key, without blanks",
    parse: credential,
  }),
  requestTimeout: define({
    key: "requestTimeout",
    property: amount({ says: "Time limit of a single request, from 0.1 to 3600.", unit: "seconds" }),
    environment: "BRIGHTDATA_REQUEST_TIMEOUT",
    initial: "30",
    expected: "seconds, from 0.1 to 3600",
    parse: number(0.1, 3600, false),
  }),
  retries: define({
    key: "retries",
    property: count({ says: "How many times a request that is safe to repeat is retried, from 0 to 10." }),
    environment: "BRIGHTDATA_RETRIES",
    initial: "3",
    expected: "a whole number from 0 to 10",
    parse: number(0, 10, true),
  }),
  requestsPerMinute: define({
    key: "requestsPerMinute",
    property: count({ says: "Requests per minute to each service, up to 100000; 0 means no limit." }),
    environment: "BRIGHTDATA_REQUESTS_PER_MINUTE",
    initial: "0",
    expected: "a whole number from 0 (no limit) to 100000",
    parse: number(0, 100_000, true),
  }),
  logLevel: define({
    key: "logLevel",
    property: text({ says: "How much is logged; bodies and headers never are.", oneOf: LOG_LEVELS }),
    environment: "BRIGHTDATA_LOG",
    initial: "warn",
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text.trim().toLowerCase()),
  }),
  prices: define({
    key: "prices",
    property: map(amount({ unit: "US dollars" }), {
      says: "Your own prices of an IP or gIP a month, for the preview.",
    }),
    environment: "BRIGHTDATA_PRICES",
    initial: "{}",
    expected: `a JSON object of US dollars a month, such as {"datacenter-dedicated-ip": 0.8}, of ${PIECES.join(", ")}`,
    parse: prices,
  }),
  checkOnPreview: define({
    key: "checkOnPreview",
    property: flag({ says: "Whether a preview reads from the services, and warns of what an update would fail for." }),
    environment: "BRIGHTDATA_CHECK_ON_PREVIEW",
    initial: "false",
    expected: "true or false",
    parse: (text) =>
      new Map([
        ["true", true],
        ["false", false],
      ]).get(text.trim().toLowerCase()),
  }),
  managers: define({
    key: "managers",
    property: map(
      object(
        {
          url: text({ says: "Base URL of the Proxy Manager.", required: true }),
          apiKey: text({ says: "Key of its API, if it needs one.", secret: true }),
        },
        { named: "ManagerConnection", says: "A Proxy Manager that has a name." },
      ),
      { says: "Further Proxy Managers, by name." },
    ),
    environment: "BRIGHTDATA_MANAGERS",
    expected: 'a JSON object such as {"fra-1":{"url":"https://fra-1.example.com:22999","apiKey":"..."}}',
    ...named(MANAGER),
  }),
  accounts: define({
    key: "accounts",
    property: map(
      object(
        {
          apiToken: text({ says: "API token of the account.", secret: true, required: true }),
          baseUrl: text({ says: "Base URL of the API.", defaultSays: "that of `baseUrl`" }),
        },
        { named: "AccountConnection", says: "An account that has a name." },
      ),
      { says: "Further accounts, by name." },
    ),
    environment: "BRIGHTDATA_ACCOUNTS",
    expected: 'a JSON object such as {"shop":{"apiToken":"..."}}',
    ...named(ACCOUNT),
  }),
};

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
 * Reads the user's own prices alone: a preview says them without the other settings.
 *
 * @throws {ConfigurationError} as {@link readSettings}
 */
export const readPrices = (readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): Prices =>
  reader(readConfig, environment).required(SETTINGS.prices);

/**
 * Reads alone whether a preview reads from the services.
 *
 * @throws {ConfigurationError} as {@link readSettings}
 */
export const readCheckOnPreview = (readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): boolean =>
  reader(readConfig, environment).required(SETTINGS.checkOnPreview);

/** Every credential that is configured, whether it can be used or not: for hiding them. */
export function credentialsIn(readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): string[] {
  const texts = ({ key, environment: variable }: Setting) =>
    [environment[variable], readConfig(`brightdata:${key}`)].filter((text) => text !== undefined && text !== "");
  const inParts = (definition: Setting, parts: Parts) =>
    texts(definition).flatMap((text) => {
      const given = parsed(text as string);
      const connections = isObject(given) ? Object.values(given).filter(isObject) : [];
      return connections.flatMap((connection) =>
        Object.keys(parts).flatMap((part) => (parts[part]?.secret ? [connection[part]] : [])),
      );
    });
  return [
    ...texts(SETTINGS.apiToken),
    ...texts(SETTINGS.managerApiKey),
    ...inParts(SETTINGS.managers, MANAGER),
    ...inParts(SETTINGS.accounts, ACCOUNT),
  ].filter((value) => typeof value === "string");
}

/** The settings of the credentials in a setting's value: of a named connection, those of its parts. */
export function credentialSettings(setting: Setting, text: string): Setting[] {
  const parts = PARTS[setting.key];
  if (parts === undefined) return setting.secret ? [setting] : [];
  const given = parsed(text);
  return Object.entries(isObject(given) ? given : {}).flatMap(([name, connection]) =>
    Object.entries(parts).flatMap(([part, { secret }]) =>
      secret && isObject(connection) && connection[part] !== undefined ? [settingOf(setting, name, part)] : [],
    ),
  );
}

/** A setting's value as it was found. */
interface Found {
  text: string;
  source: string;
}

function reader(readConfig: ReadConfig, environment: NodeJS.ProcessEnv) {
  const provider = given(readConfig(PROVIDER_NAME));
  const configured = (key: string) => given(readConfig(`brightdata:${key}`));
  const inConfig = ({ key }: Setting): Found | undefined => {
    const text = configured(key);
    const stack = `the stack's configuration (brightdata:${key})`;
    const source = provider === undefined ? stack : `the provider ${JSON.stringify(provider)} (${key})`;
    return text === undefined ? undefined : { text, source };
  };
  /** Whether a provider is given no other service than the environment leads to. */
  const isOfEnvironment = (service: "baseUrl" | "proxyManagerUrl"): boolean => {
    const { key, environment: variable, initial, parse } = SETTINGS[service];
    const url = provider === undefined ? undefined : configured(key);
    return url === undefined || parse(url) === parse(given(environment[variable]) ?? (initial as string));
  };
  const inVariable = ({ environment: name, of, ...setting }: Definition<unknown>): Found | undefined => {
    const text = of === undefined || isOfEnvironment(of) ? given(environment[name]) : undefined;
    return text === undefined ? undefined : { text, source: inEnvironment({ ...setting, environment: name }) };
  };
  /** Where a setting is set, what counts first. */
  const places = (definition: Definition<unknown>): Found[] => {
    const both = [inVariable(definition), inConfig(definition)];
    return (provider === undefined ? both : both.toReversed()).filter((found) => found !== undefined);
  };
  const parse = <T>(definition: Definition<T>, { text, source }: Found): T => {
    const value = definition.parse(text);
    if (value !== undefined) return value;
    const fault = definition.fault?.(text) ?? `expected ${definition.expected}.`;
    const shown = mayBeShown(definition, text) ? ` ${JSON.stringify(text)}` : "";
    throw new ConfigurationError(
      `The value${shown} from ${source} cannot be used: ${fault} ${howToSet(definition, provider)}`,
    );
  };
  const read = <T>(definition: Definition<T>) => {
    const found = places(definition)[0];
    const { initial } = definition;
    if (found === undefined && initial === undefined) return undefined;
    const { text, source } = found ?? { text: initial as string, source: "" };
    return { value: parse(definition, { text, source }), source, setting: definition as Setting };
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
      const left = { text: withoutNames(text, made), source: place };
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

/** Whether a value that cannot be used may stand in a message. */
export const mayBeShown = ({ secret }: { secret?: true }, text: string): boolean =>
  !secret && !MAY_HOLD_CREDENTIALS.test(text);

/** The setting that a part of a named connection is. */
export function settingOf({ key, environment }: Setting, name: string, part: string): Setting {
  const { secret } = PARTS[key]?.[part] ?? {};
  return { key: `${key}.${name}.${part}`, environment, ...(secret && { secret }) };
}

/**
 * Both ways to set a setting, in words.
 *
 * @param provider name of the explicit provider that it is a setting of
 */
export function waysToSet({ key, environment }: Setting, provider?: string): string {
  const here = provider === undefined ? `brightdata:${key}` : `\`${key}\` of the provider ${JSON.stringify(provider)}`;
  return `${here} / ${environment}`;
}

/** Whether a URL is that of Bright Data's API, which no Proxy Manager has. */
export const isVendorsApi = (url: string): boolean =>
  new URL(url).hostname === new URL(SETTINGS.baseUrl.initial as string).hostname;

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

/** The environment as the source of a setting, for messages. */
export const inEnvironment = ({ environment }: Setting): string => `the environment (${environment})`;

/**
 * One sentence that names both ways to set a setting.
 *
 * @param provider name of the explicit provider that it is a setting of
 */
export function howToSet(setting: Setting, provider?: string): string {
  const { key, environment } = setting;
  const here =
    provider === undefined
      ? `\`${commandToSet(setting)}\``
      : `the argument \`${key}\` of the provider ${JSON.stringify(provider)}`;
  return `Set it with ${here} or the environment variable ${environment}.`;
}

/** The command that sets a setting in the stack's configuration. */
export function commandToSet({ key, secret }: Setting): string {
  const command = ["pulumi config set", ...(secret ? ["--secret"] : []), ...(key.includes(".") ? ["--path"] : [])];
  const name = key.includes(".") ? `'brightdata:${key}'` : `brightdata:${key}`;
  return `${[...command, name].join(" ")} <value>`;
}

function define<T>(definition: Definition<T>): Definition<T> {
  return definition;
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === "" ? undefined : text);
