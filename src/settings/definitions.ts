import { snakeCase } from "../base/case";
import { isObject, ownIn } from "../base/json";
import { number as amount, count, flag, map, object, type Property, text } from "../declaration/property";
import { PIECES } from "../model/products";
import { ACCOUNT, MANAGER, named, only } from "./namedConnections";
import type { Setting } from "./setting";
import { credential, LOG_LEVELS, MAY_HOLD_CREDENTIALS, number, prices, URL_EXPECTED, url } from "./values";

export interface Definition<T> extends Setting {
  /** What it means and what it may be, for those who write programs. */
  property: Property;
  initial?: string;
  /** The setting of the service that it is for: the environment's credential is for the environment's service alone. */
  of?: "baseUrl" | "proxyManagerUrl";
  /** What of a text is for a service of its own, and not for that one. */
  apart?(text: string): string;
  /** What a good value is, for the message about a bad one. */
  expected: string;
  /** `undefined` for a bad value. */
  parse(text: string): T | undefined;
  /** What exactly is wrong with a bad value that has parts: a sentence's beginning, up to what was expected. */
  fault?(text: string): string | undefined;
}

/** The settings, in the order of the README's table. */
export const SETTINGS = {
  apiToken: define("apiToken", {
    property: text({
      says: "API token of Bright Data's API. Needed only for zones, datasets and functions about them.",
      secret: true,
    }),
    secret: true,
    of: "baseUrl",
    expected: "an API token, without blanks",
    parse: credential,
  }),
  baseUrl: define("baseUrl", {
    property: text({ says: "Base URL of Bright Data's API." }),
    initial: "https://api.brightdata.com",
    expected: URL_EXPECTED,
    parse: url,
  }),
  proxyManagerUrl: define("proxyManagerUrl", {
    property: text({ says: "Base URL of the Proxy Manager." }),
    initial: "http://127.0.0.1:22999",
    expected: URL_EXPECTED,
    parse: url,
  }),
  managerApiKey: define("managerApiKey", {
    property: text({
      says: "Key of the Proxy Manager's API, for its `ports` list. Without it, the current key is read from the manager.",
      secret: true,
    }),
    secret: true,
    of: "proxyManagerUrl",
    expected: "a Proxy Manager API key, without blanks",
    parse: credential,
  }),
  requestTimeout: define("requestTimeout", {
    property: amount({ says: "Time limit of a single request, from 0.1 to 3600.", unit: "seconds" }),
    initial: "30",
    expected: "seconds, from 0.1 to 3600",
    parse: number(0.1, 3600, false),
  }),
  retries: define("retries", {
    property: count({ says: "How many times a request that is safe to repeat is retried, from 0 to 10." }),
    initial: "3",
    expected: "a whole number from 0 to 10",
    parse: number(0, 10, true),
  }),
  requestsPerMinute: define("requestsPerMinute", {
    property: count({ says: "Requests per minute to each account or Proxy Manager, up to 100000; 0 means no limit." }),
    initial: "0",
    expected: "a whole number from 0 (no limit) to 100000",
    parse: number(0, 100_000, true),
  }),
  logLevel: define("logLevel", {
    property: text({ says: "How much is logged; bodies and headers never are.", oneOf: LOG_LEVELS }),
    environment: "BRIGHTDATA_LOG",
    initial: "warn",
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text.trim().toLowerCase()),
  }),
  prices: define("prices", {
    property: map(amount({ unit: "US dollars" }), {
      says: "Your own prices of an IP or gIP a month, for the preview.",
    }),
    initial: "{}",
    expected: `a JSON object of US dollars a month, such as {"datacenter-dedicated-ip": 0.8}, of ${PIECES.join(", ")}`,
    parse: prices,
  }),
  checkOnPreview: define("checkOnPreview", {
    property: flag({ says: "Whether a preview reads from the services, and warns of what an update would fail for." }),
    initial: "false",
    expected: "true or false",
    parse: (text) => ownIn({ true: true, false: false }, text.trim().toLowerCase()),
  }),
  managers: define("managers", {
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
    expected: 'a JSON object such as {"fra-1":{"url":"https://fra-1.example.com:22999","apiKey":"..."}}',
    ...named(MANAGER),
  }),
  accounts: define("accounts", {
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
    of: "baseUrl",
    apart: (text) => only(text, (_, account) => isObject(account) && account.baseUrl !== undefined),
    expected: 'a JSON object such as {"shop":{"apiToken":"..."}}',
    ...named(ACCOUNT),
  }),
};

/** Whether a value that cannot be used may stand in a message. */
export const mayBeShown = ({ secret }: { secret?: true }, text: string): boolean =>
  !secret && !MAY_HOLD_CREDENTIALS.test(text);

/** The variable of the environment is called as the key is, unless another is named. */
function define<T, const G extends Omit<Definition<T>, "key" | "environment">>(
  key: string,
  given: Omit<Definition<T>, "key" | "environment"> & { environment?: string } & G,
) {
  return { key, environment: `BRIGHTDATA_${snakeCase(key).toUpperCase()}`, ...given };
}
