import { ConfigurationError } from "./errors";
import { isObject } from "./json";
import { PIECES } from "./kinds/zone/products";
import { isLoopback } from "./loopback";

/** Levels of the log, from quiet to talkative. */
export const LOG_LEVELS = ["off", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A credential and where it came from, for messages: the value itself never stands in one. */
export interface Credential {
  value: string;
  source: string;
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

export interface Definition<T> {
  /** Key of the stack's configuration, below `brightdata:`. */
  key: string;
  environment: string;
  initial?: string;
  secret?: true;
  /** The setting of the service that it is for: where a provider is given another service, the environment's is not for it. */
  of?: string;
  /** What a good value is, for the message about a bad one. */
  expected: string;
  /** `undefined` for a bad value. */
  parse(text: string): T | undefined;
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
    environment: "BRIGHTDATA_API_TOKEN",
    secret: true,
    expected: "an API token, without blanks",
    parse: credential,
  }),
  baseUrl: define({
    key: "baseUrl",
    environment: "BRIGHTDATA_BASE_URL",
    initial: "https://api.brightdata.com",
    expected: "an http or https URL without credentials or a query",
    parse: url,
  }),
  proxyManagerUrl: define({
    key: "proxyManagerUrl",
    environment: "BRIGHTDATA_PROXY_MANAGER_URL",
    initial: "http://127.0.0.1:22999",
    expected: "an http or https URL without credentials or a query",
    parse: url,
  }),
  managerApiKey: define({
    key: "managerApiKey",
    environment: "BRIGHTDATA_MANAGER_API_KEY",
    secret: true,
    of: "proxyManagerUrl",
    expected: "a Proxy Manager API key, without blanks",
    parse: credential,
  }),
  requestTimeout: define({
    key: "requestTimeout",
    environment: "BRIGHTDATA_REQUEST_TIMEOUT",
    initial: "30",
    expected: "seconds, from 0.1 to 3600",
    parse: number(0.1, 3600, false),
  }),
  retries: define({
    key: "retries",
    environment: "BRIGHTDATA_RETRIES",
    initial: "3",
    expected: "a whole number from 0 to 10",
    parse: number(0, 10, true),
  }),
  requestsPerMinute: define({
    key: "requestsPerMinute",
    environment: "BRIGHTDATA_REQUESTS_PER_MINUTE",
    initial: "0",
    expected: "a whole number from 0 (no limit) to 100000",
    parse: number(0, 100_000, true),
  }),
  logLevel: define({
    key: "logLevel",
    environment: "BRIGHTDATA_LOG",
    initial: "warn",
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text.trim().toLowerCase()),
  }),
  prices: define({
    key: "prices",
    environment: "BRIGHTDATA_PRICES",
    initial: "{}",
    expected: `a JSON object of US dollars a month, such as {"datacenter-dedicated-ip": 0.8}, of ${PIECES.join(", ")}`,
    parse: prices,
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
  const { read, required, provider } = reader(readConfig, environment);
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

function reader(readConfig: ReadConfig, environment: NodeJS.ProcessEnv) {
  const provider = given(readConfig(PROVIDER_NAME));
  const configured = (key: string) => given(readConfig(`brightdata:${key}`));
  const find = ({
    key,
    environment: variable,
    of,
  }: Definition<unknown>): { text: string; source: string } | undefined => {
    const inConfig = configured(key);
    const isElsewhere = provider !== undefined && of !== undefined && configured(of) !== undefined;
    const inVariable = isElsewhere ? undefined : given(environment[variable]);
    if (inVariable !== undefined && (provider === undefined || inConfig === undefined)) {
      return { text: inVariable, source: inEnvironment({ environment: variable }) };
    }
    if (inConfig === undefined) return undefined;
    const source =
      provider === undefined
        ? `the stack's configuration (brightdata:${key})`
        : `the provider ${JSON.stringify(provider)} (${key})`;
    return { text: inConfig, source };
  };
  const read = <T>(definition: Definition<T>): { value: T; source: string } | undefined => {
    const { text = definition.initial, source = "" } = find(definition) ?? {};
    if (text === undefined) return undefined;
    const value = definition.parse(text);
    if (value === undefined) {
      const shown = mayBeShown(definition, text) ? ` ${JSON.stringify(text)}` : "";
      throw new ConfigurationError(
        `The value${shown} from ${source} cannot be used: expected ${definition.expected}. ${howToSet(definition, provider)}`,
      );
    }
    return { value, source };
  };
  const required = <T>(definition: Definition<T>): T => {
    const found = read(definition);
    if (found === undefined) throw new ConfigurationError(`Not set. ${howToSet(definition, provider)}`);
    return found.value;
  };
  return { read, required, provider };
}

/** Whether a value that cannot be used may stand in a message. */
export const mayBeShown = ({ secret }: { secret?: true }, text: string): boolean =>
  !secret && !MAY_HOLD_CREDENTIALS.test(text);

/** @throws {ConfigurationError} when a credential would travel in clear over a network */
export function refusePlainHttp(baseUrl: string, what: string, setting: { key: string; environment: string }): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname)) return;
  throw new ConfigurationError(
    `${baseUrl} is plain http and not this machine: ${what} would travel in clear. Use an https URL (brightdata:${setting.key} / ${setting.environment}), or a tunnel that ends on 127.0.0.1.`,
  );
}

/** The environment as the source of a setting, for messages. */
export const inEnvironment = ({ environment }: { environment: string }): string => `the environment (${environment})`;

/**
 * One sentence that names both ways to set a setting.
 *
 * @param provider name of the explicit provider that it is a setting of
 */
export function howToSet(definition: { key: string; environment: string; secret?: true }, provider?: string): string {
  const secret = definition.secret ? "--secret " : "";
  const here =
    provider === undefined
      ? `\`pulumi config set ${secret}brightdata:${definition.key} <value>\``
      : `the argument \`${definition.key}\` of the provider ${JSON.stringify(provider)}`;
  return `Set it with ${here} or the environment variable ${definition.environment}.`;
}

function define<T>(definition: Definition<T>): Definition<T> {
  return definition;
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === "" ? undefined : text);
