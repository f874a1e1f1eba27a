import { beforeEach, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import {
  adviceOnConfiguration,
  configurationFailures,
  configurationOf,
  homeIn,
  isSameConfiguration,
} from "../../src/plugin/configuration";
import { SECRET_MARK, UNKNOWN_VALUE } from "../../src/pulumi/values";
import { SETTINGS } from "../../src/settings/definitions";

const secret = (value: unknown) => ({ ...SECRET_MARK, value });

beforeEach(() => {
  for (const { environment } of Object.values(SETTINGS)) vi.stubEnv(environment, "");
  return () => vi.unstubAllEnvs();
});

test.each([
  ["", undefined],
  ["default", undefined],
  ["default_0_1_0", undefined],
  ["default_1_2_3_alpha_4", undefined],
  ["default_github_/api.github.com/o/r", undefined],
  ["default_0_1_0_github_/api.github.com/o/r", undefined],
  ["default_2", "default_2"],
  ["default_shop.eu", "default_shop.eu"],
  ["shop", "shop"],
  ["defaults", "defaults"],
  ["default_shop", "default_shop"],
  ["my default", "my default"],
])("the provider %j is at home with %j", (name, home) => {
  expect(homeIn({}, name)).toBe(home);
  expect(configurationOf({}, name).home).toBe(home);
});

test("a provider of dynamic resources, which has its name among its inputs, is the same as one of the plugin", () => {
  const dynamic = { "brightdata:provider": "shop", "brightdata:retries": "1" };
  expect(isSameConfiguration(dynamic, { retries: "1", version: "0.1.0" })).toBe(true);
  expect(isSameConfiguration(dynamic, { retries: "2" })).toBe(false);
});

test.each<[what: string, one: unknown, other: unknown, isSame: boolean]>([
  ["the order of keys", { fra: { url: "x", apiKey: "y" } }, { fra: { apiKey: "y", url: "x" } }, true],
  ["the order of keys as a text", '{"fra":{"url":"x","apiKey":"y"}}', { fra: { apiKey: "y", url: "x" } }, true],
  ["another value", { fra: { url: "x", apiKey: "y" } }, { fra: { url: "x", apiKey: "z" } }, false],
  ["a text that is no JSON", "{fra}", "{fra}", true],
  ["another text that is no JSON", "{fra}", "{muc}", false],
])("settings that differ by %s are compared by what they mean", (_, one, other, isSame) => {
  expect(isSameConfiguration({ managers: one }, { managers: secret(other) })).toBe(isSame);
});

test("an explicit provider named like the default one says so, and comes before the environment", () => {
  vi.stubEnv("BRIGHTDATA_RETRIES", "5");
  const { settings } = configurationOf({ provider: "default", retries: "2" }, "default");
  expect(settings).toMatchObject({ provider: "default", retries: 2 });
  expect(configurationFailures({ provider: "default", retries: "many" }, "default")).toEqual([
    expect.stringContaining('from the provider "default" (`retries`)'),
  ]);
  // The stack's configuration may have a key of that name.
  expect(configurationOf({ provider: "shop", retries: "2" }, "default_0_1_0").settings).toMatchObject({ retries: 5 });
});

test("settings are read from texts, and from values that have a type of their own", () => {
  const args = {
    apiToken: secret("the-token"),
    baseUrl: "http://127.0.0.1:1",
    retries: 2,
    requestTimeout: "2.5",
    prices: { "mobile-gip": 20 },
    managers: secret({ fra: { url: "http://127.0.0.1:2" } }),
    managerApiKey: null,
    version: "0.1.0",
    __internal: {},
  };
  const { settings, prices, credentials } = configurationOf(args, "shop");
  expect(settings).toMatchObject({ baseUrl: "http://127.0.0.1:1", retries: 2, requestTimeout: 2.5 });
  expect(prices).toEqual({ "mobile-gip": 20 });
  expect(credentials).toContain("the-token");
});

test("without any, there are the defaults, and the name of an explicit provider", () => {
  const { settings } = configurationOf(undefined, "default");
  expect(settings).toMatchObject({ baseUrl: "https://api.brightdata.com", proxyManagerUrl: "http://127.0.0.1:22999" });
  expect(configurationOf({}, "shop").settings).toEqual({ ...settings, provider: "shop" });
});

const THE_DEFAULT = "default_0_1_0";

test.each<[what: string, args: JsonObject, failures: unknown[]]>([
  ["nothing", {}, []],
  ["what is right", { retries: "3", apiToken: secret("the-token") }, []],
  ["what is not known yet", { retries: UNKNOWN_VALUE, apiToken: secret(UNKNOWN_VALUE), prices: UNKNOWN_VALUE }, []],
  ["a word for a number", { retries: "many" }, [expect.stringMatching(/"many".*retries/)]],
  ["a URL that is none", { baseUrl: secret("nowhere") }, [expect.stringContaining("baseUrl")]],
])("a provider with %s is told what is wrong", (_, args, failures) => {
  for (const name of [THE_DEFAULT, "shop"]) expect(configurationFailures(args, name)).toEqual(failures);
});

test("an explicit provider with an empty text is told so; in the stack's configuration it is nothing", () => {
  vi.stubEnv("BRIGHTDATA_API_TOKEN", "the-token");
  const args = { apiToken: "", proxyManagerUrl: null };
  expect(configurationFailures(args, THE_DEFAULT)).toEqual([]);
  expect(configurationFailures(args, "shop")).toEqual([
    expect.stringContaining('from the provider "shop" (`apiToken`) cannot be used: expected an API token'),
  ]);
});

test("no credential is in what is told", () => {
  const [failure] = configurationFailures({ apiToken: secret("two words") }, "shop");
  expect(failure).toContain("apiToken");
  expect(failure).not.toContain("two words");
});

test("settings that are misspelt are named with what may be meant", () => {
  const [far, near, ...others] = adviceOnConfiguration({ retrys: "1", colour: "red", retries: "1" });
  expect(near).toBe(
    "The stack's configuration has brightdata:retrys, which is not a setting and has no effect. Did you mean brightdata:retries?",
  );
  expect(far).toContain("brightdata:colour, which is not a setting and has no effect. The settings are");
  expect(others).toEqual([]);
});

test("what the engine adds is no setting of the program's", () => {
  expect(adviceOnConfiguration({ version: "0.1.0", pluginDownloadURL: "", __internal: {} })).toEqual([]);
});

test("credentials in plain text are named, wherever they are", () => {
  const managers = JSON.stringify({ fra: { url: "http://127.0.0.1:2", apiKey: "the-key" } });
  const plain = adviceOnConfiguration({ apiToken: "the-token", managers });
  expect(plain).toHaveLength(2);
  expect(plain[0]).toContain("brightdata:apiToken is in plain text in the stack's configuration.");
  expect(plain[1]).toContain("brightdata:managers");
  expect(plain.join()).not.toMatch(/the-token|the-key/);
  expect(adviceOnConfiguration({ apiToken: secret("the-token"), managers: secret(managers) })).toEqual([]);
});

test.each([
  ["values", (value: object) => value],
  ["texts, as Python's SDK sends them", (value: object) => JSON.stringify(value)],
])("named connections with names in snake case are those that are declared, in %s", (_, written) => {
  const managers = written({ fra_1: { url: "http://127.0.0.1:2", api_key: "the-key" } });
  const accounts = written({ shop_eu: { api_token: "the-token", base_url: "http://127.0.0.1:1" } });
  const args = { managers: secret(managers), accounts: secret(accounts) };
  expect(configurationFailures(args, "shop")).toEqual([]);
  expect(configurationOf(args, "shop").settings).toMatchObject({
    managers: { fra_1: { url: "http://127.0.0.1:2", apiKey: { value: "the-key" } } },
    accounts: { shop_eu: { apiToken: { value: "the-token" }, baseUrl: "http://127.0.0.1:1" } },
  });
  const declared = { shop_eu: { apiToken: "the-token", baseUrl: "http://127.0.0.1:1" } };
  expect(isSameConfiguration({ accounts }, { accounts: declared })).toBe(true);
  expect(adviceOnConfiguration({ accounts })).toEqual([expect.stringContaining("brightdata:accounts")]);
});

test("a setting in which anything is not known yet is not known yet", () => {
  const managers = { fra: { url: UNKNOWN_VALUE, apiKey: secret("abc") } };
  expect(configurationFailures({ managers, retries: "2" }, "fleet")).toEqual([]);
  expect(configurationOf({ managers, retries: "2" }, "fleet").settings).toMatchObject({ managers: {}, retries: 2 });
  expect(adviceOnConfiguration({ managers })).toEqual([]);
});

test("what is not known, or not given, is not said to be in plain text", () => {
  expect(adviceOnConfiguration({ apiToken: UNKNOWN_VALUE, managerApiKey: null })).toEqual([]);
});
